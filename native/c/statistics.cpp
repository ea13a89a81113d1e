#include "c/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <type_traits>

#include "rows/resample.hpp"

namespace bleuprint {

namespace {

using Reals = std::vector<double>;

constexpr size_t block = 256;        // trials between two reports
constexpr size_t swap_block = 1024;  // RowSums makes tables of sums for as many swaps, which fewer do not pay for
constexpr size_t enough = 20;        // segments, from which on the bootstrap holds
constexpr size_t most_exact = 20;    // differing segments whose swaps are all tried
constexpr double rounding = 1e-12;   // of the scores, by which equal differences may differ

// ---- Distributions. ----

double normal_tail(double value) { return 0.5 * std::erfc(-value / std::sqrt(2.0)); }

// By halving: the function rises, and 200 steps leave no double between.
double normal_quantile(double probability) {
  double low = -40, high = 40;
  for (double middle = 0; low < middle || middle < high;) {
    (normal_tail(middle) < probability ? low : high) = middle;
    const double next = low + (high - low) / 2;
    if (next == middle || next <= low || next >= high) break;
    middle = next;
  }
  return low + (high - low) / 2;
}

// The regularized incomplete beta function, by its continued fraction (DLMF 8.17.22) and Lentz's method.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0 || x >= 1) return x >= 1 ? 1 : 0;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
  const double front = std::exp(a * std::log(x) + b * std::log1p(-x) + std::lgamma(a + b) - std::lgamma(a) -
                                std::lgamma(b) - std::log(a));
  double numerator = 1, denominator = 0, fraction = 1;
  for (int step = 0; step < 10000; ++step) {
    const double m = step / 2;
    double term = 1;
    if (step > 0 && step % 2 == 0) term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    if (step % 2 == 1) term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    denominator = 1 / (1 + term * denominator);
    numerator = 1 + term / numerator;
    const double change = numerator * denominator;
    fraction *= change;
    if (std::fabs(1 - change) < 1e-15) break;
  }
  return front * (fraction - 1);
}

double beta_quantile(double probability, double a, double b) {
  double low = 0, high = 1, middle = 0.5;
  for (; low < middle && middle < high; middle = (low + high) / 2) {
    (incomplete_beta(a, b, middle) < probability ? low : high) = middle;
  }
  return middle;
}

double t_tail(double t, double freedom) { return 0.5 * incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)); }

double t_quantile(double probability, double freedom) {
  double low = 0, high = 1;
  while (t_tail(high, freedom) > 1 - probability) high *= 2;
  for (int step = 0; step < 200; ++step) {
    const double middle = (low + high) / 2;
    (t_tail(middle, freedom) > 1 - probability ? low : high) = middle;
  }
  return (low + high) / 2;
}

// ---- Scores of sums. ----

double score(const Sample& sample, const int64_t* sum) { return sample.of_integers(sum); }
double score(const Sample& sample, const double* sum) { return sample.of_reals(sum); }

template <typename Value>
const Value* rows_of(const Sample& sample) {
  if constexpr (std::is_same_v<Value, int64_t>) {
    return sample.integers;
  } else {
    return sample.reals;
  }
}

template <typename Value>
std::vector<Value> total_of(const Sample& sample) {
  std::vector<Value> total(sample.columns);
  const Value* row = rows_of<Value>(sample);
  for (size_t i = 0; i < sample.count; ++i, row += sample.columns) {
    for (size_t k = 0; k < sample.columns; ++k) total[k] += row[k];
  }
  return total;
}

// The scores with each row left out in turn.
template <typename Value>
Reals jackknife(const Sample& sample) {
  if (sample.count == 1) return {sample.value};
  const std::vector<Value> total = total_of<Value>(sample);
  std::vector<Value> rest(sample.columns);
  Reals without(sample.count);
  const Value* row = rows_of<Value>(sample);
  for (double& value : without) {
    for (size_t k = 0; k < sample.columns; ++k) rest[k] = total[k] - *row++;
    value = score(sample, rest.data());
  }
  return without;
}

// Work that several steps share: each tells how much of all it has done.
class Shares {
 public:
  Shares(const Progress& progress, uint64_t total) : progress_(progress), total_(total) {}
  void add(uint64_t trials) { progress_(done_ += trials, total_); }

