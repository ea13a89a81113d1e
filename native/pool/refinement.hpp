// N-grams of many texts, grouped order by order (internal to the pool).
//
// After advance() has been called n times, groups()[p] is the group of the n-gram that starts at position p,
// 0 where it was pruned. Equal n-grams have equal groups. The n-gram at p is the pair (groups of the
// (n-1)-grams at p and p + 1), so an n-gram is always known exactly and no order costs more than one pair per
// live position.
//
// Pruning is exact for any Rule that is monotone: whenever an n-gram is alive, so are both its (n-1)-grams.
// Each rule below says why it is. Aliveness belongs to the n-gram, not to a position, so all occurrences of
// an n-gram are pruned together, repeats inside a text included, and the counts of those that remain are
// complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "parallel.hpp"
#include "tables/hashing.hpp"

namespace bleuprint {

// What is known about one n-gram while its occurrences pass by in text order.
struct Tally {
  uint32_t last_text = 0;  // text + 1 of the latest occurrence
  uint32_t rank = 0;       // how many occurrences that text has shown so far
  uint32_t largest = 0;
  uint32_t second = 0;
};

// Alive: in at least two texts (then each text of it also holds its (n-1)-grams). Marked: the occurrences
// that a leave-one-out clip lets through. With counts c_1 >= c_2 >= ... over the texts, the clip of a text is
// c_2 if it holds c_1 and c_1 otherwise, and min(count, clip) = min(count, c_2) in both cases: the k-th
// occurrence in a text matches exactly if k <= c_2, whoever holds the maximum.
struct SharedByTexts {
  void observe(Tally* tally, uint32_t rank, uint32_t) const {
    // A text reaches each rank once, so a rank already reached was reached by another text.
    if (rank > tally->largest) {
      tally->largest = rank;
    } else if (rank > tally->second) {
      tally->second = rank;
    }
  }
  void merge(Tally* tally, const Tally& other) const;
  bool alive(const Tally& tally) const { return tally.second > 0; }
  bool marked(const Tally& tally, uint32_t rank) const { return rank <= tally.second; }
};

// Texts before first_reference are queries. Alive: in a query and in a reference (both then hold its
// (n-1)-grams too). Marked: the k-th occurrence in a text, if some reference has k.
struct SharedAcross {
  uint32_t first_reference;

  void observe(Tally* tally, uint32_t rank, uint32_t text) const {
    uint32_t& most = text < first_reference ? tally->second : tally->largest;
    if (rank > most) most = rank;
  }
  void merge(Tally* tally, const Tally& other) const;
  bool alive(const Tally& tally) const { return tally.largest > 0 && tally.second > 0; }
  bool marked(const Tally& tally, uint32_t rank) const { return tally.second > 0 && rank <= tally.largest; }
};

// Alive: twice or more in some one text (at p and q, so its (n-1)-grams are there at p, q and p + 1, q + 1).
// Marked: every occurrence in a text but its first.
struct RepeatedInText {
  void observe(Tally* tally, uint32_t rank, uint32_t) const {
    if (rank > tally->largest) tally->largest = rank;
  }
  void merge(Tally* tally, const Tally& other) const;
  bool alive(const Tally& tally) const { return tally.largest >= 2; }
  bool marked(const Tally&, uint32_t rank) const { return rank >= 2; }
};

// Alive: twice or more in all (so its (n-1)-grams are, too). What is pruned occurs exactly once, so nothing
// is lost by not numbering it.
struct RepeatedAnywhere {
  void observe(Tally* tally, uint32_t, uint32_t) const {
    if (tally->largest < 2) ++tally->largest;
  }
  void merge(Tally* tally, const Tally& other) const;
  bool alive(const Tally& tally) const { return tally.largest >= 2; }
  bool marked(const Tally&, uint32_t) const { return false; }
};

// Which bucket a pair goes to: the highest bits of its hash. Loops copy it into a local, which their stores
// cannot alias.
struct Bucketing {
  PairHash pair_hash;
  unsigned bits = 0;

  size_t operator()(uint32_t first, uint32_t second) const { return (pair_hash(first, second) >> 1) >> (63 - bits); }
};

struct Sequence {
  const uint32_t* ids;
  const uint64_t* offsets;
  size_t texts;
  size_t vocabulary;
  uint64_t seed;
};

// Where an order's marks go, added to values[text * stride] for text < texts.
struct Marks {
  int64_t* values = nullptr;
  size_t stride = 0;
  size_t texts = 0;
};

class BucketTable;

template <typename Rule>
class Refinement {
 public:
  Refinement(const Sequence& sequence, const Rule& rule, const Run& run);

  // To the next order; false when cancelled, after which the object is of no use.
  bool advance(const Marks& marks);

  const uint32_t* groups() const { return groups_.get(); }
  uint64_t live_positions() const { return live_positions_; }
  uint64_t live_groups() const { return live_groups_; }
  size_t group_limit() const { return group_limit_; }  // all groups are below it

 private:
  struct Repeat {  // an occurrence beyond an n-gram's first in its text
    uint64_t record;
    uint32_t number;
    uint32_t rank;
  };

  bool first_order(const Marks& marks);
  bool tally_tokens(std::vector<std::vector<Tally>>* tallies);
  bool merge_tallies(std::vector<std::vector<Tally>>* tallies);
  bool group_tokens(const std::vector<Tally>& tallies, const Marks& marks);
  void split_texts();
  size_t workers() const { return worker_texts_.size() - 1; }
  bool run_all(const std::function<bool(size_t)>& work) const;
  bool size_buckets();
  void place_buckets();
  bool distribute();
  bool count_buckets();
  bool count_bucket(size_t bucket, BucketTable* table, std::vector<Repeat>* repeats);
  bool collect(const Marks& marks);

  // Calls body(text, begin, end) for the n-gram starts of a worker's texts in short pieces, polling between
  // them.
  template <typename Body>
  bool sweep(size_t worker, size_t order, const Body& body) const;

  Sequence sequence_;
  Rule rule_;
  Run run_;
  size_t order_ = 0;
  uint64_t live_positions_ = 0;
  uint64_t live_groups_ = 0;
  size_t group_limit_ = 1;

  std::vector<size_t> worker_texts_;  // worker w has the texts from [w] up to [w + 1]
  std::unique_ptr<uint32_t[]> groups_;

  // One record per live pair, bucket by bucket, inside a bucket by position. Records carry no position:
  // distribute() and collect() walk the positions in the same order, so the next record of a bucket is always
  // the right one.
  Bucketing bucketing_;
  uint64_t record_capacity_ = 0;
  std::unique_ptr<uint64_t[]> pairs_;
  std::unique_ptr<uint32_t[]> results_;        // in: text; out: group inside the bucket, and mark
  std::vector<std::vector<uint64_t>> starts_;  // per worker, per bucket
  std::vector<uint64_t> bucket_ends_;
  std::vector<uint64_t> bucket_groups_;  // groups in earlier buckets
};

}  // namespace bleuprint
