// What a pool's n-grams are and how often they occur. Pruned n-grams occur exactly once (RepeatedAnywhere),
// so each pruned position is an n-gram of its own with count one.
#include <algorithm>
#include <map>

#include "pool/counting.hpp"
#include "pool/pool.hpp"

namespace bleuprint {
namespace {

uint64_t total_ngrams(const Pool& pool, size_t order) {
  uint64_t total = 0;
  for (size_t text = 0; text < pool.texts(); ++text) {
    if (pool.length(text) >= order) total += pool.length(text) - order + 1;
  }
  return total;
}

// Few n-grams are frequent, so that only they are sorted. occurrences[0] is the number of n-grams that occur once.
std::vector<FrequencyCount> histogram(const std::vector<uint64_t>& occurrences) {
  constexpr uint64_t kFrequent = 4096;
  std::vector<uint64_t> rare(kFrequent, 0);
  std::map<uint64_t, uint64_t> frequent;
  for (size_t group = 1; group < occurrences.size(); ++group) {
    ++(occurrences[group] < kFrequent ? rare[occurrences[group]] : frequent[occurrences[group]]);
  }
  rare[1] += occurrences[0];
  std::vector<FrequencyCount> counts;
  for (uint64_t count = 1; count < kFrequent; ++count) {
    if (rare[count] > 0) counts.push_back({count, rare[count]});
  }
  for (const auto& [count, ngrams] : frequent) counts.push_back({count, ngrams});
  return counts;
}

// Words are numbered already: a third of the time.
bool count_words(const Pool& pool, std::vector<FrequencyCount>* counts, const Run& run) {
  std::vector<uint64_t> occurrences(pool.vocabulary().size() + 1, 0);
  const Sequence sequence = sequence_of(pool);
  const auto count = [&](size_t, uint64_t, uint32_t word) { ++occurrences[size_t{word} + 1]; };
  if (!visit_ngrams(sequence, 1, pool.ids(), run, count)) return false;
  *counts = histogram(occurrences);
  return true;
}

}  // namespace

bool distinct(const Pool& pool, size_t max_order, uint64_t* different, uint64_t* totals, const Run& run) {
  Counting counting(sequence_of(pool), {}, run);
  for (size_t order = 1; order <= max_order; ++order) {
    if (!counting.advance({})) return false;
    totals[order - 1] = total_ngrams(pool, order);
    different[order - 1] = totals[order - 1] - counting.live_positions() + counting.live_groups();
  }
  return true;
}

bool frequency_counts(const Pool& pool, size_t max_order, std::vector<std::vector<FrequencyCount>>* counts,
                      const Run& run) {
  const Sequence sequence = sequence_of(pool);
  counts->assign(max_order, {});
  if (max_order == 1) return count_words(pool, &counts->front(), run);
  Counting counting(sequence, {}, run);
  for (std::vector<FrequencyCount>& of_order : *counts) {
    if (!counting.advance({})) return false;
    const size_t order = static_cast<size_t>(&of_order - counts->data()) + 1;
    std::vector<uint64_t> occurrences(counting.group_limit(), 0);
    const auto count = [&](size_t, uint64_t position, uint32_t group) {
      prefetch_group(sequence, occurrences, counting.groups(), position);
      ++occurrences[group];
    };
    if (!visit_ngrams(sequence, order, counting.groups(), run, count)) return false;
    of_order = histogram(occurrences);
  }
  return true;
}

bool ngram_numbers(const Pool& pool, size_t order, int64_t* numbers, const Run& run) {
  require_order(order);
  Counting counting(sequence_of(pool), {}, run);
  if (!advance_to(&counting, order)) return false;
  std::fill_n(numbers, pool.tokens(), int64_t{-1});
  // Numbered by first appearance: the groups themselves depend on the hash seed.
  std::vector<uint32_t> number(counting.group_limit(), 0);
  uint32_t last = 0;
  return visit_ngrams(sequence_of(pool), order, counting.groups(), run, [&](size_t, uint64_t position, uint32_t group) {
    if (group != 0 && number[group] == 0) number[group] = ++last;
    numbers[position] = group == 0 ? 0 : number[group];
  });
}

bool paired_counts(const Pool& first, const Pool& second, size_t order, std::vector<PairedCount>* counts,
                   const Run& run) {
  require_order(order);
  JoinedPools joined;
  if (!joined.join(first, second, run)) return false;
  const Sequence sequence = joined.sequence();
  Counting counting(sequence, {}, run);
  if (!advance_to(&counting, order)) return false;
  counts->clear();
  std::vector<uint64_t> place(counting.group_limit(), 0);
  return visit_ngrams(sequence, order, counting.groups(), run, [&](size_t text, uint64_t, uint32_t group) {
    uint64_t at = group == 0 ? 0 : place[group];
    if (at == 0) {
      counts->push_back({0, 0});
      at = counts->size();
      if (group != 0) place[group] = at;
    }
    PairedCount& count = (*counts)[at - 1];
    ++(text < first.texts() ? count.first : count.second);
  });
}

bool most_shared(const Pool& pool, size_t order, size_t limit, SharedNgrams* shared, const Run& run) {
  struct Candidate {
    uint64_t texts = 0;
    uint64_t position = 0;
    uint64_t last_text = 0;  // text + 1
  };
  require_order(order);
  Counting counting(sequence_of(pool), {}, run);
  if (!advance_to(&counting, order)) return false;
  std::vector<Candidate> candidates(counting.group_limit());
  uint64_t single = 0;
  const auto count_text = [&](size_t text, uint64_t position, uint32_t group) {
    if (group == 0) {
      // Later ones cannot be among the first `limit`: these come before them with the same count.
      if (single++ < limit) candidates.push_back({1, position, text + 1});
      return;
    }
    Candidate& candidate = candidates[group];
    if (candidate.texts == 0) candidate.position = position;
    candidate.texts += candidate.last_text != text + 1;
    candidate.last_text = text + 1;
  };
  if (!visit_ngrams(sequence_of(pool), order, counting.groups(), run, count_text)) return false;
  const auto unused = [](const Candidate& candidate) { return candidate.texts == 0; };
  candidates.erase(std::remove_if(candidates.begin(), candidates.end(), unused), candidates.end());
  const size_t size = std::min(limit, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(size), candidates.end(),
                    [](const Candidate& a, const Candidate& b) {
                      return a.texts != b.texts ? a.texts > b.texts : a.position < b.position;
                    });
  *shared = {};
  for (size_t i = 0; i < size; ++i) {
    const uint32_t* tokens = pool.ids() + candidates[i].position;
    shared->tokens.insert(shared->tokens.end(), tokens, tokens + order);
    shared->text_counts.push_back(candidates[i].texts);
  }
  return true;
}

}  // namespace bleuprint
