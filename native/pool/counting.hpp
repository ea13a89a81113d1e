// N-grams that occur twice or more in a pool, grouped at one order and visited in reading order (internal to the pool).
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "parallel.hpp"
#include "pool/join.hpp"
#include "pool/refinement.hpp"
#include "tables/prefetch.hpp"

namespace bleuprint {

// Orders beyond it have no n-grams, and counting must not keep a record for each of any number of orders.
inline uint64_t longest_text(const Sequence& sequence) {
  uint64_t longest = 0;
  for (size_t text = 0; text < sequence.texts; ++text) {
    longest = std::max(longest, sequence.offsets[text + 1] - sequence.offsets[text]);
  }
  return longest;
}

// The n-grams of one order, in groups.
struct Grouped {
  std::unique_ptr<uint32_t[]> groups;  // by position; 0 is an n-gram that occurs nowhere else
  size_t limit = 1;                    // all groups are below it

  void count(const Sequence& sequence, size_t order, const Run& run) {
    groups.reset(new uint32_t[sequence.offsets[sequence.texts]]());
    if (order > longest_text(sequence)) return;
    Refinement<RepeatedAnywhere> counting(sequence, {}, run);
    counting.refine(order, {}, groups.get());
    limit = counting.group_limit();
  }
};

inline void require_order(size_t order) {
  if (order == 0) throw std::invalid_argument("an n-gram has at least one token: the order must be 1 or more, not 0");
}

// Calls body(text, position, group) for every n-gram in order; group 0 is an n-gram that occurs nowhere else.
template <typename Body>
void visit_ngrams(const Sequence& sequence, size_t order, const uint32_t* groups, const Run& run, const Body& body) {
  uint64_t visited = 0;
  for (size_t text = 0; text < sequence.texts; ++text) {
    for (uint64_t p = sequence.offsets[text]; p + order <= sequence.offsets[text + 1]; ++p) {
      body(text, p, groups[p]);
      if (++visited % (uint64_t{1} << 16) == 0) run.poll();
    }
  }
}

// Fetches what a table indexed by groups has for the n-gram some positions ahead.
template <typename Item>
void prefetch_group(const Sequence& sequence, const std::vector<Item>& table, const uint32_t* groups,
                    uint64_t position) {
  constexpr uint64_t look_ahead = 16;
  const uint64_t tokens = sequence.offsets[sequence.texts];
  prefetch(table.data() + groups[std::min(position + look_ahead, tokens - 1)]);
}

}  // namespace bleuprint
