// Letters by script of raw bytes against a plain count, word by word; the script of a character is that of many of it.
#include "text/scripts.hpp"

#include <map>

#include "fuzz/input.hpp"

using namespace bleuprint;
using namespace bleuprint::fuzz;

namespace {

constexpr size_t none = std::tuple_size_v<ScriptLetters>;

size_t script_of(char32_t value) {
  static std::map<char32_t, size_t> known;
  const auto [place, is_new] = known.try_emplace(value, none);
  if (is_new) {
    std::string many;
    for (int i = 0; i < 11; ++i) append_utf8(many, value);  // more than a word has
    ScriptLetters letters{};
    count_letters(many, letters);
    for (size_t i = 0; i < letters.size(); ++i) {
      require(letters[i] == 0 || letters[i] == 11, "one character has one script");
      if (letters[i] == 11) place->second = i;
    }
  }
  return place->second;
}

ScriptLetters plain_letters(std::string_view text) {
  ScriptLetters letters{}, word{};
  const auto end_word = [&] {
    const uint64_t chinese = word[1] + word[2], thai = word[3] + word[4];
    if (chinese + thai <= (thai > chinese ? 10u : word[2] * 10 > word[1] ? 8u : 4u)) {
      word = {word[0], 0, 0, 0, 0, word[5] + chinese + thai};
    }
    for (size_t i = 0; i < word.size(); ++i) letters[i] += word[i];
    word = {};
  };
  for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
    const Decoded next = decode(at, end);
    at += next.length;
    // What is no text is decoded as a surrogate, which cannot be encoded again.
    const size_t script = next.value >= 0xD800 && next.value < 0xE000 ? none : script_of(next.value);
    if (is_space(next.value)) {
      end_word();
    } else if (script != none) {
      ++word[script];
    }
  }
  end_word();
  return letters;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  Column column;
  const std::string_view text = column.keep(input.rest());
  ScriptLetters letters{};
  count_letters(text, letters);
  require(letters == plain_letters(text), "letters are those of the plain count");
  return 0;
}