 private:
  const Progress& progress_;
  uint64_t done_ = 0, total_;
};

template <typename Value>
Reals resampled(const Sample& sample, uint64_t seed, size_t resamples, Shares& shares) {
  const RowSums<Value> sums(rows_of<Value>(sample), sample.count, sample.columns);
  std::vector<Value> drawn(block * sample.columns);
  Reals scores;
  for (size_t begin = 0; begin < resamples; begin += block) {
    const size_t end = std::min(begin + block, resamples);
    sums.drawn(seed, begin, end, 1, drawn.data(), {});
    for (size_t i = 0; i < end - begin; ++i) scores.push_back(score(sample, drawn.data() + i * sample.columns));
    shares.add(end - begin);
  }
  return scores;
}

double mean_of(const Reals& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The power of two at the largest size: divided by it, which is exact, squares stay in range.
double magnitude(const Reals& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(0.5, exponent);
}

double standard_error(const Reals& without) {
  const double count = static_cast<double>(without.size()), mean = mean_of(without);
  Reals away;
  for (const double value : without) away.push_back(value - mean);
  const double unit = magnitude(away);
  double squares = 0;
  for (const double value : away) squares += value / unit * (value / unit);
  return unit * std::sqrt((count - 1) / count * squares);
}

// ---- Where the bootstrap does not hold: shares, scores that hardly vary, few rows. ----

struct Ends {
  double low, high;
};

Ends share_ends(double hits, double trials, double level) {
  const double tail = (1 - level) / 2, misses = trials - hits;
  return {hits > 0 ? beta_quantile(tail, hits, misses + 1) : 0.0,
          misses > 0 ? beta_quantile(1 - tail, hits + 1, misses) : 1.0};
}

// Zou and Donner (2008) around two values with intervals of their own.
Ends difference_ends(double value, Ends own, double other, Ends others, double correlation) {
  const auto spread = [&](double a, double b) {
    return std::sqrt(std::max(0.0, a * a + b * b - 2 * correlation * a * b));
  };
  return {value - other - spread(value - own.low, others.high - other),
          value - other + spread(own.high - value, other - others.low)};
}

class Evidence {
 public:
  Evidence(double value, double error, const Reals& alone, const Reals* other)
      : value_(value), error_(error), is_difference_(other != nullptr), differences_(alone) {
    double largest = 0;
    const auto look_at = [&](double score) {
      largest = std::max(largest, std::fabs(score));
      negative_ = negative_ || score < 0;
      passes_ = passes_ && (score == 0 || score == 1);
    };
    for (const double score : alone) look_at(score);
    for (size_t i = 0; other != nullptr && i < alone.size(); ++i) {
      look_at((*other)[i]);
      differences_[i] -= (*other)[i];
    }
    highest_ = std::max(1.0, largest);
    double largest_difference = 0;
    for (const double difference : differences_)
      largest_difference = std::max(largest_difference, std::fabs(difference));
    int exponent = 0;
    std::frexp(largest_difference, &exponent);
    // Without the noise of rounding.
    const double unit = std::ldexp(1.0, exponent);
    for (double& difference : differences_) difference = std::nearbyint(difference / unit * 1e12) / 1e12 * unit;
    is_constant_ =
        std::all_of(differences_.begin(), differences_.end(), [&](double d) { return d == differences_[0]; });
    for (const double end : {0.0, 1.0}) {
      if (is_difference_ && end != 0) break;
      const auto count = static_cast<size_t>(std::count(differences_.begin(), differences_.end(), end));
      if (2 * count <= differences_.size()) continue;
      has_usual_ = true;
      usual_ = end;
      break;
    }
  }

  // The interval that holds; nullptr if that is the bootstrap's.
  const char* method(double alpha) const {
    if (passes_ && std::fabs(value_ - mean_of(differences_)) <= 1e-12) return exact;
    const size_t size = differences_.size();
    size_t others = size;
    if (has_usual_) others -= static_cast<size_t>(std::count(differences_.begin(), differences_.end(), usual_));
    if (is_constant_ || static_cast<double>(others) < fewest_changes(alpha)) return bound;
    return size < enough ? student : nullptr;
  }

  Ends ends(const char* method, double level) const {
    if (method == exact) return ends_of_shares(level);
    const size_t size = differences_.size();
    const double margin = size > 1 ? t_quantile((1 + level) / 2, static_cast<double>(size - 1)) * error_ : 0.0;
    Ends found{value_ - margin, value_ + margin};
    if (method == bound) {
      const Ends bounds = bounds_at(level);
      found = {std::min(found.low, bounds.low), std::max(found.high, bounds.high)};
    }
    const Ends limits = scale();
    return {std::max(found.low, std::min(limits.low, value_)), std::min(found.high, std::max(limits.high, value_))};
  }

 private:
  static constexpr const char *exact = "clopper-pearson", *bound = "bound", *student = "t";

  // The fewest changes of which a test could be significant.
  static double fewest_changes(double alpha) { return std::floor(std::log2(2 / alpha)) + 1; }

  Ends scale() const {
    const double lowest = negative_ ? -highest_ : 0.0;
    return is_difference_ ? Ends{lowest - highest_, highest_ - lowest} : Ends{lowest, highest_};
  }

  size_t where(bool positive) const {
    return static_cast<size_t>(
        std::count_if(differences_.begin(), differences_.end(), [&](double d) { return positive ? d > 0 : d < 0; }));
  }

  Ends ends_of_shares(double level) const {
    const auto size = static_cast<double>(differences_.size());
    const auto first = static_cast<double>(where(true)), second = static_cast<double>(where(false));
    if (!is_difference_) return share_ends(first, size, level);
    const double against = (size - first) * (size - second);
    const bool known = against != 0 && size >= fewest_changes(1 - level);
    const double correlation = known ? -std::sqrt(first * second / against) : -1.0;
    return difference_ends(first / size, share_ends(first, size, level), second / size, share_ends(second, size, level),
                           correlation);
  }

  // How far unseen rows could move what the others usually have, by as much as the scale allows.
  Ends bounds_at(double level) const {
    const auto size = static_cast<double>(differences_.size());
    double below = 0, above = 0, reach = std::numeric_limits<double>::infinity(), usual = usual_;
    if (!has_usual_ || is_constant_) {
      usual = value_;
      if (is_difference_ && usual != 0 && size > 1 && is_constant_) reach = 2 * std::fabs(usual);
    } else {
      for (const double difference : differences_) {
        below += difference < usual ? 1 : 0;
        above += difference > usual ? 1 : 0;
      }
    }
    const Ends limits = scale();
    return {usual - share_ends(below, size, level).high * std::min(usual - limits.low, reach),
            usual + share_ends(above, size, level).high * std::min(limits.high - usual, reach)};
  }

  double value_, error_, highest_ = 1, usual_ = 0;
  bool is_difference_, negative_ = false, passes_ = true, is_constant_ = false, has_usual_ = false;
  Reals differences_;
};

// ---- The interval of bootstrap scores. ----

// Between the two nearest of sorted scores, as NumPy interpolates.
double quantile(const Reals& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1), floor = std::floor(place), above = place - floor;
  const auto rank = static_cast<size_t>(floor);
  const double less = sorted[rank], more = sorted[std::min(rank + 1, sorted.size() - 1)];
  return above < 0.5 ? less + (more - less) * above : more - (more - less) * (1 - above);
}

