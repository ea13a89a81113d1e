#include "text/utf8.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <utility>

#include "wide_vectors.hpp"

namespace bleuprint {

namespace {

constexpr char32_t capital_sigma = 0x3A3;
constexpr char32_t final_sigma = 0x3C2;
constexpr char32_t small_sigma = 0x3C3;
constexpr char32_t capital_i_with_dot = 0x130;  // the only code point whose lower case is two code points

Unicode unicode;
std::atomic<bool> adopted{false};

bool is_continuation(const char* position, const char* end) noexcept {
  return position < end && (static_cast<unsigned char>(*position) & 0xC0) == 0x80;
}

char32_t payload(const char* position) noexcept { return static_cast<unsigned char>(*position) & 0x3F; }

bool member(const std::vector<bool>& table, char32_t value) noexcept { return value < table.size() && table[value]; }

// Skips case-ignorable code points and says whether the next one is cased; `step` walks away from the sigma.
template <typename Step>
bool meets_cased(Step step) {
  char32_t value;
  while (step(value)) {
    if (!member(unicode.case_ignorable, value)) return member(unicode.cased, value);
  }
  return false;
}

bool sigma_is_final(std::string_view text, size_t at) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* left = begin + at;
  const auto step_left = [&](char32_t& value) {
    if (left == begin) return false;
    do --left;
    while (left > begin && (static_cast<unsigned char>(*left) & 0xC0) == 0x80);
    value = decode(left, end).value;
    return true;
  };
  const char* right = begin + at + 2;
  const auto step_right = [&](char32_t& value) {
    if (right >= end) return false;
    const Decoded decoded = decode(right, end);
    value = decoded.value;
    right += decoded.length;
    return true;
  };
  return meets_cased(step_left) && !meets_cased(step_right);
}

}  // namespace

Decoded decode_multibyte(const char* position, const char* end) noexcept {
  const auto lead = static_cast<unsigned char>(*position);
  const Decoded invalid{0xDC00u + lead, 1};
  if (lead < 0xC2 || lead > 0xF4 || !is_continuation(position + 1, end)) return invalid;
  if (lead < 0xE0) return {(lead & 0x1Fu) << 6 | payload(position + 1), 2};
  if (!is_continuation(position + 2, end)) return invalid;
  if (lead < 0xF0) {
    const char32_t value = (lead & 0x0Fu) << 12 | payload(position + 1) << 6 | payload(position + 2);
    return value < 0x800 || (value >= 0xD800 && value <= 0xDFFF) ? invalid : Decoded{value, 3};
  }
  if (!is_continuation(position + 3, end)) return invalid;
  const char32_t value =
      (lead & 0x07u) << 18 | payload(position + 1) << 12 | payload(position + 2) << 6 | payload(position + 3);
  return value < 0x10000 || value > 0x10FFFF ? invalid : Decoded{value, 4};
}

namespace {

constexpr uint64_t high_bits = 0x8080808080808080;

uint64_t word_at(const char* position) noexcept {
  uint64_t word;
  std::memcpy(&word, position, sizeof word);
  return word;
}

// Whether whole sequences stand from `begin` to before `end`, each byte judged by the three before it, which must be
// readable and end no sequence but the last: compilers make vectors of this, so that it costs the same for every
// script.
BLEUPRINT_WIDE_VECTORS bool whole_sequences(const unsigned char* begin, const unsigned char* end) noexcept {
  unsigned char wrong = 0;
  for (const unsigned char* at = begin; at < end; ++at) {
    const unsigned char byte = at[0], before = at[-1];
    const auto continues = static_cast<unsigned char>((byte & 0xC0) == 0x80);
    const auto awaited = static_cast<unsigned char>((before >= 0xC0) | (at[-2] >= 0xE0) | (at[-3] >= 0xF0));
    wrong |= continues ^ awaited;
    wrong |= static_cast<unsigned char>((byte == 0xC0) | (byte == 0xC1) | (byte >= 0xF5));
    wrong |= static_cast<unsigned char>(((before == 0xE0) & (byte < 0xA0)) | ((before == 0xED) & (byte >= 0xA0)));
    wrong |= static_cast<unsigned char>(((before == 0xF0) & (byte < 0x90)) | ((before == 0xF4) & (byte >= 0x90)));
  }
  return wrong == 0 && end[-1] < 0xC0 && end[-2] < 0xE0 && end[-3] < 0xF0;
}

}  // namespace

const char* skip_ascii(const char* position, const char* end) noexcept {
  for (; end - position >= 64; position += 64) {
    uint64_t all = 0;
    for (int i = 0; i < 8; ++i) all |= word_at(position + 8 * i);
    if ((all & high_bits) != 0) break;
  }
  const bool has_word = end - position >= 8;
  for (; end - position >= 8 && (word_at(position) & high_bits) == 0; position += 8) {
  }
  // The rest of ASCII is the end of a whole word.
  if (has_word && end - position < 8 && (word_at(end - 8) & high_bits) == 0) return end;
  while (position < end && static_cast<unsigned char>(*position) < 0x80) ++position;
  return position;
}

