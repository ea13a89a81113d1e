// Counts of a corpus, rows weighed by them, and rows of a language model trained on the same texts.
#include "fuzz/input.hpp"
#include "language_model/rows.hpp"
#include "pool/fill.hpp"
#include "pool/prior.hpp"
#include "rows/cosine.hpp"
#include "rows/informed.hpp"
#include "rows/leave_out.hpp"

using namespace bleuprint;
using namespace bleuprint::fuzz;

namespace {

constexpr Cancel never;

Texts without(const Texts& texts, size_t segment) {
  Texts left;
  left.tokenized = texts.tokenized;
  for (size_t i = 0; i < texts.segments(); ++i) {
    for (size_t text = texts.first_text(i); i != segment && text < texts.last_text(i); ++text) {
      if (!texts.tokenized) {
        left.pieces.push_back(texts.pieces[text]);
        continue;
      }
      texts.for_each_token(
          text, [&](std::string_view token) { left.token_lengths.push_back(static_cast<uint32_t>(token.size())); });
      left.end_text(texts.text_begins[text]);
    }
    if (i != segment && !texts.segment_ends.empty()) left.segment_ends.push_back(left.texts());
  }
  return left;
}

std::shared_ptr<const Prior> prior_of(const Texts& texts, const Reading& reading, size_t orders, Counting counting,
                                      uint64_t seed, unsigned threads) {
  auto prior = std::make_shared<Prior>(orders, counting, seed);
  prior->fit(texts, reading, {threads, never});
  return prior;
}

// The same numbers by counting again: the columns without each segment, a prior of the references that are left, and
// the sum of the rows.
template <typename Make, typename LeaveOut>
void check_left_out(const Corpus& corpus, size_t columns, const Reading& reading, size_t orders, Counting counting,
                    bool informed, Make make, LeaveOut leave_out) {
  std::vector<int64_t> sums(corpus.segments * columns, 0);
  leave_out(corpus.aligned(), sums.data());
  for (size_t segment = 0; segment < corpus.segments; ++segment) {
    const Texts hypotheses = without(corpus.hypotheses.texts, segment);
    const Texts references = without(corpus.references.texts, segment);
    const Aligned texts{hypotheses, references, nullptr, never};
    const auto prior = prior_of(references, reading, orders, counting, 1, 1);
    std::vector<int64_t> expected(columns, 0);
    count_rows(texts, columns, [&] { return make(texts, prior); }, 1, true, expected.data(), never);
    int64_t* found = sums.data() + segment * columns;
    for (size_t column = 2; informed && column < columns; column += 3) {
      for (int64_t* row : {found, expected.data()}) {
        row[column + 1] += row[column] << weight_bits;
        row[column] = 0;
      }
    }
    require(std::equal(expected.begin(), expected.end(), found), "leaving a segment out is counting without it");
  }
}

void check_model(const Corpus& corpus, const Reading& reading, const TrainingOptions& options) {
  const auto train = [&](uint64_t seed) {
    Pool pool(seed);
    fill(pool, corpus.references.texts, reading, seed, {1, never});
    return train_model(pool, options, seed, {1, never});
  };
  try {
    const LanguageModel model = train(1);
    const std::string packed = pack_model(model, "note", {1, never});
    require(packed == pack_model(train(2), "note", {1, never}), "training does not depend on the seed");
    Unpacked again = unpack_model(packed, 3, {1, never});
    require(again.note == "note" && pack_model(again.model, "note", {1, never}) == packed, "packing is reversible");
    const auto rows = rows_of(corpus, model_columns,
                              [&](const Aligned& texts, uint64_t) { return model_rows(texts, reading, model); });
    require(rows == rows_of(corpus, model_columns,
                            [&](const Aligned& texts, uint64_t) { return model_rows(texts, reading, again.model); }),
            "an unpacked model says the same");
    const LanguageModel read = read_arpa(write_arpa(model, {1, never}), 4, {1, never});
    require(read.words() == model.words() && read.order() == model.order(), "ARPA keeps words and order");
  } catch (const ModelFault&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const Reading reading = reading_of(input);
  const size_t kind = input.number(2), orders = 1 + input.number(4);
  const bool flag = input.flag();
  const size_t prune = input.number(2);
  const Corpus corpus = corpus_of(input);
  if (kind == 2) {
    TrainingOptions options{orders, std::vector<uint64_t>(orders, 0), {}, flag};
    for (size_t i = 1; i < orders; ++i) options.prune[i] = prune;
    if (input.flag() || flag) options.discounts = {0.5, 1.0, 1.5};
    check_model(corpus, reading, options);
    return 0;
  }
  const Counting counting = kind == 0 ? Counting::occurrences : Counting::segments;
  const auto prior = prior_of(corpus.references.texts, reading, orders, counting, 1, 1);
  require(prior->content() == prior_of(corpus.references.texts, reading, orders, counting, 9, 2)->content(),
          "a prior depends on neither seed nor threads");
  if (kind == 0) {
    rows_of(corpus, informed_columns(orders),
            [&](const Aligned& texts, uint64_t seed) { return informed_rows(texts, reading, prior, seed); });
    check_left_out(
        corpus, informed_columns(orders), reading, orders, counting, true,
        [&](const Aligned& texts, const auto& left) { return informed_rows(texts, reading, left, 3); },
        [&](const Aligned& texts, int64_t* sums) {
          informed_without_each(texts, reading, *prior, 5, {1, never}, sums);
        });
  } else {
    const CosineOptions options{flag, flag ? 6.0 : 0.0};
    rows_of(corpus, orders,
            [&](const Aligned& texts, uint64_t seed) { return cosine_rows(texts, reading, prior, options, seed); });
    if (corpus.segments == 1) return 0;
    check_left_out(
        corpus, orders, reading, orders, counting, false,
        [&](const Aligned& texts, const auto& left) { return cosine_rows(texts, reading, left, options, 3); },
        [&](const Aligned& texts, int64_t* sums) {
          cosines_without_each(texts, reading, *prior, options, 5, {2, never}, sums);
        });
  }
  return 0;
}
