// The bytes of tokens, copied one after another: read in order, they come from the cache.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace bleuprint {

// Sixteen bytes from the begin of any token may be read: see Region.
class TokenBytes {
 public:
  std::string_view add(std::string_view token);

  // A number as a token: the byte 0xFF, which occurs in no UTF-8, so that 7 and "7" stay apart, and the number in base
  // 16 as Python writes it.
  std::string_view add_number(int64_t number);
  std::string_view add_number(std::string_view digits);

 private:
  static constexpr size_t slack = 16;
  static constexpr size_t block = 1 << 16;

  char* room(size_t bytes) {
    if (left_ < bytes + slack) grow(bytes + slack);
    return next_;
  }
  std::string_view take(size_t bytes) noexcept {
    const std::string_view token(next_, bytes);
    next_ += bytes;
    left_ -= bytes;
    return token;
  }
  void grow(size_t bytes);

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  size_t left_ = 0;
};

}  // namespace bleuprint
