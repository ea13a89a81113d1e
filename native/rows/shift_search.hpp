// Edits that turn a hypothesis into a reference where a run of words may be moved as one edit: greedy search, move by
// move, for the move that lowers the edit distance most.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parallel.hpp"
#include "rows/beam.hpp"
#include "rows/ngrams.hpp"
#include "tokenizers/tokenize.hpp"

namespace bleuprint {

// A run of words and the word that it is put before; a target inside the run counts from behind the run.
struct Shift {
  size_t start, length, target;
  Swap swap(size_t words) const noexcept;
};

// The moves in the order in which they are made, and a letter for each step of the alignment after them: '=', 's', 'd'
// for a word that only the reference has and 'i' for one that only the hypothesis has.
struct ShiftPath {
  std::vector<Shift> moves;
  std::string steps;
};

class ShiftSearch {
 public:
  ShiftSearch(uint64_t seed, Cancel cancel) : seed_(seed), cancel_(cancel) {}

  // Takes a reference, whose tokens stay where they are until the next.
  void begin(const Spans& reference, const Region& region);
  // The edits: moves, insertions, deletions, substitutions. Where they are at least `enough`, the answer is some number
  // from there on. Throws Cancelled.
  int64_t edits(const Spans& hypothesis, const Region& region, int64_t enough);

  // The same for words that are numbers, of which the largest says how much memory is taken.
  void begin(const std::vector<uint32_t>& reference);
  int64_t edits(const std::vector<uint32_t>& hypothesis, int64_t enough);

  // What these edits are, for words that are ids below `kinds`. Throws Cancelled.
  ShiftPath path(const uint32_t* hypothesis, size_t hypothesis_size, const uint32_t* reference, size_t reference_size,
                 size_t kinds);

 private:
  static constexpr size_t longest_move = 10;
  static constexpr size_t farthest_move = 50;
  static constexpr size_t most_candidates = 1000;  // over all moves of a search

  int64_t least_edits();
  int64_t search(int64_t enough, std::string* steps);
  template <typename Matrix>
  int64_t search(Matrix& matrix, int64_t least, int64_t enough, std::string* steps);
  template <typename Matrix, typename Visit>
  void walk_back(const Matrix& matrix, Visit visit) const;
  template <typename Matrix>
  void align(const Matrix& matrix);
  bool collect();
  bool collect_at(size_t start, size_t reference_start);
  template <typename Matrix>
  const Shift* choose(Matrix& matrix, int64_t least);
  void poll() const;

  uint64_t seed_;
  Cancel cancel_;
  Beam beam_;
  SmallTable<TokenKey> table_;
  std::vector<WordId> known_;      // by number: the word of the reference
  std::vector<uint32_t> numbers_;  // of the reference that has them
  Occurrences occurrences_;
  NarrowMatrix narrow_;
  WideMatrix wide_;
  std::vector<WordId> hypothesis_, reference_;
  size_t kinds_ = 0;  // words of the reference are 1 .. kinds
  std::vector<Shift> moves_;
  std::vector<size_t> left_;     // per word of the hypothesis: how often the reference has it beyond the hypothesis
  std::vector<size_t> aligned_;  // per word of the reference: words of the hypothesis up to and with its partner
  std::vector<char> hypothesis_error_, reference_error_;
  std::vector<Shift> candidates_[longest_move];  // by length
  size_t checked_ = 0;
};

}  // namespace bleuprint
