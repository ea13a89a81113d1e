// What a text shares with the one of its references that it matches best, by several measures at once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "columns/line_words.hpp"
#include "rows/count_rows.hpp"

namespace bleuprint {

struct Measure {
  enum class Kind : uint8_t {
    ngrams,       // clipped n-grams of one order
    subsequence,  // the longest common subsequence of the whole texts
    lines,        // per line of the reference the union of its subsequences with every line, clipped by word
  };
  Kind kind;
  size_t order;  // of n-grams
};

// Per measure the reference with the highest F1 of matches / words of the hypothesis and matches / words of the
// reference, the first of equals. Row layout, per measure: matches, units of the hypothesis, units of that reference.
std::unique_ptr<RowCounter> best_match_rows(const Aligned& texts, const WordReading& reading,
                                            std::vector<Measure> measures, uint64_t seed);
inline size_t best_match_columns(size_t measures) noexcept { return 3 * measures; }

}  // namespace bleuprint
