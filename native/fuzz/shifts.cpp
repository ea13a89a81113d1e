// Edits with moves: counted for texts of any bytes, and one by one, where they have to add up.
#include "rows/shifts.hpp"

#include <algorithm>

#include "fuzz/input.hpp"
#include "rows/shift_search.hpp"

using namespace bleuprint;
using namespace bleuprint::fuzz;

namespace {

constexpr size_t kinds = 16;

std::vector<uint32_t> ids_of(std::string_view bytes) {
  std::vector<uint32_t> ids;
  for (const char byte : bytes) ids.push_back(static_cast<unsigned char>(byte) % kinds);
  return ids;
}

// A text of one letter for each id.
std::string text_of(const std::vector<uint32_t>& ids) {
  std::string text;
  for (const uint32_t id : ids) text.push_back(static_cast<char>('a' + id));
  return text;
}

Spans letters_of(const std::string& text) {
  Spans letters;
  for (size_t i = 0; i < text.size(); ++i) letters.push_back(std::string_view(text).substr(i, 1));
  return letters;
}

void check_path(std::vector<uint32_t> words, const std::vector<uint32_t>& reference) {
  const std::string text = text_of(words), other = text_of(reference);
  const Region region{text.data(), text.size()}, other_region{other.data(), other.size()};
  ShiftSearch search(7, {});
  search.begin(letters_of(other), other_region);
  const int64_t edits = search.edits(letters_of(text), region, INT64_MAX);
  require(search.edits(letters_of(text), region, INT64_MAX) == edits, "a reference serves again");
  search.begin(reference);
  require(search.edits(words, INT64_MAX) == edits, "numbers stand for words");
  const ShiftPath path = search.path(words.data(), words.size(), reference.data(), reference.size(), kinds);
  for (const Shift& move : path.moves) {
    const Swap swap = move.swap(words.size());
    require(swap.first <= swap.middle && swap.middle <= swap.last && swap.last <= words.size(), "a move stays inside");
    const auto begin = words.begin();
    std::rotate(begin + swap.first, begin + swap.middle, begin + swap.last);
  }
  size_t at = 0, there = 0;
  for (const char step : path.steps) {
    const bool own = step != 'd', theirs = step != 'i';
    require(at + own <= words.size() && there + theirs <= reference.size(), "a path stays inside");
    if (own && theirs) require((words[at] == reference[there]) == (step == '='), "a path hits what is equal");
    at += own;
    there += theirs;
  }
  require(at == words.size() && there == reference.size(), "a path leads to the end");
  const auto hits = std::count(path.steps.begin(), path.steps.end(), '=');
  require(static_cast<int64_t>(path.moves.size() + path.steps.size()) - hits == edits, "a path has the edits counted");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  if (input.flag()) {
    const Reading reading = reading_of(input);
    const Corpus corpus = corpus_of(input);
    rows_of(corpus, shift_columns,
            [&](const Aligned& texts, uint64_t seed) { return shift_rows(texts, reading, reading, seed); });
    return 0;
  }
  const std::vector<uint32_t> words = ids_of(input.next_column());
  check_path(words, ids_of(input.rest()));
  return 0;
}
