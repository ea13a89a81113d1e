// Rows of token n-grams: clipped, best overlap, corrected, changes, best match by n-grams, subsequences and lines.
#include <algorithm>
#include <map>

#include "columns/token_bytes.hpp"
#include "fuzz/input.hpp"
#include "rows/best_match.hpp"
#include "rows/best_overlap.hpp"
#include "rows/changes.hpp"
#include "rows/clipped.hpp"
#include "rows/corrected.hpp"
#include "rows/row_values.hpp"

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

// The tokens of the texts, copied as the columns of tokens hold them.
Texts copy_of(const Texts& texts, const Reading& reading, TokenBytes& bytes) {
  Texts copy;
  copy.tokenized = copy.padded = true;
  copy.segment_ends = texts.segment_ends;
  Reader reader(reading);
  for (size_t text = 0; text < texts.texts(); ++text) {
    for (const std::string_view token : reader.read(texts, text)) {
      // Every other text as tokens that lie in objects.
      const std::string object = "the head" + std::string(token);
      const bool inner = text % 2 == 1;
      copy.token_lengths.push_back(bytes.add(inner ? std::string_view(object).substr(8) : token, inner));
    }
    copy.end_text(bytes.end_text());
  }
  return copy;
}

std::vector<int64_t> clipped_rows_of(const Texts& hypotheses, const Texts& references, const Reading& reading,
                                     const ClipOptions& options) {
  const std::unique_ptr<RowCounter> counter = clipped_rows({hypotheses, references, nullptr}, reading, options, 7);
  const size_t columns = clip_columns(options.max_order);
  std::vector<int64_t> rows(hypotheses.segments() * columns);
  for (size_t i = 0; i < hypotheses.segments(); ++i) counter->count(i, rows.data() + i * columns);
  return rows;
}

// Tokens that were copied have the rows of the texts, and so do texts that are picked, one reference at a time.
void check_copies(const Corpus& corpus, const Reading& reading, const ClipOptions& options) {
  const Texts& references = corpus.references.texts;
  TokenBytes bytes;
  const Texts tokens = copy_of(corpus.hypotheses.texts, reading, bytes), others = copy_of(references, reading, bytes);
  const Reading plain{reading.tokenizer, false};
  const std::vector<int64_t> rows = clipped_rows_of(corpus.hypotheses.texts, references, reading, options);
  require(rows == clipped_rows_of(tokens, others, plain, options), "copied tokens have the rows of the texts");
  Texts one = tokens, other = others;
  other.segment_ends.clear();
  std::vector<int64_t> expected;
  for (size_t text = others.texts(); text-- > 0;) {
    Texts hypothesis = tokens, reference = others;
    reference.segment_ends.clear();
    hypothesis.picks = {0};
    reference.picks = {static_cast<uint32_t>(text)};
    for (const int64_t number : clipped_rows_of(hypothesis, reference, plain, options)) expected.push_back(number);
    one.picks.push_back(0);
    other.picks.push_back(static_cast<uint32_t>(text));
  }
  require(expected == clipped_rows_of(one, other, plain, options), "a text that is picked again has the same rows");
}

// One number from a row, whatever the options.
void check_values(const std::vector<int64_t>& rows, size_t orders, Input& input) {
  GeometricOptions options{orders,          std::vector<double>(1 + input.number(orders - 1), 0),
                           Smoothing::none, 0.5,
                           input.flag(),    input.flag(),
                           input.flag(),    static_cast<ZeroWhen>(input.number(2))};
  options.smoothing = static_cast<Smoothing>(input.number(4));
  for (double& weight : options.weights) weight = 1.0 / static_cast<double>(options.weights.size());
  const RowFormula geometric = geometric_formula(options), harmonic = harmonic_formula(1);
  for (size_t at = 0; at + clip_columns(orders) <= rows.size(); at += clip_columns(orders)) {
    double value = -1;
    geometric.compute(rows.data() + at, &value);
    require(value >= 0 && value <= 1 + 1e-9, "a geometric mean of shares is a share");
    const int64_t triple[] = {rows[at + 2], rows[at], std::max(rows[at + 1], rows[at + 2])};
    double values[3];
    harmonic.compute(triple, values);
    require(values[2] >= 0 && values[2] <= 1, "a harmonic mean of shares is a share");
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
    check_copies(corpus, reading, options);
    check_values(clipped_rows_of(corpus.hypotheses.texts, corpus.references.texts, reading, options), orders, input);
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