bool bca_tails(double (&tails)[2], double value, const Reals& scores, const Reals& without) {
  double below = 0;
  for (const double each : scores) below += (each < value ? 0.5 : 0.0) + (each <= value ? 0.5 : 0.0);
  below /= static_cast<double>(scores.size());
  if (below <= 0 || below >= 1) return false;
  const double bias = normal_quantile(below), mean = mean_of(without);
  Reals away;
  for (const double each : without) away.push_back(mean - each);
  const double unit = magnitude(away);
  double squares = 0, cubes = 0;
  for (const double each : away) {
    const double scaled = each / unit;
    squares += scaled * scaled;
    cubes += scaled * scaled * scaled;
  }
  const double spread = std::pow(squares, 1.5), acceleration = spread > 0 ? cubes / (6 * spread) : 0.0;
  double moved[2];
  for (size_t i = 0; i < 2; ++i) {
    const double shifted = bias + normal_quantile(tails[i]);
    if (1 - acceleration * shifted <= 0) return false;
    moved[i] = normal_tail(bias + shifted / (1 - acceleration * shifted));
  }
  tails[0] = moved[0];
  tails[1] = moved[1];
  return true;
}

Interval interval_of_scores(double value, Reals scores, const Reals& without, const Evidence& evidence, double level) {
  const double mean = mean_of(scores);
  if (const char* const other = evidence.method(1 - level)) {
    const Ends ends = evidence.ends(other, level);
    return {value, ends.low, ends.high, mean, other};
  }
  double tails[2] = {0.5 - level / 2, 0.5 + level / 2};
  const bool moved = bca_tails(tails, value, scores, without);
  std::sort(scores.begin(), scores.end());
  return {value, quantile(scores, tails[0]), quantile(scores, tails[1]), mean, moved ? "bca" : "percentile"};
}

