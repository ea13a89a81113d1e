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
constexpr size_t most_registers = 8;  // words of a state that a processor holds beside what it computes with
constexpr size_t first_band = 256;    // narrower would save little and is often computed in vain
constexpr size_t any_edits = ~size_t{0};
// Above these the memory would no longer stay in the caches (or, for the window, in bounds).
constexpr size_t dense_words = size_t{1} << 17;
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
  dense_ = kinds <= dense_words / words_;
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

bool Aligner::is_short() const noexcept { return words_ == 1 && dense_ && row_count_ < window_words; }

inline uint64_t Aligner::places(uint32_t id, size_t word) const noexcept {
  if (dense_) return table_[id * words_ + word];
  const Slot* const slots = slots_.data() + word * slots_per_word;
  size_t at = slot_of(id);
  while (slots[at].id != id && slots[at].id != absent) at = (at + 1) % slots_per_word;
  return slots[at].places;
}

// Columns r - band .. r + band of row r, counted from 1, and the words they stand in.
inline size_t Aligner::first_word(size_t row) const noexcept { return row > band_ ? (row - band_ - 1) / word_bits : 0; }

inline size_t Aligner::last_word(size_t row) const noexcept {
  return (std::min(column_count_, row + band_) - 1) / word_bits;
}

inline void Aligner::step(size_t row) {
  const size_t last = last_word(row);
  for (; entered_ <= last; ++entered_) state_[entered_] = {~uint64_t{0}, 0};
  uint64_t plus = 1, minus = 0;  // the cell above the band: one more than in the row before
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
int64_t Aligner::measure_short() {
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

int64_t Aligner::measure_band() {
  begin();
  if (recording_) open_window(0);
  int64_t above = 0;  // the distance in the cell above the band
  for (size_t row = 1; row <= row_count_; ++row) {
    const size_t first = first_word(row);
    if (first > 0 && first != first_word(row - 1)) {
      above += count_bits(state_[first - 1].up) - count_bits(state_[first - 1].down);
    }
    ++above;
    step(row);
    if (recording_) save(row);
    poll(row);
  }
  int64_t sum = above;
  for (size_t word = first_word(row_count_); word < words_; ++word) {
    sum += count_bits(state_[word].up & inside(word)) - count_bits(state_[word].down & inside(word));
  }
  return sum;
}

int64_t Aligner::measure(bool record) {
  const size_t longest = std::max(column_count_, row_count_);
  const size_t difference = longest - std::min(column_count_, row_count_);
  state_.resize(std::max(state_.size(), words_));
  for (band_ = std::max(first_band, difference);; band_ *= 2) {
    band_ = std::min(band_, longest);
    recording_ = record && row_count_ <= window_rows();
    const int64_t found = measure_band();
    if (band_ == longest || static_cast<size_t>(found) <= band_) return found;
  }
}

int64_t Aligner::distance(const uint32_t* columns, size_t column_count, const uint32_t* rows, size_t row_count,
                          size_t kinds) {
  const size_t prefix = strip(columns, column_count, rows, row_count).prefix;
  columns_ = columns + prefix;
  rows_ = rows + prefix;
  if (column_count_ == 0 || row_count_ == 0) return static_cast<int64_t>(column_count_ + row_count_);
  index_columns(columns_, kinds);
  return is_short() ? measure_short() : measure(false);
}

// The distances between the rows and each beginning of the columns, the empty one first.
std::vector<int64_t> Aligner::last_distances(const uint32_t* columns, size_t column_count, const uint32_t* rows,
                                             size_t row_count, size_t kinds) {
  rows_ = rows;
  column_count_ = column_count;
  words_ = (column_count + word_bits - 1) / word_bits;
  band_ = std::max(column_count, row_count);
  index_columns(columns, kinds);
  state_.resize(std::max(state_.size(), words_));
  begin();
  for (size_t row = 1; row <= row_count; ++row) {
    step(row);
    poll(row);
  }
  std::vector<int64_t> distances{static_cast<int64_t>(row_count)};
  for (size_t column = 0; column < column_count; ++column) {
    const Word& word = state_[column / word_bits];
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
    index_columns(columns_, kinds);
    if (is_short()) {
      measure_short();
      walk_short(take);
    } else {
      measure(true);
      walk(take);
    }
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

// From the last cell back to the first, by the marks of the rows; `prepare` is told the row before its marks are read.
template <typename Take, typename Prepare, typename IsUp, typename IsDown>
void Aligner::walk(Take& take, Prepare prepare, IsUp is_up_at, IsDown is_down_at) {
  size_t row = row_count_, column = column_count_;
  while (row > 0 && column > 0) {
    prepare(row);
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
  take(Step::deletion, column);
  take(Step::insertion, row);
}

template <typename Take>
void Aligner::walk_short(Take& take) {
  const auto bit = [](size_t column) { return uint64_t{1} << (column - 1); };
  walk(
      take, [](size_t) {}, [&](size_t row, size_t column) { return (window_[row].up & bit(column)) != 0; },
      [&](size_t row, size_t column) { return (window_[row].down & bit(column)) != 0; });
}

// As many rows as the window may hold of the band.
size_t Aligner::window_rows() const noexcept {
  return std::max<size_t>(2, window_words / std::min(words_, 2 * band_ / word_bits + 2));
}

void Aligner::open_window(size_t row) {
  window_begin_ = row;
  window_starts_.clear();
  window_starts_.push_back(0);
  window_used_ = 0;
  if (row > 0) append(row);
}

void Aligner::save(size_t row) {
  window_starts_.push_back(window_used_);
  append(row);
}

void Aligner::append(size_t row) {
  const size_t first = first_word(row), count = last_word(row) + 1 - first;
  if (window_used_ + count > window_.size()) window_.resize(2 * (window_used_ + count));
  std::copy_n(state_.data() + first, count, window_.data() + window_used_);
  window_used_ += count;
}

void Aligner::push_checkpoint(size_t row) {
  const Word* const words = state_.data();
  checkpoints_.push_back({row, std::vector<Word>(words + first_word(row), words + last_word(row) + 1)});
}

void Aligner::restore(const Checkpoint& checkpoint) {
  begin();
  if (checkpoint.row == 0) return;
  std::copy(checkpoint.words.begin(), checkpoint.words.end(), state_.begin() + first_word(checkpoint.row));
  entered_ = last_word(checkpoint.row) + 1;
}

// Makes the words of the rows up to `row` known, as many as the window holds. What came before is computed again from
// checkpoints that halve the way: log2(rows / window) times the work, and as many states in memory.
void Aligner::fill_window(size_t row) {
  while (checkpoints_.size() > 1 && checkpoints_.back().row >= row) checkpoints_.pop_back();
  restore(checkpoints_.back());
  size_t from = checkpoints_.back().row;
  while (row - from > window_rows()) {
    const size_t middle = from + (row - from) / 2;
    for (; from < middle; poll(from)) step(++from);
    push_checkpoint(from);
  }
  open_window(from);
  while (from < row) {
    step(++from);
    save(from);
  }
}

inline bool Aligner::is_up(size_t row, size_t column) const noexcept {
  const size_t word = (column - 1) / word_bits - first_word(row);
  return window_[window_starts_[row - window_begin_] + word].up >> ((column - 1) % word_bits) & 1;
}

inline bool Aligner::is_down(size_t row, size_t column) const noexcept {
  const size_t word = (column - 1) / word_bits;
  if (row == 0 || word > last_word(row)) return false;  // no shortest way leads through a cell outside the band
  return window_[window_starts_[row - window_begin_] + word - first_word(row)].down >> ((column - 1) % word_bits) & 1;
}

template <typename Take>
void Aligner::walk(Take& take) {
  checkpoints_.assign(1, {0, {}});
  if (!recording_) window_begin_ = row_count_;
  walk(
      take,
      [&](size_t row) {
        if (row <= window_begin_) fill_window(row);  // the row before it is looked at as well
      },
      [&](size_t row, size_t column) { return is_up(row, column); },
      [&](size_t row, size_t column) { return is_down(row, column); });
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
