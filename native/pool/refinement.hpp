// N-grams of many texts, grouped order by order (internal to the pool).
//
// An n-gram is the pair (group of the (n-1)-gram it begins with, last token), so it is always known exactly. All
// n-grams that begin with the same two tokens are counted together, up to the last order, before others are: what is in
// memory is a position for each bigram and the tables of one bucket, and the tokens at a position are read once for all
// orders.
//
// Pruning is exact for any Rule that is monotone: whenever an n-gram is alive, so are both its (n-1)-grams.
// Each rule below says why it is. Aliveness belongs to the n-gram, not to a position, so all occurrences of
// an n-gram are pruned together, repeats inside a text included, and the counts of those that remain are
// complete.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "parallel.hpp"
#include "pool/pool.hpp"
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

// Texts before first_reference, by their rank among those that are not empty, are queries. Alive: in a query and in a
// reference (both then hold its (n-1)-grams too). Marked: the k-th occurrence in a text, if some reference has k.
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
// is lost by not numbering it. `largest` is how often it occurs, `second` in how many texts.
struct RepeatedAnywhere {
  void observe(Tally* tally, uint32_t rank, uint32_t) const {
    ++tally->largest;
    tally->second += rank == 1;
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

// Where the texts begin: 2 bits a position.
class TextStarts {
 public:
  explicit TextStarts(const Sequence& sequence);

  const void* place(uint64_t position) const { return &words_[position / 64]; }
  uint64_t from(
      uint64_t position) const;  // a bit for each of the 64 positions from there that begins a text, or ends all
  uint32_t rank(uint64_t position) const;  // of the text there, from 0 on, among those that are not empty

 private:
  struct Word {
    uint64_t starts = 0;
    uint64_t before = 0;  // texts that begin in earlier words
  };

  std::vector<Word> words_;
};

// Where marks are counted: values[text * max_order + order - 1], for the first so many texts.
struct Marks {
  uint32_t* values = nullptr;
  size_t texts = 0;
};

// What lives of an order: its n-grams, and all their occurrences.
struct Live {
  uint64_t groups = 0;
  uint64_t positions = 0;
};

// How many n-grams occur how often.
class Frequencies {
 public:
  void add(uint64_t occurrences, uint64_t ngrams = 1);
  void add(const Frequencies& other);
  std::vector<FrequencyCount> counts() const;  // the rarest first

 private:
  // Few n-grams are frequent, so that only these are sorted.
  std::vector<uint64_t> rare_ = std::vector<uint64_t>(1024);
  std::map<uint64_t, uint64_t> frequent_;
};

class BucketTable;

template <typename Rule>
class Refinement {
  static constexpr size_t window_tokens = 4;  // orders whose last tokens are read at once

 public:
  Refinement(const Sequence& sequence, const Rule& rule, const Run& run);

  // Counts up to an order, once. `groups`, unless null, is zero for each position and receives
  // the group of the n-gram of that order that starts there, if it is alive. Equal n-grams have equal groups.
  // For RepeatedAnywhere alone: `frequencies`, unless null, receives those of the live n-grams of each order, and
  // `other_texts`, unless null, is zero for each text and receives how many other texts have its different n-grams of
  // that order, in all.
  void refine(size_t max_order, const Marks& marks, uint32_t* groups, std::vector<Frequencies>* frequencies = nullptr,
              int64_t* other_texts = nullptr);

  const Live& live(size_t order) const { return live_[order - 1]; }
  size_t group_limit() const { return group_limit_; }  // all groups are below it

 private:
  struct Worker;
  // An occurrence of a bigram of live tokens. All that counting needs of the texts is read while they are swept in
  // order: to look it up bucket by bucket takes twice as long per occurrence at 1M texts as at 100k, for misses of the
  // cache and of the page table.
  struct Record {
    uint32_t place;  // how far it is from the first position of its share
    uint32_t text;
    uint32_t group;                  // of the n-gram that starts there, inside its bucket
    uint32_t tokens[window_tokens];  // with which the n-gram grows; no_token from where its text ends
  };

  void tally_tokens(std::vector<std::vector<Tally>>* tallies);
  void merge_tallies(std::vector<std::vector<Tally>>* tallies);
  void group_tokens(std::vector<std::vector<Tally>>* tallies);
  void size_buckets();
  size_t place_buckets(size_t first);
  void distribute(size_t first, size_t last);
  void count_buckets(size_t first, size_t last, std::vector<Worker>* workers);
  void count_bucket(size_t bucket, Worker* worker);
  void read_tokens(uint64_t first, Record* record) const;
  void read_window(size_t bucket, size_t order, const Worker& worker) const;
  void count_order(size_t bucket, size_t order, Worker* worker);
  void add_marks(size_t first_order, Worker* worker);
  template <typename Number>
  void add(Number* sum, Number number) const;
  template <typename Number>
  void spread(Number* values, size_t width, size_t texts, size_t ranks) const;
  uint32_t ranks(size_t texts) const;

  // Calls body(record, position, position of a later one) for the live records of a bucket.
  template <typename Body>
  void visit(size_t bucket, const Worker& worker, const Body& body) const;

  void split_texts();
  size_t shares() const { return share_texts_.size() - 1; }
  void run_all(const std::function<void(size_t)>& work) const;

  // Calls body(begin, end) for the n-gram starts of a share's texts in short pieces, polling between them.
  template <typename Body>
  void sweep(size_t share, size_t order, const Body& body) const;
  // Calls body(position, bucket) where a share's bigrams are of live tokens.
  template <typename Body>
  void sweep_bigrams(size_t share, const Body& body) const;

  Sequence sequence_;
  Rule rule_;
  Run run_;
  TextStarts starts_;
  std::vector<size_t> share_texts_;  // share s has the texts from [s] up to [s + 1]

  size_t max_order_ = 0;
  Marks marks_;
  uint32_t marked_ranks_ = 0;
  uint32_t* groups_ = nullptr;
  std::vector<Frequencies>* frequencies_ = nullptr;
  int64_t* other_texts_ = nullptr;
  std::vector<Live> live_;
  size_t group_limit_ = 1;
  std::vector<uint8_t> token_alive_;

  // For as many buckets as fit, bucket by bucket, inside a bucket by position.
  Bucketing bucketing_;
  uint64_t record_capacity_ = 0;
  std::unique_ptr<Record[]> records_;
  std::vector<std::vector<uint64_t>> places_;  // per share, per bucket: sizes until place_buckets()
  std::vector<uint64_t> bucket_ends_;
  std::atomic<uint64_t> last_groups_{0};  // of the last order, in all buckets so far
};

}  // namespace bleuprint
