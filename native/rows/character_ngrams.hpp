// Shared character n-grams of two texts.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "columns/segments.hpp"
#include "parallel.hpp"
#include "rows/narrow_character_ngrams.hpp"
#include "rows/ngrams.hpp"

namespace bleuprint {

// Order by order, for texts of any length and any characters. An n-gram is the pair of its first and its last n-1
// characters, whose ids are exact; it can match only where both of those did, so every order looks only at the places
// where the one before it matched.
class WideMatcher {
 public:
  WideMatcher(size_t max_order, bool keep_space, uint64_t seed, Cancel cancel)
      : max_order_(max_order), keep_space_(keep_space), seed_(seed), cancel_(cancel) {}

  void begin(std::string_view text);
  int64_t length() const noexcept { return static_cast<int64_t>(text_.size()); }
  void match(std::string_view other, int64_t* matches, int64_t* other_length);

 private:
  struct Gram {
    uint32_t place;
    uint32_t id;
  };

  void decode_into(std::string_view text, std::vector<char32_t>& characters) const;
  void identify();
  void extend();
  int64_t clip();

  // One text may be a line of a hundred megabytes, which takes half a minute.
  void poll(size_t step) const {
    if ((step & 0xFFFF) == 0) cancel_.poll();
  }

  size_t max_order_;
  bool keep_space_;
  uint64_t seed_;
  Cancel cancel_;
  SmallTable<uint64_t> ids_;
  std::vector<char32_t> text_;
  std::vector<char32_t> other_;
  std::vector<Gram> grams_;        // n-grams of the text that may match
  std::vector<Gram> other_grams_;  // n-grams of the other that the text has
  std::vector<uint32_t> left_;     // per id: occurrences in the text that no other one took
  std::vector<uint8_t> met_;       // per id: whether the other has it
};

// Clipped matches of a text with others, one after another.
class CharacterMatcher {
 public:
  CharacterMatcher(size_t max_order, bool keep_space, uint64_t seed, Cancel cancel)
      : narrow_(max_order, keep_space, seed, cancel), wide_(max_order, keep_space, seed, cancel) {}

  // The text must live until the last match() with it.
  void begin(std::string_view text);
  int64_t length() const noexcept { return is_narrow_ ? narrow_.length() : wide_.length(); }
  // Writes the matches of the orders 1..N; gives the other's length in characters.
  int64_t match(std::string_view other, int64_t* matches);

 private:
  NarrowMatcher narrow_;
  WideMatcher wide_;
  std::string_view text_;
  bool is_narrow_ = false;
};

}  // namespace bleuprint
