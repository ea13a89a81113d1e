// Texts of a column into a pool.
#pragma once

#include "columns/segments.hpp"
#include "parallel.hpp"
#include "pool/pool.hpp"

namespace bleuprint {

// Adds every text, in order. The pool is unchanged where that is cancelled.
void fill(Pool& pool, const Texts& texts, const Reading& reading, uint64_t seed, const Run& run);

}  // namespace bleuprint
