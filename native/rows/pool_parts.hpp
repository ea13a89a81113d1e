// Numbers of many parts of a pool, from one count of its n-grams.
//
// A part is some of the texts. Each text has one bit for each part, and 64 of them are a word, so that one operation
// serves 64 parts: a test that swaps the texts of two pools a thousand times counts them once.
#pragma once

#include <cstdint>
#include <vector>

#include "parallel.hpp"
#include "pool/pool.hpp"
#include "rows/row_values.hpp"

namespace bleuprint {

class PoolParts {
 public:
  PoolParts(const Pool& pool, size_t max_order, const Run& run);

  size_t texts() const { return lengths_.size(); }

  // Bit p of members[word * texts() + text] says that part 64 * word + p has the text. The results have a row for each
  // part, those of the last word included.

  // The mean over the texts of a part of each formula, of a text's row against the other texts of the part:
  // means[part * formulas.size() + formula].
  void leave_one_out(const uint64_t* members, size_t words, const std::vector<RowFormula>& formulas, double* means,
                     const Run& run) const;

 private:
  std::vector<NgramSets> orders_;
  std::vector<uint32_t> lengths_;
};

}  // namespace bleuprint
