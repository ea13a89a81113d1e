#include "rows/best_overlap.hpp"

#include <algorithm>

#include "rows/ngrams.hpp"

namespace bleuprint {

namespace {

int64_t ngrams_of(int64_t length, size_t min_order, size_t max_order) noexcept {
  int64_t sum = 0;
  for (size_t order = min_order; order <= max_order; ++order) {
    sum += std::max<int64_t>(0, length - static_cast<int64_t>(order) + 1);
  }
  return sum;
}

class BestOverlapRows : public RowCounter {
 public:
  BestOverlapRows(const Aligned& texts, const Reading& reading, size_t min_order, size_t max_order, uint64_t seed)
      : texts_(texts),
        hypothesis_(reading, texts.cancel, texts.shared),
        reference_(reading, texts.cancel, texts.shared),
        min_order_(min_order),
        max_order_(max_order),
        counter_({max_order, LengthRule::closest, 0}, seed, texts.cancel),
        clipped_(clip_columns(max_order)) {}

  void count(size_t segment, int64_t* row) override {
    const Spans& hypothesis = hypothesis_.read(texts_.hypotheses, texts_.hypotheses.first_text(segment));
    Overlap best;
    const size_t last = texts_.references.last_text(segment);
    for (size_t text = texts_.references.first_text(segment); text < last; ++text) {
      const Overlap overlap = with(hypothesis, reference_.read(texts_.references, text));
      if (overlap.larger > 0 && (best.larger == 0 || overlap.share() > best.share())) best = overlap;
    }
    row[0] += best.matches;
    row[1] += best.larger;
    row[2] += best.hypothesis;
    row[3] += best.reference;
  }

 private:
  struct Overlap {
    int64_t matches = 0, larger = 0, hypothesis = 0, reference = 0;
    double share() const noexcept { return static_cast<double>(matches) / static_cast<double>(larger); }
  };

  Overlap with(const Spans& hypothesis, const Spans& reference) {
    std::fill(clipped_.begin(), clipped_.end(), 0);
    counter_.begin(hypothesis, hypothesis_.region());
    counter_.add_reference(reference, reference_.region());
    counter_.finish(clipped_.data());
    Overlap overlap;
    for (size_t order = min_order_; order <= max_order_; ++order) overlap.matches += clipped_[1 + order];
    overlap.hypothesis = ngrams_of(clipped_[0], min_order_, max_order_);
    overlap.reference = ngrams_of(clipped_[1], min_order_, max_order_);
    overlap.larger = std::max(overlap.hypothesis, overlap.reference);
    return overlap;
  }

  Aligned texts_;
  Reader hypothesis_;
  Reader reference_;
  size_t min_order_;
  size_t max_order_;
  ClippedCounter counter_;
  std::vector<int64_t> clipped_;
};

}  // namespace

std::unique_ptr<RowCounter> best_overlap_rows(const Aligned& texts, const Reading& reading, size_t min_order,
                                              size_t max_order, uint64_t seed) {
  return std::make_unique<BestOverlapRows>(texts, reading, min_order, max_order, seed);
}

}  // namespace bleuprint
