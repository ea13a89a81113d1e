#include "rows/segment_grams.hpp"

namespace bleuprint {

// The bytes of tokens are copied because the reader reuses its memory, and keys of long tokens would not outlive the
// next text.
void SegmentGrams::read(size_t segment) {
  order_ = 1;
  bytes_.clear();
  sizes_.clear();
  ends_.clear();
  lengths_.clear();
  add_text(texts_.hypotheses, texts_.hypotheses.first_text(segment));
  for (size_t text = texts_.references.first_text(segment); text < texts_.references.last_text(segment); ++text) {
    add_text(texts_.references, text);
  }
  intern();
}

void SegmentGrams::add_text(const Texts& texts, size_t text) {
  const Spans& tokens = reader_.read(texts, text);
  for (const std::string_view token : tokens) {
    bytes_.append(token);
    sizes_.push_back(token.size());
  }
  lengths_.push_back(static_cast<int64_t>(tokens.size()));
  ends_.push_back(sizes_.size());
}

void SegmentGrams::intern() {
  table_.reset(sizes_.size());
  ids_.clear();
  grams_.clear();
  tokens_.clear();
  const Region region{bytes_.data(), bytes_.size()};
  size_t begin = 0;
  for (const size_t size : sizes_) {
    poll(ids_.size());
    const std::string_view token{bytes_.data() + begin, size};
    const TokenKey key = make_key(token, region, seed_);
    ids_.push_back(table_.insert(key, hash(key, seed_)));
    if (ids_.back() == grams_.size()) {
      tokens_.push_back(prior_.token(token));
      add_gram(Prior::root, tokens_.back());
    }
    begin += size;
  }
  words_ = ids_;
  starts_.resize(ids_.size());
  for (size_t i = 0; i < starts_.size(); ++i) starts_[i] = static_cast<uint32_t>(i);
}

// Every text has one n-gram fewer.
void SegmentGrams::extend() {
  ++order_;
  before_.swap(grams_);
  grams_.clear();
  pairs_.reset(ids_.size());
  size_t begin = 0, kept = 0;
  for (size_t& end : ends_) {
    for (size_t i = begin; i + 1 < end; ++i) {
      poll(i);
      const uint64_t key = uint64_t{ids_[i]} << 32 | ids_[i + 1];
      const uint32_t shorter = ids_[i], start = starts_[i];
      ids_[kept] = pairs_.insert(key, hash(key, seed_));
      starts_[kept] = start;
      if (ids_[kept++] == grams_.size()) add_gram(before_[shorter].node, tokens_[words_[start + order_ - 1]]);
    }
    begin = end;
    end = kept;
  }
  ids_.resize(kept);
}

}  // namespace bleuprint
