// Edit distance inside a beam around the diagonal, with the edits that lead to it. A row is a word of the hypothesis, a
// column a word of the reference, both counted from 1; cells outside the beam cost infinitely much.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bleuprint {

using WordId = uint32_t;
constexpr WordId absent_word = 0;  // stands for every word that the reference has not got

enum class Edit : uint8_t { none, substitute, insert, remove };  // `insert` takes a word of the reference

// A part of the hypothesis whose two halves change places: [middle, last) comes before [first, middle).
struct Swap {
  size_t first, middle, last;
};

// Where the beam lies.
struct Beam {
  static constexpr size_t usual_width = 25;

  Beam() = default;
  Beam(size_t hypothesis, size_t reference);

  bool narrow() const noexcept { return width == usual_width; }
  size_t low(size_t row) const noexcept;   // the first column of the row
  size_t high(size_t row) const noexcept;  // one past the last
  // A path that leaves a narrow beam costs more than this, so a distance up to here is that of all paths.
  int64_t surely_exact() const noexcept;

  size_t rows = 0;
  size_t columns = 0;
  double slope = 1;
  size_t width = usual_width;

 private:
  size_t diagonal(size_t row) const noexcept;
};

// Where each word stands in the reference.
class Occurrences {
 public:
  // Words are 1 .. kinds.
  void begin(const std::vector<WordId>& reference, size_t kinds);
  const size_t* first(WordId word) const noexcept { return places_.data() + starts_[word]; }
  const size_t* last(WordId word) const noexcept { return places_.data() + ends_[word]; }
  size_t count(WordId word) const noexcept { return ends_[word] - starts_[word]; }
  // Bit k tells whether the word stands in column `column` + k.
  uint64_t window(WordId word, size_t column) const noexcept {
    if (bits_.empty()) return sparse_window(word, column);
    const uint64_t* const from = bits_.data() + word * stride_ + (column - 1) / 64;
    const size_t shift = (column - 1) % 64;
    return from[0] >> shift | from[1] << 1 << (63 - shift);
  }

 private:
  uint64_t sparse_window(WordId word, size_t column) const noexcept;

  std::vector<size_t> starts_, ends_;  // per word, in places_
  std::vector<size_t> places_;         // counted from 0
  std::vector<uint64_t> bits_;         // per word a bit for every column; empty where that would be a lot
  size_t stride_ = 0;
};

// The distance matrix of a hypothesis, one bit per cell and row: cells of a row that adjoin differ by at most 1 (as in
// Myers 1999 and Hyyrö 2003), and so do those of a beam. A row of a beam of the usual width fits in one machine word.
class NarrowMatrix {
 public:
  void begin(const Beam& beam, const Occurrences& reference);
  // The rows from `row` + 1 on are those of these words; rows up to there stay.
  void fill(const std::vector<WordId>& words, size_t row);
  int64_t distance() const noexcept { return distance_; }
  // What the distance would be after the swap of the words that fill() was given.
  int64_t distance_after(const std::vector<WordId>& words, Swap swap) const noexcept;
  // The edit that ends in a cell: of the cheapest the first of none or substitute, remove, insert.
  Edit edit(size_t row, size_t column, bool equal) const noexcept;

 private:
  // What is known when a row begins: in which columns the row above rises and falls, and its last value.
  struct State {
    uint64_t rise, fall;
    int64_t value;
  };
  // Bit k of all masks is column `column` + k.
  struct Step {
    size_t column;
    uint64_t match;       // columns whose diagonal neighbour is in the beam
    uint64_t keep;        // columns of the next row that this row has
    uint8_t edge;         // where the last value is followed
    uint8_t new_columns;  // at the right end, that the row above has not got
    uint8_t shift;        // from this row's first column to that of the next
    uint8_t enclosed;     // 1 if the next row begins where this one does, right of column 0
  };
  struct Inner {
    uint64_t equal, level;  // level: the value is that of the diagonal neighbour
  };

  // What a beam says about its rows.
  struct Rows {
    std::vector<Step> steps;
    size_t columns = 0;
  };
  static constexpr size_t most_kept = 64;  // rows; those of some reference are 64 KB then

  static void plan(const Beam& beam, Rows* rows);
  Inner advance(State& state, const Step& step, WordId word) const noexcept;

  const Occurrences* reference_ = nullptr;
  std::array<Rows, most_kept + 1> kept_;  // by number of rows; last of all, those of longer hypotheses
  const Step* steps_ = nullptr;
  std::vector<State> states_;
  std::vector<uint64_t> diagonal_;  // columns whose cheapest edit is none or substitute
  int64_t distance_ = 0;
};

// The same for beams of any width, cell by cell. They are wide where the reference is more than fifty times as long as
// the hypothesis.
class WideMatrix {
 public:
  void begin(const Beam& beam, const std::vector<WordId>& reference);
  void fill(const std::vector<WordId>& words, size_t row);
  int64_t distance() const noexcept { return distance_; }
  int64_t distance_after(const std::vector<WordId>& words, Swap swap);
  Edit edit(size_t row, size_t column, bool equal) const noexcept;

 private:
  int64_t compute(const std::vector<WordId>& words, bool keep_edits);

  Beam beam_;
  const std::vector<WordId>* reference_ = nullptr;
  std::vector<int64_t> above_, row_;
  std::vector<size_t> starts_;  // per row, in edits_
  std::vector<Edit> edits_;     // of the cells of the beam, which are about as many as the reference has words
  std::vector<WordId> swapped_;
  int64_t distance_ = 0;
};

}  // namespace bleuprint
