// N-grams shared with references, weighted by the information a prior gives them.
#pragma once

#include <cstdint>
#include <memory>

#include "pool/prior.hpp"
#include "rows/count_rows.hpp"

namespace bleuprint {

// Weights stand in rows as whole numbers, so that rows add exactly: a sum of them in two columns, the first in units of
// 2^-20, the second, which holds what is left, in units of 2^-40.
constexpr int weight_bits = 20;

// For each order by itself the one reference whose matches have most information, the longest of equals; an n-gram
// matches as often as both have it. Row layout: length of the hypothesis, sum over orders of the lengths of those
// references, then for each order the information of the matches (two columns) and the n-grams of the hypothesis.
std::unique_ptr<RowCounter> informed_rows(const Aligned& texts, const Reading& reading,
                                          std::shared_ptr<const Prior> prior, uint64_t seed);
inline size_t informed_columns(size_t max_order) noexcept { return 2 + 3 * max_order; }

}  // namespace bleuprint
