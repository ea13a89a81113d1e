// What a pool's n-grams are and how often they occur. Pruned n-grams occur exactly once (RepeatedAnywhere),
// so each pruned position is an n-gram of its own with count one.
#include <algorithm>

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

// Words are numbered already: a third of the time.
void count_words(const Pool& pool, std::vector<FrequencyCount>* counts, const Run& run) {
  std::vector<uint64_t> occurrences(pool.vocabulary().size(), 0);
  const Sequence sequence = sequence_of(pool);
  const auto count = [&](size_t, uint64_t, uint32_t word) { ++occurrences[word]; };
  visit_ngrams(sequence, 1, pool.ids(), run, count);
  Frequencies frequencies;
  for (const uint64_t count : occurrences) {
    if (count > 0) frequencies.add(count);
  }
  *counts = frequencies.counts();
}

}  // namespace

void frequency_counts(const Pool& pool, size_t max_order, std::vector<std::vector<FrequencyCount>>* counts,
                      const Run& run) {
  counts->assign(max_order, {});
  if (max_order == 1) return count_words(pool, &counts->front(), run);
  Refinement<RepeatedAnywhere> counting(sequence_of(pool), {}, run);
  std::vector<Frequencies> frequencies;
  counting.refine(max_order, {}, nullptr, &frequencies);
  for (size_t order = 1; order <= max_order; ++order) {
    frequencies[order - 1].add(1, total_ngrams(pool, order) - counting.live(order).positions);
    (*counts)[order - 1] = frequencies[order - 1].counts();
  }
}

void ngram_numbers(const Pool& pool, size_t order, int64_t* numbers, const Run& run) {
  require_order(order);
  Grouped counted;
  counted.count(sequence_of(pool), order, run);
  std::fill_n(numbers, pool.tokens(), int64_t{-1});
  // Numbered by first appearance: the groups themselves depend on the hash seed.
  std::vector<uint32_t> number(counted.limit, 0);
  uint32_t last = 0;
  visit_ngrams(sequence_of(pool), order, counted.groups.get(), run, [&](size_t, uint64_t position, uint32_t group) {
    if (group != 0 && number[group] == 0) number[group] = ++last;
    numbers[position] = group == 0 ? 0 : number[group];
  });
}

void paired_counts(const Pool& first, const Pool& second, size_t order, std::vector<PairedCount>* counts,
                   const Run& run) {
  require_order(order);
  JoinedPools joined;
  joined.join(first, second, run);
  const Sequence sequence = joined.sequence();
  Grouped counted;
  counted.count(sequence, order, run);
  counts->clear();
  std::vector<uint64_t> place(counted.limit, 0);
  visit_ngrams(sequence, order, counted.groups.get(), run, [&](size_t text, uint64_t, uint32_t group) {
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

void most_shared(const Pool& pool, size_t order, size_t limit, SharedNgrams* shared, const Run& run) {
  struct Candidate {
    uint64_t texts = 0;
    uint64_t position = 0;
    uint64_t last_text = 0;  // text + 1
  };
  require_order(order);
  Grouped counted;
  counted.count(sequence_of(pool), order, run);
  std::vector<Candidate> candidates(counted.limit);
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
  visit_ngrams(sequence_of(pool), order, counted.groups.get(), run, count_text);
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
}

}  // namespace bleuprint
