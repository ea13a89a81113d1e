// All pairs of sets whose Jaccard similarity reaches a threshold, found without comparing all pairs.
//
// Elements are numbered from the rarest on. Two similar sets share one of their first, rarest elements (prefix
// filtering), so only sets that meet there are compared; every such pair is then counted exactly.
// Chaudhuri, Ganti, Kaushik (2006): A Primitive Operator for Similarity Joins in Data Cleaning. ICDE.
// Xiao, Wang, Lin, Yu (2008): Efficient Similarity Joins for Near Duplicate Detection. WWW.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel.hpp"

namespace bleuprint {

// Set i lists elements[offsets[i]] up to elements[offsets[i + 1]], ascending. Its size is at least that: elements
// that no other set has need not be listed.
struct Sets {
  const uint32_t* elements;
  const uint64_t* offsets;
  const uint32_t* sizes;
  size_t count;
  size_t element_limit;  // all elements are below it
};

struct SimilarPair {
  uint32_t first;
  uint32_t second;
  uint32_t shared;
};

// The pairs (first < second, sorted) with shared / (size + size - shared) >= threshold, which must be in (0, 1].
// Empty sets are similar to none. False where there are more than `limit` pairs.
bool similar_sets(const Sets& sets, double threshold, size_t limit, std::vector<SimilarPair>* pairs, const Run& run);

}  // namespace bleuprint
