// Exact keys to dense ids, for as many keys as come.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tables/vocabulary_key.hpp"

namespace bleuprint {

// Open-addressed table from exact keys to the ids 0, 1, 2 … in order of appearance. Keys are compared whole; a hash
// only says where to look. Ids leave the highest bit free for whoever builds keys out of them.
template <typename Key>
class GrowingTable {
 public:
  static constexpr uint32_t absent = ~uint32_t{0};

  explicit GrowingTable(uint64_t seed) : seed_(seed) { reset(0); }

  void reset(size_t expected) {
    size_t capacity = 64;
    while (capacity < expected * 2) capacity *= 2;
    slots_.assign(capacity, absent);
    keys_.clear();
  }
  uint32_t size() const noexcept { return static_cast<uint32_t>(keys_.size()); }
  const Key& key(uint32_t id) const noexcept { return keys_[id]; }
  Key& key(uint32_t id) noexcept { return keys_[id]; }

  uint32_t insert(const Key& key) {
    const size_t slot = find_slot(key);
    if (slots_[slot] != absent) return slots_[slot];
    if (keys_.size() >> 31 != 0) throw std::length_error("more than 2^31 different n-grams");
    const uint32_t id = size();
    keys_.push_back(key);
    slots_[slot] = id;
    if (keys_.size() * 2 > slots_.size()) grow();
    return id;
  }
  uint32_t find(const Key& key) const noexcept { return slots_[find_slot(key)]; }

  // How many slots a look-up of every key passes by, all together: what crafted keys would raise.
  uint64_t detours() const noexcept {
    uint64_t passed = 0;
    for (const Key& key : keys_) passed += (find_slot(key) - spread_hash(hash(key, seed_))) & (slots_.size() - 1);
    return passed;
  }

 private:
  size_t find_slot(const Key& key) const noexcept {
    const size_t mask = slots_.size() - 1;
    size_t at = spread_hash(hash(key, seed_)) & mask;
    while (slots_[at] != absent && !(keys_[slots_[at]] == key)) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, absent);
    const size_t mask = slots_.size() - 1;
    for (uint32_t id = 0; id < size(); ++id) {
      size_t at = spread_hash(hash(keys_[id], seed_)) & mask;
      while (slots_[at] != absent) at = (at + 1) & mask;
      slots_[at] = id;
    }
  }

  uint64_t seed_;
  std::vector<uint32_t> slots_;
  std::vector<Key> keys_;
};

}  // namespace bleuprint
