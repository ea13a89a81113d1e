// N-gram matches with a reference less those with the source that the reference does not have.
#pragma once

#include <cstdint>
#include <memory>

#include "rows/count_rows.hpp"

namespace bleuprint {

// Matches with the first reference, less the matches with the source that this reference does not have at all; never
// below zero in any order. Row layout as for clipped_rows.
std::unique_ptr<RowCounter> corrected_rows(const Aligned& texts, const Reading& reading, size_t max_order,
                                           uint64_t seed);

}  // namespace bleuprint
