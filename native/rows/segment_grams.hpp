// The n-grams of one segment, in its hypothesis and in its references, as a prior knows them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pool/prior.hpp"
#include "rows/count_rows.hpp"
#include "rows/ngrams.hpp"

namespace bleuprint {

// Starts with the tokens of a segment and goes from n-grams to those one token longer. Texts are numbered: the
// hypothesis is text 0, and its references follow.
class SegmentGrams {
 public:
  struct Gram {
    uint32_t shorter;  // the node of its first n-1 tokens in the prior
    uint32_t node;
  };

  SegmentGrams(const Aligned& texts, const Reading& reading, const Prior& prior, uint64_t seed)
      : texts_(texts), reader_(reading, texts.cancel), prior_(prior), seed_(seed) {}

  void read(size_t segment);
  void extend();

  size_t texts() const noexcept { return ends_.size(); }
  int64_t length(size_t text) const noexcept { return lengths_[text]; }  // in tokens
  const std::vector<Gram>& grams() const noexcept { return grams_; }     // by id
  const uint32_t* begin(size_t text) const noexcept { return ids_.data() + (text == 0 ? 0 : ends_[text - 1]); }
  const uint32_t* end(size_t text) const noexcept { return ids_.data() + ends_[text]; }

 private:
  void poll(size_t step) const {
    if ((step & 0xFFFF) == 0) texts_.cancel.poll();
  }
  void add_text(const Texts& texts, size_t text);
  void intern();
  void add_gram(uint32_t shorter, uint32_t token) { grams_.push_back({shorter, prior_.find(shorter, token)}); }

  Aligned texts_;
  Reader reader_;
  const Prior& prior_;
  uint64_t seed_;
  size_t order_ = 1;
  std::string bytes_;
  std::vector<size_t> sizes_, ends_;  // bytes of each token; where each text ends in ids_
  std::vector<int64_t> lengths_;
  SmallTable<TokenKey> table_;
  SmallTable<uint64_t> pairs_;
  std::vector<uint32_t> ids_, starts_;    // n-grams at each place, and where they start in words_
  std::vector<uint32_t> words_, tokens_;  // tokens at each place; by token its id in the prior
  std::vector<Gram> grams_, before_;      // of this order and the one before
};

}  // namespace bleuprint
