// N-grams of all orders shared with the one reference that shares the largest part.
#pragma once

#include <cstdint>
#include <memory>

#include "rows/count_rows.hpp"

namespace bleuprint {

// Overlap with the one reference that overlaps most, n-grams of all orders pooled; the first of equals.
// Row layout: matches, the larger of the two totals, n-grams of the hypothesis, n-grams of that reference.
std::unique_ptr<RowCounter> best_overlap_rows(const Aligned& texts, const Reading& reading, size_t min_order,
                                              size_t max_order, uint64_t seed);
constexpr size_t best_overlap_columns = 4;

}  // namespace bleuprint
