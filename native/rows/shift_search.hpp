// Edits that turn a hypothesis into a reference where a run of words may be moved as one edit: greedy search, move by
// move, for the move that lowers the edit distance most.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "rows/beam.hpp"
#include "rows/ngrams.hpp"
#include "tokenizers/tokenize.hpp"

namespace bleuprint {

class ShiftSearch {
 public:
  ShiftSearch(uint64_t seed, const std::atomic<bool>* cancel) : seed_(seed), cancel_(cancel) {}

  // The edits: moves, insertions, deletions, substitutions. Where they are at least `enough`, the answer is some number
  // from there on. Throws Cancelled.
  int64_t edits(const Spans& hypothesis, const Region& hypothesis_region, const Spans& reference,
                const Region& reference_region, int64_t enough);

 private:
  static constexpr size_t longest_move = 10;
  static constexpr size_t farthest_move = 50;
  static constexpr size_t most_candidates = 1000;  // over all moves of a search

  struct Candidate {
    size_t start, length, target;
    Swap swap(size_t words) const noexcept;
  };

  void intern(const Spans& hypothesis, const Region& hypothesis_region, const Spans& reference,
              const Region& reference_region);
  int64_t least_edits();
  template <typename Matrix>
  int64_t search(Matrix& matrix, int64_t least, int64_t enough);
  template <typename Matrix>
  void align(const Matrix& matrix);
  bool collect();
  bool collect_at(size_t start, size_t reference_start);
  template <typename Matrix>
  const Candidate* choose(Matrix& matrix, int64_t least);
  void poll() const;

  uint64_t seed_;
  const std::atomic<bool>* cancel_;
  Beam beam_;
  SmallTable<TokenKey> table_;
  Occurrences occurrences_;
  NarrowMatrix narrow_;
  WideMatrix wide_;
  std::vector<WordId> hypothesis_, reference_;
  std::vector<size_t> left_;     // per word: how often the reference has it beyond what the hypothesis has
  std::vector<size_t> aligned_;  // per word of the reference: words of the hypothesis up to and with its partner
  std::vector<char> hypothesis_error_, reference_error_;
  std::vector<Candidate> candidates_[longest_move];  // by length
  size_t checked_ = 0;
};

}  // namespace bleuprint
