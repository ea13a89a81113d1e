#include "text/scripts.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "text/utf8.hpp"

namespace bleuprint {

namespace {

constexpr auto none = static_cast<Script>(std::tuple_size_v<ScriptLetters>);  // punctuation, symbols, shared marks

struct Range {
  char32_t first, last;
  Script script;
};

// What lies between the ranges belongs to the other scripts.
constexpr Range ranges[] = {
    {0x0080, 0x02FF, Script::latin},
    {0x0300, 0x036F, none},              // marks of any script
    {0x0E00, 0x0EFF, Script::thai},      // Thai, Lao
    {0x0F00, 0x0FFF, Script::unspaced},  // Tibetan
    {0x1000, 0x109F, Script::thai},      // Burmese
    {0x1780, 0x17FF, Script::thai},      // Khmer
    {0x1950, 0x19DF, Script::unspaced},  // Tai Le, New Tai Lue
    {0x19E0, 0x19FF, Script::unspaced},  // Khmer symbols
    {0x1A20, 0x1AAF, Script::unspaced},  // Tai Tham
    {0x1AB0, 0x1AFF, none},
    {0x1B00, 0x1B7F, Script::unspaced},  // Balinese
    {0x1D00, 0x1DBF, Script::latin},
    {0x1DC0, 0x1DFF, none},
    {0x1E00, 0x1EFF, Script::latin},
    {0x2000, 0x2BFF, none},  // punctuation and symbols
    {0x2C60, 0x2C7F, Script::latin},
    {0x2E00, 0x2E7F, none},
    {0x2E80, 0x2FDF, Script::han},
    {0x2FF0, 0x3004, none},
    {0x3005, 0x3007, Script::han},
    {0x3008, 0x303F, none},
    {0x3040, 0x30FF, Script::kana},
    {0x31F0, 0x31FF, Script::kana},
    {0x3200, 0x33FF, none},
    {0x3400, 0x4DBF, Script::han},
    {0x4DC0, 0x4DFF, none},
    {0x4E00, 0x9FFF, Script::han},
    {0xA000, 0xA4CF, Script::unspaced},  // Yi
    {0xA720, 0xA7FF, Script::latin},
    {0xA980, 0xA9DF, Script::unspaced},  // Javanese
    {0xA9E0, 0xA9FF, Script::unspaced},  // Burmese
    {0xAA60, 0xAA7F, Script::unspaced},  // Burmese
    {0xAA80, 0xAADF, Script::unspaced},  // Tai Viet
    {0xAB30, 0xAB6F, Script::latin},
    {0xD800, 0xF8FF, none},  // bytes that are no text, private use
    {0xF900, 0xFAFF, Script::han},
    {0xFB00, 0xFB06, Script::latin},
    {0xFE00, 0xFE6F, none},
    {0xFF00, 0xFF20, none},
    {0xFF66, 0xFF9F, Script::kana},
    {0x1D000, 0x1D7FF, none},  // music, mathematics
    {0x1F000, 0x1FAFF, none},  // emoji
    {0x20000, 0x323AF, Script::han},
    {0xE0000, 0x10FFFF, none},
};

// The range, or the gap between two ranges, that a letter belongs to; most often it is that of the letter before.
struct Place {
  Range range{0, 0, Script::latin};

  Script script_of(char32_t value) {
    if (value >= range.first && value <= range.last) return range.script;
    const auto* const next = std::lower_bound(std::begin(ranges), std::end(ranges), value,
                                              [](const Range& r, char32_t v) { return r.last < v; });
    if (next != std::end(ranges) && next->first <= value) {
      range = *next;
    } else {
      const char32_t first = next == std::begin(ranges) ? 0 : (next - 1)->last + 1;
      range = {first, next == std::end(ranges) ? 0x10FFFF : next->first - 1, Script::other};
    }
    return range.script;
  }
};

uint64_t& of(ScriptLetters& letters, Script script) { return letters[static_cast<size_t>(script)]; }

// The letters between two spaces. Words of Chinese have one to four of them, those of Japanese up to about eight,
// others up to about ten; a longer run is several words.
class Run {
 public:
  explicit Run(ScriptLetters& letters) : letters_(letters) {}
  void add(Script script) {
    any_ = true;
    ++of(run_, script);
  }
  void end() {
    if (!any_) return;
    uint64_t &han = of(run_, Script::han), &kana = of(run_, Script::kana);
    uint64_t &thai = of(run_, Script::thai), &others = of(run_, Script::unspaced);
    const uint64_t longest = thai + others > han + kana ? 10 : kana * 10 > han ? 8 : 4;
    if (han + kana + thai + others <= longest) {
      of(run_, Script::other) += han + kana + thai + others;
      han = kana = thai = others = 0;
    }
    for (size_t i = 0; i < run_.size(); ++i) letters_[i] += run_[i];
    run_ = {};
    any_ = false;
  }
  bool any() const noexcept { return any_; }

 private:
  ScriptLetters& letters_;
  ScriptLetters run_{};
  bool any_ = false;
};

}  // namespace

void count_letters(std::string_view text, ScriptLetters& letters) {
  const char* position = text.data();
  const char* const end = position + text.size();
  Run run(letters);
  Place place;
  while (position < end) {
    const char* const stop = skip_ascii(position, end);
    if (run.any() &&
        std::any_of(position, stop, [](char byte) { return is_space(static_cast<unsigned char>(byte)); })) {
      run.end();
    }
    uint64_t ascii = 0;
    for (; position < stop; ++position) ascii += static_cast<unsigned char>((*position | 0x20) - 'a') < 26;
    of(letters, Script::latin) += ascii;
    while (position < end && static_cast<unsigned char>(*position) >= 0x80) {
      const Decoded decoded = decode_multibyte(position, end);
      position += decoded.length;
      const Script script = place.script_of(decoded.value);
      if (is_space(decoded.value)) {
        run.end();
      } else if (script == Script::latin) {
        ++of(letters, script);
      } else if (script != none) {
        run.add(script);
      }
    }
  }
  run.end();
}

}  // namespace bleuprint
