#include "rows/edit_stripes.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "tables/bits.hpp"
#include "wide_vectors.hpp"

namespace bleuprint {

namespace {

constexpr size_t words = 16;

// For each word of a wave, where the ids of the row stand that it takes at step `at`.
using Latest = const uint64_t* [words];
inline uint64_t places_at(const Latest& latest, size_t at, size_t word) noexcept {
  return latest[(at - word) % words][word];
}

#if defined(__GNUC__)
#define BLEUPRINT_ALWAYS_INLINE inline __attribute__((always_inline))
using Lanes = uint64_t __attribute__((vector_size(32)));

// Moves every lane on to the next and returns the last.
BLEUPRINT_ALWAYS_INLINE uint64_t push_lane(Lanes& lanes, uint64_t first) noexcept {
  const uint64_t last = lanes[3];
  lanes = Lanes{first, lanes[0], lanes[1], lanes[2]};
  return last;
}

BLEUPRINT_ALWAYS_INLINE void gather(Lanes& lanes, const Latest& latest, size_t at, size_t i) noexcept {
  lanes = Lanes{places_at(latest, at, i), places_at(latest, at, i + 4), places_at(latest, at, i + 8),
                places_at(latest, at, i + 12)};
}
#else
#define BLEUPRINT_ALWAYS_INLINE inline
using Lanes = uint64_t;

inline uint64_t push_lane(Lanes& lane, uint64_t first) noexcept {
  const uint64_t last = lane;
  lane = first;
  return last;
}

inline void gather(Lanes& lane, const Latest& latest, size_t at, size_t i) noexcept { lane = places_at(latest, at, i); }
#endif

constexpr size_t lanes = sizeof(Lanes) / sizeof(uint64_t), vectors = words / lanes;

// Word j stands in lane j / vectors of vector j % vectors: what a word hands to the next mostly stays in its lane.
constexpr size_t place_of(size_t word) noexcept { return word % vectors * lanes + word / vectors; }

struct Wave {
  Lanes up[vectors], down[vectors];
  Lanes plus[vectors], minus[vectors];  // what each word handed on last
};

// One step of all words; with `partly`, of those that are active. Returns what the last word hands on.
template <bool partly>
BLEUPRINT_ALWAYS_INLINE uint8_t step(Wave& wave, const Lanes* equals, uint64_t border, const Lanes* active) noexcept {
  Lanes first_plus = wave.plus[vectors - 1], first_minus = wave.minus[vectors - 1];
  push_lane(first_plus, border & 1);
  push_lane(first_minus, border >> 1);
  for (size_t i = vectors; i-- > 0;) {
    const Lanes up = wave.up[i], down = wave.down[i];
    const Lanes plus = i > 0 ? wave.plus[i - 1] : first_plus, minus = i > 0 ? wave.minus[i - 1] : first_minus;
    const Lanes equal = equals[i] | minus;
    const Lanes same = (((equal & up) + up) ^ up) | equal | down;
    const Lanes right_up = down | ~(same | up), right_down = same & up;
    wave.plus[i] = right_up >> 63;
    wave.minus[i] = right_down >> 63;
    const Lanes shifted_up = (right_up + right_up) | plus, shifted_down = (right_down + right_down) | minus;
    Lanes next_up = shifted_down | ~(same | shifted_up), next_down = shifted_up & same;
    if (partly) {
      next_up = (next_up & active[i]) | (up & ~active[i]);
      next_down = (next_down & active[i]) | (down & ~active[i]);
    }
    wave.up[i] = next_up;
    wave.down[i] = next_down;
  }
  Lanes plus = wave.plus[vectors - 1], minus = wave.minus[vectors - 1];
  const uint64_t last_plus = push_lane(plus, 0), last_minus = push_lane(minus, 0);
  return static_cast<uint8_t>(last_plus | last_minus << 1);
}

// Takes a stripe through some rows; `borders` are those at its left before and at its right afterwards.
BLEUPRINT_WIDE_VECTORS void advance(EditWord* state, const uint32_t* rows, size_t count, uint8_t* borders,
                                    const uint16_t* table_rows, const uint64_t* table) noexcept {
  Latest latest;
  std::fill_n(latest, words, table);
  size_t idle = words;  // rows since the last whose id stands anywhere
  Wave wave = {};
  uint64_t ups[words], downs[words];
  for (size_t word = 0; word < words; ++word) {
    ups[place_of(word)] = state[word].up;
    downs[place_of(word)] = state[word].down;
  }
  std::memcpy(wave.up, ups, sizeof ups);
  std::memcpy(wave.down, downs, sizeof downs);
  for (size_t at = 0; at < count + words - 1; ++at) {
    uint64_t border = 0;
    ++idle;
    if (at < count) {
      border = borders[at];
      const size_t row = table_rows[rows[at]];
      latest[at % words] = table + row * words;
      if (row != 0) idle = 0;
    }
    Lanes equals[vectors] = {};
    if (idle < words) {
      for (size_t i = 0; i < vectors; ++i) gather(equals[i], latest, at, i);
    }
    uint8_t out;
    if (at + 1 >= words && at < count) {
      out = step<false>(wave, equals, border, nullptr);
    } else {
      uint64_t masks[words];
      for (size_t word = 0; word < words; ++word) {
        masks[place_of(word)] = at >= word && at < count + word ? ~uint64_t{0} : 0;
      }
      Lanes active[vectors];
      std::memcpy(active, masks, sizeof masks);
      out = step<true>(wave, equals, border, active);
    }
    if (at + 1 >= words) borders[at + 1 - words] = out;
  }
  std::memcpy(ups, wave.up, sizeof ups);
  std::memcpy(downs, wave.down, sizeof downs);
  for (size_t word = 0; word < words; ++word) state[word] = {ups[place_of(word)], downs[place_of(word)]};
}

int64_t difference(uint64_t border) noexcept {
  return static_cast<int64_t>(border & 1) - static_cast<int64_t>(border >> 1);
}

constexpr size_t word_bits = 64, stripe_columns = words * word_bits;
constexpr size_t most_blocks = 128;       // over the width of a band
constexpr size_t least_block_rows = 256;  // every block costs 15 steps more than it has rows

}  // namespace

// Of all paths that lead through a row from `first_row` to `last_row` after so many columns; `edits` is the distance
// in the first of these cells.
int64_t EditStripes::least_edits(int64_t edits, size_t first_row, size_t last_row, size_t column) const noexcept {
  const auto more_rows = static_cast<int64_t>(row_count_ + column) - static_cast<int64_t>(column_count_);
  for (int64_t least = std::numeric_limits<int64_t>::max();; ++first_row) {
    least = std::min(least, edits + std::abs(more_rows - static_cast<int64_t>(first_row)));
    if (first_row == last_row) return least;
    edits += difference(borders_[first_row]);
  }
}

EditsFound EditStripes::measure(const uint32_t* columns, size_t column_count, const uint32_t* rows, size_t row_count,
                                size_t kinds, size_t most_edits, bool keep) {
  const size_t longest = std::max(column_count, row_count);
  const EditBand band(column_count, row_count, most_edits);
  const size_t width = std::min(longest, band.left + band.right);
  column_count_ = column_count;
  row_count_ = row_count;
  group_columns_ = stripe_columns * std::max<size_t>(1, width / most_blocks / stripe_columns);
  block_rows_ = std::max(least_block_rows, width / most_blocks);
  table_rows_.assign(kinds, 0);
  indexed_.clear();
  borders_.assign(row_count, 1);
  groups_.clear();
  int64_t edits = 0;  // in the cell above and to the left of the first of a group
  for (size_t first = 0; first < column_count; first += group_columns_) {
    const size_t last = std::min(column_count, first + group_columns_);
    // What is above its first row or below its last one is outside of the band.
    Group group{first > band.right ? first - band.right : 0, std::min(row_count, last + band.left), {}, {}, {}};
    if (first > 0) {
      edits += static_cast<int64_t>(group_columns_);
      for (size_t row = groups_.back().first_row; row < group.first_row; ++row) edits += difference(borders_[row]);
      if (most_edits < longest) {
        const int64_t least = least_edits(edits, group.first_row, groups_.back().last_row, first);
        if (least > static_cast<int64_t>(most_edits)) return {least, first};
      }
    }
    if (last == column_count) {
      for (size_t row = group.first_row; row < row_count; ++row) edits += difference(borders_[row]);
    }
    compute(group, columns + first, last - first, rows, keep);
    groups_.push_back(std::move(group));
  }
  for (const EditWord& word : groups_.back().bottom) edits += count_bits(word.up) - count_bits(word.down);
  return {edits, column_count};
}

void EditStripes::compute(Group& group, const uint32_t* columns, size_t column_count, const uint32_t* rows, bool keep) {
  const size_t group_words = (column_count + word_bits - 1) / word_bits;
  const size_t blocks = (group.last_row - group.first_row + block_rows_ - 1) / block_rows_;
  group.bottom.resize(group_words);
  if (keep) group.tops.resize(blocks * group_words);
  for (size_t word = 0; word < group_words; word += words) {
    const size_t used = std::min(words, group_words - word);
    index_columns(columns + word * word_bits, std::min(stripe_columns, column_count - word * word_bits));
    EditWord state[words];
    std::fill_n(state, words, EditWord{~uint64_t{0}, 0});
    for (size_t block = 0; block < blocks; ++block) {
      cancel_.poll();
      if (keep) std::copy_n(state, used, group.tops.data() + block * group_words + word);
      const size_t row = group.first_row + block * block_rows_;
      advance(state, rows + row, std::min(block_rows_, group.last_row - row), borders_.data() + row, table_rows_.data(),
              table_.data());
    }
    std::copy_n(state, used, group.bottom.data() + word);
  }
  if (const size_t beyond = column_count % word_bits; beyond != 0) {
    const uint64_t inside = (uint64_t{1} << beyond) - 1;
    group.bottom.back() = {group.bottom.back().up & inside, group.bottom.back().down & inside};
  }
  if (!keep) return;
  group.borders.resize((group.last_row - group.first_row + 3) / 4);
  for (size_t row = group.first_row; row < group.last_row; ++row) {
    const size_t at = row - group.first_row;
    group.borders[at / 4] |= static_cast<uint8_t>(borders_[row] << at % 4 * 2);
  }
}

void EditStripes::index_columns(const uint32_t* ids, size_t count) {
  for (const uint32_t id : indexed_) table_rows_[id] = 0;
  indexed_.clear();
  table_.assign(words, 0);
  for (size_t column = 0; column < count; ++column) {
    if (ids[column] >= table_rows_.size()) continue;
    uint16_t& row = table_rows_[ids[column]];
    if (row == 0) {
      indexed_.push_back(ids[column]);
      row = static_cast<uint16_t>(indexed_.size());
      table_.resize(table_.size() + words, 0);
    }
    table_[row * words + column / word_bits] |= uint64_t{1} << column % word_bits;
  }
}

std::vector<EditWord> EditStripes::last_row() const {
  std::vector<EditWord> found;
  for (const Group& group : groups_) found.insert(found.end(), group.bottom.begin(), group.bottom.end());
  return found;
}

EditStripes::Block EditStripes::block_of(size_t row, size_t column) const noexcept {
  const size_t first_column = (column - 1) / group_columns_ * group_columns_;
  const Group& group = groups_[first_column / group_columns_];
  const size_t block = (row - 1 - group.first_row) / block_rows_;
  return {group.first_row + block * block_rows_, first_column, group.tops.data() + block * group.bottom.size()};
}

uint64_t EditStripes::border(const Block& block, size_t row) const noexcept {
  if (block.first_column == 0) return 1;
  const Group& before = groups_[block.first_column / group_columns_ - 1];
  if (row > before.last_row) return 1;
  const size_t at = row - 1 - before.first_row;
  return before.borders[at / 4] >> at % 4 * 2 & 3;
}

}  // namespace bleuprint
