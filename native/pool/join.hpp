// Pools as sequences of ids over one vocabulary (internal to the pool).
#pragma once

#include <vector>

#include "parallel.hpp"
#include "pool/pool.hpp"
#include "pool/refinement.hpp"

namespace bleuprint {

inline Sequence sequence_of(const Pool& pool) {
  return {pool.ids(), pool.offsets(), pool.texts(), pool.vocabulary().size(), pool.vocabulary().seed()};
}

// The texts of one pool, then those of another, in the ids of the first; tokens only the second has follow
// after.
class JoinedPools {
 public:
  void join(const Pool& first, const Pool& second, const Run& run);

  Sequence sequence() const { return {ids_.data(), offsets_.data(), offsets_.size() - 1, vocabulary_, seed_}; }

 private:
  void renumber(const Vocabulary& first, const Vocabulary& second, const Run& run, std::vector<uint32_t>* renumbered);

  std::vector<uint32_t> ids_;
  std::vector<uint64_t> offsets_;
  size_t vocabulary_ = 0;
  uint64_t seed_ = 0;
};

}  // namespace bleuprint
