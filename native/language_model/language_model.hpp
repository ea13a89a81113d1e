// An n-gram language model with back-off: log10 probabilities of the next word after the words before it.
//
// The n-grams are a trie in sorted arrays, one level per order, every level sorted by (parent, last word). A node is
// an n-gram and nothing else is. Lookups go by a table from (parent, word) to the node and compare both: no hash stands
// for anything.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "parallel.hpp"
#include "tables/vocabulary.hpp"

namespace bleuprint {

constexpr size_t largest_model_order = 6;
constexpr float largest_model_log = 100;  // log10 values of a model lie within ±100, so that sums of them fit a row

// A model that cannot be made of what was given. `line` is 0 where there are no lines.
class ModelFault : public std::runtime_error {
 public:
  explicit ModelFault(const std::string& problem, uint64_t line = 0) : std::runtime_error(problem), line_(line) {}
  uint64_t line() const noexcept { return line_; }

 private:
  uint64_t line_;
};

// The n-grams of one order, sorted by (parent, word). `children` says how many each n-gram of the order below has.
struct ModelLevel {
  std::vector<uint32_t> children;    // empty for the first order
  std::vector<uint32_t> words;       // empty for the first order, where a word's number is its place
  std::vector<float> probabilities;  // log10; NaN for a context that is no n-gram of the model itself
  std::vector<float> backoffs;       // log10; empty for the highest order
};

class LanguageModel {
 public:
  static constexpr uint32_t unknown = 0, begin = 1, end = 2;  // <unk>, <s>, </s>: the first words of every model
  static constexpr uint32_t absent = UINT32_MAX;

  // The levels must be consistent, with three words at least, all of them in the vocabulary under their number.
  LanguageModel(Vocabulary vocabulary, const std::vector<ModelLevel>& levels, const Run& run);

  size_t order() const noexcept { return level_begins_.size() - 1; }
  size_t words() const noexcept { return level_begins_[1]; }
  const Vocabulary& vocabulary() const noexcept { return vocabulary_; }

  // The words of a text. The marks of the model are no words: a text that holds them holds something unknown.
  void find_words(const std::string_view* tokens, size_t count, uint32_t* words) const {
    vocabulary_.find(tokens, count, words);
    for (size_t i = 0; i < count; ++i) {
      if (words[i] == Vocabulary::absent || words[i] <= end) words[i] = unknown;
    }
  }
  struct Step {
    double log_probability;
    uint32_t length;  // words of the n-gram that was found
  };
  // The n-grams that end where a text has come to, by their length - 1; absent where the model has none.
  using Context = std::array<uint32_t, largest_model_order>;
  static Context empty_context() noexcept;
  static Context sentence_begin() noexcept;
  // Memory that is kept from call to call.
  struct Scratch {
    std::vector<uint32_t> ngrams;      // by length - 1, then by word: those that end before the first word and at each
    std::vector<uint32_t> starts;      // likewise: the slots at which the lookups of each word begin
    std::vector<float> probabilities;  // likewise, at each word
  };
  // Words after a context, which becomes the context of what comes next. All n-grams of one length are looked up before
  // those that are a word longer: these lookups do not wait for each other, and each asks for the slot of a longer one.
  void advance(Context& context, const uint32_t* words, size_t count, Step* steps, Scratch& scratch) const;

  // The arrays, for writing. Nodes are numbered level by level.
  uint32_t level_begin(size_t level) const { return level_begins_[level]; }
  uint32_t nodes() const { return level_begins_.back(); }
  uint32_t inner_nodes() const { return level_begins_[order() - 1]; }
  uint32_t node_word(uint32_t node) const { return node < words() ? node : words_[node - words()]; }
  uint32_t first_child(uint32_t inner_node) const { return first_children_[inner_node]; }
  float probability(uint32_t node) const { return probabilities_[node]; }
  float backoff(uint32_t node) const { return node < inner_nodes() ? backoffs_[node] : 0.0f; }
  bool blank(uint32_t node) const { return std::isnan(probabilities_[node]); }

 private:
  // An n-gram beyond the first order, by its parent and its last word: all that a lookup needs in one cache line.
  struct Slot {
    uint32_t parent = 0, word = 0;
    uint32_t node = 0;  // 0, which is no child, in a free slot
    float probability = 0;
  };

  uint32_t start(uint32_t parent, uint32_t word) const noexcept;
  const Slot& locate(size_t at, uint32_t parent, uint32_t word) const noexcept;  // or the free slot where it belongs
  void index(const Run& run);

  Vocabulary vocabulary_;
  std::vector<uint32_t> level_begins_;    // one more than there are levels
  std::vector<uint32_t> words_;           // of the nodes above the first level
  std::vector<uint32_t> first_children_;  // of the inner nodes, and one more
  std::vector<float> probabilities_;
  std::vector<float> backoffs_;  // of the inner nodes
  std::vector<Slot> slots_;
};

// How the n-grams are to be estimated.
struct TrainingOptions {
  size_t order;
  std::vector<uint64_t> prune;    // per order: n-grams seen that often or less are dropped; never falling, first 0
  std::vector<double> discounts;  // for orders whose own cannot be estimated; empty: such a corpus is refused
  bool skip_marks;                // words of the texts that are marks of the model: left out, or refused
};

class Pool;

// Modified Kneser-Ney estimates, interpolated, of the texts of a pool, each of them a sentence. The ModelFault of a
// corpus is "discounts" with the order, or the mark that a text holds with the number of the text, from 1.
LanguageModel train_model(const Pool& pool, const TrainingOptions& options, uint64_t seed, const Run& run);

// The text format of the same name.
LanguageModel read_arpa(std::string_view content, uint64_t seed, const Run& run);
std::string write_arpa(const LanguageModel& model, const Run& run);

// A compact format of our own; `note` comes back as it was given.
std::string pack_model(const LanguageModel& model, std::string_view note, const Run& run);
struct Unpacked {
  LanguageModel model;
  std::string note;
};
Unpacked unpack_model(std::string_view content, uint64_t seed, const Run& run);

}  // namespace bleuprint