// ---- Swapped outputs. ----

bool as_large(double swapped, double observed, double size) {
  return std::fabs(swapped) >= std::fabs(observed) - rounding * size;
}

// The sums of all subsets of some rows.
template <typename Value>
std::vector<Value> all_sums(const std::vector<Value>& rows, size_t begin, size_t end, size_t columns) {
  std::vector<Value> sums(columns);
  for (size_t row = begin; row < end; ++row) {
    const size_t before = sums.size();
    for (size_t i = 0; i < before; ++i) sums.push_back(sums[i] + rows[row * columns + i % columns]);
  }
  return sums;
}

// Two samples in the test: the sums of both, and what swapping each differing row would move.
template <typename Value>
struct Swapping {
  const Sample &first, &second;
  double observed, size;
  std::vector<Value> own, other, changes, left, right;
  uint64_t count = 0;

  Swapping(const Sample& a, const Sample& b)
      : first(a),
        second(b),
        observed(a.value - b.value),
        size(std::max(std::fabs(a.value), std::fabs(b.value))),
        own(total_of<Value>(a)),
        other(total_of<Value>(b)),
        left(a.columns),
        right(a.columns) {
    const Value *row = rows_of<Value>(a), *beside = rows_of<Value>(b);
    for (size_t i = 0; i < a.count; ++i, row += a.columns, beside += a.columns) {
      if (std::equal(row, row + a.columns, beside)) continue;
      for (size_t k = 0; k < a.columns; ++k) changes.push_back(row[k] - beside[k]);
    }
  }

  size_t differing() const { return changes.size() / first.columns; }

  // `moved(k)` goes from the first to the second.
  template <typename Moved>
  void judge(Moved moved) {
    for (size_t k = 0; k < left.size(); ++k) {
      left[k] = own[k] - moved(k);
      right[k] = other[k] + moved(k);
    }
    count += as_large(score(first, left.data()) - score(second, right.data()), observed, size) ? 1 : 0;
  }
};

// All swaps of a few rows. Swapping all others instead gives a difference of the same size, so one never needs
// swapping.
template <typename Value>
void try_all(Swapping<Value>& swapping, Pair& pair, Shares& shares) {
  const size_t columns = swapping.first.columns, differing = swapping.differing();
  pair.test = "exact";
  pair.trials = uint64_t{1} << differing;
  pair.p_value = 1;
  if (differing == 0) return;
  const size_t middle = std::min<size_t>(differing, 13);
  const std::vector<Value> table = all_sums(swapping.changes, 1, middle, columns);
  const std::vector<Value> bases = all_sums(swapping.changes, middle, differing, columns);
  for (size_t base = 0; base < bases.size(); base += columns) {
    for (size_t row = 0; row < table.size(); row += columns) {
      swapping.judge([&](size_t k) { return table[row + k] + bases[base + k]; });
    }
    shares.add(0);
  }
  pair.p_value = static_cast<double>(swapping.count) / static_cast<double>(uint64_t{1} << (differing - 1));
}

// The same random swaps for all pairs that differ in many rows.
template <typename Value>
void try_some(const std::vector<Sample>& samples, const std::vector<Swapping<Value>*>& pairs, uint64_t seed,
              size_t swaps, Shares& shares) {
  const size_t columns = samples[0].columns;
  std::vector<RowSums<Value>> sums;
  std::vector<std::vector<Value>> heads(samples.size(), std::vector<Value>(swap_block * columns));
  for (const Sample& sample : samples) sums.emplace_back(rows_of<Value>(sample), sample.count, columns);
  for (size_t begin = 0; begin < swaps; begin += swap_block) {
    const size_t end = std::min(begin + swap_block, swaps);
    for (size_t i = 0; i < samples.size(); ++i) sums[i].chosen(seed, begin, end, 1, heads[i].data(), {});
    for (Swapping<Value>* const pair : pairs) {
      const Value* const first = heads[static_cast<size_t>(&pair->first - samples.data())].data();
      const Value* const second = heads[static_cast<size_t>(&pair->second - samples.data())].data();
      for (size_t at = 0; at < (end - begin) * columns; at += columns) {
        pair->judge([&](size_t k) { return first[at + k] - second[at + k]; });
      }
    }
    shares.add(end - begin);
  }
}

