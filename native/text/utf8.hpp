// UTF-8 decoding, lower-casing and the code-point classes that Python's str and re define.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bleuprint {

struct Decoded {
  char32_t value;
  uint32_t length;
};

// A byte that starts no valid sequence decodes to 0xDC00 + byte with length 1 (Python's surrogateescape), so
// any bytes can be scanned without reading past `end` and no two different texts decode alike.
Decoded decode_multibyte(const char* position, const char* end) noexcept;

inline Decoded decode(const char* position, const char* end) noexcept {
  const auto byte = static_cast<unsigned char>(*position);
  if (byte < 0x80) return {byte, 1};
  return decode_multibyte(position, end);
}

// Where the ASCII from `position` on ends.
const char* skip_ascii(const char* position, const char* end) noexcept;
// Whether all of it is ASCII. It never stops early, which for a sentence would cost more than reading on.
bool is_ascii(std::string_view text) noexcept;
// The first byte from `position` on that belongs to no UTF-8 sequence, or no byte before `edge`; the last sequence that
// starts before `edge` may reach over it, up to `end`.
const char* valid_until(const char* position, const char* edge, const char* end) noexcept;

void append_utf8(std::string& out, char32_t value);

// str.isspace(), which is also re's \s and what str.split() splits on: 29 code points in every Unicode
// version.
inline bool is_ascii_space(unsigned char byte) noexcept {
  return byte == ' ' || (byte >= 0x09 && byte <= 0x0D) || (byte >= 0x1C && byte <= 0x1F);
}
bool is_wide_space(char32_t value) noexcept;
inline bool is_space(char32_t value) noexcept {
  return value < 0x80 ? is_ascii_space(static_cast<unsigned char>(value)) : is_wide_space(value);
}
// Length in bytes of the white space that starts here, 0 if none does.
inline uint32_t space_length(const char* position, const char* end) noexcept {
  const auto byte = static_cast<unsigned char>(*position);
  if (byte < 0x80) return is_ascii_space(byte) ? 1 : 0;
  // Only these lead bytes can start a wide space, so most text never decodes here.
  if (byte != 0xC2 && byte != 0xE1 && byte != 0xE2 && byte != 0xE3) return 0;
  const Decoded decoded = decode_multibyte(position, end);
  return is_wide_space(decoded.value) ? decoded.length : 0;
}
std::string_view trim_right(std::string_view text) noexcept;  // str.rstrip()
std::string_view trim(std::string_view text) noexcept;        // str.strip()

// The classes and the case map below belong to the running interpreter's Unicode version: the host language
// hands them over once, before any text that needs them is scanned. Every table is indexed by code point.
struct Unicode {
  std::vector<bool> word;            // re's \w
  std::vector<bool> cased;           // decide whether a capital sigma ends its word
  std::vector<bool> case_ignorable;  //
  std::vector<char32_t> lower;       // one-to-one part of str.lower()
};
void adopt_unicode(Unicode tables);
bool unicode_adopted() noexcept;

bool is_word(char32_t value) noexcept;
void lowercase(std::string_view text, std::string& out);  // str.lower()

}  // namespace bleuprint
