// Edit operations between a hypothesis and the reference nearest to it.
#pragma once

#include <cstdint>
#include <memory>

#include "rows/count_rows.hpp"
#include "text/clean.hpp"

namespace bleuprint {

// Which reference is nearest; the first of equals. With h hits, s substitutions, d deletions and i insertions:
enum class Nearest : uint8_t {
  per_reference,  // least (s + d + i) / (h + s + d), or i if the reference is empty
  per_alignment,  // least (s + d + i) / (h + s + d + i)
  information,    // largest h / (h + s + d) · h / (h + s + i)
};

// `divides` is told to the aligner.
// Row layout: hits, substitutions, deletions, insertions; of tokens, or of code points. Code points need
// texts that are strings.
std::unique_ptr<RowCounter> token_edit_rows(const Aligned& texts, const Reading& reading, Nearest nearest, bool divides,
                                            uint64_t seed);
std::unique_ptr<RowCounter> character_edit_rows(const Aligned& texts, const Cleaning& cleaning, Nearest nearest,
                                                bool divides, uint64_t seed);
constexpr size_t edit_columns = 4;

}  // namespace bleuprint
