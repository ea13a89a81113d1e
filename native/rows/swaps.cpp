#include "rows/swaps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "wide_vectors.hpp"

namespace bleuprint {

namespace {

constexpr size_t block = 256;  // trials: some hundred columns of so many stay in the cache while pairs are judged

// Returns how many trials are outside of what the bounds hold for.
BLEUPRINT_WIDE_VECTORS int64_t add_column(const SwappedColumn& column, size_t begin, size_t count,
                                          double* __restrict sums, double* __restrict errors) {
  const double* const first = column.first + begin;
  const double* const second = column.second + begin;
  const double centre = column.centre, width = column.width, slope = column.slope, error = column.error;
  int64_t outside = 0;
  for (size_t i = 0; i < count; ++i) {
    const double distance = (first[i] - second[i]) - centre;
    const double size = std::fabs(distance);
    sums[i] += slope * distance;
    errors[i] += error * size;
    outside += size <= width ? 0 : 1;
  }
  return outside;
}

BLEUPRINT_WIDE_VECTORS bool are_below(const double* sums, const double* errors, size_t count, double limit) {
  int64_t others = 0;
  for (size_t i = 0; i < count; ++i) others += std::fabs(sums[i]) + errors[i] < limit ? 0 : 1;
  return others == 0;
}

int64_t judge_block(const SwappedPair& pair, size_t begin, size_t count, double* sums, double* errors, PairTrial first,
                    std::vector<PairTrial>& unknown) {
  std::fill(sums, sums + count, 0.0);
  std::fill(errors, errors + count, 0.0);
  for (const SwappedColumn& column : pair.columns) {
    if (add_column(column, begin, count, sums, errors) == 0) continue;
    for (size_t i = 0; i < count; ++i) {
      const double distance = (column.first[begin + i] - column.second[begin + i]) - column.centre;
      if (!(std::fabs(distance) <= column.width)) errors[i] = std::numeric_limits<double>::infinity();
    }
  }
  int64_t as_far = 0;
  if (are_below(sums, errors, count, pair.below)) return as_far;
  for (size_t i = 0; i < count; ++i) {
    const double size = std::fabs(sums[i]);
    if (size + errors[i] < pair.below) continue;
    if (size - errors[i] > pair.above) {
      ++as_far;
    } else {
      unknown.push_back(first + i);
    }
  }
  return as_far;
}

}  // namespace

std::vector<PairTrial> judge_swaps(const std::vector<SwappedPair>& pairs, size_t trials, int64_t* as_far,
                                   Cancel cancel) {
  double sums[block], errors[block];
  std::vector<PairTrial> unknown;
  for (size_t begin = 0; begin < trials; begin += block) {
    const size_t count = std::min(block, trials - begin);
    for (size_t pair = 0; pair < pairs.size(); ++pair) {
      as_far[pair] += judge_block(pairs[pair], begin, count, sums, errors, pair * trials + begin, unknown);
    }
    cancel.poll();
  }
  return unknown;
}

}  // namespace bleuprint
