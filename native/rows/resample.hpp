// Sums of rows that chance has chosen: with repeats (draws) or each at most once (coins). What is chosen in a trial
// depends on the seed and the trial's number alone, so any number of threads, and trials in any blocks, give the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel.hpp"

namespace bleuprint {

// Random words by number: SplitMix64 (Steele, Lea, Flood 2014) from a start of the trial's own.
class TrialWords {
 public:
  TrialWords(uint64_t seed, uint64_t trial) : start_(mixed(mixed(seed + step) + (trial + 1) * step)) {}
  uint64_t operator()(uint64_t number) const { return mixed(start_ + (number + 1) * step); }

 private:
  static constexpr uint64_t step = 0x9E3779B97F4A7C15u;
  static constexpr uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  uint64_t start_;
};

// Words of 32 random bits to numbers below the bound, without bias: a few words give none. Lemire (2019), Fast random
// integer generation in an interval. `out` has room for all and may be where the words are. Returns how many it gives.
size_t bounded(const uint32_t* words, size_t count, uint32_t bound, uint32_t* out);

// One row per segment, made ready to be summed many times; the rows themselves stay with the caller.
template <typename Value>  // int64_t or double
class RowSums {
 public:
  RowSums(const Value* rows, size_t segments, size_t columns);

  size_t segments() const { return segments_; }
  size_t columns() const { return columns_; }

  // As many rows as there are, drawn with repeats, in each of the trials begin … end - 1: out[trial - begin][column].
  void drawn(uint64_t seed, size_t begin, size_t end, size_t threads, Value* out, Cancel cancel) const;
  // The same for draws made before: indices[trial][draw], each below the number of segments.
  void drawn_at(const uint32_t* indices, size_t trials, size_t threads, Value* out, Cancel cancel) const;
  // The rows for which a coin falls heads.
  void chosen(uint64_t seed, size_t begin, size_t end, size_t threads, Value* out, Cancel cancel) const;
  // The same for coins thrown before: bit trial * segments + segment, counted from the lowest bit of the first word.
  void chosen_by(const uint32_t* words, size_t trials, size_t threads, Value* out, Cancel cancel) const;

 private:
  template <typename Source>
  void sum_draws(const Source& source, size_t trials, size_t threads, Value* out, Cancel cancel) const;
  template <typename Sum, typename Coins>
  void sum_coins(const Coins& coins, size_t trials, size_t threads, Value* out, Cancel cancel) const;
  template <typename Coins>
  void sum_coins_as_fits(const Coins& coins, size_t trials, size_t threads, Value* out, Cancel cancel) const;

  const Value* rows_;
  size_t segments_;
  size_t columns_;
  bool fits_32_ = false;         // sums of any of the rows
  size_t width_ = 0;             // segments of a tile
  std::vector<int16_t> narrow_;  // where all values fit: tile by tile, within a tile column by column
};

}  // namespace bleuprint
