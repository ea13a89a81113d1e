// The table of edit distances between two long sequences of ids, computed in stripes of columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel.hpp"

namespace bleuprint {

// 64 columns of a row of the table: where the distance is one more, and one less, than in the column before.
struct EditWord {
  uint64_t up, down;
};

// Paths of at most so many edits stay, in row r, in the columns r - left .. r + right.
struct EditBand {
  EditBand() = default;
  EditBand(size_t columns, size_t rows, size_t edits) noexcept {
    const size_t shorter = columns < rows ? columns : rows;
    const size_t beside = (edits - (columns + rows - 2 * shorter)) / 2;  // every step aside takes one back
    left = rows - shorter + beside;
    right = columns - shorter + beside;
  }
  size_t left = 0, right = 0;
};

// The distance, exact if it is not above the edits allowed, otherwise never too little; or, where `reached` is not the
// end of the columns (or of the rows, if they are computed one by one), how many edits every path has that leads there.
struct EditsFound {
  int64_t edits = 0;
  size_t reached = 0;
};

// A stripe is 1,024 columns wide, goes down through its rows and hands the differences between rows at its right border
// to the next one. Its 16 words are computed as a wave: word j takes row r while word j + 1 takes row r - 1. So they do
// not wait for each other, and a vector of the processor holds four of them.
//
// With n columns and m rows that takes n·m / 64 steps, or what of that lies in the band. Blocks of the table can be
// computed again from the row above them and the differences at their left border. A block has a 128th of the band's
// width, or more, as its height and width, so that what is kept is linear in the lengths.
class EditStripes {
 public:
  explicit EditStripes(Cancel cancel) : cancel_(cancel) {}

  // Rows' ids are below `kinds`, columns' too or absent. `most_edits` is at least the difference of the lengths. With
  // `keep`, `block_of` can be asked afterwards.
  EditsFound measure(const uint32_t* columns, size_t column_count, const uint32_t* rows, size_t row_count, size_t kinds,
                     size_t most_edits, bool keep);

  // The words of the last row, if nothing was left out.
  std::vector<EditWord> last_row() const;

  struct Block {
    size_t first_row, first_column;  // rows above it and columns to the left of it
    const EditWord* top;             // words of the row above it
  };
  Block block_of(size_t row, size_t column) const noexcept;  // of a cell, counted from 1
  // At the left border of that block, the difference to the row before: bit 0 is one more, bit 1 one less.
  uint64_t border(const Block& block, size_t row) const noexcept;

 private:
  // Stripes side by side that go through the same rows.
  struct Group {
    size_t first_row, last_row;
    std::vector<EditWord> tops;    // rows above blocks
    std::vector<EditWord> bottom;  // the last row
    std::vector<uint8_t> borders;  // at the right, two bits for each row
  };

  void compute(Group& group, const uint32_t* columns, size_t column_count, const uint32_t* rows, bool keep);
  void index_columns(const uint32_t* ids, size_t count);
  int64_t least_edits(int64_t edits, size_t first_row, size_t last_row, size_t column) const noexcept;

  Cancel cancel_;
  size_t column_count_ = 0, row_count_ = 0;
  size_t group_columns_ = 0, block_rows_ = 0;
  std::vector<Group> groups_;
  std::vector<uint8_t> borders_;  // as `border` has them, of each row, at the border reached last

  // Where ids stand in a stripe: per id a row of `table_`, 0 if nowhere.
  std::vector<uint16_t> table_rows_;
  std::vector<uint32_t> indexed_;
  std::vector<uint64_t> table_;
};

}  // namespace bleuprint
