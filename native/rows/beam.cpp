#include "rows/beam.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bleuprint {

namespace {

constexpr size_t most_dense_bits = size_t{1} << 16;  // words of 64 bits: half a megabyte

uint64_t low_bits(size_t count) noexcept { return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1; }

int64_t bit(uint64_t mask, size_t at) noexcept { return static_cast<int64_t>(mask >> at & 1); }

}  // namespace

Beam::Beam(size_t hypothesis, size_t reference) : rows(hypothesis), columns(reference) {
  if (rows > 0) slope = static_cast<double>(columns) / static_cast<double>(rows);
  if (usual_width < slope / 2) width = static_cast<size_t>(std::ceil(slope / 2 + usual_width));
}

size_t Beam::diagonal(size_t row) const noexcept {
  return static_cast<size_t>(std::floor(static_cast<double>(row) * slope));
}

size_t Beam::low(size_t row) const noexcept {
  const size_t middle = diagonal(row);
  return middle > width && row > 0 ? middle - width : 0;
}

size_t Beam::high(size_t row) const noexcept {
  return row == rows || row == 0 ? columns + 1 : std::min(columns + 1, diagonal(row) + width);
}

// A cell left or right of the beam is at least `width` - 1 columns off the diagonal; a path through it has to make up
// for twice that, less the difference of the lengths. One more for the rounding of the slope.
int64_t Beam::surely_exact() const noexcept {
  const auto difference = static_cast<int64_t>(std::max(rows, columns) - std::min(rows, columns));
  return 2 * static_cast<int64_t>(width) - 4 - difference;
}

void Occurrences::begin(const std::vector<WordId>& reference, size_t kinds) {
  starts_.assign(kinds + 2, 0);
  for (const WordId word : reference) ++starts_[word + 1];
  for (size_t word = 1; word < starts_.size(); ++word) starts_[word] += starts_[word - 1];
  ends_.assign(starts_.begin(), starts_.end() - 1);
  places_.resize(reference.size());
  for (size_t place = 0; place < reference.size(); ++place) places_[ends_[reference[place]]++] = place;

  stride_ = (reference.size() + 63) / 64 + 1;
  bits_.clear();
  if (stride_ > most_dense_bits / (kinds + 1)) return;
  bits_.assign((kinds + 1) * stride_, 0);
  for (size_t place = 0; place < reference.size(); ++place) {
    bits_[reference[place] * stride_ + place / 64] |= uint64_t{1} << place % 64;
  }
}

uint64_t Occurrences::sparse_window(WordId word, size_t column) const noexcept {
  uint64_t found = 0;
  const size_t* const end = last(word);
  for (const size_t* at = std::lower_bound(first(word), end, column - 1); at < end && *at < column + 63; ++at) {
    found |= uint64_t{1} << (*at - (column - 1));
  }
  return found;
}

void NarrowMatrix::begin(const Beam& beam, const Occurrences& reference) {
  reference_ = &reference;
  if (states_.size() < beam.rows) {
    states_.resize(beam.rows);
    diagonal_.resize(beam.rows);
  }
  if (beam.rows == 0) {
    distance_ = static_cast<int64_t>(beam.columns);
    return;
  }
  Rows& rows = kept_[std::min(beam.rows, most_kept + 1) - 1];
  if (rows.columns != beam.columns || rows.steps.size() != beam.rows) plan(beam, &rows);
  steps_ = rows.steps.data();
  // The row above the first has every column. To follow it no further than the first row's end changes nothing: it
  // rises everywhere.
  states_[0] = {~uint64_t{0}, 0, static_cast<int64_t>(beam.high(1)) - 1};
}

void NarrowMatrix::plan(const Beam& beam, Rows* rows) {
  rows->columns = beam.columns;
  rows->steps.resize(beam.rows);
  size_t above = beam.high(1), low = beam.low(1), high = above;
  for (size_t row = 1; row <= beam.rows; ++row) {
    Step& step = rows->steps[row - 1];
    step.column = std::max<size_t>(low, 1);
    step.match = low_bits(above - step.column + 1);
    if (row > 1 && rows->steps[row - 2].enclosed) step.match &= ~uint64_t{1};
    step.new_columns = static_cast<uint8_t>(high - above);
    step.edge = static_cast<uint8_t>(above - step.column - (high == above ? 1 : 0));
    const size_t next_low = row < beam.rows ? beam.low(row + 1) : low;
    const size_t next_column = std::max<size_t>(next_low, 1);
    step.shift = static_cast<uint8_t>(next_column - step.column);
    step.keep = low_bits(high - next_column);
    step.enclosed = next_low == low && low > 0;
    above = high;
    low = next_low;
    high = row < beam.rows ? beam.high(row + 1) : high;
  }
}

