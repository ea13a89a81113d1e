// Many texts at once: what they share, counted exactly and in time linear in their tokens.
//
// The functions leave their pools unchanged. Results depend on neither seed nor thread count. Cancelled,
// std::bad_alloc and std::length_error (2^32 - 1 texts, tokens of
// one text, or different n-grams of one order) leave through the calling thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parallel.hpp"
#include "tables/vocabulary.hpp"

namespace bleuprint {

class Pool {
 public:
  explicit Pool(uint64_t seed) : vocabulary_(seed), offsets_(1, 0) {}

  void add(const std::string_view* tokens, size_t count);

  // Adds the chosen texts of another pool, not of this one.
  void add_from(const Pool& other, const size_t* texts, size_t count);

  // Room for so many more, so that appending moves nothing.
  void reserve(size_t texts, size_t tokens);

  // Forgets the texts; what their ids mean stays.
  void drop_texts();

  // The ids that another vocabulary's tokens have here, where they are added.
  std::vector<uint32_t> renumber(const Vocabulary& other);

  // Adding shards one after another gives the same pool, id by id, as adding all their texts to one pool.
  void append(const Pool& other);

  // Every text as bytes, which depend on neither seed nor machine.
  std::string content(const Run& run) const;

  // Adds the texts of such bytes. std::invalid_argument where they are none; the pool is then of no use, as after
  // Cancelled.
  void add_content(std::string_view content, const Run& run);

  size_t texts() const { return offsets_.size() - 1; }
  uint64_t tokens() const { return offsets_.back(); }
  uint64_t length(size_t text) const { return offsets_[text + 1] - offsets_[text]; }

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const uint32_t* ids() const { return ids_.data(); }
  const uint64_t* offsets() const { return offsets_.data(); }

 private:
  // std::length_error where so many more texts, or as many tokens in one of them, are too many.
  void require_room(size_t texts, uint64_t tokens) const;

  Vocabulary vocabulary_;
  std::vector<uint32_t> ids_;
  std::vector<uint64_t> offsets_;
};

// Clipped matches of each text against all the others as references: matches[text * max_order + order - 1].
// Four bytes each, because no text has 2^32 tokens and a million texts with five orders take 20 MB.
void leave_one_out(const Pool& pool, size_t max_order, uint32_t* matches, const Run& run);

// Bytes that the pool takes at most while it is counted like that, and while as many texts again are added: with the
// rows and values that are made of the counts.
uint64_t leave_one_out_bytes(const Pool& pool, size_t max_order, unsigned threads);

// The length nearest to a text's own among all other texts, the shorter of two equally near; 0 where no other
// is.
void leave_one_out_lengths(const Pool& pool, int64_t* lengths);

// By length, from how many texts have each: the nearest one that at least `needed_here` texts have if it is the same,
// or that any text has if it is another; 0 if none is.
std::vector<uint32_t> nearest_lengths(const std::vector<uint32_t>& texts_by_length, uint32_t needed_here);

// Clipped matches of each query against all references, in the same layout, and the nearest reference
// lengths.
void cross(const Pool& queries, const Pool& references, size_t max_order, uint32_t* matches, const Run& run);
void cross_lengths(const Pool& queries, const Pool& references, int64_t* lengths);

// Different n-grams inside each text: different[text * max_order + order - 1].
void distinct_per_text(const Pool& pool, size_t max_order, uint32_t* different, const Run& run);

struct FrequencyCount {
  uint64_t count;
  uint64_t ngrams;
};

// For each order up to max_order: how many different n-grams occur how often, the rarest first.
void frequency_counts(const Pool& pool, size_t max_order, std::vector<std::vector<FrequencyCount>>* counts,
                      const Run& run);

// For every position of the pool's tokens, the number of the n-gram that starts there: equal n-grams have equal
// numbers from 1 on, 0 is an n-gram that occurs nowhere else, and -1 says that none starts there.
void ngram_numbers(const Pool& pool, size_t order, int64_t* numbers, const Run& run);

// For each text, over its different n-grams: how many other texts have them, in all.
void other_texts(const Pool& pool, size_t order, int64_t* sums, const Run& run);

// The different n-grams of each text as a set; those that other texts have are listed, the others only counted.
struct NgramSets {
  std::vector<uint32_t> elements;  // ascending in each set, numbered from the rarest on
  std::vector<uint64_t> offsets;
  std::vector<uint32_t> sizes;
  size_t element_limit = 0;  // all elements are below it
};

// Where repeats count, the second occurrence of an n-gram in a text is another element than the first.
void ngram_sets(const Pool& pool, size_t order, bool repeats_count, NgramSets* sets, const Run& run);

struct PairedCount {
  uint64_t first;
  uint64_t second;
};

// How often each n-gram of either pool occurs in the one and in the other; order of first appearance, first's
// texts before second's.
void paired_counts(const Pool& first, const Pool& second, size_t order, std::vector<PairedCount>* counts,
                   const Run& run);

struct SharedNgrams {
  std::vector<uint32_t> tokens;  // `order` ids of pool.vocabulary() for each n-gram
  std::vector<uint64_t> text_counts;
};

// The n-grams that occur in the most texts, at most `limit`: highest count first, then first appearance.
void most_shared(const Pool& pool, size_t order, size_t limit, SharedNgrams* shared, const Run& run);

// One group for all texts of exactly equal tokens: groups[text], numbered by first appearance.
void duplicates(const Pool& pool, uint64_t* groups, uint64_t* group_count, const Run& run);

// Some of the texts: those whose word has any of the bits; all where there are no words.
struct Part {
  const uint64_t* members = nullptr;
  uint64_t bits = 0;

  bool has(size_t text) const { return members == nullptr || (members[text] & bits) != 0; }
};

// The texts of a part one after another as one text, over all windows of that many tokens, or of all if these are
// fewer: the different tokens of each, in all. A window has at least one token.
struct Windows {
  uint64_t tokens = 0;  // of the part
  uint64_t width = 0;   // of a window
  uint64_t different = 0;
};
void window_types(const Pool& pool, const Part& part, uint64_t window, Windows* found, const Run& run);

// Stretches of the texts of a part, read one after another or from the end: one is complete where the share of
// different tokens has fallen to the threshold. The rest is what follows the last of them.
struct Stretches {
  uint64_t tokens = 0;  // of the part
  uint64_t complete = 0;
  uint64_t rest_tokens = 0;
  uint64_t rest_different = 0;
};
void stretches(const Pool& pool, const Part& part, double threshold, bool backward, Stretches* found, const Run& run);

struct LoopSpan {
  uint32_t text;
  uint32_t begin;
  uint32_t end;
  uint32_t period;
};

// Spans of a text that repeat their first `period` tokens at least `times` times (2 or more) in a row: text by text,
// the shortest periods first. looping_tokens[text] counts the tokens that are in one of them.
void loops(const Pool& pool, uint32_t max_period, uint32_t times, int64_t* looping_tokens, std::vector<LoopSpan>* spans,
           const Run& run);

}  // namespace bleuprint
