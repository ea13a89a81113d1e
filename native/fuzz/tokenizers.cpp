// Every tokenizer, the stemmer, cleaning and the reader of lines, on raw bytes.
#include <algorithm>

#include "columns/lines.hpp"
#include "fuzz/input.hpp"
#include "text/clean.hpp"
#include "text/porter.hpp"

using namespace bleuprint;
using namespace bleuprint::fuzz;

namespace {

constexpr Cancel never;

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char byte) { return static_cast<unsigned char>(byte) < 0x80; });
}

std::vector<std::string> plain_split(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char byte : text) {
    const bool space = byte == ' ' || (byte >= 9 && byte <= 13) || (byte >= 28 && byte <= 31);
    if (!space) {
      words.back() += byte;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

void check_schemes(std::string_view text) {
  for (const std::string_view name : scheme_names()) {
    for (const bool lowercase : {false, true}) {
      Reader reader({find_tokenizer(name), lowercase});
      std::vector<std::string> tokens;
      for (const std::string_view token : reader.read(text)) {
        require(!token.empty(), "no token is empty");
        tokens.emplace_back(token);
      }
      const Spans& again = reader.read(text);
      require(std::equal(tokens.begin(), tokens.end(), again.begin(), again.end()), "reading again gives the same");
      if (name == "whitespace" && !lowercase && is_ascii(text))
        require(tokens == plain_split(text), "white space parts words");
    }
  }
}

// By the table of well-formed sequences in chapter 3 of the Unicode standard.
size_t plain_invalid(std::string_view text) {
  size_t at = 0;
  const auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u; };
  const auto within = [&](size_t i, unsigned low, unsigned high) { return byte(i) >= low && byte(i) <= high; };
  const auto tail = [&](size_t i) { return within(i, 0x80, 0xBF); };
  while (at < text.size()) {
    const unsigned lead = byte(0);
    size_t length = 0;
    if (lead < 0x80) length = 1;
    if (lead >= 0xC2 && lead <= 0xDF && tail(1)) length = 2;
    if (lead >= 0xE0 && lead <= 0xEF && within(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF) && tail(2)) {
      length = 3;
    }
    if (lead >= 0xF0 && lead <= 0xF4 && within(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF) && tail(2) &&
        tail(3)) {
      length = 4;
    }
    if (length == 0) return at;
    at += length;
  }
  return at;
}

void check_lines(std::string_view text) {
  require(invalid_utf8(text, never) == plain_invalid(text), "the first invalid byte is found");
  std::vector<std::string_view> lines;
  split_lines(text, lines, never);
  std::vector<std::string_view> expected = split(text, '\n');
  for (size_t i = 0; i + 1 < expected.size(); ++i) {
    if (!expected[i].empty() && expected[i].back() == '\r') expected[i].remove_suffix(1);
  }
  if (expected.back().empty()) expected.pop_back();
  require(lines == expected, "lines end at line feeds");
}

void check_cleaning(std::string_view text, size_t options) {
  Cleaner cleaner({(options & 1) != 0, (options & 2) != 0, (options & 4) != 0, static_cast<Space>(options >> 3 & 3)});
  const std::string once(cleaner.clean(text));
  require(once == cleaner.clean(text), "cleaning has no memory");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const size_t options = input.number(31);
  Column column;
  const std::string_view text = column.keep(input.rest());
  check_schemes(text);
  check_lines(text);
  check_cleaning(text, options);
  std::string lowered;
  lowercase(text, lowered);
  Column exact;
  const std::string_view word = exact.keep(lowered);
  require(porter_stem(const_cast<char*>(word.data()), word.size()) <= word.size(), "a stem is never longer");
  return 0;
}
