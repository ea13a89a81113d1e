// Longest common subsequences of two sequences of ids, 64 places at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel.hpp"

namespace bleuprint {

// One sequence, the columns, is set; others, the rows, are held against it. With m columns and n rows the time is
// m·n / 64 and the memory linear in both; what both begin or end in costs next to nothing.
//
// After row i, bit j of the state is 0 where the length for the first j + 1 columns is larger than for the first j
// (Hyyrö 2004, Bit-parallel LCS-length computation revisited). The carries of the addition that makes row i out of row
// i - 1 are the columns at which row i gained: all that walking back needs to know.
class Subsequence {
 public:
  static constexpr uint32_t absent = ~uint32_t{0};  // an id that equals nothing

  // Throws Cancelled when it sees `cancel` raised. `stored` words at most are kept of a way back.
  explicit Subsequence(Cancel cancel = {}, size_t stored = size_t{1} << 20) : cancel_(cancel), stored_(stored) {}

  // Ids are below `kinds` or absent; the columns must stay while rows are held against them.
  void set_columns(const uint32_t* ids, size_t count, size_t kinds);

  // Per id a bit for every column where it stands; null where there are more than 64 columns.
  const uint64_t* places() const noexcept { return words_ > 1 ? nullptr : places_.data(); }

  size_t length(const uint32_t* rows, size_t count);

  // Sets marks[i] for the rows that one longest common subsequence takes: the one found by walking back from the end,
  // taking a pair that is equal, else leaving the column if the row gained there, else leaving the row.
  void mark(const uint32_t* rows, size_t count, uint8_t* marks);

 private:
  struct Checkpoint {
    size_t row;
    std::vector<uint64_t> state;  // after that many rows
  };

  void index_columns();
  const uint64_t* places_of(uint32_t id);
  void step(uint32_t id, std::vector<uint64_t>& state, uint64_t* carries);
  void mark_short(const uint32_t* rows, size_t count, uint8_t* marks);
  void mark_long(const uint32_t* rows, size_t count, size_t column, uint8_t* marks);
  size_t common_end(const uint32_t* rows, size_t count) const;  // how many ids both end in
  size_t walk_back(const uint32_t* rows, size_t first, size_t last, size_t column, uint8_t* marks) const;

  Cancel cancel_;
  size_t stored_;
  const uint32_t* columns_ = nullptr;
  size_t count_ = 0;
  size_t words_ = 0;
  size_t kinds_ = 0;

  // At most 64 columns: where an id stands, and which ids have to be cleared again.
  std::vector<uint64_t> places_;
  std::vector<uint32_t> placed_;

  // More columns: ids that stand often enough have a row of words each, the others a list of places.
  std::vector<uint32_t> first_place_;  // per id, into sorted_; one more at the end
  std::vector<uint32_t> sorted_;       // places by id
  std::vector<uint32_t> dense_row_;    // per id, or absent
  std::vector<uint64_t> dense_;
  std::vector<uint64_t> scratch_;  // the row of words of `spread_`
  uint32_t spread_ = absent;

  std::vector<uint64_t> state_;
  std::vector<uint64_t> carries_;
};

}  // namespace bleuprint
