#include "columns/token_bytes.hpp"

#include <algorithm>
#include <cstring>

namespace bleuprint {

void TokenBytes::grow(size_t bytes) {
  const size_t size = std::max(bytes, blocks_.empty() ? size_t{1} << 12 : block);
  blocks_.push_back(std::make_unique<char[]>(size));
  next_ = blocks_.back().get();
  left_ = size;
}

std::string_view TokenBytes::add(std::string_view token) {
  char* const to = room(token.size());
  if (!token.empty()) std::memcpy(to, token.data(), token.size());
  return take(token.size());
}

std::string_view TokenBytes::add_number(int64_t number) {
  constexpr size_t longest = 4 + 16;  // the byte, a sign, "0x" and 16 digits
  char* to = room(longest);
  const char* const begin = to;
  *to++ = '\xFF';
  auto rest = static_cast<uint64_t>(number);
  if (number < 0) {
    *to++ = '-';
    rest = ~rest + 1;
  }
  *to++ = '0';
  *to++ = 'x';
  size_t digits = 1;
  for (uint64_t higher = rest >> 4; higher != 0; higher >>= 4) ++digits;
  for (size_t i = digits; i-- > 0; rest >>= 4) to[i] = "0123456789abcdef"[rest & 0xF];
  return take(static_cast<size_t>(to + digits - begin));
}

std::string_view TokenBytes::add_number(std::string_view digits) {
  char* const to = room(digits.size() + 1);
  *to = '\xFF';
  std::memcpy(to + 1, digits.data(), digits.size());
  return take(digits.size() + 1);
}

}  // namespace bleuprint
