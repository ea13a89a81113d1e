// The bytes of tokens, copied one after another: read in order, they come from the cache.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace bleuprint {

// Whether a token may have these bytes: UTF-8, or a number as `add_number` writes it.
bool is_token(std::string_view bytes) noexcept;

// Sixteen bytes from the begin of any token may be read: see Region. Tokens are added text by text; every `add` returns
// the length of the token, and `end_text` where the first of them lies.
class TokenBytes {
 public:
  // With `inner` the eight bytes before the token may be read too, as in a Python object.
  uint32_t add(std::string_view token, bool inner = false) {
    char* const to = room(token.size());
    if (inner && token.size() - 1 < sizeof(uint64_t)) {
      copy_inner(to, token);
    } else {
      if (token.size() > UINT32_MAX) throw std::length_error("a token has 2^32 bytes or more");
      copy(to, token.data(), token.size());
    }
    return take(token.size());
  }

  // A number as a token: the byte 0xFF, which occurs in no UTF-8, so that 7 and "7" stay apart, and the number in base
  // 16 as Python writes it.
  uint32_t add_number(int64_t number);
  uint32_t add_number(std::string_view digits);

  const char* end_text() noexcept {
    const char* const begin = text_;
    text_ = next_;
    return begin;
  }

 private:
  static constexpr size_t slack = 16;
  static constexpr size_t block = 1 << 16;

  // Without branches by length, which no processor predicts: the word that ends with the token, moved to its begin.
  static void copy_inner(char* to, std::string_view token) noexcept {
    uint64_t word;
    std::memcpy(&word, token.data() + token.size() - sizeof word, sizeof word);
    const size_t before = 8 * (sizeof word - token.size());
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word <<= before;
#else
    word >>= before;
#endif
    std::memcpy(to, &word, sizeof word);
  }

  // Most tokens are short, and a call would take longer than the copy.
  static void copy(char* to, const char* from, size_t length) noexcept {
    if (length > 16) {
      std::memcpy(to, from, length);
    } else if (length >= 8) {
      copy_ends<uint64_t>(to, from, length);
    } else if (length >= 4) {
      copy_ends<uint32_t>(to, from, length);
    } else if (length >= 2) {
      copy_ends<uint16_t>(to, from, length);
    } else if (length == 1) {
      *to = *from;
    }
  }
  template <typename Word>
  static void copy_ends(char* to, const char* from, size_t length) noexcept {
    Word first, last;
    std::memcpy(&first, from, sizeof first);
    std::memcpy(&last, from + length - sizeof last, sizeof last);
    std::memcpy(to, &first, sizeof first);
    std::memcpy(to + length - sizeof last, &last, sizeof last);
  }

  char* room(size_t bytes) {
    if (left_ < bytes + slack) grow(bytes + slack);
    return next_;
  }
  uint32_t take(size_t bytes) noexcept {
    next_ += bytes;
    left_ -= bytes;
    return static_cast<uint32_t>(bytes);
  }
  void grow(size_t bytes);

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* text_ = nullptr;  // the first token of the text
  char* next_ = nullptr;
  size_t left_ = 0;
};

}  // namespace bleuprint
