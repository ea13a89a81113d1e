#include "rows/subsequence.hpp"

#include <algorithm>

#include "rows/places.hpp"

namespace bleuprint {

namespace {

constexpr size_t width = 64;
constexpr size_t dense_words = size_t{1} << 15;  // so many words of masks are made without asking
constexpr size_t fan = 64;                       // a stretch of rows too long to be kept is cut into this many

bool bit(const uint64_t* words, size_t at) noexcept { return (words[at / width] >> (at % width) & 1) != 0; }

// One word of the next row; `carry` goes in and comes out, and `carries` has the carry out of every bit.
uint64_t next_row(uint64_t state, uint64_t places, uint64_t& carry, uint64_t& carries) noexcept {
  const uint64_t matched = state & places;
  const uint64_t sum = state + matched + carry;
  carries = matched | (state & ~sum);
  carry = carries >> (width - 1);
  return sum | (state & ~places);
}

}  // namespace

void Subsequence::set_columns(const uint32_t* ids, size_t count, size_t kinds) {
  for (const uint32_t id : placed_) places_[id] = 0;
  placed_.clear();
  columns_ = ids;
  count_ = count;
  kinds_ = kinds;
  words_ = (count + width - 1) / width;
  if (words_ > 1) return index_columns();
  if (places_.size() < kinds) places_.resize(kinds, 0);
  for (size_t at = 0; at < count; ++at) {
    if (ids[at] == absent) continue;
    if (places_[ids[at]] == 0) placed_.push_back(ids[at]);
    places_[ids[at]] |= uint64_t{1} << at;
  }
}

void Subsequence::index_columns() {
  first_place_.assign(kinds_ + 1, 0);
  for (size_t at = 0; at < count_; ++at) {
    if (columns_[at] != absent) ++first_place_[columns_[at]];
  }
  uint32_t sum = 0;
  size_t used = 0;
  for (uint32_t& first : first_place_) {
    used += first > 0;
    sum += first;
    first = sum;
  }
  sorted_.resize(count_);
  for (size_t at = count_; at-- > 0;) {
    if (columns_[at] != absent) sorted_[--first_place_[columns_[at]]] = static_cast<uint32_t>(at);
  }
  // An id with a place in every word or more: there are at most 64 of those, so their rows take no more memory than
  // the columns themselves; for all others a list of places is as quick to go through as a row.
  const size_t often = used * words_ <= dense_words ? 1 : words_;
  dense_row_.assign(kinds_, absent);
  dense_.clear();
  scratch_.assign(words_, 0);
  spread_ = absent;
  for (size_t id = 0; id < kinds_; ++id) {
    const size_t places = first_place_[id + 1] - first_place_[id];
    if (places < often) continue;
    dense_row_[id] = static_cast<uint32_t>(dense_.size() / words_);
    dense_.resize(dense_.size() + words_, 0);
    uint64_t* const row = dense_.data() + dense_.size() - words_;
    for (size_t at = first_place_[id]; at < first_place_[id + 1]; ++at) {
      row[sorted_[at] / width] |= uint64_t{1} << sorted_[at] % width;
    }
  }
}

const uint64_t* Subsequence::places_of(uint32_t id) {
  if (dense_row_[id] != absent) return dense_.data() + dense_row_[id] * words_;
  if (spread_ != id) {
    if (spread_ != absent) {
      for (size_t at = first_place_[spread_]; at < first_place_[spread_ + 1]; ++at) scratch_[sorted_[at] / width] = 0;
    }
    for (size_t at = first_place_[id]; at < first_place_[id + 1]; ++at) {
      scratch_[sorted_[at] / width] |= uint64_t{1} << sorted_[at] % width;
    }
    spread_ = id;
  }
  return scratch_.data();
}

// One more row; `carries` receives its words unless it is null.
void Subsequence::step(uint32_t id, std::vector<uint64_t>& state, uint64_t* carries) {
  if (id == absent || first_place_[id] == first_place_[id + 1]) {
    if (carries != nullptr) std::fill_n(carries, words_, 0);
    return;
  }
  cancel_.poll();
  const uint64_t* const places = places_of(id);
  uint64_t carry = 0, out = 0;
  for (size_t word = 0; word < words_; ++word) {
    state[word] = next_row(state[word], places[word], carry, out);
    if (carries != nullptr) carries[word] = out;
  }
}

size_t Subsequence::length(const uint32_t* rows, size_t count) {
  if (count_ == 0) return 0;
  const size_t unused = words_ * width - count_;
  if (words_ == 1) {
    uint64_t state = ~uint64_t{0};
    for (size_t i = 0; i < count; ++i) {
      const uint64_t matched = rows[i] == absent ? 0 : state & places_[rows[i]];
      state = (state + matched) | (state - matched);
    }
    return width - unused - static_cast<size_t>(count_bits(state << unused));
  }
  const size_t end = common_end(rows, count), columns = count_ - end;
  size_t begin = 0;
  while (begin < std::min(columns, count - end) && rows[begin] == columns_[begin] && rows[begin] != absent) ++begin;
  // After rows that equal the columns so far every column up to there has gained, and none behind.
  state_.assign(words_, ~uint64_t{0});
  std::fill_n(state_.begin(), begin / width, 0);
  if (begin % width != 0) state_[begin / width] <<= begin % width;
  for (size_t i = begin; i < count - end; ++i) step(rows[i], state_, nullptr);
  size_t kept = 0;
  for (size_t word = 0; word < columns / width; ++word) kept += static_cast<size_t>(count_bits(state_[word]));
  if (columns % width != 0) {
    kept += static_cast<size_t>(count_bits(state_[columns / width] << (width - columns % width)));
  }
  return count_ - kept;
}

size_t Subsequence::common_end(const uint32_t* rows, size_t count) const {
  size_t end = 0;
  while (end < std::min(count, count_) && rows[count - 1 - end] == columns_[count_ - 1 - end] &&
         rows[count - 1 - end] != absent) {
    ++end;
  }
  return end;
}

void Subsequence::mark(const uint32_t* rows, size_t count, uint8_t* marks) {
  if (count_ == 0 || count == 0) return;
  cancel_.poll();
  if (words_ == 1) {
    mark_short(rows, count, marks);
  } else {
    // Walking back takes what is equal first, so it takes an end that both share.
    const size_t end = common_end(rows, count);
    std::fill_n(marks + count - end, end, uint8_t{1});
    mark_long(rows, count - end, count_ - end, marks);
  }
}

void Subsequence::mark_short(const uint32_t* rows, size_t count, uint8_t* marks) {
  if (carries_.size() < count) carries_.resize(count);
  uint64_t state = ~uint64_t{0};
  for (size_t i = 0; i < count; ++i) {
    uint64_t carry = 0;
    state = next_row(state, rows[i] == absent ? 0 : places_[rows[i]], carry, carries_[i]);
  }
  walk_back(rows, 0, count, count_, marks);
}

// Where the carries of all rows would be too many, states are kept at some rows and the stretch above the last of them
// is computed again: a stretch that is still too long gets more of them.
void Subsequence::mark_long(const uint32_t* rows, size_t count, size_t column, uint8_t* marks) {
  if (count == 0) return;
  const size_t longest = std::max<size_t>(1, stored_ / words_);
  carries_.resize(std::max(carries_.size(), std::min(longest, count) * words_));
  std::vector<Checkpoint> checkpoints;
  checkpoints.push_back({0, std::vector<uint64_t>(words_, ~uint64_t{0})});
  size_t row = count;
  while (!checkpoints.empty() && column > 0) {
    const size_t from = checkpoints.back().row;
    state_ = checkpoints.back().state;
    if (row - from <= longest) {
      for (size_t i = from; i < row; ++i) step(rows[i], state_, carries_.data() + (i - from) * words_);
      column = walk_back(rows, from, row, column, marks);
      row = from;
      checkpoints.pop_back();
      continue;
    }
    const size_t next = from + std::max(longest, (row - from) / fan);
    for (size_t i = from; i < next; ++i) step(rows[i], state_, nullptr);
    checkpoints.push_back({next, state_});
  }
}

// Walks from the end of row `last` and the given column back to row `first`, whose carries come first; the answer is
// the column it comes out at.
size_t Subsequence::walk_back(const uint32_t* rows, size_t first, size_t last, size_t column, uint8_t* marks) const {
  for (size_t row = last; row > first && column > 0;) {
    const uint32_t id = rows[row - 1];
    if (id != absent && id == columns_[column - 1]) {
      marks[--row] = 1;
      --column;
    } else if (bit(carries_.data() + (row - 1 - first) * words_, column - 1)) {
      --column;
    } else {
      --row;
    }
  }
  return column;
}

}  // namespace bleuprint
