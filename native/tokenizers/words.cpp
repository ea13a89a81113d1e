// Lower-cased words without any marks: runs of ASCII letters and digits, or of the letters and digits of every script.
#include <cstring>

#include "text/regex_classes.hpp"
#include "text/unicode_tables.hpp"
#include "text/utf8.hpp"
#include "tokenizers/event_mask.hpp"
#include "tokenizers/tokenize.hpp"

namespace bleuprint {

namespace {

constexpr size_t block = 64;

// Which of 16 bytes are ASCII letters or digits, and the bytes in lower case.
#if defined(BLEUPRINT_SSE2)
uint64_t lower_16(const char* from, char* to) noexcept {
  const auto within = [](__m128i value, char low, char width) {
    const __m128i above = _mm_sub_epi8(value, _mm_set1_epi8(low));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8(width)), above);
  };
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  const __m128i bit = _mm_set1_epi8(0x20);
  const __m128i letter = within(_mm_or_si128(bytes, bit), 'a', 25);
  const __m128i digit = within(bytes, '0', 9);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_or_si128(bytes, _mm_and_si128(letter, bit)));
  return static_cast<uint32_t>(_mm_movemask_epi8(_mm_or_si128(letter, digit)));
}

bool any_above_ascii(const char* bytes) noexcept {
  return _mm_movemask_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))) != 0;
}
#else
uint64_t lower_16(const char* from, char* to) noexcept {
  uint64_t mask = 0;
  for (uint32_t i = 0; i < 16; ++i) {
    const auto byte = static_cast<unsigned char>(from[i]);
    const unsigned char lower = byte | 0x20;
    const bool letter = lower >= 'a' && lower <= 'z';
    to[i] = static_cast<char>(letter ? lower : byte);
    mask |= static_cast<uint64_t>(letter || (byte >= '0' && byte <= '9')) << i;
  }
  return mask;
}

bool any_above_ascii(const char* bytes) noexcept {
  uint64_t words[2];
  std::memcpy(words, bytes, sizeof words);
  return ((words[0] | words[1]) & 0x8080808080808080u) != 0;
}
#endif

uint32_t trailing_zeros_64(uint64_t bits) noexcept {
  const auto low = static_cast<uint32_t>(bits);
  return low != 0 ? trailing_zeros(low) : 32 + trailing_zeros(static_cast<uint32_t>(bits >> 32));
}

bool is_ascii(std::string_view text) noexcept {
  size_t at = 0;
  for (; at + 16 <= text.size(); at += 16) {
    if (any_above_ascii(text.data() + at)) return false;
  }
  for (; at < text.size(); ++at) {
    if (static_cast<unsigned char>(text[at]) >= 0x80) return false;
  }
  return true;
}

// Two code points become ASCII letters in lower case: the Kelvin sign and the capital I with a dot (i and a mark, which
// parts words like any other byte that is no ASCII letter).
std::string_view without_hidden_letters(std::string_view text, std::string& spare) {
  constexpr std::string_view kelvin = "\xE2\x84\xAA", dotted = "\xC4\xB0";
  if (is_ascii(text)) return text;
  const bool hidden = text.find(kelvin) != text.npos || text.find(dotted) != text.npos;
  if (!hidden) return text;
  spare.clear();
  for (size_t at = 0; at < text.size();) {
    if (text.compare(at, kelvin.size(), kelvin) == 0) {
      spare.push_back('k');
      at += kelvin.size();
    } else if (text.compare(at, dotted.size(), dotted) == 0) {
      spare.append("i\xCC\x87");
      at += dotted.size();
    } else {
      spare.push_back(text[at++]);
    }
  }
  return spare;
}

// Letters of scripts that put no blanks between words; of these every letter is a word.
bool stands_alone(char32_t value) noexcept {
  struct Range {
    char32_t first, last;
  };
  constexpr Range ranges[] = {
      {0x0E00, 0x0EFF},    // Thai, Lao
      {0x1000, 0x109F},    // Myanmar
      {0x1780, 0x17FF},    // Khmer
      {0x2E80, 0x2FDF},    // Han radicals
      {0x3005, 0x3007},    // Han repetition mark and zero
      {0x3021, 0x3029},    // Hangzhou numerals
      {0x3040, 0x30FF},    // kana
      {0x31F0, 0x31FF},    // kana
      {0x3400, 0x4DBF},    // Han
      {0x4E00, 0x9FFF},    // Han
      {0xF900, 0xFAFF},    // Han
      {0xFF66, 0xFF9F},    // kana, half width
      {0x1AFF0, 0x1B16F},  // kana
      {0x20000, 0x3FFFF},  // Han
  };
  if (value < ranges[0].first) return false;
  for (const Range& range : ranges) {
    if (value >= range.first && value <= range.last) return category_of(value) != Category::number;
  }
  return false;
}

bool is_letter_or_digit(char32_t value) noexcept { return value != '_' && is_word(value); }

// Vowel signs, accents and joiners: they belong to the letter before them and begin no word.
bool is_attached(char32_t value) noexcept {
  return is_regex_word(value) && category_of(value) != Category::punctuation;
}

}  // namespace

void tokenize_ascii_words(std::string_view text, Tokens& out) {
  out.spans.clear();
  text = without_hidden_letters(text, out.spare);
  if (out.scratch.size() < text.size() + block) out.scratch.resize(text.size() + block);
  char* const lowered = out.scratch.data();
  uint64_t inside = 0;  // whether the byte before the block belongs to a word
  const char* start = nullptr;
  for (size_t at = 0; at < text.size(); at += block) {
    char rest[block];
    const char* from = text.data() + at;
    const size_t left = text.size() - at;
    if (left < block) {
      std::memset(rest, 0, block);
      std::memcpy(rest, from, left);
      from = rest;
    }
    uint64_t words = 0;
    for (size_t i = 0; i < block && i < left; i += 16) words |= lower_16(from + i, lowered + at + i) << i;
    uint64_t edges = words ^ (words << 1 | inside);
    inside = words >> 63;
    for (; edges != 0; edges &= edges - 1) {
      const char* const edge = lowered + at + trailing_zeros_64(edges);
      if (start == nullptr) {
        start = edge;
      } else {
        out.spans.emplace_back(start, edge - start);
        start = nullptr;
      }
    }
  }
  if (start != nullptr) out.spans.emplace_back(start, lowered + text.size() - start);
}

void tokenize_unicode_words(std::string_view text, Tokens& out) {
  out.spans.clear();
  lowercase(text, out.scratch);
  const char* position = out.scratch.data();
  const char* const end = position + out.scratch.size();
  const char* start = nullptr;
  bool alone = false;
  const auto finish = [&] {
    if (start != nullptr) out.spans.emplace_back(start, position - start);
    start = nullptr;
  };
  while (position < end) {
    const Decoded decoded = decode(position, end);
    const bool letter = is_letter_or_digit(decoded.value);
    if (!letter && (start == nullptr || !is_attached(decoded.value))) {
      finish();
    } else if (letter) {
      const bool next_alone = stands_alone(decoded.value);
      if (alone || next_alone) finish();
      if (start == nullptr) start = position;
      alone = next_alone;
    }
    position += decoded.length;
  }
  finish();
}

}  // namespace bleuprint
