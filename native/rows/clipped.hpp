// Clipped n-gram matches of hypotheses with all their references.
#pragma once

#include <cstdint>
#include <memory>

#include "rows/count_rows.hpp"
#include "rows/ngrams.hpp"

namespace bleuprint {

// Row layout: hypothesis length, reference length, matches of order 1..N, totals of order 1..N.
std::unique_ptr<RowCounter> clipped_rows(const Aligned& texts, const Reading& reading, const ClipOptions& options,
                                         uint64_t seed);

}  // namespace bleuprint
