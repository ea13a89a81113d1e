// Clipped n-gram matches of one segment against its references.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "vocabulary_key.hpp"

namespace bleuprint {

enum class LengthRule : uint8_t {
  closest,        // nearest to the hypothesis, the shorter one if two are equally near
  closest_first,  // nearest to the hypothesis, the first listed if several are equally near
  shortest,
};

struct ClipOptions {
  size_t max_order;
  LengthRule length_rule;
  int64_t minimum_total;  // smallest total an order may have: 1 where a peer counts an absent n-gram as one
};

// Row layout: hypothesis length, reference length, matches of order 1..N, totals of order 1..N.
inline size_t clip_columns(size_t max_order) noexcept { return 2 + 2 * max_order; }

// Open-addressed table from exact keys to the dense ids 0, 1, 2 …; small enough to stay in the first-level cache.
template <typename Key>
class SmallTable {
 public:
  static constexpr uint32_t absent = ~uint32_t{0};

  void reset(size_t expected) {
    size_t capacity = 16;
    while (capacity < expected * 2) capacity *= 2;
    mask_ = capacity - 1;
    slots_.assign(capacity, absent);
    keys_.clear();
  }
  size_t size() const noexcept { return keys_.size(); }

  uint32_t insert(const Key& key, uint64_t hash) {
    uint32_t& slot = find_slot(key, hash);
    if (slot == absent) {
      slot = static_cast<uint32_t>(keys_.size());
      keys_.push_back(key);
    }
    return slot;
  }
  uint32_t find(const Key& key, uint64_t hash) noexcept { return find_slot(key, hash); }

 private:
  uint32_t& find_slot(const Key& key, uint64_t hash) noexcept {
    for (size_t at = hash & mask_;; at = (at + 1) & mask_) {
      if (slots_[at] == absent || keys_[slots_[at]] == key) return slots_[at];
    }
  }

  size_t mask_ = 0;
  std::vector<uint32_t> slots_;
  std::vector<Key> keys_;
};

// Counts segments one after another, reusing its memory. Identity is exact: a token is its bytes, an n-gram is the
// pair (its first n-1 tokens, its last n-1 tokens) of already exact ids. An n-gram can match only if both of those
// match, so every order looks only where the one before it matched.
class ClippedCounter {
 public:
  ClippedCounter(const ClipOptions& options, uint64_t seed) : options_(options), seed_(seed) {}

  void begin(const std::vector<std::string_view>& hypothesis);
  void add_reference(const std::vector<std::string_view>& reference);
  void finish(int64_t* row);  // adds to the row

 private:
  static constexpr uint32_t absent = SmallTable<uint64_t>::absent;

  int64_t clip_references();
  void extend_hypothesis();
  void extend_references();
  int64_t reference_length() const noexcept;

  ClipOptions options_;
  uint64_t seed_;
  SmallTable<TokenKey> tokens_;
  SmallTable<uint64_t> pairs_;
  std::vector<uint32_t> hypothesis_;       // id of the current order's n-gram at each position, or absent
  std::vector<uint32_t> references_;       // the same for all references in a row, each ended by one absent
  std::vector<uint32_t> reference_ends_;   // where each reference ends in `references_`
  std::vector<int64_t> reference_lengths_;
  std::vector<uint32_t> available_;        // per id: occurrences in the hypothesis
  std::vector<uint32_t> seen_;             // per id: occurrences in the reference being counted
  std::vector<uint32_t> best_;             // per id: largest count in any reference so far
  size_t live_ = 0;                        // positions of the hypothesis that are not absent
};

}  // namespace bleuprint