// Columns right of the row above count as if that row went on rising there, and columns left of it as if it fell from
// there: no path gains by either, as long as no word matches across such a cell.
inline NarrowMatrix::Inner NarrowMatrix::advance(State& state, const Step& step, WordId word) const noexcept {
  const uint64_t equal = reference_->window(word, step.column) & step.match;
  const uint64_t level = (((equal & state.rise) + state.rise) ^ state.rise) | equal | state.fall;
  const uint64_t higher = state.fall | ~(level | state.rise);  // than the row above
  const uint64_t lower = level & state.rise;
  const uint64_t left_higher = higher << 1 | 1;  // column 0, where it is in the beam, always is
  const uint64_t rise = lower << 1 | ~(level | left_higher);
  const uint64_t fall = level & left_higher;
  if (step.new_columns == 0) {
    state.value += bit(higher, step.edge) - bit(lower, step.edge);
  } else {
    state.value += 1 - bit(level, step.edge);
    for (size_t more = 1; more < step.new_columns; ++more) {
      state.value += bit(rise, step.edge + more) - bit(fall, step.edge + more);
    }
  }
  const uint64_t enclosed = step.enclosed;
  state.rise = (rise >> step.shift | ~step.keep) & ~enclosed;
  state.fall = (fall >> step.shift & step.keep) | enclosed;
  return {equal, level};
}

void NarrowMatrix::fill(const std::vector<WordId>& words, size_t row) {
  if (words.empty()) return;
  State state = states_[row];
  for (; row < words.size(); ++row) {
    states_[row] = state;
    const Inner inner = advance(state, steps_[row], words[row]);
    diagonal_[row] = (inner.equal | ~inner.level) & steps_[row].match;
  }
  distance_ = state.value;
}

int64_t NarrowMatrix::distance_after(const std::vector<WordId>& words, Swap swap) const noexcept {
  size_t row = swap.first, from = swap.middle;
  while (from < swap.last && words[from] == words[row]) ++from, ++row;
  State state = states_[row];
  for (; from < swap.last; ++from, ++row) advance(state, steps_[row], words[from]);
  for (from = row - (swap.last - swap.middle); from < swap.middle; ++from, ++row) {
    advance(state, steps_[row], words[from]);
  }
  for (; row < words.size(); ++row) {
    const State& before = states_[row];
    if (state.rise == before.rise && state.fall == before.fall) return distance_ + state.value - before.value;
    advance(state, steps_[row], words[row]);
  }
  return state.value;
}

Edit NarrowMatrix::edit(size_t row, size_t column, bool equal) const noexcept {
  if (column == 0) return Edit::remove;
  const size_t at = column - steps_[row - 1].column;
  if (bit(diagonal_[row - 1], at)) return equal ? Edit::none : Edit::substitute;
  return bit(states_[row - 1].fall, at) ? Edit::remove : Edit::insert;
}

void WideMatrix::begin(const Beam& beam, const std::vector<WordId>& reference) {
  beam_ = beam;
  reference_ = &reference;
  starts_.assign(1, 0);
  for (size_t row = 1; row <= beam.rows; ++row) starts_.push_back(starts_.back() + beam.high(row) - beam.low(row));
  edits_.resize(starts_.back());
}

void WideMatrix::fill(const std::vector<WordId>& words, size_t) { distance_ = compute(words, true); }

int64_t WideMatrix::distance_after(const std::vector<WordId>& words, Swap swap) {
  swapped_ = words;
  const auto begin = swapped_.begin();
  std::rotate(begin + swap.first, begin + swap.middle, begin + swap.last);
  return compute(swapped_, false);
}

int64_t WideMatrix::compute(const std::vector<WordId>& words, bool keep_edits) {
  constexpr int64_t infinite = std::numeric_limits<int64_t>::max() / 2;
  row_.resize(beam_.columns + 1);
  above_.resize(beam_.columns + 1);
  for (size_t column = 0; column <= beam_.columns; ++column) row_[column] = static_cast<int64_t>(column);
  for (size_t row = 1; row <= words.size(); ++row) {
    row_.swap(above_);
    const size_t low = beam_.low(row), high = beam_.high(row);
    const size_t above_low = beam_.low(row - 1), above_high = beam_.high(row - 1);
    const auto above = [&](size_t column) {
      return column >= above_low && column < above_high ? above_[column] : infinite;
    };
    for (size_t column = low; column < high; ++column) {
      int64_t cost = above(column) + 1;
      Edit edit = Edit::remove;
      if (column > 0) {
        const bool equal = words[row - 1] == (*reference_)[column - 1];
        const int64_t across = above(column - 1) + (equal ? 0 : 1);
        if (across <= cost) {
          cost = across;
          edit = equal ? Edit::none : Edit::substitute;
        }
        if (column > low && row_[column - 1] + 1 < cost) {
          cost = row_[column - 1] + 1;
          edit = Edit::insert;
        }
      }
      row_[column] = cost;
      if (keep_edits) edits_[starts_[row - 1] + column - low] = edit;
    }
  }
  return row_[beam_.columns];
}

Edit WideMatrix::edit(size_t row, size_t column, bool) const noexcept {
  return edits_[starts_[row - 1] + column - beam_.low(row)];
}

}  // namespace bleuprint
