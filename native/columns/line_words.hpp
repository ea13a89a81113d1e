// The words of a text and where its lines end.
#pragma once

#include <string>
#include <vector>

#include "columns/segments.hpp"
#include "parallel.hpp"
#include "tables/vocabulary_key.hpp"

namespace bleuprint {

// How strings are read: line by line, so that a line feed always parts words. Tokens of lists are taken as they are; in
// a list the token "\n" ends a line and is no word. With `stem` words of more than three letters are stemmed.
struct WordReading {
  Reading words;
  bool stem;
};

// Reads one text at a time; the words live until the next call.
class LineWords {
 public:
  LineWords(const WordReading& reading, Cancel cancel);

  void read(const Texts& texts, size_t text);
  const Spans& words() const noexcept { return *words_; }
  const Region& region() const noexcept { return region_; }
  const std::vector<size_t>& line_ends() const noexcept { return line_ends_; }  // in words; a line may have none

 private:
  void read_whole(std::string_view text);
  void read_lines(std::string_view text);
  void read_list(const Texts& texts, size_t text);
  void stem();

  WordReading reading_;
  bool keeps_lines_;  // whether the scheme never joins or changes words across a line feed and leaves it in place
  Tokens tokens_;
  Reader reader_;
  Spans own_;
  std::string bytes_;  // of the words of several lines
  std::string stems_;
  Spans* words_ = nullptr;
  Region region_;
  std::vector<size_t> line_ends_;
};

}  // namespace bleuprint
