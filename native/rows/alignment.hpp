// Edit operations between two sequences of ids, 64 places at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "parallel.hpp"
#include "rows/edit_stripes.hpp"
#include "tables/hashing.hpp"

namespace bleuprint {

enum class Step : char { hit = '=', substitution = 's', deletion = 'd', insertion = 'i' };

struct Operations {
  int64_t hits = 0;
  int64_t substitutions = 0;
  int64_t deletions = 0;   // places of the columns that no row has
  int64_t insertions = 0;  // rows that no column has
};

// The columns are one sequence, the rows the other. After row i bit j of `up` is set where the distance between the
// first i rows and the first j + 1 columns is one more than to the first j columns, of `down` where it is one less
// (Myers 1999; Hyyrö 2003, A bit-vector algorithm for computing Levenshtein and Damerau edit distances).
//
// Only a band around the diagonal is computed, and widened until the distance found fits into it: cells outside count
// as reached by edits alone, which is never too little and right for every path that stays inside. A band is given up
// where no path through it has few enough edits, and what was found by then says how wide the next one is. So the time
// is n·d / 64 for a distance d, and memory is linear in both lengths.
class Aligner {
 public:
  static constexpr uint32_t absent = ~uint32_t{0};  // an id that equals nothing

  // `divides`: long texts are divided where RapidFuzz 3 divides them (Hirschberg's algorithm). What is found then is
  // another of the shortest alignments, with other hits.
  explicit Aligner(Cancel cancel = {}, uint64_t seed = 0, bool divides = false)
      : cancel_(cancel), factor_(static_cast<uint32_t>(next_key(&seed)) | 1), divides_(divides), stripes_(cancel) {}

  // Of all alignments with the fewest edits the one that walking back from the end finds: a column is deleted if that
  // is on a shortest way, else a row is inserted if the distance of the pair before is the same, else the pair is
  // taken. Rows' ids are below `kinds`; columns' too, or absent.
  Operations align(const uint32_t* columns, size_t column_count, const uint32_t* rows, size_t row_count, size_t kinds);

  // The steps of that alignment, from the beginning to the end.
  std::string path(const uint32_t* columns, size_t column_count, const uint32_t* rows, size_t row_count, size_t kinds);

  // Insertions, deletions and substitutions at least needed.
  int64_t distance(const uint32_t* columns, size_t column_count, const uint32_t* rows, size_t row_count, size_t kinds);

  // Length of the longest common subsequence. Bytes are ids too, none of them absent.
  template <typename Id>
  int64_t common(const Id* columns, size_t column_count, const Id* rows, size_t row_count, size_t kinds);

 private:
  struct Slot {
    uint32_t id;
    uint64_t places;
  };

  void poll(size_t row) const {
    if ((row & 0xFF) == 0) cancel_.poll();
  }
  struct Ends {
    size_t prefix, suffix;
  };
  template <typename Id>
  Ends strip(const Id* columns, size_t column_count, const Id* rows, size_t row_count);

  template <typename Id>
  void index_columns(const Id* columns, size_t kinds);
  uint64_t places(uint32_t id, size_t word) const noexcept;
  // A random odd factor: nobody can choose words of one text that all fall into one place of 128.
  size_t slot_of(uint32_t id) const noexcept { return (id * factor_) >> 25; }

  uint64_t inside(size_t word) const noexcept;
  int64_t measure(size_t kinds, bool record);
  int64_t measure_word();
  EditsFound measure_rows(size_t most_edits, bool record);
  int64_t least_edits(size_t row, int64_t above) const noexcept;
  size_t first_word(size_t row) const noexcept;
  size_t last_word(size_t row) const noexcept;
  void step(size_t row, uint64_t border);  // from row - 1 to row

  // A column and a row in the middle that a shortest alignment leads through, and the edits on both sides of them.
  struct Division {
    size_t column, row;
    int64_t edits_before, edits_after;
  };
  Division divide(const uint32_t* columns, size_t column_count, const uint32_t* rows, size_t row_count, size_t kinds);
  std::vector<int64_t> last_distances(const uint32_t* columns, size_t column_count, const uint32_t* rows,
                                      size_t row_count, size_t kinds);

  // What follows calls take(step, times) from the last step to the first. There are at most so many edits.
  template <typename Take>
  void align(const uint32_t* columns, size_t column_count, const uint32_t* rows, size_t row_count, size_t kinds,
             size_t most_edits, Take& take);
  template <typename Take>
  void walk(size_t kinds, Take& take);
  struct Cell {
    size_t row, column;
  };
  template <typename Take, typename IsUp, typename IsDown>
  Cell walk_back(Take& take, IsUp is_up_at, IsDown is_down_at);
  Cell open_block(const uint32_t* columns, const uint32_t* rows, Cell last, size_t kinds);
  void save(size_t row);
  bool is_up(size_t row, size_t column) const noexcept;
  bool is_down(size_t row, size_t column) const noexcept;

  static uint64_t lengthen(uint64_t state, uint64_t equal, uint64_t& carry) noexcept;
  template <size_t words, typename Id>
  void lengthen_short(const Id* rows);
  template <typename Id>
  void lengthen_long(const Id* rows);

  Cancel cancel_;
  uint32_t factor_;
  bool divides_;
  const uint32_t* columns_ = nullptr;
  const uint32_t* rows_ = nullptr;
  size_t column_count_ = 0;
  size_t row_count_ = 0;
  size_t words_ = 0;
  EditBand band_;  // cells outside are left out

  // How the table is computed: in one word, row by row, or in stripes.
  enum class Method : uint8_t { word, rows, stripes } method_ = Method::rows;

  bool dense_ = true;            // whether every id has its own words of places
  std::vector<uint64_t> table_;  // per id: the words that say where it stands
  std::vector<Slot> slots_;      // otherwise 128 for each word, which holds at most 64 ids

  std::vector<EditWord> state_;
  size_t entered_ = 0;  // words the band has reached so far

  // The rows that were computed one by one, from row 0 on, and where each begins.
  std::vector<EditWord> window_;
  std::vector<size_t> window_starts_;
  size_t window_used_ = 0;

  EditStripes stripes_;
};

}  // namespace bleuprint
