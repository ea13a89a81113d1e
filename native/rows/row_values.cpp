#include "rows/row_values.hpp"

#include <cmath>
#include <utility>

namespace bleuprint {

namespace {

double ratio(double numerator, double denominator) noexcept { return denominator != 0 ? numerator / denominator : 0.0; }

double length_penalty(int64_t length, int64_t reference) {
  if (length == 0) return 0.0;
  if (length >= reference) return 1.0;
  return std::exp(1 - static_cast<double>(reference) / static_cast<double>(length));
}

// The ratios of successive orders; `exp` halves what it adds with every order it has to add to.
class Ratios {
 public:
  explicit Ratios(const GeometricOptions& options) : options_(options) {}

  double next(int64_t matches, int64_t total) {
    const auto m = static_cast<double>(matches), t = static_cast<double>(total);
    const bool first = std::exchange(first_, false);
    if (options_.absent_is_zero && total == 0) return 0.0;
    switch (options_.smoothing) {
      case Smoothing::none:
        return ratio(m, t);
      case Smoothing::floor:
        return ratio(matches > 0 ? m : options_.amount, t);
      case Smoothing::add_k:
        return first ? ratio(m, t) : ratio(m + options_.amount, t + options_.amount);
      case Smoothing::add_all:
        return ratio(m + options_.amount, t + options_.amount);
      case Smoothing::exp:
        if (matches > 0) return m / t;
        if (total == 0) return 0.0;
        scale_ *= 2;
        return 1.0 / (scale_ * t);
    }
    return 0.0;
  }

 private:
  const GeometricOptions& options_;
  double scale_ = 1.0;
  bool first_ = true;
};

double geometric(const GeometricOptions& options, const int64_t* row) {
  const size_t orders = options.weights.size();
  const int64_t* const matches = row + 2;
  const int64_t* const totals = matches + options.counted_orders;
  if (options.zero_when == ZeroWhen::no_match && matches[0] == 0) return 0.0;
  if (options.zero_when == ZeroWhen::any_order_without_match && matches[orders - 1] == 0) return 0.0;
  // An order that is too long for the text leaves its weight to the others. add-k gives such an order k of k.
  const bool rescale = options.effective && totals[orders - 1] == 0 && options.smoothing != Smoothing::add_k;
  double kept_weight = 0.0;
  for (size_t i = 0; i < orders && rescale; ++i) kept_weight += totals[i] > 0 ? options.weights[i] : 0.0;
  Ratios ratios(options);
  double sum = 0.0;
  bool weighted = false;
  for (size_t i = 0; i < orders; ++i) {
    const double weight = rescale ? ratio(totals[i] > 0 ? options.weights[i] : 0.0, kept_weight) : options.weights[i];
    const double value = ratios.next(matches[i], totals[i]);
    weighted = weighted || weight != 0;
    if (value > 0) {
      sum += weight * std::log(value);
    } else if (weight != 0 && !options.skip_zero) {
      return 0.0;
    }
  }
  return weighted ? length_penalty(row[0], row[1]) * std::exp(sum) : 0.0;
}

}  // namespace

GeometricParts geometric_parts(const GeometricOptions& options, const int64_t* row) {
  const int64_t* const matches = row + 2;
  const int64_t* const totals = matches + options.counted_orders;
  GeometricParts parts{{}, length_penalty(row[0], row[1])};
  Ratios ratios(options);
  for (size_t i = 0; i < options.weights.size(); ++i) parts.ratios.push_back(ratios.next(matches[i], totals[i]));
  return parts;
}

MeanF mean_f(const MeanFOptions& options, const int64_t* row) noexcept {
  constexpr double epsilon = 1e-16;
  const double factor = options.recall_factor;
  const auto f_score = [factor](double precision, double recall, double undefined) {
    const double denominator = factor * precision + recall;
    return denominator > 0 ? ratio((1 + factor) * precision * recall, denominator) : undefined;
  };
  double scores = 0, precisions = 0, recalls = 0;
  int64_t both = 0;
  for (size_t order = 0; order < options.orders; ++order, row += 3) {
    const auto matches = static_cast<double>(row[2]);
    const double precision = row[0] > 0 ? matches / static_cast<double>(row[0]) : epsilon;
    const double recall = row[1] > 0 ? matches / static_cast<double>(row[1]) : epsilon;
    if (options.mean_of_scores) scores += f_score(precision, recall, epsilon);
    if (row[0] <= 0 || row[1] <= 0) continue;
    precisions += precision;
    recalls += recall;
    ++both;
  }
  const double precision = ratio(precisions, static_cast<double>(both)),
               recall = ratio(recalls, static_cast<double>(both));
  if (options.mean_of_scores) {
    const auto orders = static_cast<double>(options.orders);
    return {scores / orders, precision, recall, 100 * scores / orders};
  }
  const double score = f_score(precision, recall, 0.0);
  return {score, precision, recall, 100 * score};
}

RowFormula mean_f_formula(const MeanFOptions& options) {
  return {3, 0, [options](const int64_t* row, double* values) {
            const MeanF found = mean_f(options, row);
            values[0] = found.score;
            values[1] = found.precision;
            values[2] = found.recall;
          }};
}

RowFormula geometric_formula(GeometricOptions options) {
  return {1, 0,
          [options = std::move(options)](const int64_t* row, double* values) { *values = geometric(options, row); }};
}

RowFormula harmonic_formula(size_t triples) {
  return {3 * triples, 2, [triples](const int64_t* row, double* values) {
            for (size_t i = 0; i < triples; ++i, row += 3, values += 3) {
              const auto matches = static_cast<double>(row[0]);
              const double precision = ratio(matches, static_cast<double>(row[1]));
              const double recall = ratio(matches, static_cast<double>(row[2]));
              values[0] = precision;
              values[1] = recall;
              values[2] = ratio(2 * precision * recall, precision + recall);
            }
          }};
}

}  // namespace bleuprint
