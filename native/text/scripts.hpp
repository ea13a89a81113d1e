// Which scripts a text is written in, as far as it matters for splitting it into words.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace bleuprint {

// Latin; scripts that are written without spaces between words: Han, kana, Thai with Lao, Burmese and Khmer, and others
// such as Tibetan; all the rest.
enum class Script : uint8_t { latin, han, kana, thai, unspaced, other };

using ScriptLetters = std::array<uint64_t, 6>;

// Adds the letters of a text, marks included, to those of its scripts. Where spaces part the words of a script that has
// none, as in Chinese that was split before, its letters are among the rest.
void count_letters(std::string_view text, ScriptLetters& letters);

}  // namespace bleuprint
