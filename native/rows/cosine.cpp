#include "rows/cosine.hpp"

#include <algorithm>
#include <cmath>

namespace bleuprint {

namespace {

class CosineRows : public RowCounter {
 public:
  CosineRows(const Aligned& texts, const Reading& reading, std::shared_ptr<const Prior> prior,
             const CosineOptions& options, uint64_t seed)
      : prior_(std::move(prior)), options_(options), segment_(texts, reading, *prior_, seed) {}

  void count(size_t segment, int64_t* row) override {
    segment_.read(segment);
    length_penalties(segment_, options_, &penalties_);
    for (size_t order = 1; order <= prior_->max_order(); ++order) {
      if (order > 1) segment_.extend();
      vectors_.count(segment_, options_);
      weigh();
      row[order - 1] += vectors_.mean_cosine(squares_, penalties_);
    }
  }

 private:
  void weigh() {
    squares_.clear();
    for (const SegmentGrams::Gram& gram : segment_.grams()) {
      const double rarity = prior_->rarity(gram.node);
      squares_.push_back(rarity * rarity);
    }
  }

  std::shared_ptr<const Prior> prior_;
  CosineOptions options_;
  SegmentGrams segment_;
  CountVectors vectors_;
  std::vector<double> squares_, penalties_;  // by n-gram; by reference
};

}  // namespace

void CountVectors::count(const SegmentGrams& segment, const CosineOptions& options) {
  coordinates_.clear();
  ends_.clear();
  any_shared_ = false;
  hypothesis_.assign(segment.grams().size(), 0);
  counts_.assign(segment.grams().size(), 0);
  for (const uint32_t* at = segment.begin(0); at != segment.end(0); ++at) ++hypothesis_[*at];
  for (size_t text = 0; text < segment.texts(); ++text) {
    const size_t first = coordinates_.size();
    for (const uint32_t* at = segment.begin(text); at != segment.end(text); ++at) {
      if (counts_[*at]++ == 0) coordinates_.push_back({*at, 0, 0});
    }
    for (size_t i = first; i < coordinates_.size(); ++i) {
      Coordinate& each = coordinates_[i];
      each.count = counts_[each.gram];
      each.ours = options.clipped ? std::min(hypothesis_[each.gram], each.count) : hypothesis_[each.gram];
      any_shared_ |= text > 0 && each.ours > 0;
      counts_[each.gram] = 0;
    }
    ends_.push_back(coordinates_.size());
  }
}

int64_t CountVectors::mean_cosine(const std::vector<double>& squares, const std::vector<double>& penalties) const {
  if (!any_shared_) return 0;
  double hypothesis_norm = 0;
  for (size_t i = 0; i < ends_[0]; ++i) {
    const Coordinate& each = coordinates_[i];
    hypothesis_norm += squares[each.gram] * each.count * each.count;
  }
  int64_t sum = 0;
  for (size_t text = 1; text < ends_.size(); ++text) {
    double norm = 0, product = 0;
    for (size_t i = ends_[text - 1]; i < ends_[text]; ++i) {
      const Coordinate& each = coordinates_[i];
      const double square = squares[each.gram];
      norm += square * each.count * each.count;
      product += square * each.ours * each.count;
    }
    const double norms = std::sqrt(hypothesis_norm * norm);
    const double cosine = norms > 0 ? product / norms : 0;
    sum += std::llround(std::ldexp(cosine * penalties[text - 1], cosine_bits));
  }
  const auto references = static_cast<int64_t>(penalties.size());
  return (sum + references / 2) / references;
}

void length_penalties(const SegmentGrams& segment, const CosineOptions& options, std::vector<double>* penalties) {
  penalties->clear();
  for (size_t text = 1; text < segment.texts(); ++text) {
    const auto difference = static_cast<double>(segment.length(0) - segment.length(text));
    const double scaled = -(difference * difference) / (2 * options.sigma * options.sigma);
    penalties->push_back(options.sigma == 0 ? 1 : std::exp(scaled));
  }
}

std::unique_ptr<RowCounter> cosine_rows(const Aligned& texts, const Reading& reading,
                                        std::shared_ptr<const Prior> prior, const CosineOptions& options,
                                        uint64_t seed) {
  return std::make_unique<CosineRows>(texts, reading, std::move(prior), options, seed);
}

}  // namespace bleuprint
