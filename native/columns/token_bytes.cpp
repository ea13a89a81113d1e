#include "columns/token_bytes.hpp"

#include <algorithm>
#include <cstring>

#include "text/utf8.hpp"

namespace bleuprint {

bool is_token(std::string_view bytes) noexcept {
  const char* const end = bytes.data() + bytes.size();
  if (bytes.empty() || bytes.front() != '\xFF') return valid_until(bytes.data(), end, end) == end;
  std::string_view digits = bytes.substr(1);
  const bool negative = digits.substr(0, 1) == "-";
  if (negative) digits.remove_prefix(1);
  if (digits.substr(0, 2) != "0x") return false;
  digits.remove_prefix(2);
  if (digits.empty() || digits.find_first_not_of("0123456789abcdef") != digits.npos) return false;
  return digits.front() != '0' || (digits.size() == 1 && !negative);
}

// The tokens of a text stay together: those that it has so far move, to twice the room if the text alone fills a block.
void TokenBytes::grow(size_t bytes) {
  const size_t moved = static_cast<size_t>(next_ - text_);
  const size_t size = std::max(2 * moved + bytes, blocks_.empty() ? size_t{1} << 12 : block);
  blocks_.emplace_back(new char[size]);  // not filled with zeros
  char* const begin = blocks_.back().get();
  if (moved > 0) std::memcpy(begin, text_, moved);
  text_ = begin;
  next_ = begin + moved;
  left_ = size - moved;
}

uint32_t TokenBytes::add_number(int64_t number) {
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

uint32_t TokenBytes::add_number(std::string_view digits) {
  if (digits.size() >= UINT32_MAX) throw std::length_error("a token has 2^32 bytes or more");
  char* const to = room(digits.size() + 1);
  *to = '\xFF';
  std::memcpy(to + 1, digits.data(), digits.size());
  return take(digits.size() + 1);
}

}  // namespace bleuprint
