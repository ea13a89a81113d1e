#include "rows/alignment.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "rows/places.hpp"

namespace bleuprint {

namespace {

constexpr size_t word_bits = 64;
constexpr size_t slots_per_word = 128;
constexpr size_t polled_rows = 256;
constexpr size_t most_registers = 8;   // words of a state that a processor holds beside what it computes with
constexpr size_t first_edits = 256;    // fewer would save little and are often too few
constexpr size_t most_row_words = 16;  // stripes are quicker where the words of a row are more
constexpr size_t any_edits = ~size_t{0};
// Above these the memory would no longer stay in the caches.
constexpr size_t dense_words = size_t{1} << 17, dense_kinds = 1024;
constexpr size_t window_words = size_t{1} << 18;

// Whether RapidFuzz 3 divides texts: those whose table of two bits per cell would take a mebibyte.
bool is_divided(size_t columns, size_t rows, size_t most_edits) noexcept {
  constexpr size_t largest_table = size_t{1} << 20, fewest_columns = 65, fewest_rows = 10;
  const size_t band = std::min(columns, 2 * std::min(most_edits, std::max(columns, rows)) + 1);
  return 2 * band * rows / 8 >= largest_table && columns >= fewest_columns && rows >= fewest_rows;
}

}  // namespace

// Leaves only what lies between the first and the last difference; returns how much is equal at the ends.
template <typename Id>
Aligner::Ends Aligner::strip(const Id* columns, size_t column_count, const Id* rows, size_t row_count) {
  const size_t shorter = std::min(column_count, row_count);
  size_t prefix = 0;
  while (prefix < shorter && columns[prefix] == rows[prefix]) ++prefix;
  size_t suffix = 0;
  while (suffix < shorter - prefix && columns[column_count - 1 - suffix] == rows[row_count - 1 - suffix]) ++suffix;
  column_count_ = column_count - prefix - suffix;
  row_count_ = row_count - prefix - suffix;
  words_ = (column_count_ + word_bits - 1) / word_bits;
  return {prefix, suffix};
}

template <typename Id>
void Aligner::index_columns(const Id* all_columns, size_t kinds) {
  dense_ = kinds <= dense_words / words_ && kinds <= dense_kinds + row_count_;
  if (dense_) {
    table_.resize(std::max(table_.size(), kinds * words_));
    std::memset(table_.data(), 0, kinds * words_ * sizeof(uint64_t));
    for (size_t word = 0; word < words_; ++word) {
      const Id* const columns = all_columns + word * word_bits;
      const size_t count = std::min(word_bits, column_count_ - word * word_bits);
      for (size_t i = 0; i < count; ++i) {
        if (columns[i] != absent) table_[columns[i] * words_ + word] |= uint64_t{1} << i;
      }
    }
    return;
  }
  slots_.assign(words_ * slots_per_word, {absent, 0});
  for (size_t i = 0; i < column_count_; ++i) {
    const uint32_t id = all_columns[i];
    if (id == absent) continue;
    Slot* const slots = slots_.data() + i / word_bits * slots_per_word;
    size_t at = slot_of(id);
    while (slots[at].id != id && slots[at].id != absent) at = (at + 1) % slots_per_word;
    slots[at].id = id;
    slots[at].places |= uint64_t{1} << (i % word_bits);
  }
}

// The bits of a word that are columns.
uint64_t Aligner::inside(size_t word) const noexcept {
  const size_t used = column_count_ - word * word_bits;
  return used < word_bits ? (uint64_t{1} << used) - 1 : ~uint64_t{0};
}

inline uint64_t Aligner::places(uint32_t id, size_t word) const noexcept {
  if (dense_) return table_[id * words_ + word];
  const Slot* const slots = slots_.data() + word * slots_per_word;
  size_t at = slot_of(id);
  while (slots[at].id != id && slots[at].id != absent) at = (at + 1) % slots_per_word;
  return slots[at].places;
}

// The words of the band; row 0 has those of row 1.
inline size_t Aligner::first_word(size_t row) const noexcept {
  return row > band_.left ? (row - band_.left - 1) / word_bits : 0;
}

inline size_t Aligner::last_word(size_t row) const noexcept {
  return (std::min(column_count_, std::max<size_t>(row, 1) + band_.right) - 1) / word_bits;
}

inline void Aligner::step(size_t row, uint64_t border) {
  const size_t last = last_word(row);
  for (; entered_ <= last; ++entered_) state_[entered_] = {~uint64_t{0}, 0};
  uint64_t plus = border & 1, minus = border >> 1;
  for (size_t word = first_word(row); word <= last; ++word) {
    const uint64_t up = state_[word].up, down = state_[word].down;
    const uint64_t equal = places(rows_[row - 1], word) | minus;
    const uint64_t same = (((equal & up) + up) ^ up) | equal | down;
    uint64_t right_up = down | ~(same | up);
    uint64_t right_down = same & up;
    const uint64_t plus_out = right_up >> 63, minus_out = right_down >> 63;
    right_up = right_up << 1 | plus;
    right_down = right_down << 1 | minus;
    state_[word] = {right_down | ~(same | right_up), right_up & same};
    plus = plus_out;
    minus = minus_out;
  }
}

// At most 64 columns: the state is two words in registers, and every row of it is kept.
int64_t Aligner::measure_word() {
  window_.resize(std::max(window_.size(), row_count_ + 1));
  uint64_t up = ~uint64_t{0}, down = 0;
  window_[0] = {up, down};
  for (size_t row = 1; row <= row_count_; ++row) {
    const uint64_t equal = table_[rows_[row - 1]];
    const uint64_t same = (((equal & up) + up) ^ up) | equal | down;
    const uint64_t right_up = (down | ~(same | up)) << 1 | 1;
    const uint64_t right_down = (same & up) << 1;
    up = right_down | ~(same | right_up);
    down = right_up & same;
    window_[row] = {up, down};
  }
  return static_cast<int64_t>(row_count_) + count_bits(up & inside(0)) - count_bits(down & inside(0));
}

// No more than any cell of the row has, `above` being what the cell before the first word has.
int64_t Aligner::least_edits(size_t row, int64_t above) const noexcept {
  int64_t least = above;
  for (size_t word = first_word(row); word <= last_word(row); ++word) {
    const int64_t less = count_bits(state_[word].down);
    least = std::min(least, above - less);
    above += count_bits(state_[word].up) - less;
  }
  return least;
}

EditsFound Aligner::measure_rows(size_t most_edits, bool record) {
  const bool is_sure = most_edits == std::max(column_count_, row_count_);
  state_.resize(std::max(state_.size(), words_));
  entered_ = 0;
  window_used_ = 0;
  window_starts_.clear();
  if (record) {
    for (; entered_ <= last_word(0); ++entered_) state_[entered_] = {~uint64_t{0}, 0};
    save(0);
  }
  int64_t above = 0;  // the distance in the cell above the band
  for (size_t row = 1; row <= row_count_; ++row) {
    const size_t first = first_word(row);
    if (first > 0 && first != first_word(row - 1)) {
      above += count_bits(state_[first - 1].up) - count_bits(state_[first - 1].down);
    }
    ++above;
    step(row, 1);
    if (record) save(row);
    if (row % polled_rows != 0 || row == row_count_) continue;
    cancel_.poll();
    if (is_sure) continue;
    const int64_t least = least_edits(row, above);
    if (least > static_cast<int64_t>(most_edits)) return {least, row};
  }
  for (size_t word = first_word(row_count_); word < words_; ++word) {
    above += count_bits(state_[word].up & inside(word)) - count_bits(state_[word].down & inside(word));
  }
  return {above, row_count_};
}

int64_t Aligner::measure(size_t kinds, bool record) {
  const size_t longest = std::max(column_count_, row_count_), shortest = std::min(column_count_, row_count_);
  bool is_indexed = words_ == 1;
  if (is_indexed) index_columns(columns_, kinds);
  if (is_indexed && dense_ && row_count_ < window_words) {
    method_ = Method::word;
    return measure_word();
  }
  for (size_t most_edits = std::max(first_edits, longest - shortest);;) {
    most_edits = std::min(most_edits, longest);
    band_ = EditBand(column_count_, row_count_, most_edits);
    const size_t row_words = std::min(words_, (band_.left + band_.right) / word_bits + 2);
    const bool by_rows = row_words <= most_row_words && row_words * row_count_ <= window_words;
    if (by_rows && !is_indexed) index_columns(columns_, kinds);
    is_indexed |= by_rows;
    method_ = by_rows ? Method::rows : Method::stripes;
    const size_t end = by_rows ? row_count_ : column_count_;
    const EditsFound found =
        by_rows ? measure_rows(most_edits, record)
                : stripes_.measure(columns_, column_count_, rows_, row_count_, kinds, most_edits, record);
    const auto edits = static_cast<size_t>(found.edits);
    if (found.reached < end) {
      const size_t expected = edits * end / found.reached;
      most_edits = std::max(2 * most_edits, expected + expected / 8);
    } else if (edits > most_edits) {
      most_edits = std::min(2 * most_edits, edits);
    } else {
      return found.edits;
    }
  }
}

int64_t Aligner::distance(const uint32_t* columns, size_t column_count, const uint32_t* rows, size_t row_count,
                          size_t kinds) {
  const size_t prefix = strip(columns, column_count, rows, row_count).prefix;
  columns_ = columns + prefix;
  rows_ = rows + prefix;
  if (column_count_ == 0 || row_count_ == 0) return static_cast<int64_t>(column_count_ + row_count_);
  return measure(kinds, false);
}

// The distances between the rows and each beginning of the columns, the empty one first.
std::vector<int64_t> Aligner::last_distances(const uint32_t* columns, size_t column_count, const uint32_t* rows,
                                             size_t row_count, size_t kinds) {
  stripes_.measure(columns, column_count, rows, row_count, kinds, column_count + row_count, false);
  const std::vector<EditWord> words = stripes_.last_row();
  std::vector<int64_t> distances{static_cast<int64_t>(row_count)};
  for (size_t column = 0; column < column_count; ++column) {
    const EditWord& word = words[column / word_bits];
    const size_t bit = column % word_bits;
    distances.push_back(distances.back() + static_cast<int64_t>(word.up >> bit & 1) -
                        static_cast<int64_t>(word.down >> bit & 1));
  }
  return distances;
}

Aligner::Division Aligner::divide(const uint32_t* columns, size_t column_count, const uint32_t* rows, size_t row_count,
                                  size_t kinds) {
  const size_t half = row_count / 2;
  const std::vector<int64_t> before = last_distances(columns, column_count, rows, half, kinds);
  using Backward = std::reverse_iterator<const uint32_t*>;
  const std::vector<uint32_t> last_columns(Backward(columns + column_count), Backward(columns));
  const std::vector<uint32_t> last_rows(Backward(rows + row_count), Backward(rows + half));
  std::vector<int64_t> after =
      last_distances(last_columns.data(), column_count, last_rows.data(), row_count - half, kinds);
  std::reverse(after.begin(), after.end());
  size_t best = 0;
  for (size_t column = 1; column <= column_count; ++column) {
    if (before[column] + after[column] < before[best] + after[best]) best = column;
  }
  return {best, half, before[best], after[best]};
}

template <typename Take>
void Aligner::align(const uint32_t* columns, size_t column_count, const uint32_t* rows, size_t row_count, size_t kinds,
                    size_t most_edits, Take& take) {
  const Ends ends = strip(columns, column_count, rows, row_count);
  columns_ = columns + ends.prefix;
  rows_ = rows + ends.prefix;
  take(Step::hit, ends.suffix);
  if (divides_ && is_divided(column_count_, row_count_, most_edits)) {
    columns += ends.prefix;
    rows += ends.prefix;
    column_count = column_count_;
    row_count = row_count_;
    const Division at = divide(columns, column_count, rows, row_count, kinds);
    align(columns + at.column, column_count - at.column, rows + at.row, row_count - at.row, kinds,
          static_cast<size_t>(at.edits_after), take);
    align(columns, at.column, rows, at.row, kinds, static_cast<size_t>(at.edits_before), take);
  } else if (column_count_ == 0 || row_count_ == 0) {
    take(Step::insertion, row_count_);
    take(Step::deletion, column_count_);
  } else {
    measure(kinds, true);
    walk(kinds, take);
  }
  take(Step::hit, ends.prefix);
}

Operations Aligner::align(const uint32_t* columns, size_t column_count, const uint32_t* rows, size_t row_count,
                          size_t kinds) {
  Operations found;
  const auto take = [&found](Step step, size_t times) {
    int64_t& sum = step == Step::hit            ? found.hits
                   : step == Step::substitution ? found.substitutions
                   : step == Step::deletion     ? found.deletions
                                                : found.insertions;
    sum += static_cast<int64_t>(times);
  };
  align(columns, column_count, rows, row_count, kinds, any_edits, take);
  return found;
}

std::string Aligner::path(const uint32_t* columns, size_t column_count, const uint32_t* rows, size_t row_count,
                          size_t kinds) {
  std::string steps;
  const auto take = [&steps](Step step, size_t times) { steps.append(times, static_cast<char>(step)); };
  align(columns, column_count, rows, row_count, kinds, any_edits, take);
  std::reverse(steps.begin(), steps.end());
  return steps;
}

// From the last cell back to row 0 or column 0, by the marks of the rows.
template <typename Take, typename IsUp, typename IsDown>
Aligner::Cell Aligner::walk_back(Take& take, IsUp is_up_at, IsDown is_down_at) {
  size_t row = row_count_, column = column_count_;
  while (row > 0 && column > 0) {
    if (is_up_at(row, column)) {
      take(Step::deletion, 1);
      --column;
    } else if (is_down_at(row - 1, column)) {
      take(Step::insertion, 1);
      --row;
    } else {
      --row;
      --column;
      take(columns_[column] == rows_[row] ? Step::hit : Step::substitution, 1);
    }
  }
  return {row, column};
}

void Aligner::save(size_t row) {
  const size_t first = first_word(row), count = last_word(row) + 1 - first;
  if (window_used_ + count > window_.size()) window_.resize(2 * (window_used_ + count));
  std::copy_n(state_.data() + first, count, window_.data() + window_used_);
  window_starts_.push_back(window_used_);
  window_used_ += count;
}

inline bool Aligner::is_up(size_t row, size_t column) const noexcept {
  const size_t word = (column - 1) / word_bits - first_word(row);
  return window_[window_starts_[row] + word].up >> ((column - 1) % word_bits) & 1;
}

inline bool Aligner::is_down(size_t row, size_t column) const noexcept {
  const size_t word = (column - 1) / word_bits;
  if (word > last_word(row)) return false;  // no shortest way leads through a cell outside the band
  return window_[window_starts_[row] + word - first_word(row)].down >> ((column - 1) % word_bits) & 1;
}

// Computes the rows of the stripes' block that ends in this cell; returns the cell before its first one.
Aligner::Cell Aligner::open_block(const uint32_t* columns, const uint32_t* rows, Cell last, size_t kinds) {
  const EditStripes::Block block = stripes_.block_of(last.row, last.column);
  columns_ = columns + block.first_column;
  column_count_ = last.column - block.first_column;
  rows_ = rows + block.first_row;
  row_count_ = last.row - block.first_row;
  words_ = (column_count_ + word_bits - 1) / word_bits;
  band_ = EditBand(column_count_, row_count_, column_count_ + row_count_);
  index_columns(columns_, kinds);
  state_.assign(block.top, block.top + words_);
  entered_ = words_;
  window_used_ = 0;
  window_starts_.clear();
  save(0);
  for (size_t row = 1; row <= row_count_; ++row) {
    step(row, stripes_.border(block, block.first_row + row));
    save(row);
    poll(row);
  }
  return {block.first_row, block.first_column};
}

template <typename Take>
void Aligner::walk(size_t kinds, Take& take) {
  Cell cell{row_count_, column_count_};
  const auto by_rows = [&] {
    return walk_back(
        take, [&](size_t row, size_t column) { return is_up(row, column); },
        [&](size_t row, size_t column) { return is_down(row, column); });
  };
  if (method_ == Method::word) {
    const auto bit = [](size_t column) { return uint64_t{1} << (column - 1); };
    cell = walk_back(
        take, [&](size_t row, size_t column) { return (window_[row].up & bit(column)) != 0; },
        [&](size_t row, size_t column) { return (window_[row].down & bit(column)) != 0; });
  } else if (method_ == Method::rows) {
    cell = by_rows();
  } else {
    const uint32_t* const columns = columns_;
    const uint32_t* const rows = rows_;
    while (cell.row > 0 && cell.column > 0) {
      const Cell before = open_block(columns, rows, cell, kinds);
      cell = by_rows();
      cell = {before.row + cell.row, before.column + cell.column};
    }
  }
  take(Step::deletion, cell.column);
  take(Step::insertion, cell.row);
}

// Bit j of the state is 0 where column j lengthens the common subsequence (Hyyrö 2004, Bit-parallel LCS-length
// computation revisited).
inline uint64_t Aligner::lengthen(uint64_t state, uint64_t equal, uint64_t& carry) noexcept {
  const uint64_t taken = state & equal;
  const uint64_t half = state + taken;
  const uint64_t whole = half + carry;
  carry = (half < state) | (whole < half);
  return whole | (state - taken);
}

// The state stays in registers: 1.6x on texts of 130 characters.
template <size_t words, typename Id>
void Aligner::lengthen_short(const Id* rows) {
  uint64_t state[words];
  std::fill_n(state, words, ~uint64_t{0});
  for (size_t row = 0; row < row_count_;) {
    poll(row);
    for (const size_t stop = std::min(row_count_, row + polled_rows); row < stop; ++row) {
      const uint64_t* const equal = table_.data() + rows[row] * words;
      uint64_t carry = 0;
      for (size_t word = 0; word < words; ++word) state[word] = lengthen(state[word], equal[word], carry);
    }
  }
  for (size_t word = 0; word < words; ++word) state_[word].up = state[word];
}

template <typename Id>
void Aligner::lengthen_long(const Id* rows) {
  for (size_t word = 0; word < words_; ++word) state_[word].up = ~uint64_t{0};
  for (size_t row = 0; row < row_count_; ++row) {
    uint64_t carry = 0;
    for (size_t word = 0; word < words_; ++word) {
      state_[word].up = lengthen(state_[word].up, places(rows[row], word), carry);
    }
    poll(row);
  }
}

template <typename Id>
int64_t Aligner::common(const Id* columns, size_t column_count, const Id* rows, size_t row_count, size_t kinds) {
  const Ends ends = strip(columns, column_count, rows, row_count);
  rows += ends.prefix;
  auto sum = static_cast<int64_t>(ends.prefix + ends.suffix);
  if (column_count_ == 0 || row_count_ == 0) return sum;
  index_columns(columns + ends.prefix, kinds);
  state_.resize(std::max(state_.size(), words_));
  if (dense_ && words_ <= most_registers) {
    constexpr void (Aligner::* lengthen_words[])(const Id*) = {
        &Aligner::lengthen_short<1, Id>, &Aligner::lengthen_short<2, Id>, &Aligner::lengthen_short<3, Id>,
        &Aligner::lengthen_short<4, Id>, &Aligner::lengthen_short<5, Id>, &Aligner::lengthen_short<6, Id>,
        &Aligner::lengthen_short<7, Id>, &Aligner::lengthen_short<8, Id>,
    };
    static_assert(sizeof lengthen_words / sizeof *lengthen_words == most_registers);
    (this->*lengthen_words[words_ - 1])(rows);
  } else {
    lengthen_long(rows);
  }
  for (size_t word = 0; word < words_; ++word) sum += count_bits(~state_[word].up & inside(word));
  return sum;
}

template int64_t Aligner::common(const uint8_t*, size_t, const uint8_t*, size_t, size_t);
template int64_t Aligner::common(const uint32_t*, size_t, const uint32_t*, size_t, size_t);

}  // namespace bleuprint
