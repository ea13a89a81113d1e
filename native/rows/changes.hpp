// N-grams that a text adds to its source, keeps of it and deletes from it, against those that references do.
#pragma once

#include <memory>

#include "rows/count_rows.hpp"

namespace bleuprint {

// Counts of the source and the hypothesis are multiplied by the number of references, those of all references summed,
// so that an n-gram that half of the references keep is half kept. Columns for each order, nine of them:
//   added: by both, by the hypothesis, by the references (different n-grams)
//   kept: by both, by the hypothesis, by the references
//   deleted: by both, by the hypothesis, by the references
// With `shares` precision is a mean over different n-grams, and deleted means absent from the references altogether:
//   added: as above
//   kept: by both, by the references, shares of what the hypothesis keeps, different n-grams it keeps
//   deleted: shares of what the hypothesis deletes, different n-grams it deletes
// where shares are in units of 2^-36, and an empty text has one empty token.
constexpr size_t changes_per_order = 9;
constexpr int share_bits = 36;

std::unique_ptr<RowCounter> change_rows(const Aligned& texts, const Reading& reading, size_t max_order, bool shares,
                                        uint64_t seed);

}  // namespace bleuprint
