// Clipped n-gram matches of texts with every one of a set of other texts, each of those alone.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "columns/segments.hpp"
#include "parallel.hpp"
#include "rows/ngrams.hpp"
#include "tables/growing_table.hpp"

namespace bleuprint {

struct PairOptions {
  Reading reading;
  size_t max_order;
  int64_t minimum_total;  // as in ClipOptions
  uint64_t seed;
};

// Which texts hold which n-grams. The k-th occurrence of an n-gram in a text is an item of its own, so Σ min(count,
// count) is the number of items that two texts share, and the matches of a text with all others are found by walking
// the lists of its own items: a pair costs as much as it shares, not as much as it is long.
class TextIndex {
 public:
  // What one thread needs to look a text up.
  struct Scratch {
    std::vector<uint32_t> grams;  // ids of the current order, place by place
    std::vector<uint32_t> sorted;
  };

  explicit TextIndex(const PairOptions& options);

  // Forgets what it held.
  void build(const Texts& texts, size_t first, size_t last, Cancel cancel);

  size_t size() const noexcept { return length_class_.size(); }
  size_t length_classes() const noexcept { return lengths_.size(); }
  uint64_t length(uint32_t length_class) const noexcept { return lengths_.key(length_class); }
  uint32_t length_class(size_t text) const noexcept { return length_class_[text]; }

  // Adds the matches with all texts together, as if they were one text that holds the mean of their counts: for order n
  // the sum over n-grams of min(own count · texts, count in all texts) to matches[n - 1].
  void match_mean(const Spans& tokens, const Region& region, Scratch& scratch, int64_t* matches) const;

  // Adds the matches of order n with text t to matches[(n - 1) * size() + t].
  void match(const Spans& tokens, const Region& region, Scratch& scratch, uint32_t* matches) const;

 private:
  struct Order {
    explicit Order(uint64_t seed) : items(seed) {}
    GrowingTable<uint64_t> items;
    std::vector<uint32_t> found;   // while building: the items of one text after another
    std::vector<uint32_t> starts;  // per item: where its list begins in texts
    std::vector<uint32_t> texts;
  };

  template <typename Token, typename Item, typename Visit>
  void walk_grams(const Spans& tokens, const Region& region, Scratch& scratch, Token token, Item item,
                  Visit visit) const;
  template <typename Token, typename Item, typename Visit>
  void walk(const Spans& tokens, const Region& region, Scratch& scratch, Token token, Item item, Visit visit) const;
  uint32_t intern(const TokenKey& key);
  void list_texts(size_t order);

  PairOptions options_;
  Reader reader_;
  Scratch scratch_;
  GrowingTable<TokenKey> tokens_;
  std::deque<std::string> long_tokens_;  // those that do not fit into their key
  std::vector<Order> orders_;
  GrowingTable<uint64_t> lengths_;
  std::vector<uint32_t> length_class_;  // per text
};

// The rows of many pairs, each different row once, column by column. Columns as for clipped_rows: hypothesis length,
// reference length, matches of order 1..N, totals of order 1..N.
struct DistinctRows {
  std::vector<int64_t> columns;
  size_t rows = 0;
};

// Counts the texts [begin, end) against every text of the index: numbers[(i - begin) * index.size() + j] is the row of
// that pair.
void count_pairs(const TextIndex& index, const PairOptions& options, const Texts& texts, size_t begin, size_t end,
                 size_t threads, uint32_t* numbers, DistinctRows& distinct, Cancel cancel);

// The same within every segment of [begin, end): each of its texts against each of the other column's texts there, the
// numbers of one segment after another.
void count_group_pairs(const Texts& texts, const Texts& others, const PairOptions& options, size_t begin, size_t end,
                       size_t threads, uint32_t* numbers, DistinctRows& distinct, Cancel cancel);

// Each text of the segments [begin, end) against the mean of the other column's texts there, times their number. A row
// of 2 + 3N: lengths, matches and totals as for clipped_rows, then the totals of the other texts.
void count_against_mean(const Texts& texts, const Texts& others, const PairOptions& options, size_t begin, size_t end,
                        size_t threads, int64_t* rows, Cancel cancel);

}  // namespace bleuprint
