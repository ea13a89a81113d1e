// Words of a text matched one to one with those of a reference, in stages, and the runs that the matches make.
#pragma once

#include <memory>

#include "rows/count_rows.hpp"
#include "text/synonyms.hpp"

namespace bleuprint {

// Each stage matches words that the one before left over. It goes through the text from its end and gives each word the
// last word of the reference that fits and is still free.
struct Stages {
  bool exact;                                // words that are equal
  bool stem;                                 // equal stems; what it leaves over goes on as stems
  std::shared_ptr<const Synonyms> synonyms;  // words of which the text's one has the reference's as a synonym, or none
  bool lowered;                              // whether the words are in lower case when they are read
};

// F = P · R / (w · P + (1 - w) · R), less the share weight · (chunks / matches) ^ exponent of it.
struct MatchScore {
  double recall_weight, exponent, chunk_weight;
};

// Of several references the one with the highest score counts, the first of equals.
// Row layout: matches, chunks, words of the text, words of that reference.
std::unique_ptr<RowCounter> staged_match_rows(const Aligned& texts, const Reading& reading, const Stages& stages,
                                              const MatchScore& score, uint64_t seed);
constexpr size_t staged_match_columns = 4;

}  // namespace bleuprint
