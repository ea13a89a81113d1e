// What a pool's n-grams are and how often they occur. Pruned n-grams occur exactly once (RepeatedAnywhere),
// so each pruned position is an n-gram of its own with count one.
#include <algorithm>
#include <memory>
#include <stdexcept>

#include "pool/join.hpp"
#include "pool/pool.hpp"
#include "pool/refinement.hpp"

namespace bleuprint {
namespace {

constexpr uint64_t kPollEvery = uint64_t{1} << 16;

// The n-grams of one order, in groups.
struct Grouped {
  std::unique_ptr<uint32_t[]> groups;  // by position; 0 is an n-gram that occurs nowhere else
  size_t group_limit = 1;
  Live live;

  bool count(const Sequence& sequence, size_t order, const Run& run) {
    groups.reset(new uint32_t[sequence.offsets[sequence.texts]]());
    Refinement<RepeatedAnywhere> counting(sequence, {}, run);
    if (!counting.refine(order, {}, groups.get())) return false;
    group_limit = counting.group_limit();
    live = counting.live(order);
    return true;
  }
};

void require_order(size_t order) {
  if (order == 0) throw std::invalid_argument("an n-gram has at least one token: the order must be 1 or more, not 0");
}

uint64_t total_ngrams(const Pool& pool, size_t order) {
  uint64_t total = 0;
  for (size_t text = 0; text < pool.texts(); ++text) {
    if (pool.length(text) >= order) total += pool.length(text) - order + 1;
  }
  return total;
}

// Calls body(text, position, group) for every n-gram in order; group 0 is an n-gram that occurs nowhere else.
template <typename Body>
bool visit_ngrams(const Sequence& sequence, size_t order, const uint32_t* groups, const Run& run, const Body& body) {
  uint64_t visited = 0;
  for (size_t text = 0; text < sequence.texts; ++text) {
    for (uint64_t p = sequence.offsets[text]; p + order <= sequence.offsets[text + 1]; ++p) {
      body(text, p, groups[p]);
      if (++visited % kPollEvery == 0 && run.cancelled()) return false;
    }
  }
  return true;
}

}  // namespace

bool distinct(const Pool& pool, size_t max_order, uint64_t* different, uint64_t* totals, const Run& run) {
  Refinement<RepeatedAnywhere> counting(sequence_of(pool), {}, run);
  if (!counting.refine(max_order, {}, nullptr)) return false;
  for (size_t order = 1; order <= max_order; ++order) {
    totals[order - 1] = total_ngrams(pool, order);
    different[order - 1] = totals[order - 1] - counting.live(order).positions + counting.live(order).groups;
  }
  return true;
}

bool frequencies(const Pool& pool, size_t order, std::vector<uint64_t>* counts, const Run& run) {
  require_order(order);
  Grouped counted;
  if (!counted.count(sequence_of(pool), order, run)) return false;
  counts->clear();
  counts->reserve(total_ngrams(pool, order) - counted.live.positions + counted.live.groups);
  std::vector<uint64_t> place(counted.group_limit, 0);
  return visit_ngrams(sequence_of(pool), order, counted.groups.get(), run, [&](size_t, uint64_t, uint32_t group) {
    if (group == 0 || place[group] == 0) counts->push_back(0);
    if (group == 0) {
      counts->back() = 1;
      return;
    }
    if (place[group] == 0) place[group] = counts->size();
    ++(*counts)[place[group] - 1];
  });
}

bool ngram_numbers(const Pool& pool, size_t order, int64_t* numbers, const Run& run) {
  require_order(order);
  Grouped counted;
  if (!counted.count(sequence_of(pool), order, run)) return false;
  std::fill_n(numbers, pool.tokens(), int64_t{-1});
  // Numbered by first appearance: the groups themselves depend on the hash seed.
  std::vector<uint32_t> number(counted.group_limit, 0);
  uint32_t last = 0;
  return visit_ngrams(sequence_of(pool), order, counted.groups.get(), run,
                      [&](size_t, uint64_t position, uint32_t group) {
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
  Grouped counted;
  if (!counted.count(sequence, order, run)) return false;
  counts->clear();
  std::vector<uint64_t> place(counted.group_limit, 0);
  return visit_ngrams(sequence, order, counted.groups.get(), run, [&](size_t text, uint64_t, uint32_t group) {
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
  Grouped counted;
  if (!counted.count(sequence_of(pool), order, run)) return false;
  std::vector<Candidate> candidates(counted.group_limit);
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
  if (!visit_ngrams(sequence_of(pool), order, counted.groups.get(), run, count_text)) return false;
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
