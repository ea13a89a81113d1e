// N-grams shared with references, weighted by the information a prior gives them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

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
// log2(occurrences of the first n-1 tokens / occurrences of all n) in units of 2^-40.
int64_t information_weight(uint64_t wider, uint64_t count) noexcept;

// What the n-grams that a hypothesis shares with a reference tell.
struct InformedMatch {
  int64_t high = 0, low = 0;  // in units of 2^-20 and 2^-40
  int64_t length = 0;         // of the reference

  void add(int64_t times, int64_t weight) noexcept {
    high += times * (weight >> weight_bits);
    low += times * (weight & ((int64_t{1} << weight_bits) - 1));
  }
  void carry() noexcept {
    high += low >> weight_bits;
    low &= (int64_t{1} << weight_bits) - 1;
  }
};

// The one that tells most, the longest of equals. They have carried.
const InformedMatch& best_match(const std::vector<InformedMatch>& matches) noexcept;
// Different n-grams may tell equally much (twice log2 6 is log2 4 + log2 9) but for the rounding of their weights, so
// sums that are less than 2^-30 apart are equal.
constexpr int64_t equal_weights = int64_t{1} << (2 * weight_bits - 30);

inline size_t informed_columns(size_t max_order) noexcept { return 2 + 3 * max_order; }

}  // namespace bleuprint
