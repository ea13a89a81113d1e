// Whether a reference equals the hypothesis, or is part of it; texts are strings.
#pragma once

#include <cstdint>
#include <memory>

#include "rows/count_rows.hpp"
#include "text/clean.hpp"

namespace bleuprint {

// Row layout: 1 if a reference is equal to the hypothesis (or, with `inside`, stands somewhere in it), 1.
std::unique_ptr<RowCounter> equal_rows(const Aligned& texts, const Cleaning& cleaning, bool inside);
constexpr size_t equal_columns = 2;

}  // namespace bleuprint
