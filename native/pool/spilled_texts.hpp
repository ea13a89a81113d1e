// Pools beyond memory: texts in a temporary file, and the same leave-one-out counts and frequencies of n-grams in
// passes from one end to the other.
//
// Ids of all texts are one sequence. Order 1 is counted from it in an array. A second pass writes each bigram of tokens
// that two texts share, with the tokens that follow, to one of many partitions by its hash, so that all n-grams that
// begin alike are in one partition. Partitions are counted one by one, as buckets are in memory; one that is too large
// is counted in passes of its own and divided. What a partition finds are marks, in the order of the texts, which are
// added up for some texts at a time. Only what is known of each token, and of each length, stays in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "parallel.hpp"
#include "pool/pool.hpp"
#include "tables/paged_file.hpp"

namespace bleuprint {

// The rows of texts, from the first to the last.
class SpilledRows {
 public:
  // Writes the length, the nearest length of another text and the matches of each order of the next texts.
  void read(size_t texts, int64_t* rows, const Run& run);

 private:
  friend class SpilledTexts;

  // For some texts: how far it is from the one before, and a bit for each order above 1 that a match has there.
  struct Marks {
    explicit Marks(Pages&& written) : pages(std::move(written)), left(pages) {}
    Marks(const Marks&) = delete;

    Pages pages;
    NumberReader left;
    uint64_t text = UINT64_MAX;  // of the next bits; all after those that were read
    uint32_t bits = 0;
    uint64_t unread = 0;
  };

  SpilledRows(std::shared_ptr<PagedFile> file, size_t max_order) : file_(std::move(file)), max_order_(max_order) {}

  std::shared_ptr<PagedFile> file_;
  size_t max_order_;
  size_t next_ = 0;
  std::vector<uint32_t> nearest_;  // by length
  std::unique_ptr<Marks> texts_;   // the length of each, and its matches of order 1
  std::vector<std::unique_ptr<Marks>> marks_;
};

class SpilledTexts {
 public:
  static constexpr size_t largest_order = 32;

  // The file is empty and for these texts alone; `memory` is what counting will have, about.
  SpilledTexts(int descriptor, uint64_t memory);

  size_t texts() const { return texts_; }
  uint64_t tokens() const { return tokens_; }

  // Moves the texts of a pool to the end of these; its vocabulary, which these ids belong to, stays.
  void take(Pool& pool, const Run& run);

  // Adds the texts of others, whose ids belong to `theirs`, in ids of the pool's vocabulary.
  void append(const SpilledTexts& others, const Vocabulary& theirs, Pool& pool, const Run& run);

  // The counts of leave_one_out() and leave_one_out_lengths(), within so many bytes beside 16 for each token of the
  // vocabulary. The largest order is 32.
  std::unique_ptr<SpilledRows> leave_one_out(const Vocabulary& vocabulary, size_t max_order, uint64_t memory,
                                             const Run& run) const;

  // The same as frequency_counts() of the texts in memory, within as many bytes.
  void frequency_counts(const Vocabulary& vocabulary, size_t max_order, uint64_t memory,
                        std::vector<std::vector<FrequencyCount>>* counts, const Run& run) const;

 private:
  struct Found;

  template <typename Rule>
  Found count(const Vocabulary& vocabulary, size_t max_order, uint64_t memory, const Run& run,
              size_t frequency_orders) const;
  template <typename Body>
  void visit(size_t texts, const Run& run, const Body& body) const;
  void add(const uint32_t* ids, size_t count);
  void require_whole() const;

  std::shared_ptr<PagedFile> file_;
  NumberWriter ids_;  // of each text: how many, and each
  size_t texts_ = 0;
  uint64_t tokens_ = 0;
  bool whole_ = true;  // whether the last text was written to its end
};

}  // namespace bleuprint
