// Which texts hold each n-gram of one order: how often n-grams occur in many parts of a pool, from one count.
//
// A part is some of the texts. Bit p of members[word * texts() + text] says that part 64 * word + p has the text, so
// that one operation serves 64 parts.
#pragma once

#include <cstdint>
#include <vector>

#include "parallel.hpp"
#include "pool/pool.hpp"

namespace bleuprint {

// So many items of a part have this value.
struct PartCount {
  uint64_t part;
  uint64_t value;
  uint64_t items;
};

class NgramHolders {
 public:
  NgramHolders(const Pool& pool, size_t order, const Run& run);

  size_t texts() const { return alone_.size(); }

  // The different n-grams that two texts or more have.
  size_t shared() const;

  // For each part: how many different n-grams occur how often in it. By part, then by value.
  void frequencies(const uint64_t* members, size_t words, std::vector<PartCount>* counts, const Run& run) const;

  // For each part: how many of its texts have different n-grams that other texts of the part have so often, in all.
  void other_texts(const uint64_t* members, size_t words, std::vector<PartCount>* counts, const Run& run) const;

 private:
  // Of each n-gram that occurs twice or more, the texts in order, as often as they have it: those of group g are
  // holders_[starts_[g]] up to holders_[starts_[g + 1]].
  std::vector<uint64_t> starts_;
  std::vector<uint32_t> holders_;
  std::vector<uint32_t> alone_;  // of each text, the n-grams that occur nowhere else
};

}  // namespace bleuprint
