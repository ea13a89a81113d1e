#include "rows/distance.hpp"

#include <algorithm>
#include <utility>

#include "rows/alignment.hpp"
#include "rows/units.hpp"

namespace bleuprint {

namespace {

class DistanceRows : public RowCounter {
 public:
  DistanceRows(const Aligned& texts, const Cleaning& cleaning, bool substitutions, uint64_t seed)
      : texts_(texts), units_(cleaning, seed), substitutions_(substitutions), aligner_(texts.cancel, seed) {}

  void count(size_t segment, int64_t* row) override {
    const std::string_view hypothesis =
        units_.hypothesis_text(texts_.hypotheses, texts_.hypotheses.first_text(segment));
    const bool as_bytes = !substitutions_ && is_ascii(hypothesis);
    if (!as_bytes) units_.read_hypothesis(hypothesis, hypothesis_);
    bool has_ids = !as_bytes;
    const size_t first = texts_.references.first_text(segment), last = texts_.references.last_text(segment);
    Apart best;
    for (size_t text = first; text < last; ++text) {
      const std::string_view reference = units_.reference_text(texts_.references, text);
      Apart found;
      if (as_bytes && is_ascii(reference)) {
        found = apart(hypothesis, reference);
      } else {
        if (!has_ids) units_.read_hypothesis(hypothesis, hypothesis_);
        has_ids = true;
        units_.read_reference(reference, reference_);
        found = apart();
      }
      if (text == first || found.share() < best.share()) best = found;
    }
    row[0] += best.distance;
    row[1] += best.length;
  }

 private:
  struct Apart {
    int64_t distance = 0, length = 0;
    double share() const noexcept {
      return length > 0 ? static_cast<double>(distance) / static_cast<double>(length) : 0;
    }
  };

  Apart apart() {
    const size_t h = hypothesis_.size(), r = reference_.size();
    if (substitutions_) {
      const int64_t distance = aligner_.distance(reference_.data(), r, hypothesis_.data(), h, units_.kinds());
      return {distance, static_cast<int64_t>(std::max(h, r))};
    }
    const int64_t both = static_cast<int64_t>(h + r);
    return {both - 2 * aligner_.common(reference_.data(), r, hypothesis_.data(), h, units_.kinds()), both};
  }

  // ASCII as it is: making ids of it takes as long as comparing. A row costs a step for every 64 columns, and either
  // text may be the rows.
  Apart apart(std::string_view rows, std::string_view columns) {
    constexpr size_t kinds = 0x80, word = 64;
    const auto steps = [](size_t row_count, size_t column_count) {
      return (column_count + word - 1) / word * row_count;
    };
    if (steps(columns.size(), rows.size()) < steps(rows.size(), columns.size())) std::swap(rows, columns);
    const auto bytes = [](std::string_view text) { return reinterpret_cast<const uint8_t*>(text.data()); };
    const int64_t both = static_cast<int64_t>(rows.size() + columns.size());
    return {both - 2 * aligner_.common(bytes(columns), columns.size(), bytes(rows), rows.size(), kinds), both};
  }

  Aligned texts_;
  CharacterIds units_;
  bool substitutions_;
  Aligner aligner_;
  Ids hypothesis_;
  Ids reference_;
};

}  // namespace

std::unique_ptr<RowCounter> distance_rows(const Aligned& texts, const Cleaning& cleaning, bool substitutions,
                                          uint64_t seed) {
  return std::make_unique<DistanceRows>(texts, cleaning, substitutions, seed);
}

}  // namespace bleuprint
