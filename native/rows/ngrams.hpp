// Clipped n-gram matches of one segment against its references.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "parallel.hpp"
#include "rows/places.hpp"
#include "tables/vocabulary_key.hpp"
#include "tokenizers/tokenize.hpp"

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

// Open-addressed table from exact keys to the dense ids 0, 1, 2 …; small enough to stay in the first-level
// cache.
template <typename Key>
class SmallTable {
 public:
  static constexpr uint32_t absent = ~uint32_t{0};

  void reset(size_t expected) {
    // A quarter full at most: every key that stands in another's way is a branch mispredicted. Half full was 1.07x the
    // time on English text.
    size_t capacity = 16;
    while (capacity < expected * 4) capacity *= 2;
    if (slots_.size() < capacity) slots_.resize(capacity);
    if (keys_.size() < expected) keys_.resize(std::max(expected, keys_.size() * 2));
    std::fill_n(slots_.data(), capacity, absent);
    mask_ = capacity - 1;
    size_ = 0;
  }
  uint32_t size() const noexcept { return size_; }

  uint32_t insert(const Key& key, uint64_t hash) noexcept {
    uint32_t& slot = find_slot(key, hash);
    if (slot == absent) {
      slot = size_++;
      keys_[slot] = key;
    }
    return slot;
  }
  uint32_t find(const Key& key, uint64_t hash) noexcept { return find_slot(key, hash); }

  // How many slots a look-up of every key passes by, all together: what crafted keys would raise.
  template <typename Hash>
  uint64_t detours(Hash hash_of) noexcept {
    uint64_t passed = 0;
    for (uint32_t id = 0; id < size_; ++id) {
      const uint64_t hash = hash_of(keys_[id]);
      passed += (static_cast<size_t>(&find_slot(keys_[id], hash) - slots_.data()) - start(hash)) & mask_;
    }
    return passed;
  }

 private:
  static constexpr size_t small_slots = 256;

  size_t start(uint64_t hash) const noexcept { return (mask_ < small_slots ? hash : spread_hash(hash)) & mask_; }

  uint32_t& find_slot(const Key& key, uint64_t hash) noexcept {
    for (size_t at = start(hash);; at = (at + 1) & mask_) {
      uint32_t& slot = slots_[at];
      if (slot == absent || keys_[slot] == key) return slot;
    }
  }

  size_t mask_ = 0;
  uint32_t size_ = 0;
  std::vector<uint32_t> slots_;
  std::vector<Key> keys_;
};

// Counts segments one after another, reusing its memory. Identity is exact: a token is its bytes, an n-gram
// is the pair (its first n-1 tokens, its last n-1 tokens) of already exact ids. An n-gram can match only if
// both of those match, so every order looks only at the places where the one before it matched. Hypotheses of up to 64
// tokens need no n-grams: see places.hpp.
class ClippedCounter {
 public:
  ClippedCounter(const ClipOptions& options, uint64_t seed, Cancel cancel = {})
      : options_(options), seed_(seed), cancel_(cancel) {}

  void begin(const Spans& hypothesis, const Region& region);
  void add_reference(const Spans& reference, const Region& region);
  void finish(int64_t* row);  // adds to the row

 private:
  // An n-gram at a place. The places of different references never adjoin.
  struct Gram {
    uint32_t place;
    uint32_t id;
  };
  struct Candidate {
    uint32_t place;
    uint64_t key;
  };

  bool by_place() const noexcept { return length_ <= static_cast<int64_t>(most_places); }
  size_t orders_by_place() const noexcept { return std::min(options_.max_order, most_places); }
  void begin_by_place(const Spans& hypothesis, const Region& region);
  void add_reference_by_place(const Spans& reference, const Region& region);
  int64_t clip();
  int64_t clip_one_reference();
  void extend_hypothesis();
  void extend_references();
  int64_t reference_length() const noexcept;

  // One segment may be a line of a hundred megabytes, which takes seconds.
  void poll(size_t step) const {
    if ((step & 0xFFFF) == 0) cancel_.poll();
  }

  ClipOptions options_;
  uint64_t seed_;
  Cancel cancel_;
  SmallTable<TokenKey> tokens_;
  SmallTable<uint64_t> pairs_;
  int64_t length_ = 0;
  std::array<uint64_t, most_places + 1> places_{};  // per id: where it stands in the hypothesis; the last has no place
  std::array<uint64_t, most_places> taken_{};       // per order: places in the hypothesis where a match begins
  std::vector<uint64_t> reference_places_;          // per token of a reference
  uint32_t next_place_ = 0;
  std::vector<Gram> hypothesis_;  // n-grams of the current order that may match
  std::vector<Candidate> candidates_;
  std::vector<Gram> references_;        // n-grams of all references that occur in the hypothesis
  std::vector<size_t> reference_ends_;  // in references_
  std::vector<int64_t> reference_lengths_;
  std::vector<uint32_t> available_;  // per id: occurrences in the hypothesis
  std::vector<uint32_t> seen_;       // per id: occurrences in the reference being counted
  std::vector<uint32_t> best_;       // per id: largest count in any reference so far
};

}  // namespace bleuprint
