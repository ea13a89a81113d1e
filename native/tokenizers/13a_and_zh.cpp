// mteval-v13a as sacrebleu runs it, and sacrebleu's Chinese scheme, which ends in the same rules.
#include <array>
#include <cstring>

#include "text/utf8.hpp"
#include "tokenizers/event_mask.hpp"
#include "tokenizers/punctuation_run.hpp"
#include "tokenizers/tokenize.hpp"

namespace bleuprint {

namespace {

enum Class : unsigned char { word, mark, hyphen, symbol, space, wide };

// `symbol` is the set that rule 1 pads with blanks: {-~ [-` !-& (-+ :-@ /. A byte that may start a wide space
// or a Chinese character is `wide`; all other bytes of multi-byte characters belong to words.
constexpr std::array<Class, 256> make_classes() {
  std::array<Class, 256> classes{};
  for (int byte = 0; byte < 256; ++byte) {
    const bool is_symbol = (byte >= 0x7B && byte <= 0x7E) || (byte >= 0x5B && byte <= 0x60) ||
                           (byte >= 0x21 && byte <= 0x26) || (byte >= 0x28 && byte <= 0x2B) ||
                           (byte >= 0x3A && byte <= 0x40) || byte == 0x2F;
    const bool is_blank = byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) || (byte >= 0x1C && byte <= 0x1F);
    classes[byte] = is_symbol                      ? symbol
                    : is_blank                     ? space
                    : byte == '.' || byte == ','   ? mark
                    : byte == '-'                  ? hyphen
                    : byte >= 0xC2 && byte <= 0xF4 ? wide
                                                   : word;
  }
  return classes;
}

constexpr std::array<Class, 256> classes = make_classes();

Class class_of(const char* position) noexcept { return classes[static_cast<unsigned char>(*position)]; }

bool is_digit(char character) noexcept { return character >= '0' && character <= '9'; }

struct NotChinese {
  static constexpr bool padded = true;  // 13a puts a blank at both ends before the rules run; `zh` does not
  static bool contains(char32_t) noexcept { return false; }
};

struct Range {
  char32_t first, last;
};

template <size_t size>
bool in_ranges(const Range (&ranges)[size], char32_t value) noexcept {
  for (const Range& range : ranges) {
    if (value >= range.first && value <= range.last) return true;
  }
  return false;
}

constexpr Range chinese_blocks[] = {
    {0x3400, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, {0xFF00, 0xFFEF},
    {0x2E80, 0x2EFF}, {0x3000, 0x303F}, {0x31C0, 0x31EF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3100, 0x312F},
    {0x31A0, 0x31BF}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0x2600, 0x27BF}, {0x3200, 0x33FF},
};

// sacrebleu writes the supplementary planes as '\u20000' and '\u2f800', which are two characters each;
// compared as strings they become these two ranges of quotes, dashes, arrows and mathematics
// (mjpost/sacrebleu#298).
constexpr Range misread_planes[] = {{0x2001, 0x2A6D}, {0x2F81, 0x2FA1}};
constexpr Range meant_planes[] = {{0x20000, 0x2A6D6}, {0x2F800, 0x2FA1D}};

struct Chinese {
  static constexpr bool padded = false;
  static bool contains(char32_t value) noexcept {
    return in_ranges(chinese_blocks, value) || in_ranges(misread_planes, value);
  }
};

struct ChineseCorrected {
  static constexpr bool padded = false;
  static bool contains(char32_t value) noexcept {
    return in_ranges(chinese_blocks, value) || in_ranges(meant_planes, value);
  }
};

template <typename Script>
class Scanner {
 public:
  Scanner(std::string_view text, Tokens& out)
      : begin_(text.data()), end_(begin_ + text.size()), position_(begin_), start_(begin_), out_(out) {}

