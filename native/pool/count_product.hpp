// The matrix of how often texts have elements, times its transpose, times vectors: in time linear in the elements.
#pragma once

#include <cstddef>
#include <cstdint>

#include "parallel.hpp"

namespace bleuprint {

// Text i lists elements[offsets[i]] up to elements[offsets[i + 1]], each as often as it has it, in any order.
struct Bags {
  const uint32_t* elements;
  const uint64_t* offsets;
  size_t count;
  size_t element_limit;  // all elements are below it
};

// Vectors that are multiplied at a time: most of the time goes into finding an element's sums, and these fill half a
// line of the cache.
constexpr size_t lanes = 4;

// products[i * lanes + lane]: over the elements of text i, the sum over all texts j that have it of
// vectors[j * lanes + lane], both as often as the texts have it. Always added in the same order.
void count_product(const Bags& bags, const double* vectors, double* products, const Run& run);

}  // namespace bleuprint
