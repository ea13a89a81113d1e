// N-grams sought in a stream: any bytes as matches, and texts in pieces and parts against plain loops.
#include "index/ngram_matches.hpp"

#include <map>
#include <set>
#include <stdexcept>

#include "fuzz/input.hpp"

using namespace bleuprint;
using namespace bleuprint::fuzz;

namespace {

constexpr Cancel never;
constexpr Run once{1, never};
using Words = std::vector<std::string>;

Words words_of(Reader& reader, const Texts& texts, size_t text) {
  const Spans& tokens = reader.read(texts, text);
  return {tokens.begin(), tokens.end()};
}

// Every n-gram of the sought texts that stands in a text: the words from each begin on.
std::set<uint64_t> plain_places(const Words& text, const std::set<Words>& sought) {
  std::set<uint64_t> places;
  for (const Words& ngram : sought) {
    for (size_t begin = 0; begin + ngram.size() <= text.size(); ++begin) {
      const auto at = text.begin() + static_cast<std::ptrdiff_t>(begin);
      if (std::equal(ngram.begin(), ngram.end(), at)) places.insert(begin * 1000 + ngram.size());
    }
  }
  return places;
}

void check_texts(Input& input) {
  const Reading reading = reading_of(input);
  const size_t order = 1 + input.number(5), piece = input.number(40);
  const bool whole = input.flag(), tokenized = input.number(3) == 0;
  const Column tests = column_of(input.next_column(), 4, 1, tokenized),
               stream = column_of(input.rest(), 4, 1, tokenized);
  const SoughtNgrams sought(tests.texts, reading, order, whole, 7, once);
  Reader reader(reading);
  std::set<Words> ngrams;
  for (size_t text = 0; text < tests.texts.texts(); ++text) {
    const Words words = words_of(reader, tests.texts, text);
    const size_t size = whole ? std::min(words.size(), order) : order;
    for (size_t begin = 0; size > 0 && begin + size <= words.size(); ++begin) {
      const auto at = words.begin() + static_cast<std::ptrdiff_t>(begin);
      ngrams.insert(Words(at, at + static_cast<std::ptrdiff_t>(size)));
    }
  }
  require(ngrams.size() == sought.size(), "every different n-gram is sought");
  NgramScanner scanner(sought, reading, never, piece);
  for (size_t text = 0; text < stream.texts.texts(); ++text) {
    std::set<uint64_t> found;
    scanner.scan(stream.texts, text, [&](uint32_t ngram, uint64_t word) {
      require(found.insert(word * 1000 + sought.length(ngram)).second, "a place is reported once");
    });
    require(found == plain_places(words_of(reader, stream.texts, text), ngrams),
            "the places are those of a plain loop");
  }
  NgramMatches all, parts;
  add_matches(sought, stream.texts, reading, 0, 0, once, &all, piece);
  for (size_t text = stream.texts.texts(); text-- > 0 && !tokenized;) {
    Texts one;
    one.pieces.push_back(stream.texts.pieces[text]);
    NgramMatches part;
    add_matches(sought, one, reading, 0, text, once, &part, piece);
    parts.merge(part);
  }
  require(tokenized || parts.content() == all.content(), "parts add up to the whole");
  require(NgramMatches::parse(all.content(), sought.size(), 1).content() == all.content(),
          "content is read as written");
  for (size_t text = 0; text < sought.texts(); ++text) all.evidence(sought, text, 1, 3);
  mark_matches(sought, stream.texts, reading, std::vector<bool>(sought.size(), true), once, piece);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 2000) return 0;
  Input input(data, size);
  if (input.flag()) {
    check_texts(input);
    return 0;
  }
  const size_t ngrams = input.number(200);
  try {
    NgramMatches matches = NgramMatches::parse(input.rest(), ngrams, 4);
    require(NgramMatches::parse(matches.content(), ngrams, 4).content() == matches.content(),
            "content is read as written");
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
