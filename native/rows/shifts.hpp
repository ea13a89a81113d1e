// Edits with moves, counted for segments.
#pragma once

#include <memory>

#include "rows/count_rows.hpp"

namespace bleuprint {

// Row layout: the edits to the reference that needs fewest, then the mean length of the references as a number in base
// `length_base`: whole words and two digits after the point. Every number of references up to 24 divides the base, so
// that the first digit is all there is; beyond, the mean is rounded at 2 / 10^20 of a word. Rows add up digit by digit.
constexpr uint64_t length_base = 5354228880;  // least common multiple of 1 .. 24
constexpr size_t shift_columns = 4;

std::unique_ptr<RowCounter> shift_rows(const Aligned& texts, const Reading& hypothesis, const Reading& reference,
                                       uint64_t seed);

}  // namespace bleuprint
