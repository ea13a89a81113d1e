// Columns of texts, and counting over them with threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ngrams.hpp"
#include "tokenize.hpp"

namespace bleuprint {

// A column of segments, each of one or several texts, each a string or a list of tokens. Views only: whoever
// fills the column keeps the bytes alive.
struct Texts {
  std::vector<std::string_view> pieces;  // a text each, or a token each when `tokenized`
  std::vector<uint64_t> text_ends;       // in pieces; empty unless tokenized
  std::vector<uint64_t> segment_ends;    // in texts; empty while every segment is one text
  bool tokenized = false;

  size_t texts() const noexcept { return tokenized ? text_ends.size() : pieces.size(); }
  size_t segments() const noexcept { return segment_ends.empty() ? texts() : segment_ends.size(); }
  size_t first_text(size_t segment) const noexcept {
    return segment_ends.empty() ? segment : segment == 0 ? 0 : segment_ends[segment - 1];
  }
  size_t last_text(size_t segment) const noexcept { return segment_ends.empty() ? segment + 1 : segment_ends[segment]; }
  size_t work() const noexcept;  // bytes, and one for every piece that has none
};

// How a text becomes tokens: nullptr for a tokenizer takes strings apart at white space.
struct Reading {
  Tokenizer tokenizer;
  bool lowercase;
};

// Reads one text at a time; the tokens live until the next call.
class Reader {
 public:
  explicit Reader(const Reading& reading, const std::atomic<bool>* cancel = nullptr) : reading_(reading) {
    tokens_.spans.cancel = cancel;
  }
  const Spans& read(std::string_view text);
  const Spans& read(const Texts& texts, size_t text);
  const Region& region() const noexcept { return region_; }  // where the tokens of strings lie

 private:
  void lowercase_tokens();

  Region region_;

  Reading reading_;
  Tokens tokens_;
  std::string lowered_;
};

// Counts one segment at a time and adds what it finds to a row. One per thread: it keeps scratch memory.
class RowCounter {
 public:
  virtual ~RowCounter() = default;
  virtual void count(size_t segment, int64_t* row) = 0;
};

using MakeRowCounter = std::function<std::unique_ptr<RowCounter>()>;

// Counts every segment. With `sum` all rows are added into one; otherwise `rows` holds one zeroed row per segment.
// Returns false if `cancel` was raised on the way.
bool count_rows(size_t segments, size_t columns, const MakeRowCounter& make, size_t threads, bool sum, int64_t* rows,
                const std::atomic<bool>& cancel);

// The aligned columns of a corpus; sources may be missing.
struct Aligned {
  const Texts& hypotheses;
  const Texts& references;
  const Texts* sources;
  const std::atomic<bool>* cancel = nullptr;  // a counter that sees it raised throws Cancelled
};

// Row layout: hypothesis length, reference length, matches of order 1..N, totals of order 1..N.
std::unique_ptr<RowCounter> clipped_rows(const Aligned& texts, const Reading& reading, const ClipOptions& options,
                                         uint64_t seed);

// Overlap with the one reference that overlaps most, n-grams of all orders pooled; the first of equals.
// Row layout: matches, the larger of the two totals, n-grams of the hypothesis, n-grams of that reference.
std::unique_ptr<RowCounter> best_overlap_rows(const Aligned& texts, const Reading& reading, size_t min_order,
                                              size_t max_order, uint64_t seed);
constexpr size_t best_overlap_columns = 4;

// Matches with the first reference, less the matches with the source that this reference does not have at all; never
// below zero in any order. Row layout as for clipped_rows.
std::unique_ptr<RowCounter> corrected_rows(const Aligned& texts, const Reading& reading, size_t max_order,
                                           uint64_t seed);

}  // namespace bleuprint
