// Shared character n-grams of short texts of few different characters, which nearly all segments are.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "parallel.hpp"
#include "tables/hashing.hpp"

namespace bleuprint {

// Up to 126 code points beyond ASCII as one byte each.
class WideAlphabet {
 public:
  static constexpr uint8_t end_of_text = 0x80;   // stands behind the text
  static constexpr uint8_t end_of_other = 0x81;  // stands behind the other, and for what the text has not got

  explicit WideAlphabet(uint64_t seed) noexcept : factor_(static_cast<uint32_t>(next_key(&seed)) | 1) {}

  void clear() noexcept;
  bool insert(char32_t value, uint8_t* code) noexcept;  // false if there are too many
  uint8_t find(char32_t value) const noexcept;          // end_of_other if absent

 private:
  static constexpr size_t slots = 512;
  static constexpr uint8_t first_code = 0x82;

  size_t slot(char32_t value) const noexcept;

  std::array<char32_t, slots> values_{};  // 0 where the slot is free: no wide code point is 0
  std::array<uint8_t, slots> codes_{};
  size_t size_ = 0;
  uint32_t factor_;  // random and odd: code points that all fall into one slot cannot be chosen
};

// Characters become bytes and the places of every two characters a list, so that one comparison of eight bytes tells
// how many orders two places share. Nothing is hashed but pairs of bytes, and nothing is identified by its hash.
//
// An n-gram matches as often as both texts have it, so every place of the other text takes, for each order, one place
// of the text that has the same n-gram and that no earlier place took.
class NarrowMatcher {
 public:
  static constexpr size_t largest_order = 8;    // bytes of a word
  static constexpr size_t longest_text = 4096;  // bytes; the lists of longer texts grow longer than hashing takes

  NarrowMatcher(size_t max_order, bool keep_space, uint64_t seed, Cancel cancel) noexcept;

  bool begin(std::string_view text);  // false if the text is not of this kind
  int64_t length() const noexcept { return static_cast<int64_t>(length_); }
  // Clipped matches of the orders 1..N with the other text, and its length; false if the lists are too long.
  bool match(std::string_view other, int64_t* matches, int64_t* other_length);

 private:
  static constexpr size_t bucket_bits = 11;
  static constexpr size_t steps_per_place = 24;  // above this many, hashing every order is faster

  template <typename Encode>
  bool encode(std::string_view text, uint8_t end, std::vector<uint8_t>& codes, size_t* length, Encode encode) const;
  int64_t match_single(size_t other_length);
  bool match_higher(size_t other_length, int64_t* matches);

  size_t max_order_;
  Cancel cancel_;
  std::array<uint8_t, 128> kept_;  // per ASCII character: 1 unless it is white space to be dropped
  WideAlphabet alphabet_;
  size_t length_ = 0;
  std::vector<uint8_t> text_;
  std::vector<uint8_t> other_;
  std::array<uint16_t, size_t{1} << bucket_bits> first_;  // per bucket of pairs: its first place, counted from 1
  std::vector<uint16_t> next_;                            // per place: the next of its bucket, or 0
  std::vector<uint8_t> free_;                             // per place: bit n-1 while its n-gram is not taken
  std::array<uint16_t, 256> counts_;                      // per character
  std::array<uint16_t, 256> left_;
};

}  // namespace bleuprint
