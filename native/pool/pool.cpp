#include "pool/pool.hpp"

#include <stdexcept>

namespace bleuprint {

void Pool::require_room(size_t texts, uint64_t tokens) const {
  if (this->texts() + texts >= UINT32_MAX) throw std::length_error("a pool holds at most 2^32 - 2 texts");
  if (tokens >= UINT32_MAX) throw std::length_error("a text of a pool holds at most 2^32 - 2 tokens");
}

void Pool::add(const std::string_view* tokens, size_t count) {
  require_room(1, count);
  const size_t begin = offsets_.back();
  // Sizing from the last offset, not from ids_.size(), drops what an earlier bad_alloc left half added.
  ids_.resize(begin + count);
  vocabulary_.intern(tokens, count, ids_.data() + begin);
  offsets_.push_back(begin + count);
}

void Pool::add_from(const Pool& other, const size_t* texts, size_t count) {
  if (this->texts() + count >= UINT32_MAX) throw std::length_error("a pool holds at most 2^32 - 2 texts");
  std::vector<uint32_t> renumbered(other.vocabulary_.size(), Vocabulary::absent);
  for (size_t i = 0; i < count; ++i) {
    const size_t begin = offsets_.back();
    const uint64_t* const bounds = other.offsets_.data() + texts[i];
    ids_.resize(begin + (bounds[1] - bounds[0]));
    uint32_t* next = ids_.data() + begin;
    for (uint64_t p = bounds[0]; p < bounds[1]; ++p) {
      const uint32_t id = other.ids_[p];
      if (renumbered[id] == Vocabulary::absent) renumbered[id] = vocabulary_.intern(other.vocabulary_.text(id));
      *next++ = renumbered[id];
    }
    offsets_.push_back(ids_.size());
  }
}

void Pool::reserve(size_t texts, size_t tokens) {
  offsets_.reserve(offsets_.size() + texts);
  ids_.reserve(offsets_.back() + tokens);
}

void Pool::append(const Pool& other) {
  const size_t texts_added = other.texts();
  const size_t tokens_added = other.tokens();
  if (texts() + texts_added >= UINT32_MAX) throw std::length_error("a pool holds at most 2^32 - 2 texts");
  std::vector<uint32_t> renumbered(other.vocabulary_.size());
  for (size_t id = 0; id < renumbered.size(); ++id) {
    renumbered[id] = vocabulary_.intern(other.vocabulary_.text(static_cast<uint32_t>(id)));
  }
  const size_t begin = offsets_.back();
  ids_.resize(begin + tokens_added);
  offsets_.reserve(offsets_.size() + texts_added);
  // By index: `other` may be this pool itself, whose storage just moved.
  for (size_t i = 0; i < tokens_added; ++i) ids_[begin + i] = renumbered[other.ids_[i]];
  for (size_t text = 0; text < texts_added; ++text) offsets_.push_back(begin + other.offsets_[text + 1]);
}

}  // namespace bleuprint
