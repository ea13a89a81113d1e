#include "rows/edits.hpp"

#include "rows/alignment.hpp"
#include "rows/units.hpp"

namespace bleuprint {

namespace {

double rate(const Operations& found, Nearest nearest) noexcept {
  const auto hits = static_cast<double>(found.hits);
  const auto errors = static_cast<double>(found.substitutions + found.deletions + found.insertions);
  const auto reference = static_cast<double>(found.hits + found.substitutions + found.deletions);
  const auto hypothesis = static_cast<double>(found.hits + found.substitutions + found.insertions);
  if (errors == 0) return 0;
  switch (nearest) {
    case Nearest::per_reference:
      return reference > 0 ? errors / reference : errors;
    case Nearest::per_alignment:
      return errors / (hits + errors);
    case Nearest::information:
      return hits > 0 ? 1 - hits / reference * (hits / hypothesis) : 1;
  }
  return 0;
}

template <typename Units>
class EditRows : public RowCounter {
 public:
  EditRows(const Aligned& texts, Units units, Nearest nearest, bool divides, uint64_t seed)
      : texts_(texts), units_(std::move(units)), nearest_(nearest), aligner_(texts.cancel, seed, divides) {}

  void count(size_t segment, int64_t* row) override {
    units_.read_hypothesis(texts_.hypotheses, texts_.hypotheses.first_text(segment), hypothesis_);
    const size_t first = texts_.references.first_text(segment), last = texts_.references.last_text(segment);
    Operations best;
    for (size_t text = first; text < last; ++text) {
      units_.read_reference(texts_.references, text, reference_);
      const Operations found =
          aligner_.align(reference_.data(), reference_.size(), hypothesis_.data(), hypothesis_.size(), units_.kinds());
      if (text == first || rate(found, nearest_) < rate(best, nearest_)) best = found;
    }
    row[0] += best.hits;
    row[1] += best.substitutions;
    row[2] += best.deletions;
    row[3] += best.insertions;
  }

 private:
  Aligned texts_;
  Units units_;
  Nearest nearest_;
  Aligner aligner_;
  Ids hypothesis_;
  Ids reference_;
};

}  // namespace

std::unique_ptr<RowCounter> token_edit_rows(const Aligned& texts, const Reading& reading, Nearest nearest, bool divides,
                                            uint64_t seed) {
  return std::make_unique<EditRows<TokenIds>>(texts, TokenIds(texts, reading, seed), nearest, divides, seed);
}

std::unique_ptr<RowCounter> character_edit_rows(const Aligned& texts, const Cleaning& cleaning, Nearest nearest,
                                                bool divides, uint64_t seed) {
  return std::make_unique<EditRows<CharacterIds>>(texts, CharacterIds(cleaning, seed), nearest, divides, seed);
}

}  // namespace bleuprint
