// Private to the NLTK tokeniser: what happens inside a piece, the text between two cuts of its scan.
#pragma once

#include <cstddef>
#include <string_view>

#include "tokenizers/tokenize.hpp"

namespace bleuprint {

inline std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}

// Where `position` ends up after `expected` (lowercase letters and apostrophes), or null when that does not
// follow.
const char* skip_ignoring_case(const char* position, const char* end, std::string_view expected);

// Every contraction without an apostrophe has a doubled n, m or t: cannot, gimme, gonna, gotta, lemme, wanna.
bool has_doubled_letter(std::string_view text);

// Appends the tokens of a piece. `free_apostrophe` says that its last byte is an apostrophe which NLTK
// separates before it looks for clitics, so that in "x'd' y" the 'd becomes one too.
void split_nltk_piece(std::string_view piece, bool free_apostrophe, Spans& spans);

}  // namespace bleuprint
