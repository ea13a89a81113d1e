// Numbers from a row that was counted alone. Columns of rows have their formulas in Python, and both round alike.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace bleuprint {

struct RowFormula {
  size_t values = 0;  // how many numbers it gives
  size_t main = 0;    // which of them a row is scored by
  std::function<void(const int64_t* row, double* values)> compute;
};

// What stands in for the ratio of an order without matches. These are the methods marked `in_core` in
// src/bleuprint/metrics/smoothing.py, which defines them for columns; they stand here again because a call into Python
// would take longer than scoring a pair. tests/kernels/test_row_values.py compares both, method by method.
enum class Smoothing : uint8_t { none, floor, add_k, add_all, exp };

// When the value is 0 whatever the ratios are.
enum class ZeroWhen : uint8_t { never, no_match, any_order_without_match };

struct GeometricOptions {
  size_t counted_orders;  // of the row, which is laid out as in rows/ngrams.hpp
  std::vector<double> weights;
  Smoothing smoothing;
  double amount;        // of the smoothing
  bool effective;       // leaves out orders without n-grams
  bool absent_is_zero;  // an order without n-grams has the ratio 0, smoothed or not
  bool skip_zero;       // leaves out ratios of 0
  ZeroWhen zero_when;
};

// The weighted geometric mean of matches over totals, times a penalty for texts shorter than their reference.
RowFormula geometric_formula(GeometricOptions options);

// For each three columns: precision and recall, which are the first column over the second and over the third, and
// their harmonic mean.
RowFormula harmonic_formula(size_t triples);

}  // namespace bleuprint
