// Cosines between hypotheses and references, whose n-grams a prior weights by rarity.
#pragma once

#include <cstdint>
#include <memory>

#include "pool/prior.hpp"
#include "rows/count_rows.hpp"

namespace bleuprint {

// The cosine between hypothesis and reference, whose coordinates are counts times rarities, as a mean over references.
struct CosineOptions {
  bool clipped;  // count a hypothesis' n-gram at most as often as the reference has it
  double sigma;  // scale of a Gaussian penalty on the difference of lengths; 0 for none
};
constexpr int cosine_bits = 36;  // a column for each order, in units of 2^-36

std::unique_ptr<RowCounter> cosine_rows(const Aligned& texts, const Reading& reading,
                                        std::shared_ptr<const Prior> prior, const CosineOptions& options,
                                        uint64_t seed);

}  // namespace bleuprint
