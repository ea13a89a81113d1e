// Runs of words that a text has in common with its source.
#pragma once

#include <memory>

#include "rows/count_rows.hpp"

namespace bleuprint {

// Fragments are taken from the text from left to right, each as long as possible: at every word, the source is walked
// through once, from one run that begins with this word to the next behind it, and the first of the longest runs is
// taken. Columns: words of the text, words of the source, fragments, words in fragments, squares of their lengths;
// then for each order: different n-grams of the text, and those that the source does not have.
inline size_t fragment_columns(size_t max_order) noexcept { return 5 + 2 * max_order; }

std::unique_ptr<RowCounter> fragment_rows(const Aligned& texts, const Reading& reading, size_t max_order,
                                          uint64_t seed);

}  // namespace bleuprint
