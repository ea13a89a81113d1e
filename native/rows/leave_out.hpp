// Each segment left out of a corpus that is weighed by a prior of its own references: the sums of the rows of all
// others, weighed by what the prior would have counted without the segment.
#pragma once

#include <cstdint>

#include "rows/cosine.hpp"
#include "rows/informed.hpp"

namespace bleuprint {

// The prior has counted these references, as read here, and no others; `sums` has one zeroed row per segment.
//
// Without a segment, its n-grams and those that begin with them have other weights, so what a sum of informed rows
// changes by is found in time that is linear in the segment's tokens.
void informed_without_each(const Aligned& texts, const Reading& reading, const Prior& prior, uint64_t seed,
                           const Run& run, int64_t* sums);

// A cosine is not linear in the weights, so this looks at every pair of segments that share an n-gram.
void cosines_without_each(const Aligned& texts, const Reading& reading, const Prior& prior,
                          const CosineOptions& options, uint64_t seed, const Run& run, int64_t* sums);

}  // namespace bleuprint
