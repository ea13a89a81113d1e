// Texts of a column into a pool.
#pragma once

#include "columns/segments.hpp"
#include "pool/pool.hpp"

namespace bleuprint {

// Adds every text, in order. Returns false, with the pool unchanged, when cancelled.
bool fill(Pool& pool, const Texts& texts, const Reading& reading, uint64_t seed, const Run& run);

}  // namespace bleuprint
