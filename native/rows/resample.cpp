#include "rows/resample.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "parallel.hpp"
#include "wide_vectors.hpp"

namespace bleuprint {

namespace {

constexpr size_t most_in_tile = 1024;
constexpr size_t tile_step =
    32;  // segments: few rows have a tile of their own size, in steps that fill whole registers
// 1024 products of a narrow value with such a count fit into 32 bits. More than some 12 draws of one segment are
// hardly ever seen; a trial that has them is counted once more in wide numbers.
constexpr uint8_t most_draws = 63;
constexpr size_t together = 4;    // trials of which a tile is multiplied with the counts at once
constexpr size_t draw_block = 8;  // trials: their counts stay in the cache while a tile is multiplied with all of them

// Coins: sums of all subsets of eight rows are made once and then looked up for every trial, a byte at a time.
constexpr size_t group = 8;
constexpr size_t subsets = 1 << group;
constexpr size_t at_once = 2;        // groups whose tables are used together
constexpr size_t lanes = 8;          // columns that are looked up together
constexpr size_t coin_block = 1024;  // trials: 256 additions for a table pay off over so many lookups
constexpr size_t coin_tile = 4096;   // segments whose coins are held at a time
constexpr size_t coin_stride = coin_tile / group + 64;  // bytes from trial to trial: an odd number of cache lines

// Draws by the rule of `bounded`.
struct GeneratedDraws {
  uint64_t seed;
  size_t first;
  uint32_t segments;

  template <typename Take>
  void each(size_t trial, Take take) const {
    const TrialWords words(seed, first + trial);
    const uint32_t biased = static_cast<uint32_t>(-segments) % segments;
    size_t left = segments;
    for (uint64_t number = 0; left > 0; ++number) {
      const uint64_t word = words(number);
      for (const uint32_t half : {static_cast<uint32_t>(word), static_cast<uint32_t>(word >> 32)}) {
        const uint64_t product = static_cast<uint64_t>(half) * segments;
        if (static_cast<uint32_t>(product) < biased || left == 0) continue;
        take(static_cast<uint32_t>(product >> 32));
        --left;
      }
    }
  }
};

struct GivenDraws {
  const uint32_t* indices;
  size_t segments;

  template <typename Take>
  void each(size_t trial, Take take) const {
    const uint32_t* const own = indices + trial * segments;
    for (size_t i = 0; i < segments; ++i) take(own[i]);
  }
};

struct GeneratedCoins {
  uint64_t seed;
  size_t first;

  // The coins of the segments from `begin` (a multiple of 64) on, as bytes.
  void fill(size_t trial, size_t begin, size_t bytes, uint8_t* out) const {
    const TrialWords words(seed, first + trial);
    for (size_t at = 0; at < bytes; at += 8) {
      const uint64_t word = words((begin + 8 * at) / 64);
      for (size_t i = 0; i < 8; ++i) out[at + i] = static_cast<uint8_t>(word >> (8 * i));
    }
  }
};

struct GivenCoins {
  const uint32_t* words;
  size_t trials;
  size_t segments;