bool is_ascii(std::string_view text) noexcept {
  constexpr size_t block = 16;
  const char* position = text.data();
  const char* const end = position + text.size();
  if (text.size() < block) return skip_ascii(position, end) == end;
  const auto both = [](const char* at) { return word_at(at) | word_at(at + 8); };
  uint64_t all = both(end - block);
  for (; end - position > static_cast<ptrdiff_t>(block); position += block) all |= both(position);
  return (all & high_bits) == 0;
}

const char* valid_until(const char* position, const char* edge, const char* end) noexcept {
  // Short blocks where ASCII is the rule, because a block costs more than as much ASCII.
  constexpr ptrdiff_t shortest = 128, longest = 4096, fewest = 32;
  const char* const looked_back = position + 3;  // from here on there are three bytes before every other
  ptrdiff_t block = shortest / 2;
  for (;;) {
    const char* const from = std::exchange(position, skip_ascii(position, edge));
    if (position >= edge) return position;
    block = position - from < shortest ? std::min(2 * block, longest) : shortest;
    const char* cut = position + std::min(edge - position, block);
    while (cut > position && is_continuation(cut, end)) --cut;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(position);
    if (position < looked_back) {
      cut = std::min(looked_back, edge);
    } else if (cut - position >= fewest && whole_sequences(bytes, bytes + (cut - position))) {
      position = cut;
      continue;
    }
    // One by one at the begin, at the end, and to find what is wrong.
    do {
      const Decoded decoded = decode(position, end);
      if (decoded.value >= 0xDC80 && decoded.value <= 0xDCFF) return position;
      position += decoded.length;
    } while (position < cut);
  }
}

void append_utf8(std::string& out, char32_t value) {
  const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (value < 0x80) {
    put(value);
  } else if (value >= 0xDC80 && value <= 0xDCFF) {
    put(value - 0xDC00);  // an invalid byte passes through unchanged
  } else if (value < 0x800) {
    put(0xC0 | value >> 6);
    put(0x80 | (value & 0x3F));
  } else if (value < 0x10000) {
    put(0xE0 | value >> 12);
    put(0x80 | (value >> 6 & 0x3F));
    put(0x80 | (value & 0x3F));
  } else {
    put(0xF0 | value >> 18);
    put(0x80 | (value >> 12 & 0x3F));
    put(0x80 | (value >> 6 & 0x3F));
    put(0x80 | (value & 0x3F));
  }
}

bool is_wide_space(char32_t value) noexcept {
  return value == 0x85 || value == 0xA0 || value == 0x1680 || (value >= 0x2000 && value <= 0x200A) || value == 0x2028 ||
         value == 0x2029 || value == 0x202F || value == 0x205F || value == 0x3000;
}

std::string_view trim_right(std::string_view text) noexcept {
  const char* const begin = text.data();
  const char* end = begin + text.size();
  while (end > begin) {
    const char* last = end - 1;
    while (last > begin && end - last < 4 && (static_cast<unsigned char>(*last) & 0xC0) == 0x80) --last;
    const uint32_t length = space_length(last, end);
    if (length == 0 || last + length != end) break;
    end = last;
  }
  return {begin, static_cast<size_t>(end - begin)};
}

std::string_view trim(std::string_view text) noexcept {
  text = trim_right(text);
  while (!text.empty()) {
    const uint32_t length = space_length(text.data(), text.data() + text.size());
    if (length == 0) break;
    text.remove_prefix(length);
  }
  return text;
}

// Only the first counts: two threads may come with the tables at once, and one may already read.
void adopt_unicode(Unicode tables) {
  static std::once_flag once;
  std::call_once(once, [&] {
    unicode = std::move(tables);
    adopted.store(true, std::memory_order_release);
  });
}

bool unicode_adopted() noexcept { return adopted.load(std::memory_order_acquire); }

bool is_word(char32_t value) noexcept { return member(unicode.word, value); }

void lowercase(std::string_view text, std::string& out) {
  out.clear();
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  for (const char* position = begin; position < end;) {
    const auto byte = static_cast<unsigned char>(*position);
    if (byte < 0x80) {
      out.push_back(static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte));
      ++position;
      continue;
    }
    const Decoded decoded = decode_multibyte(position, end);
    if (decoded.value == capital_sigma) {
      const bool final = sigma_is_final(text, static_cast<size_t>(position - begin));
      append_utf8(out, final ? final_sigma : small_sigma);
    } else if (decoded.value == capital_i_with_dot) {
      out.append("i\xCC\x87");
    } else {
      append_utf8(out, decoded.value < unicode.lower.size() ? unicode.lower[decoded.value] : decoded.value);
    }
    position += decoded.length;
  }
}

}  // namespace bleuprint
