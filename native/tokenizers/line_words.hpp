// The words of a text and where its lines end.
#pragma once

#include <string>
#include <vector>

#include "rows/best_match.hpp"
#include "tables/vocabulary_key.hpp"

namespace bleuprint {

// Reads one text at a time; the words live until the next call.
class LineWords {
 public:
  LineWords(const WordReading& reading, const std::atomic<bool>* cancel);

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