// Holm (1979): the smallest p-value times the number of tests, the next times one less, and so on.
void correct(std::vector<Pair>& pairs) {
  std::vector<size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return pairs[a].p_value < pairs[b].p_value; });
  double largest = 0;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    Pair& pair = pairs[order[rank]];
    largest = std::max(largest, std::min(1.0, static_cast<double>(order.size() - rank) * pair.p_value));
    pair.corrected = largest;
  }
}

template <typename Value>
Compared compare_rows(const std::vector<Sample>& samples, const Settings& settings, const Progress& progress) {
  const size_t count = samples.size() * (samples.size() - 1) / 2;
  const auto needed = static_cast<size_t>(std::ceil(5 * static_cast<double>(count) / settings.alpha));
  const size_t resamples = settings.resamples > 0 ? settings.resamples : std::max<size_t>(1000, 2 * needed);
  const size_t swaps = settings.swaps > 0 ? settings.swaps : std::max<size_t>(10000, needed);
  std::vector<Swapping<Value>> pairs;
  std::vector<Swapping<Value>*> large;
  pairs.reserve(count);
  for (size_t i = 0; i < samples.size(); ++i) {
    for (size_t j = i + 1; j < samples.size(); ++j) pairs.emplace_back(samples[i], samples[j]);
  }
  for (Swapping<Value>& pair : pairs) {
    if (pair.differing() > most_exact) large.push_back(&pair);
  }
  Shares shares(progress, samples.size() * resamples + (large.empty() ? 0 : swaps));
  Compared compared{{}, std::vector<Pair>(count), resamples};
  std::vector<Reals> scores, without;
  for (const Sample& sample : samples) {
    scores.push_back(resampled<Value>(sample, settings.seed, resamples, shares));
    without.push_back(jackknife<Value>(sample));
    const Evidence evidence(sample.value, standard_error(without.back()), sample.alone, nullptr);
    compared.intervals.push_back(
        interval_of_scores(sample.value, scores.back(), without.back(), evidence, 1 - settings.alpha));
  }
  if (!large.empty()) try_some(samples, large, settings.seed, swaps, shares);
  for (size_t i = 0; i < count; ++i) {
    if (pairs[i].differing() <= most_exact) {
      try_all(pairs[i], compared.pairs[i], shares);
      continue;
    }
    const double share = static_cast<double>(pairs[i].count + 1) / static_cast<double>(swaps + 1);
    compared.pairs[i].p_value = share;  // the observation itself is one possible outcome
    compared.pairs[i].test = "approximate-randomization";
    compared.pairs[i].trials = swaps;
  }
  correct(compared.pairs);
  size_t place = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    for (size_t j = i + 1; j < samples.size(); ++j) {
      Pair& pair = compared.pairs[place++];
      const double value = samples[i].value - samples[j].value;
      Reals differences(resamples), rest(without[i].size());
      std::transform(scores[i].begin(), scores[i].end(), scores[j].begin(), differences.begin(), std::minus<>());
      std::transform(without[i].begin(), without[i].end(), without[j].begin(), rest.begin(), std::minus<>());
      pair.standard_error = standard_error(rest);
      pair.level = 1 - settings.alpha * pair.p_value / pair.corrected;
      const Evidence evidence(value, pair.standard_error, samples[i].alone, &samples[j].alone);
      pair.difference = interval_of_scores(value, std::move(differences), rest, evidence, pair.level);
    }
  }
  return compared;
}

}  // namespace

Compared compare(const std::vector<Sample>& samples, const Settings& settings, const Progress& progress) {
  return samples[0].integers != nullptr ? compare_rows<int64_t>(samples, settings, progress)
                                        : compare_rows<double>(samples, settings, progress);
}

}  // namespace bleuprint
