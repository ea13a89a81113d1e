#include "pool/join.hpp"

#include <algorithm>
#include <stdexcept>

namespace bleuprint {
namespace {

constexpr uint64_t poll_every = uint64_t{1} << 16;  // ids between two looks at the cancel flag

}  // namespace

void JoinedPools::join(const Pool& first, const Pool& second, const Run& run) {
  std::vector<uint32_t> renumbered(second.vocabulary().size());
  renumber(first.vocabulary(), second.vocabulary(), run, &renumbered);
  seed_ = first.vocabulary().seed();
  ids_.reserve(first.tokens() + second.tokens());
  ids_.assign(first.ids(), first.ids() + first.tokens());
  for (uint64_t begin = 0; begin < second.tokens(); begin += poll_every) {
    run.poll();
    const uint64_t end = std::min(second.tokens(), begin + poll_every);
    for (uint64_t i = begin; i < end; ++i) ids_.push_back(renumbered[second.ids()[i]]);
  }
  offsets_.reserve(first.texts() + second.texts() + 1);
  offsets_.assign(first.offsets(), first.offsets() + first.texts() + 1);
  for (size_t text = 0; text < second.texts(); ++text) {
    offsets_.push_back(first.tokens() + second.offsets()[text + 1]);
  }
}

void JoinedPools::renumber(const Vocabulary& first, const Vocabulary& second, const Run& run,
                           std::vector<uint32_t>* renumbered) {
  vocabulary_ = first.size();
  for (size_t id = 0; id < renumbered->size(); ++id) {
    if (id % poll_every == 0) run.poll();
    uint32_t& joined = (*renumbered)[id];
    joined = first.find(second.text(static_cast<uint32_t>(id)));
    if (joined != Vocabulary::absent) continue;
    if (vocabulary_ >= Vocabulary::absent) throw std::length_error("too many different tokens in two pools");
    joined = static_cast<uint32_t>(vocabulary_++);
  }
}

}  // namespace bleuprint
