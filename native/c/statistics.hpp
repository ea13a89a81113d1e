// Intervals and paired tests for a score that is a function of summed rows. The rules are those of
// src/bleuprint/statistics, which has them for every metric and for whole columns of resamples;
// tests/c/test_interface.py compares both.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace bleuprint {

// What is sampled: `count` rows of `columns` numbers, and the score of a sum of them. Rows are whole numbers, which add
// up exactly, or real ones.
struct Sample {
  size_t count = 0;
  size_t columns = 0;
  const int64_t* integers = nullptr;
  const double* reals = nullptr;
  std::function<double(const int64_t* sum)> of_integers;
  std::function<double(const double* sum)> of_reals;
  std::vector<double> alone;  // the score of each row
  double value = 0;           // of all rows
};

struct Interval {
  double value, low, high, mean;
  const char* method;
};

// Told how much is done; throws where the caller has cancelled.
using Progress = std::function<void(uint64_t done, uint64_t total)>;

struct Settings {
  double alpha;      // intervals have the level 1 - alpha
  size_t resamples;  // 0: 1000, or as many as the intervals of so many pairs need
  size_t swaps;      // 0: 10,000, or as many as the p-values of so many pairs need
  uint64_t seed;
};

// Two samples: the score of the first minus that of the second.
struct Pair {
  Interval difference;
  double standard_error;
  double level;  // of the interval, corrected by the factor of the p-value, so that both agree
  double p_value;
  double corrected;  // by Holm's method over all pairs
  const char* test;
  uint64_t trials;
};

struct Compared {
  std::vector<Interval> intervals;  // one for each sample
  std::vector<Pair> pairs;          // first and second, first and third, …, second and third, …
  size_t resamples;
};

// All samples have as many rows, of the same segments.
Compared compare(const std::vector<Sample>& samples, const Settings& settings, const Progress& progress);

}  // namespace bleuprint
