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

// What that number is made of: the smoothed ratio of each order, and the penalty.
struct GeometricParts {
  std::vector<double> ratios;
  double penalty;
};
GeometricParts geometric_parts(const GeometricOptions& options, const int64_t* row);

// For rows of characters: each order has its n-grams in the hypothesis, in the reference, and in both.
struct MeanFOptions {
  size_t orders;
  double recall_factor;  // how many times as much recall counts as precision
  bool
      mean_of_scores;  // the mean of the orders' F scores, not the F score of their means; 10^-16 for what is undefined
};

// The F score, and the means of precision and recall over the orders that both sides have.
struct MeanF {
  double score, precision, recall;
  double percent;  // rounded as sacrebleu rounds it, which decides between references that are nearly as good
};
MeanF mean_f(const MeanFOptions& options, const int64_t* row) noexcept;
RowFormula mean_f_formula(const MeanFOptions& options);

// For each three columns: precision and recall, which are the first column over the second and over the third, and
// their harmonic mean.
RowFormula harmonic_formula(size_t triples);

}  // namespace bleuprint
