// Whether a function of the swapped sums of two systems can be as far apart as was observed, judged by bounds of its
// slopes: in most trials this needs no value of the function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel.hpp"

namespace bleuprint {

// What is known of the function for one column of sums. Where the difference of the systems' sums is no further from
// `centre` than `width`, in all columns, the difference of the function is near the sum of slope * distance: it is off
// by at most the sum of error * |distance|.
struct SwappedColumn {
  const double* first;
  const double* second;
  double centre;
  double width;
  double slope;
  double error;
};

struct SwappedPair {
  std::vector<SwappedColumn> columns;
  double below;
  double above;
};

// A trial of a pair: pair * trials + trial.
using PairTrial = uint64_t;

// For each pair: in how many trials the size of the difference is surely more than `above` (added to as_far). Returns
// those where it is neither that nor surely less than `below`.
std::vector<PairTrial> judge_swaps(const std::vector<SwappedPair>& pairs, size_t trials, int64_t* as_far,
                                   Cancel cancel);

}  // namespace bleuprint
