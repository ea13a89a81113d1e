// Counts of the n-grams of many texts, by which those of other texts can be weighed.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "columns/segments.hpp"
#include "parallel.hpp"
#include "pool/pool.hpp"
#include "tables/growing_table.hpp"

namespace bleuprint {

enum class Counting : uint8_t {
  occurrences,  // how often an n-gram occurs
  segments,     // in how many segments it occurs, in whichever of their texts
};

// An n-gram is a node of a trie: the pair (its first n-1 tokens, its last token) of already exact ids. Only n-grams
// with a count of two or more have a node, and so the n-grams that begin with them: what was never seen counts as seen
// once, and what begins with something that was seen once cannot have been seen more often. What is counted does not
// change afterwards, so any number of threads may read it.
class Prior {
 public:
  static constexpr uint32_t absent = GrowingTable<uint64_t>::absent;
  static constexpr uint32_t root = absent - 1;

  Prior(size_t max_order, Counting counting, uint64_t seed)
      : max_order_(max_order), counting_(counting), seed_(seed), pool_(seed), nodes_(seed) {}

  // Counts every text of the column; once. Of no use after Cancelled.
  void fit(const Texts& texts, const Reading& reading, const Run& run);

  // The same from the content of a prior that counted these texts. std::invalid_argument where that is none.
  void restore(std::string_view content, const Run& run);

  size_t max_order() const noexcept { return max_order_; }
  Counting counting() const noexcept { return counting_; }
  uint64_t segments() const noexcept { return segment_ends_.size(); }
  uint64_t tokens() const noexcept { return pool_.tokens(); }

  uint32_t token(std::string_view text) const { return pool_.vocabulary().find(text); }
  // The n-gram that a token makes of a shorter one (or of the root); absent unless it has a node.
  uint32_t find(uint32_t shorter, uint32_t token) const noexcept {
    if (shorter == absent || token == absent) return absent;
    return shorter == root ? unigrams_[token] : longer(nodes_.find(key(shorter, token)));
  }
  uint64_t count(uint32_t node) const noexcept { return node == absent ? 1 : counts_[node]; }

  uint32_t nodes() const noexcept { return static_cast<uint32_t>(counts_.size()); }

  // Calls visit(order, shorter, node) at every place of a segment where an n-gram begins that has a node.
  template <typename Visit>
  void each_node(uint64_t segment, Visit visit) const {
    for (uint64_t text = segment == 0 ? 0 : segment_ends_[segment - 1]; text < segment_ends_[segment]; ++text) {
      const uint64_t end = pool_.offsets()[text + 1];
      for (uint64_t begin = pool_.offsets()[text]; begin < end; ++begin) {
        uint32_t shorter = root;
        for (uint64_t order = 1; order <= std::min<uint64_t>(max_order_, end - begin); ++order) {
          const uint32_t node = find(shorter, pool_.ids()[begin + order - 1]);
          if (node == absent) break;
          visit(static_cast<size_t>(order), shorter, node);
          shorter = node;
        }
      }
    }
  }
  uint64_t segment_tokens(uint64_t segment) const noexcept {
    const uint64_t begin = segment == 0 ? 0 : segment_ends_[segment - 1];
    return pool_.offsets()[segment_ends_[segment]] - pool_.offsets()[begin];
  }

  // Occurrences of the first n-1 tokens of an n-gram: of all tokens, where there are none.
  uint64_t wider(uint32_t shorter) const noexcept {
    return shorter == root ? std::max<uint64_t>(1, tokens()) : count(shorter);
  }

  // log(segments / segments that have it).
  double rarity(uint32_t node) const noexcept { return log_segments_ - log_of(count(node)); }
  // The same for a node once a segment is left out, which has it or has not.
  double rarity_without(bool having, uint32_t node) const noexcept {
    return log_of(std::max<uint64_t>(2, segments()) - 1) - log_of(count(node) - having);
  }

  // Everything that was counted as bytes that are the same on every machine, whatever the seed and the threads.
  std::string content() const;

 private:
  static constexpr size_t known_logs = 1024;

  uint32_t longer(uint32_t id) const noexcept { return id == absent ? absent : first_longer_ + id; }
  static uint64_t key(uint32_t shorter, uint32_t token) noexcept { return uint64_t{shorter} << 32 | token; }
  double log_of(uint64_t count) const noexcept {
    return count < known_logs ? logs_[count] : std::log(static_cast<double>(count));
  }
  // Counts of one order's n-grams, whether or not they will have a node.
  struct Tally {
    uint64_t count = 0;
    uint64_t last = 0;  // the last segment that had it, from 1
  };

  void count(const Run& run);
  void count_tokens(const Run& run);
  void count_longer(size_t order, const Run& run);
  void visit(Tally& tally, uint64_t segment) const noexcept;
  uint32_t add_node(const Tally& tally);

  size_t max_order_;
  Counting counting_;
  uint64_t seed_;
  Pool pool_;
  std::vector<uint64_t> segment_ends_;  // in texts
  std::vector<uint32_t> unigrams_;      // by token: its node
  GrowingTable<uint64_t> nodes_;        // of longer n-grams, in which ids count from first_longer_
  uint32_t first_longer_ = 0;
  std::vector<uint64_t> counts_;  // by node
  std::vector<uint32_t> places_;  // by token of the pool: the node of the n-gram that begins there, while counting
  std::vector<double> logs_;
  double log_segments_ = 0;
};

}  // namespace bleuprint
