// Rows of token n-grams: clipped, best overlap, corrected, changes, best match by n-grams, subsequences and lines.
#include <algorithm>
#include <map>

#include "fuzz/input.hpp"
#include "rows/best_match.hpp"
#include "rows/best_overlap.hpp"
#include "rows/changes.hpp"
#include "rows/clipped.hpp"
#include "rows/corrected.hpp"

using namespace bleuprint;
using namespace bleuprint::fuzz;

namespace {

using Gram = std::vector<std::string>;
using Counts = std::map<Gram, int64_t>;

std::vector<std::string> tokens_of(Reader& reader, const Texts& texts, size_t text) {
  std::vector<std::string> tokens;
  for (const std::string_view token : reader.read(texts, text)) tokens.emplace_back(token);
  return tokens;
}

Counts counts_of(const std::vector<std::string>& tokens, size_t order) {
  Counts counts;
  for (size_t i = 0; i + order <= tokens.size(); ++i) ++counts[Gram(tokens.begin() + i, tokens.begin() + i + order)];
  return counts;
}

void check_clipped(const Corpus& corpus, const Reading& reading, size_t orders, const std::vector<int64_t>& rows) {
  Reader reader(reading);
  for (size_t segment = 0; segment < corpus.segments; ++segment) {
    const int64_t* const row = rows.data() + segment * clip_columns(orders);
    const std::vector<std::string> tokens = tokens_of(reader, corpus.hypotheses.texts, segment);
    require(row[0] == static_cast<int64_t>(tokens.size()), "the length is that of the tokens");
    for (size_t order = 1; order <= orders; ++order) {
      Counts most;
      const Texts& references = corpus.references.texts;
      for (size_t text = references.first_text(segment); text < references.last_text(segment); ++text) {
        for (const auto& [gram, count] : counts_of(tokens_of(reader, references, text), order)) {
          most[gram] = std::max(most[gram], count);
        }
      }
      int64_t matches = 0, total = 0;
      for (const auto& [gram, count] : counts_of(tokens, order)) {
        total += count;
        const auto found = most.find(gram);
        if (found != most.end()) matches += std::min(count, found->second);
      }
      require(row[1 + order] == matches, "matches are those of a map");
      require(row[1 + orders + order] == total, "totals are those of a map");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const Reading reading = reading_of(input);
  const size_t kind = input.number(4), orders = 1 + input.number(5);
  const bool flag = input.flag();
  const auto rule = static_cast<LengthRule>(input.number(2));
  const Corpus corpus = corpus_of(input);
  if (kind == 0) {
    const ClipOptions options{orders, rule, 0};
    check_clipped(corpus, reading, orders,
                  rows_of(corpus, clip_columns(orders), [&](const Aligned& texts, uint64_t seed) {
                    return clipped_rows(texts, reading, options, seed);
                  }));
  } else if (kind == 1) {
    rows_of(corpus, best_overlap_columns,
            [&](const Aligned& texts, uint64_t seed) { return best_overlap_rows(texts, reading, 1, orders, seed); });
  } else if (kind == 2) {
    rows_of(corpus, clip_columns(orders),
            [&](const Aligned& texts, uint64_t seed) { return corrected_rows(texts, reading, orders, seed); });
  } else if (kind == 3) {
    rows_of(corpus, changes_per_order * orders,
            [&](const Aligned& texts, uint64_t seed) { return change_rows(texts, reading, orders, flag, seed); });
  } else {
    const std::vector<Measure> measures{
        {Measure::Kind::ngrams, orders}, {Measure::Kind::subsequence, 0}, {Measure::Kind::lines, 0}};
    rows_of(corpus, best_match_columns(measures.size()), [&](const Aligned& texts, uint64_t seed) {
      return best_match_rows(texts, {reading, flag}, measures, seed);
    });
  }
  return 0;
}