  // Letters and digits only ever join the token they stand in, so the scan jumps from one other byte to the
  // next.
  void scan() {
    for (const char* base = begin_; base < end_; base += 16) {
      for (uint32_t events = event_mask(base, end_); events != 0; events &= events - 1) {
        const char* const event = base + trailing_zeros(events);
        if (event < position_) continue;
        position_ = event;
        handle();
      }
    }
    position_ = end_;
    flush();
  }

 private:
  void handle() {
    switch (class_of(position_)) {
      case word:
        ++position_;
        break;
      case space:
        flush();
        start_ = ++position_;
        break;
      case symbol:
        flush();
        emit(1);
        break;
      case mark:
        marks();
        break;
      case hyphen:
        if (position_ > begin_ && is_digit(position_[-1])) {
          flush();
          emit(1);
        } else {
          ++position_;
        }
        break;
      case wide:
        multibyte();
        break;
    }
  }

  void flush() {
    if (position_ > start_) out_.spans.emplace_back(start_, position_ - start_);
  }

  void emit(size_t length) {
    out_.spans.emplace_back(position_, length);
    position_ += length;
    start_ = position_;
  }

  void marks() {
    const char* last = position_;
    while (last + 1 < end_ && class_of(last + 1) == mark) ++last;
    const bool digit_before = position_ > begin_ ? is_digit(position_[-1]) : !Script::padded;
    const bool digit_after = last + 1 < end_ ? is_digit(last[1]) : !Script::padded;
    const Glue glued = glue(digit_before, static_cast<size_t>(last - position_) + 1, digit_after);
    if (!glued.left) {
      flush();
      while (position_ < last) emit(1);
      start_ = position_;
    }
    if (glued.right) {
      ++position_;
    } else {
      emit(1);
    }
  }

  void multibyte() {
    const Decoded decoded = decode_multibyte(position_, end_);
    if (is_wide_space(decoded.value)) {
      flush();
      position_ += decoded.length;
      start_ = position_;
    } else if (Script::contains(decoded.value)) {
      flush();
      emit(decoded.length);
    } else {
      position_ += decoded.length;
    }
  }

  const char* const begin_;
  const char* const end_;
  const char* position_;
  const char* start_;
  Tokens& out_;
};

void replace_all(std::string& text, std::string_view from, std::string_view to, std::string& spare) {
  size_t found = text.find(from);
  if (found == std::string::npos) return;
  spare.clear();
  size_t kept = 0;
  for (; found != std::string::npos; found = text.find(from, kept)) {
    spare.append(text, kept, found - kept).append(to);
    kept = found + from.size();
  }
  spare.append(text, kept, std::string::npos);
  text.swap(spare);
}

bool has(std::string_view text, char character) noexcept {
  return std::memchr(text.data(), character, text.size()) != nullptr;
}

// mteval's language-independent part. Its order shows: "&amp;lt;" becomes "<", "&amp;quot;" becomes "&quot;".
std::string_view normalize(std::string_view text, Tokens& out) {
  if (text.empty() || (!has(text, '&') && !has(text, '<') && !has(text, '\n'))) return text;
  out.scratch.assign(text);
  replace_all(out.scratch, "<skipped>", "", out.spare);
  replace_all(out.scratch, "-\n", "", out.spare);
  replace_all(out.scratch, "&quot;", "\"", out.spare);
  replace_all(out.scratch, "&amp;", "&", out.spare);
  replace_all(out.scratch, "&lt;", "<", out.spare);
  replace_all(out.scratch, "&gt;", ">", out.spare);
  return out.scratch;
}

}  // namespace

void tokenize_13a(std::string_view text, Tokens& out) {
  out.spans.clear();
  Scanner<NotChinese>(normalize(trim_right(text), out), out).scan();
}

void tokenize_chinese(std::string_view text, Tokens& out) {
  out.spans.clear();
  Scanner<Chinese>(trim(text), out).scan();
}

void tokenize_chinese_corrected(std::string_view text, Tokens& out) {
  out.spans.clear();
  Scanner<ChineseCorrected>(trim(text), out).scan();
}

}  // namespace bleuprint
