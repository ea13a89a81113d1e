// Edit distance between a hypothesis and the reference nearest to it, code point by code point; texts are strings.
#pragma once

#include <cstdint>
#include <memory>

#include "rows/count_rows.hpp"
#include "text/clean.hpp"

namespace bleuprint {

// Row layout: distance, the length it is divided by. With `substitutions` they cost one and the length is that of the
// longer text; without them the length is that of both texts.
std::unique_ptr<RowCounter> distance_rows(const Aligned& texts, const Cleaning& cleaning, bool substitutions,
                                          uint64_t seed);
constexpr size_t distance_columns = 2;

}  // namespace bleuprint
