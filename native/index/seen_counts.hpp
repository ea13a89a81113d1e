// What the n-grams of a text that a corpus holds come to, whether an index or a stream has told which they are.
#pragma once

#include <algorithm>
#include <cstdint>

namespace bleuprint {

// Adds the n-grams of a text of `size` words, those that are seen, and the words inside of these. With `whole`, a text
// shorter than the order is one n-gram.
template <typename IsSeen>
void add_seen_counts(size_t size, size_t order, bool whole, const IsSeen& is_seen, int64_t* counts) {
  const size_t length = whole && size > 0 ? std::min(size, order) : order;
  size_t reached = 0;
  for (size_t i = 0; i + length <= size; ++i) {
    if (!is_seen(i)) continue;
    ++counts[1];
    counts[2] += static_cast<int64_t>(i + length - std::max(reached, i));
    reached = i + length;
  }
  counts[0] += size >= length ? static_cast<int64_t>(size - length + 1) : 0;
}

}  // namespace bleuprint
