// The table that numbers the different pairs of one bucket (internal to the pool).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "pool/refinement.hpp"

namespace bleuprint {

// Tallies lie densely in order of first appearance and the index holds only their numbers: growing it moves 4
// bytes a slot and leaves numbers handed out earlier valid. A worker keeps one table from bucket to bucket.
class BucketTable {
 public:
  struct Entry {
    uint64_t pair;
    Tally tally;
  };

  explicit BucketTable(const Bucketing& bucketing) : bucketing_(bucketing) {}

  void reset(uint64_t records) {
    entries_.clear();
    // Sized by the records up to a limit only: a bucket of one n-gram's million occurrences needs no large
    // table.
    size_t slots = 16;
    shift_ = 60;
    for (; slots < 2 * records && slots < first_slots; slots *= 2) --shift_;
    index_.assign(slots, 0);
  }

  // For pairs that agree in so many first bits of their hash.
  void reset(uint64_t records, unsigned hash_bits) {
    bucketing_.bits = hash_bits;
    reset(records);
  }

  // The pair's number; a new pair gets the next one and an empty tally.
  uint32_t number_of(uint64_t pair) {
    size_t at = place_of(pair);
    for (; index_[at] != 0; at = (at + 1) & (index_.size() - 1)) {
      if (entries_[index_[at] - 1].pair == pair) return index_[at] - 1;
    }
    if (entries_.size() >= max_entries) throw std::length_error("too many different n-grams of one order");
    entries_.push_back({pair, {}});
    const uint32_t number = static_cast<uint32_t>(entries_.size()) - 1;
    index_[at] = number + 1;
    if (2 * entries_.size() > index_.size()) grow();
    return number;
  }

  std::vector<Entry>& entries() { return entries_; }

 private:
  static constexpr size_t first_slots = size_t{1} << 14;
  static constexpr size_t max_entries = UINT32_MAX / 2;  // numbers are stored with one bit beside them

  // All pairs of a bucket agree in the highest bits of their hash, so the place comes from the bits below.
  size_t place_of(uint64_t pair) const {
    const uint64_t hash = bucketing_.pair_hash(static_cast<uint32_t>(pair >> 32), static_cast<uint32_t>(pair));
    return (hash << bucketing_.bits) >> shift_;
  }

  void grow() {
    std::fill(index_.begin(), index_.end(), 0);
    index_.resize(index_.size() * 2, 0);
    --shift_;
    for (size_t number = 0; number < entries_.size(); ++number) {
      size_t at = place_of(entries_[number].pair);
      while (index_[at] != 0) at = (at + 1) & (index_.size() - 1);
      index_[at] = static_cast<uint32_t>(number + 1);
    }
  }

  Bucketing bucketing_;
  std::vector<uint32_t> index_;
  unsigned shift_ = 60;
  std::vector<Entry> entries_;
};

}  // namespace bleuprint
