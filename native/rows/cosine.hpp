// Cosines between hypotheses and references, whose n-grams a prior weights by rarity.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "pool/prior.hpp"
#include "rows/count_rows.hpp"
#include "rows/segment_grams.hpp"

namespace bleuprint {

// The cosine between hypothesis and reference, whose coordinates are counts times rarities, as a mean over references.
struct CosineOptions {
  bool clipped;  // count a hypothesis' n-gram at most as often as the reference has it
  double sigma;  // scale of a Gaussian penalty on the difference of lengths; 0 for none
};
constexpr int cosine_bits = 36;  // a column for each order, in units of 2^-36

// The n-grams of one order of a segment, counted: what a cosine is computed from.
class CountVectors {
 public:
  void count(const SegmentGrams& segment, const CosineOptions& options);

  // In units of 2^-36; `squares` has the squared rarity of every n-gram.
  int64_t mean_cosine(const std::vector<double>& squares, const std::vector<double>& penalties) const;
  bool any_shared() const noexcept { return any_shared_; }  // without, the cosine is 0 whatever the weights

 private:
  // In the order of appearance, which is the same for equal texts: their sums are then equal, and their cosine is
  // exactly 1.
  struct Coordinate {
    uint32_t gram;
    uint32_t count;
    uint32_t ours;  // of a reference: times the count of the hypothesis, as far as it counts
  };

  std::vector<Coordinate> coordinates_;
  std::vector<size_t> ends_;                   // of the texts
  std::vector<uint32_t> hypothesis_, counts_;  // by n-gram
  bool any_shared_ = false;
};

// By reference, 1 where there are none.
void length_penalties(const SegmentGrams& segment, const CosineOptions& options, std::vector<double>* penalties);

std::unique_ptr<RowCounter> cosine_rows(const Aligned& texts, const Reading& reading,
                                        std::shared_ptr<const Prior> prior, const CosineOptions& options,
                                        uint64_t seed);

}  // namespace bleuprint
