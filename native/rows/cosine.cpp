#include "rows/cosine.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "rows/ngrams.hpp"

namespace bleuprint {

namespace {

class CosineRows : public RowCounter {
 public:
  CosineRows(const Aligned& texts, const Reading& reading, std::shared_ptr<const Prior> prior,
             const CosineOptions& options, uint64_t seed)
      : texts_(texts), reader_(reading, texts.cancel), prior_(std::move(prior)), options_(options), seed_(seed) {}

  void count(size_t segment, int64_t* row) override {
    read(segment);
    penalties_.clear();
    for (size_t text = 1; text < ends_.size(); ++text) penalties_.push_back(penalty(text));
    for (size_t order = 1; order <= prior_->max_order(); ++order) {
      if (order > 1) extend(order);
      row[order - 1] += mean_cosine();
    }
  }

 private:
  static constexpr uint32_t absent = Prior::absent;

  struct Gram {
    uint32_t node = absent;  // in the prior
    uint32_t hypothesis = 0;
    uint32_t reference = 0;
    double square = 0;  // of its rarity
  };

  void poll(size_t step) const {
    if ((step & 0xFFFF) == 0) texts_.cancel.poll();
  }

  // The tokens of the hypothesis, then of the references, as ids. Their bytes are copied because the reader reuses its
  // memory, and keys of long tokens would not outlive the next text.
  void read(size_t segment) {
    bytes_.clear();
    sizes_.clear();
    ends_.clear();
    add_text(texts_.hypotheses, texts_.hypotheses.first_text(segment));
    for (size_t text = texts_.references.first_text(segment); text < texts_.references.last_text(segment); ++text) {
      add_text(texts_.references, text);
    }
    lengths_ = ends_;
    for (size_t text = lengths_.size(); text-- > 1;) lengths_[text] -= lengths_[text - 1];
    intern();
  }

  void add_text(const Texts& texts, size_t text) {
    for (const std::string_view token : reader_.read(texts, text)) {
      bytes_.append(token);
      sizes_.push_back(token.size());
    }
    ends_.push_back(sizes_.size());
  }

  void intern() {
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
        tokens_.push_back(prior_->token(token));
        add_gram(Prior::root, tokens_.back());
      }
      begin += size;
    }
    words_ = ids_;
    starts_.resize(ids_.size());
    for (size_t i = 0; i < starts_.size(); ++i) starts_[i] = static_cast<uint32_t>(i);
  }

  void add_gram(uint32_t shorter, uint32_t token) {
    Gram gram;
    gram.node = prior_->find(shorter, token);
    const double rarity = prior_->rarity(gram.node);
    gram.square = rarity * rarity;
    grams_.push_back(gram);
  }

  // From n-grams to those one token longer; every text has one fewer.
  void extend(size_t order) {
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
        if (ids_[kept++] == grams_.size()) add_gram(before_[shorter].node, tokens_[words_[start + order - 1]]);
      }
      begin = end;
      end = kept;
    }
    ids_.resize(kept);
  }

  double penalty(size_t text) const noexcept {
    if (options_.sigma == 0) return 1;
    const double difference = static_cast<double>(lengths_[0]) - static_cast<double>(lengths_[text]);
    return std::exp(-(difference * difference) / (2 * options_.sigma * options_.sigma));
  }

  int64_t mean_cosine() {
    const double norm = hypothesis_norm();
    int64_t sum = 0;
    for (size_t text = 1; text < ends_.size(); ++text) {
      const double cosine = with_reference(ends_[text - 1], ends_[text], norm);
      sum += std::llround(std::ldexp(cosine * penalties_[text - 1], cosine_bits));
    }
    const auto references = static_cast<int64_t>(penalties_.size());
    return (sum + references / 2) / references;
  }

  double hypothesis_norm() {
    for (size_t i = 0; i < ends_[0]; ++i) ++grams_[ids_[i]].hypothesis;
    double norm = 0;
    for (size_t i = 0; i < ends_[0]; ++i) {
      Gram& gram = grams_[ids_[i]];
      // `reference` marks what was added already, in the order of appearance, which is that of a reference as well:
      // sums over equal texts are then equal, and their cosine is exactly 1.
      if (gram.reference++ == 0) norm += gram.square * gram.hypothesis * gram.hypothesis;
    }
    for (size_t i = 0; i < ends_[0]; ++i) grams_[ids_[i]].reference = 0;
    return norm;
  }

  double with_reference(size_t begin, size_t end, double hypothesis_norm) {
    for (size_t i = begin; i < end; ++i) ++grams_[ids_[i]].reference;
    double norm = 0, product = 0;
    for (size_t i = begin; i < end; ++i) {
      Gram& gram = grams_[ids_[i]];
      if (gram.reference == 0) continue;
      const double ours = options_.clipped ? std::min(gram.hypothesis, gram.reference) : gram.hypothesis;
      norm += gram.square * gram.reference * gram.reference;
      product += gram.square * ours * gram.reference;
      gram.reference = 0;
    }
    const double norms = std::sqrt(hypothesis_norm * norm);
    return norms > 0 ? product / norms : 0;
  }

  Aligned texts_;
  Reader reader_;
  std::shared_ptr<const Prior> prior_;
  CosineOptions options_;
  uint64_t seed_;
  std::string bytes_;
  std::vector<size_t> sizes_, ends_, lengths_;  // bytes of each token; ends and lengths of the texts
  SmallTable<TokenKey> table_;
  SmallTable<uint64_t> pairs_;
  std::vector<uint32_t> ids_, starts_;    // n-grams at each place, and where they start in words_
  std::vector<uint32_t> words_, tokens_;  // tokens at each place; by token its id in the prior
  std::vector<Gram> grams_, before_;      // of this order and the one before
  std::vector<double> penalties_;         // by reference
};

}  // namespace

std::unique_ptr<RowCounter> cosine_rows(const Aligned& texts, const Reading& reading,
                                        std::shared_ptr<const Prior> prior, const CosineOptions& options,
                                        uint64_t seed) {
  return std::make_unique<CosineRows>(texts, reading, std::move(prior), options, seed);
}

}  // namespace bleuprint
