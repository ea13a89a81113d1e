// Clitics, contractions and the final split: the passes whose matches depend on where all others have cut.
#include "tokenizers/nltk_pieces.hpp"

#include <array>
#include <cstddef>

#include "text/utf8.hpp"

namespace bleuprint {
namespace {

bool is_letter_ignoring_case(char lower, char32_t value) {
  if (value < 0x80) return (value | 0x20) == static_cast<unsigned char>(lower);
  // The only other matches of these letters over all code points, in `re` and (for s) in `regex`.
  return (lower == 'i' && (value == U'\u0130' || value == U'\u0131')) || (lower == 's' && value == U'\u017f');
}

bool word_at(const char* position, const char* end) { return position != end && is_word(decode(position, end).value); }

// Length of a final ' 's 'm 'd that a character other than an apostrophe precedes, else 0.
size_t short_clitic_length(std::string_view piece) {
  const size_t size = piece.size();
  if (size >= 2 && piece[size - 1] == '\'') return piece[size - 2] != '\'' ? 1 : 0;
  if (size < 3 || piece[size - 2] != '\'' || piece[size - 3] == '\'') return 0;
  return std::string_view("sSmMdD").find(piece[size - 1]) != std::string_view::npos ? 2 : 0;
}

// The same for 'll 're 've n't, each all lowercase or all capitals.
size_t long_clitic_length(std::string_view piece) {
  if (piece.size() < 4 || piece[piece.size() - 4] == '\'') return 0;
  const std::string_view last = piece.substr(piece.size() - 3);
  for (const std::string_view clitic : {"'ll", "'LL", "'re", "'RE", "'ve", "'VE", "n't", "N'T"}) {
    if (last == clitic) return 3;
  }
  return 0;
}

std::string_view remove_suffix(std::string_view& piece, size_t length) {
  const std::string_view suffix = piece.substr(piece.size() - length);
  piece.remove_suffix(length);
  return suffix;
}

// Splits one piece into its tokens: clitics first, then contractions, then what str.split() still separates.
class PieceSplitter {
 public:
  explicit PieceSplitter(Spans& spans) : spans_(spans) {}

  void split(std::string_view piece, bool free_apostrophe) {
    const std::string_view apostrophe = remove_suffix(piece, free_apostrophe ? 1 : 0);
    const std::string_view short_clitic = remove_suffix(piece, short_clitic_length(piece));
    const std::string_view long_clitic = remove_suffix(piece, long_clitic_length(piece));
    split_contractions(piece);
    for (const std::string_view suffix : {long_clitic, short_clitic, apostrophe}) {
      if (!suffix.empty()) spans_.push_back(suffix);
    }
  }

 private:
  struct Contraction {
    std::string_view first;
    std::string_view second;
    bool needs_space;
  };

  static constexpr std::array<Contraction, 8> contractions = {{{"can", "not", false},
                                                               {"d", "'ye", false},
                                                               {"gim", "me", false},
                                                               {"gon", "na", false},
                                                               {"got", "ta", false},
                                                               {"lem", "me", false},
                                                               {"more", "'n", false},
                                                               {"wan", "na", true}}};

  void split_contractions(std::string_view piece) {
    const char* const end = piece.data() + piece.size();
    const char* rest = piece.data();
    const char* position = rest;
    while (position != end) {
      const Decoded decoded = decode(position, end);
      if (!is_word(decoded.value)) {
        position += decoded.length;
      } else if (const char* const after = push_contraction(rest, position, end)) {
        rest = position = after;
      } else {
        while (word_at(position, end)) position += decode(position, end).length;
      }
    }
    split_archaic(between(rest, end));
  }

  // When a contraction starts at `word`: pushes what `rest` holds before it, then its halves; returns its
  // end.
  const char* push_contraction(const char* rest, const char* word, const char* end) {
    for (const Contraction& contraction : contractions) {
      const char* const middle = skip_ignoring_case(word, end, contraction.first);
      const char* const after = middle ? skip_ignoring_case(middle, end, contraction.second) : nullptr;
      if (!after || word_at(after, end)) continue;
      // A piece is followed by a space, so its end satisfies the lookahead.
      if (contraction.needs_space && after != end && !is_space(decode(after, end).value)) continue;
      split_archaic(between(rest, word));
      spans_.push_back(between(word, middle));
      spans_.push_back(between(middle, after));
      return after;
    }
    return nullptr;
  }

  // 'tis and 'twas count after a space only, hence at the start, and in this order, each being its own pass.
  void split_archaic(std::string_view piece) {
    const char* position = piece.data();
    const char* const end = position + piece.size();
    for (const std::string_view verb : {"is", "was"}) {
      const char* const middle = skip_ignoring_case(position, end, "'t");
      const char* const after = middle ? skip_ignoring_case(middle, end, verb) : nullptr;
      if (!after || word_at(after, end)) continue;
      spans_.push_back(between(position, middle));
      spans_.push_back(between(middle, after));
      position = after;
    }
    split_information_separators(position, end);
  }

  void split_information_separators(const char* position, const char* end) {
    const char* start = position;
    for (; position != end; ++position) {
      if (*position < '\x1c' || *position > '\x1f') continue;
      if (start != position) spans_.push_back(between(start, position));
      start = position + 1;
    }
    if (start != end) spans_.push_back(between(start, end));
  }

  Spans& spans_;
};

}  // namespace

const char* skip_ignoring_case(const char* position, const char* end, std::string_view expected) {
  for (const char letter : expected) {
    if (position == end) return nullptr;
    const Decoded decoded = decode(position, end);
    const bool same = letter == '\'' ? decoded.value == U'\'' : is_letter_ignoring_case(letter, decoded.value);
    if (!same) return nullptr;
    position += decoded.length;
  }
  return position;
}

bool has_doubled_letter(std::string_view text) {
  unsigned found = 0;
  for (size_t index = 1; index < text.size(); ++index) {
    const int lower = text[index] | 0x20;
    found |= static_cast<unsigned>(lower == (text[index - 1] | 0x20)) &
             (static_cast<unsigned>(lower == 'n') | static_cast<unsigned>(lower == 'm') |
              static_cast<unsigned>(lower == 't'));
  }
  return found != 0;
}

void split_nltk_piece(std::string_view piece, bool free_apostrophe, Spans& spans) {
  PieceSplitter(spans).split(piece, free_apostrophe);
}

}  // namespace bleuprint
