// Columns of texts, and counting over them with threads.
#pragma once

#include <atomic>
#include <cstdint>
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
  explicit Reader(const Reading& reading) : reading_(reading) {}
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

// Counts every segment of two aligned columns. With `sum` all rows are added into one; otherwise `rows` holds
// one zeroed row per segment. Returns false if `cancel` was raised on the way.
bool count_clipped(const Texts& hypotheses, const Texts& references, const Reading& reading, const ClipOptions& options,
                   uint64_t seed, size_t threads, bool sum, int64_t* rows, const std::atomic<bool>& cancel);

}  // namespace bleuprint