  void fill(size_t trial, size_t begin, size_t bytes, uint8_t* out) const {
    const size_t last = (trials * segments - 1) / 32;
    for (size_t at = 0; at < bytes; ++at) {
      const size_t bit = trial * segments + begin + group * at;
      const size_t word = bit / 32, offset = bit % 32;
      if (word > last) break;  // behind the last segment of the last trial
      uint64_t both = words[word];
      if (word < last) both |= static_cast<uint64_t>(words[word + 1]) << 32;
      out[at] = static_cast<uint8_t>(both >> offset);
    }
  }
};

template <typename Source>
bool count_draws(const Source& source, size_t trial, uint8_t* counts) {
  uint8_t seen = 0;
  source.each(trial, [&](uint32_t segment) { seen |= ++counts[segment]; });
  return seen <= most_draws;
}

// Adds the products of a tile with the counts of some trials, which share each value that was read.
BLEUPRINT_WIDE_VECTORS void add_tile(const int16_t* values, size_t columns, const uint8_t* const (&counts)[together],
                                     size_t width, int64_t* const (&out)[together]) {
  int16_t wide[together][most_in_tile];
  for (size_t k = 0; k < together; ++k) {
    for (size_t i = 0; i < width; ++i) wide[k][i] = counts[k][i];
  }
  for (size_t column = 0; column < columns; ++column, values += width) {
    int32_t first = 0, second = 0, third = 0, fourth = 0;
    for (size_t i = 0; i < width; ++i) {
      const int32_t value = values[i];
      first += wide[0][i] * value;
      second += wide[1][i] * value;
      third += wide[2][i] * value;
      fourth += wide[3][i] * value;
    }
    out[0][column] += first;
    out[1][column] += second;
    out[2][column] += third;
    out[3][column] += fourth;
  }
}

template <typename Value, typename Source>
void add_rows(const Value* rows, size_t segments, size_t columns, const Source& source, size_t trial,
              std::vector<uint32_t>& counts, Value* out) {
  std::fill(counts.begin(), counts.end(), 0);
  source.each(trial, [&](uint32_t segment) { ++counts[segment]; });
  for (size_t i = 0; i < segments; ++i, rows += columns) {
    if (counts[i] == 0) continue;
    const auto times = static_cast<Value>(counts[i]);
    for (size_t column = 0; column < columns; ++column) out[column] += times * rows[column];
  }
}

// The sums of all subsets of up to eight rows, `used` columns of them.
template <typename Value, typename Sum>
void subset_sums(const Value* rows, size_t count, size_t columns, size_t used, Sum* table) {
  std::fill(table, table + lanes, Sum{0});
  for (size_t row = 0; row < group; ++row) {
    Sum own[lanes] = {};
    if (row < count) {
      for (size_t lane = 0; lane < used; ++lane) own[lane] = static_cast<Sum>(rows[row * columns + lane]);
    }
    const size_t half = size_t{1} << row;
    for (size_t subset = 0; subset < half; ++subset) {
      const Sum* const from = table + subset * lanes;
      Sum* const to = table + (half + subset) * lanes;
      for (size_t lane = 0; lane < lanes; ++lane) to[lane] = from[lane] + own[lane];
    }
  }
}

}  // namespace

template <typename Value>
RowSums<Value>::RowSums(const Value* rows, size_t segments, size_t columns)
    : rows_(rows), segments_(segments), columns_(columns) {
  if constexpr (std::is_integral_v<Value>) {
    std::vector<double> largest(columns, 0.0);
    bool narrow = true;
    for (size_t i = 0; i < segments * columns; ++i) {
      narrow =
          narrow && rows[i] >= std::numeric_limits<int16_t>::min() && rows[i] <= std::numeric_limits<int16_t>::max();
      largest[i % columns] += rows[i] < 0 ? -static_cast<double>(rows[i]) : static_cast<double>(rows[i]);
    }
    fits_32_ = std::all_of(largest.begin(), largest.end(), [](double sum) { return sum < 2147483647.0; });
    if (!narrow || segments == 0) return;
    width_ = std::min(most_in_tile, (segments + tile_step - 1) / tile_step * tile_step);
    const size_t tiles = (segments + width_ - 1) / width_;
    narrow_.assign(tiles * width_ * columns, 0);
    for (size_t i = 0; i < segments; ++i) {
      int16_t* const tile = narrow_.data() + i / width_ * width_ * columns + i % width_;
      for (size_t column = 0; column < columns; ++column) {
        tile[column * width_] = static_cast<int16_t>(rows[i * columns + column]);
      }
    }
  }
}

template <typename Value>
template <typename Source>
void RowSums<Value>::sum_draws(const Source& source, size_t trials, size_t threads, Value* out, Cancel cancel) const {
  std::fill(out, out + trials * columns_, Value{0});
  const size_t padded = narrow_.size() / columns_;
  share_out(trials, draw_block, threads, cancel, [&] {
    return [&, counts = std::vector<uint8_t>(draw_block * padded), wide = std::vector<uint32_t>(),
            nobody = std::vector<uint8_t>(width_),
            unused = std::vector<int64_t>(columns_)](size_t begin, size_t end) mutable {
      size_t counted[draw_block];
      size_t filled = 0;
      std::fill(counts.begin(), counts.end(), uint8_t{0});
      for (size_t trial = begin; trial < end; ++trial) {
        cancel.poll();
        if (!narrow_.empty() && count_draws(source, trial, counts.data() + (trial - begin) * padded)) {
          counted[filled++] = trial;
          continue;
        }
        wide.resize(segments_);
        add_rows(rows_, segments_, columns_, source, trial, wide, out + trial * columns_);
      }
      if constexpr (std::is_integral_v<Value>) {
        for (size_t tile = 0; tile < padded; tile += width_) {
          for (size_t i = 0; i < filled; i += together) {
            const uint8_t* chosen[together];
            int64_t* sums[together];
            for (size_t k = 0; k < together; ++k) {
              const bool used = i + k < filled;
              chosen[k] = used ? counts.data() + (counted[i + k] - begin) * padded + tile : nobody.data();
              sums[k] = used ? out + counted[i + k] * columns_ : unused.data();
            }
            add_tile(narrow_.data() + tile * columns_, columns_, chosen, width_, sums);
          }
        }
      }
    };
  });
}

template <typename Value>
template <typename Sum, typename Coins>
void RowSums<Value>::sum_coins(const Coins& coins, size_t trials, size_t threads, Value* out, Cancel cancel) const {
  const size_t parts = (columns_ + lanes - 1) / lanes;
  const size_t most = std::min(coin_block, trials);
  share_out(trials, coin_block, threads, cancel, [&] {
    return [&, bytes = std::vector<uint8_t>(most * coin_stride), sums = std::vector<Sum>(most * parts * lanes),
            tables = std::vector<Sum>(at_once * subsets * lanes)](size_t begin, size_t end) mutable {
      const size_t count = end - begin;
      std::fill(sums.begin(), sums.end(), Sum{0});
      for (size_t tile = 0; tile < segments_; tile += coin_tile) {
        cancel.poll();
        const size_t groups = (std::min(coin_tile, segments_ - tile) + group - 1) / group;
        const size_t held = (groups + 7) / 8 * 8;
        for (size_t i = 0; i < count; ++i) coins.fill(begin + i, tile, held, bytes.data() + i * coin_stride);
        for (size_t part = 0; part < parts; ++part) {
          const size_t used = std::min(lanes, columns_ - part * lanes);
          for (size_t g = 0; g < groups; g += at_once) {
            for (size_t k = 0; k < at_once; ++k) {
              const size_t segment = std::min(segments_, tile + (g + k) * group);
              subset_sums(rows_ + segment * columns_ + part * lanes, std::min(group, segments_ - segment), columns_,
                          used, tables.data() + k * subsets * lanes);
            }
            Sum* __restrict to = sums.data() + part * count * lanes;
            const uint8_t* byte = bytes.data() + g;
            for (size_t i = 0; i < count; ++i, to += lanes, byte += coin_stride) {
              const Sum* __restrict const from = tables.data() + byte[0] * lanes;
              const Sum* __restrict const next = tables.data() + (subsets + byte[1]) * lanes;
              for (size_t lane = 0; lane < lanes; ++lane) to[lane] += from[lane] + next[lane];
            }
          }
        }
      }
      for (size_t i = 0; i < count; ++i) {
        for (size_t column = 0; column < columns_; ++column) {
          const Sum sum = sums[(column / lanes * count + i) * lanes + column % lanes];
          out[(begin + i) * columns_ + column] = static_cast<Value>(sum);
        }
      }
    };
  });
}

template <typename Value>
template <typename Coins>
void RowSums<Value>::sum_coins_as_fits(const Coins& coins, size_t trials, size_t threads, Value* out,
                                       Cancel cancel) const {
  if (fits_32_) return sum_coins<int32_t>(coins, trials, threads, out, cancel);
  sum_coins<Value>(coins, trials, threads, out, cancel);
}

template <typename Value>
void RowSums<Value>::drawn(uint64_t seed, size_t begin, size_t end, size_t threads, Value* out, Cancel cancel) const {
  const GeneratedDraws source{seed, begin, static_cast<uint32_t>(segments_)};
  sum_draws(source, end - begin, threads, out, cancel);
}

template <typename Value>
void RowSums<Value>::drawn_at(const uint32_t* indices, size_t trials, size_t threads, Value* out, Cancel cancel) const {
  sum_draws(GivenDraws{indices, segments_}, trials, threads, out, cancel);
}

template <typename Value>
void RowSums<Value>::chosen(uint64_t seed, size_t begin, size_t end, size_t threads, Value* out, Cancel cancel) const {
  sum_coins_as_fits(GeneratedCoins{seed, begin}, end - begin, threads, out, cancel);
}

template <typename Value>
void RowSums<Value>::chosen_by(const uint32_t* words, size_t trials, size_t threads, Value* out, Cancel cancel) const {
  sum_coins_as_fits(GivenCoins{words, trials, segments_}, trials, threads, out, cancel);
}

size_t bounded(const uint32_t* words, size_t count, uint32_t bound, uint32_t* out) {
  constexpr size_t block = 1024;
  const uint32_t biased = static_cast<uint32_t>(-bound) % bound;
  uint32_t numbers[block];
  size_t kept = 0;
  for (size_t begin = 0; begin < count; begin += block) {
    const size_t here = std::min(block, count - begin);
    size_t dropped = 0;
    for (size_t i = 0; i < here; ++i) {
      const uint64_t product = static_cast<uint64_t>(words[begin + i]) * bound;
      numbers[i] = static_cast<uint32_t>(product >> 32);
      dropped += static_cast<uint32_t>(product) < biased;
    }
    if (dropped == 0) {
      std::memcpy(out + kept, numbers, here * sizeof(uint32_t));
      kept += here;
      continue;
    }
    for (size_t i = 0; i < here; ++i) {
      const uint64_t product = static_cast<uint64_t>(words[begin + i]) * bound;
      if (static_cast<uint32_t>(product) >= biased) out[kept++] = numbers[i];
    }
  }
  return kept;
}

template class RowSums<int64_t>;
template class RowSums<double>;

}  // namespace bleuprint
