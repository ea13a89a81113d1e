// Rows of character n-grams, and edit distances of characters and tokens against the plain table of distances.
#include "rows/characters.hpp"

#include <algorithm>
#include <map>

#include "fuzz/input.hpp"
#include "rows/character_ngrams.hpp"
#include "rows/distance.hpp"
#include "rows/edits.hpp"
#include "rows/equal.hpp"

using namespace bleuprint;
using namespace bleuprint::fuzz;

namespace {

std::u32string decoded(std::string_view text, bool keep_space) {
  std::u32string characters;
  for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
    const Decoded next = decode(at, end);
    if (keep_space || !is_space(next.value)) characters += next.value;
    at += next.length;
  }
  return characters;
}

int64_t plain_matches(const std::u32string& one, const std::u32string& other, size_t order) {
  std::map<std::u32string, int64_t> left;
  int64_t matches = 0;
  for (size_t i = 0; i + order <= one.size(); ++i) ++left[one.substr(i, order)];
  for (size_t i = 0; i + order <= other.size(); ++i) matches += left[other.substr(i, order)]-- > 0;
  return matches;
}

void check_matcher(const Corpus& corpus, size_t orders, bool keep_space, bool wide) {
  const std::string_view text = corpus.hypotheses.texts.pieces[0];
  std::vector<int64_t> matches(orders);
  CharacterMatcher matcher(orders, keep_space, 5, {});
  WideMatcher slow(orders, keep_space, 5, {});
  wide ? slow.begin(text) : matcher.begin(text);
  for (const std::string_view other : corpus.references.texts.pieces) {
    int64_t length = 0;
    std::fill(matches.begin(), matches.end(), 0);
    if (wide) {
      slow.match(other, matches.data(), &length);
    } else {
      length = matcher.match(other, matches.data());
    }
    const std::u32string one = decoded(text, keep_space), two = decoded(other, keep_space);
    require(length == static_cast<int64_t>(two.size()), "the length is that of the characters");
    for (size_t order = 1; order <= orders; ++order) {
      require(matches[order - 1] == plain_matches(one, two, order), "character matches are those of a map");
    }
  }
}

int64_t plain_distance(const std::u32string& one, const std::u32string& two) {
  std::vector<int64_t> row(two.size() + 1);
  for (size_t j = 0; j <= two.size(); ++j) row[j] = static_cast<int64_t>(j);
  for (size_t i = 1; i <= one.size(); ++i) {
    int64_t diagonal = row[0]++;
    for (size_t j = 1; j <= two.size(); ++j) {
      const int64_t replaced = diagonal + (one[i - 1] != two[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const size_t kind = input.number(5), orders = 1 + input.number(8), words = input.number(2);
  const bool flag = input.flag(), other = input.flag();
  const auto nearest = static_cast<Nearest>(input.number(2));
  const Cleaning cleaning{flag, input.flag(), input.flag(), static_cast<Space>(input.number(3))};
  const Reading reading = reading_of(input);
  const Corpus corpus = corpus_of(input, kind == 2);
  if (kind == 0) {
    const CharacterOptions options{orders, words, flag, other, 2.0, input.flag()};
    rows_of(corpus, character_columns(options),
            [&](const Aligned& texts, uint64_t seed) { return character_rows(texts, options, seed); });
  } else if (kind == 1) {
    check_matcher(corpus, orders, flag, other);
  } else if (kind == 2) {
    rows_of(corpus, edit_columns,
            [&](const Aligned& texts, uint64_t seed) { return token_edit_rows(texts, reading, nearest, other, seed); });
  } else if (kind == 3) {
    const std::vector<int64_t> rows = rows_of(corpus, edit_columns, [&](const Aligned& texts, uint64_t seed) {
      return character_edit_rows(texts, {false, false, false, Space::keep}, nearest, other, seed);
    });
    if (corpus.references.texts.segment_ends.empty()) {
      const std::u32string one = decoded(corpus.hypotheses.texts.pieces[0], true);
      const std::u32string two = decoded(corpus.references.texts.pieces[0], true);
      require(rows[1] + rows[2] + rows[3] == plain_distance(one, two), "edits are those of the plain table");
      require(rows[0] + rows[1] + rows[2] == static_cast<int64_t>(two.size()), "every character has its edit");
    }
  } else if (kind == 4) {
    rows_of(corpus, distance_columns,
            [&](const Aligned& texts, uint64_t seed) { return distance_rows(texts, cleaning, other, seed); });
  } else {
    rows_of(corpus, equal_columns, [&](const Aligned& texts, uint64_t) { return equal_rows(texts, cleaning, other); });
  }
  return 0;
}
