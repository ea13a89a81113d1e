// Character and word n-grams shared with the best reference.
#pragma once

#include <cstdint>
#include <memory>

#include "rows/count_rows.hpp"

namespace bleuprint {

struct CharacterOptions {
  size_t character_order;
  size_t word_order;
  bool lowercase;
  bool keep_space;       // count white space as characters
  double recall_factor;  // how many times as much recall counts as precision
  bool mean_of_scores;   // of references, compare the mean of the orders' F scores, not the F score of their means
};

// For each order of characters and then of words: n-grams of the hypothesis (0 where the reference has none), n-grams
// of the reference, matches; of the reference with the highest F score, the first of equals.
std::unique_ptr<RowCounter> character_rows(const Aligned& texts, const CharacterOptions& options, uint64_t seed);

inline size_t character_columns(const CharacterOptions& options) noexcept {
  return 3 * (options.character_order + options.word_order);
}

}  // namespace bleuprint
