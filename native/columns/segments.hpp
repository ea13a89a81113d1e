// Columns of texts, and how a text of one is read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parallel.hpp"
#include "tables/vocabulary_key.hpp"
#include "tokenizers/tokenize.hpp"

namespace bleuprint {

// A column of segments, each of one or several texts, each a string or a list of tokens. Views only: whoever
// fills the column keeps the bytes alive.
struct Texts {
  std::vector<std::string_view> pieces;  // a text each; empty when `tokenized`
  // The tokens of a text lie one after another, so a length says all about a token: a view would take 16 bytes.
  std::vector<uint32_t> token_lengths;
  std::vector<const char*> text_begins;
  std::vector<uint64_t> text_ends;     // in tokens
  std::vector<uint64_t> segment_ends;  // in texts; empty while every segment is one text
  std::vector<uint32_t> picks;         // if not empty: the text of every segment, any text any number of times
  bool tokenized = false;
  bool padded = false;  // whether 16 bytes from the begin of any token may be read

  size_t texts() const noexcept { return tokenized ? text_ends.size() : pieces.size(); }
  size_t first_token(size_t text) const noexcept { return text == 0 ? 0 : text_ends[text - 1]; }
  template <typename Visit>
  void for_each_token(size_t text, Visit visit) const {
    const char* token = text_begins[text];
    for (size_t i = first_token(text); i < text_ends[text]; token += token_lengths[i++]) {
      visit(std::string_view(token, token_lengths[i]));
    }
  }
  // Ends a text whose tokens' lengths have been added and whose bytes begin here.
  void end_text(const char* begin) {
    text_begins.push_back(begin);
    text_ends.push_back(token_lengths.size());
  }
  size_t segments() const noexcept {
    return !picks.empty() ? picks.size() : segment_ends.empty() ? texts() : segment_ends.size();
  }
  size_t first_text(size_t segment) const noexcept {
    if (!picks.empty()) return picks[segment];
    return segment_ends.empty() ? segment : segment == 0 ? 0 : segment_ends[segment - 1];
  }
  size_t last_text(size_t segment) const noexcept {
    return !picks.empty() ? picks[segment] + size_t{1} : segment_ends.empty() ? segment + 1 : segment_ends[segment];
  }
  size_t work() const noexcept;                          // bytes, and one for every piece that has none
  void prefetch_segment(size_t segment) const noexcept;  // nothing where there is none
};

// How a text becomes tokens. Lists of tokens are taken as they are, so the tokenizer sees strings only.
struct Reading {
  Tokenizer tokenizer;
  bool lowercase;
};

class SharedReadings;
struct Shelf;

// Reads one text at a time; the tokens live until the next call.
class Reader {
 public:
  // With `shared`, texts of columns are read there, once for all who read them alike.
  explicit Reader(const Reading& reading, Cancel cancel = {}, SharedReadings* shared = nullptr)
      : reading_(reading), shared_(shared) {
    tokens_.spans.cancel = cancel;
  }
  const Spans& read(std::string_view text);
  const Spans& read(const Texts& texts, size_t text);
  const Region& region() const noexcept { return region_; }  // where the tokens of strings lie
  const Reading& reading() const noexcept { return reading_; }

 private:
  const Spans& read_text(const Texts& texts, size_t text);
  void lowercase_tokens();
  Shelf& shelf_of(const Texts& texts);

  Region region_;

  Reading reading_;
  SharedReadings* shared_;
  const Texts* picked_from_ = nullptr;  // whose text was read last, if texts of it may come again
  size_t picked_ = 0;
  std::vector<Shelf*> shelves_;  // one for each column that was read through `shared_`: at most three
  Tokens tokens_;
  std::string lowered_;
};

// A column as all counters that read it alike see it: the texts of the current segment, by their place in the segment.
struct Shelf {
  struct Entry {
    size_t text;
    Reader reader;
    const Spans* tokens;
  };

  const Texts* texts;
  Reading reading;
  std::vector<std::unique_ptr<Entry>> entries;  // behind pointers: spans may point into a reader's own short strings
};

// The texts of one segment as several counters read them: taken apart once for each way of reading. One per thread.
class SharedReadings {
 public:
  explicit SharedReadings(Cancel cancel) : cancel_(cancel) {}
  void start_segment(size_t segment) noexcept { segment_ = segment; }
  const Spans& read(Shelf& shelf, size_t text, Region& region);
  Shelf& shelf_of(const Reading& reading, const Texts& texts);
  uint64_t detours() const noexcept { return detours_; }  // other texts and shelves passed by

 private:
  Cancel cancel_;
  std::vector<std::unique_ptr<Shelf>> shelves_;
  size_t segment_ = 0;
  uint64_t detours_ = 0;
};

}  // namespace bleuprint
