// Texts in blocks that lie on different machines, and what their n-grams come to all together, order by order.
//
// A block never meets another. For each order it says what it knows of its own n-grams (`tables`, one for each bucket),
// a `MergedTable` adds up what all blocks say of one bucket and answers each of them, and `take_answers` brings the
// block to that order. An n-gram is written as its token at order 1 and above that as the numbers that its two shorter
// n-grams were given, so it is always known exactly; a hash only picks the bucket. Everything depends on the blocks and
// the order in which they are merged alone, never on a process: a task that is run again gives the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parallel.hpp"
#include "pool/pool.hpp"
#include "tables/growing_table.hpp"

namespace bleuprint {

// What is known of an n-gram, and when it lives on. What lives at an order lives at the order below, so that pruning is
// exact.
enum class ShuffleRule : uint8_t {
  top_two,  // the two largest counts in any one text; alive if in two texts, and the answer is the second count
  sums,     // occurrences in blocks of the first side and of the second; alive if there are two in all
  cross,    // the largest count in any one text of either side; alive if on both, and the answer is the second side's
};

struct NgramCounts {
  uint64_t first = 0;
  uint64_t second = 0;
};

// Two numbers of shorter n-grams.
struct NumberPair {
  uint64_t first;
  uint64_t second;

  bool operator==(const NumberPair& other) const noexcept { return first == other.first && second == other.second; }
};
inline uint64_t hash(const NumberPair& key, uint64_t seed) noexcept {
  return mix(mix(key.first ^ seed, 0x9E3779B97F4A7C15u), key.second ^ (seed << 32 | seed >> 32));
}

class TextBlock {
 public:
  static constexpr uint64_t pruned = ~uint64_t{0};

  TextBlock(const Pool& pool, bool second_side);
  explicit TextBlock(std::string_view packed);  // std::invalid_argument where that is no block
  std::string packed() const;

  uint64_t order() const { return order_; }
  size_t tokens() const { return numbers_.size(); }
  const std::vector<uint32_t>& lengths() const { return lengths_; }
  const std::vector<uint32_t>& matches() const { return matches_; }  // [text * order + n - 1]
  uint64_t candidates() const;   // positions that may hold an n-gram of the next order
  uint64_t fingerprint() const;  // of lengths and numbers, equal in every process

  // The n-grams of the next order, by bucket.
  void tables(ShuffleRule rule, uint64_t seed, std::vector<std::string>* buckets, const Run& run) const;

  // To the next order, by the answers of all buckets; an empty one stands for a bucket that was not asked.
  void take_answers(ShuffleRule rule, uint64_t seed, const std::vector<std::string_view>& answers, const Run& run);

 private:
  struct Local;  // the block's own n-grams of the next order

  void count(ShuffleRule rule, Local* local, const Run& run) const;
  size_t bucket_of(const Local& local, uint32_t ngram, uint64_t seed, size_t buckets) const;
  template <typename Visit>
  void visit(const Run& run, const Visit& visit) const;  // visit(text, position) for every candidate

  uint64_t order_ = 0;
  bool second_side_ = false;
  std::vector<uint32_t> lengths_;
  std::vector<uint64_t> numbers_;  // of the n-gram at each position; at order 0 an index into tokens_
  std::vector<uint32_t> matches_;
  std::vector<std::string> tokens_;  // at order 0
};

// What all blocks say of one bucket. Numbers are given in the order in which n-grams appear.
class MergedTable {
 public:
  MergedTable(ShuffleRule rule, uint64_t order, uint64_t seed);
  MergedTable(const MergedTable&) = delete;

  void add(std::string_view table);  // std::invalid_argument where that is no table
  size_t tables() const { return asked_.size(); }
  std::string answer(size_t table) const;
  const std::vector<NgramCounts>& counts() const { return counts_; }

 private:
  bool alive(const NgramCounts& counts) const;

  ShuffleRule rule_;
  uint64_t order_;
  Vocabulary tokens_;
  GrowingTable<NumberPair> pairs_;
  std::vector<NgramCounts> counts_;
  std::vector<std::vector<uint32_t>> asked_;
};

}  // namespace bleuprint
