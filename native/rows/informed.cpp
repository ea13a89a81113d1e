#include "rows/informed.hpp"

#include <algorithm>
#include <cmath>

#include "rows/ngrams.hpp"

namespace bleuprint {

namespace {

bool tells_less(const InformedMatch& match, const InformedMatch& other) noexcept {
  return match.high != other.high ? match.high < other.high : match.low < other.low;
}

// An n-gram can match only if the one without its first and the one without its last token do, so every order looks
// only at what matched in the order before, and only that is looked up in the prior.
class InformedRows : public RowCounter {
 public:
  InformedRows(const Aligned& texts, const Reading& reading, std::shared_ptr<const Prior> prior, uint64_t seed)
      : texts_(texts),
        hypothesis_reader_(reading, texts.cancel),
        reference_reader_(reading, texts.cancel),
        prior_(std::move(prior)),
        seed_(seed) {}

  void count(size_t segment, int64_t* row) override {
    tokens_ = &hypothesis_reader_.read(texts_.hypotheses, texts_.hypotheses.first_text(segment));
    intern();
    read_references(segment);
    const auto length = static_cast<int64_t>(tokens_->size());
    row[0] += length;
    for (size_t order = 1; order <= prior_->max_order(); ++order) {
      if (order > 1) extend();
      tally(order);
      match_references();
      const InformedMatch& best = best_match(matches_);
      row[1] += best.length;
      row[3 * order - 1] += best.high;
      row[3 * order] += best.low;
      row[3 * order + 1] += std::max<int64_t>(0, length - static_cast<int64_t>(order) + 1);
    }
  }

 private:
  static constexpr uint32_t absent = SmallTable<uint64_t>::absent;

  // What is known of an n-gram of the hypothesis.
  struct Gram {
    uint32_t available = 0;  // occurrences in the hypothesis
    uint32_t seen = 0;       // in the reference being counted
    uint32_t first = 0;      // its first place
    uint32_t shorter = 0;    // id of its first n-1 tokens, in the order before
    uint32_t node = absent;  // in the prior, once it matched
    bool matched = false;
    int64_t weight = 0;
  };

  void poll(size_t step) const {
    if ((step & 0xFFFF) == 0) texts_.cancel.poll();
  }

  void intern() {
    table_.reset(tokens_->size());
    hypothesis_.clear();
    size_t place = 0;
    for (const std::string_view token : *tokens_) {
      poll(place++);
      const TokenKey key = make_key(token, hypothesis_reader_.region(), seed_);
      hypothesis_.push_back(table_.insert(key, hash(key, seed_)));
    }
    grams_.assign(table_.size(), Gram{});
  }

  void read_references(size_t segment) {
    references_.clear();
    ends_.clear();
    lengths_.clear();
    for (size_t text = texts_.references.first_text(segment); text < texts_.references.last_text(segment); ++text) {
      const Spans& tokens = reference_reader_.read(texts_.references, text);
      for (const std::string_view token : tokens) {
        poll(references_.size());
        const TokenKey key = make_key(token, reference_reader_.region(), seed_);
        references_.push_back(table_.find(key, hash(key, seed_)));
      }
      ends_.push_back(references_.size());
      lengths_.push_back(static_cast<int64_t>(tokens.size()));
    }
  }

  void tally(size_t order) {
    order_ = order;
    for (uint32_t place = 0; place < hypothesis_.size(); ++place) {
      if (hypothesis_[place] == absent) continue;
      Gram& gram = grams_[hypothesis_[place]];
      if (gram.available++ == 0) gram.first = place;
    }
  }

  void match_references() {
    matches_.clear();
    size_t begin = 0;
    for (size_t reference = 0; reference < ends_.size(); begin = ends_[reference++]) {
      InformedMatch match;
      match.length = lengths_[reference];
      for (size_t i = begin; i < ends_[reference]; ++i) {
        poll(i);
        if (references_[i] == absent) continue;
        Gram& gram = grams_[references_[i]];
        if (++gram.seen > gram.available) continue;
        if (!gram.matched) weigh(gram);
        match.add(1, gram.weight);
      }
      for (size_t i = begin; i < ends_[reference]; ++i) {
        if (references_[i] != absent) grams_[references_[i]].seen = 0;
      }
      match.carry();
      matches_.push_back(match);
    }
  }

  void weigh(Gram& gram) {
    const uint32_t shorter = order_ == 1 ? Prior::root : before_[gram.shorter].node;
    gram.matched = true;
    gram.node = prior_->find(shorter, prior_->token((*tokens_)[gram.first + order_ - 1]));
    gram.weight = information_weight(prior_->wider(shorter), prior_->count(gram.node));
  }

  void extend() {
    before_.swap(grams_);
    pairs_.reset(hypothesis_.size());
    grams_.clear();
    for (size_t i = 0; i + 1 < hypothesis_.size(); ++i) {
      poll(i);
      const uint32_t first = hypothesis_[i], last = hypothesis_[i + 1];
      if (first == absent || last == absent || !before_[first].matched || !before_[last].matched) {
        hypothesis_[i] = absent;
        continue;
      }
      const uint64_t key = uint64_t{first} << 32 | last;
      hypothesis_[i] = pairs_.insert(key, hash(key, seed_));
      if (hypothesis_[i] == grams_.size()) {
        grams_.emplace_back();
        grams_.back().shorter = first;
      }
    }
    if (!hypothesis_.empty()) hypothesis_.pop_back();
    extend_references();
  }

  void extend_references() {
    size_t begin = 0, kept = 0;
    for (size_t& end : ends_) {
      for (size_t i = begin; i + 1 < end; ++i) {
        poll(i);
        const uint64_t key = uint64_t{references_[i]} << 32 | references_[i + 1];
        const bool known = references_[i] != absent && references_[i + 1] != absent;
        references_[kept++] = known ? pairs_.find(key, hash(key, seed_)) : absent;
      }
      begin = end;
      end = kept;
    }
  }

  Aligned texts_;
  Reader hypothesis_reader_, reference_reader_;
  std::shared_ptr<const Prior> prior_;
  uint64_t seed_;
  size_t order_ = 1;
  const Spans* tokens_ = nullptr;  // of the hypothesis
  SmallTable<TokenKey> table_;
  SmallTable<uint64_t> pairs_;
  std::vector<uint32_t> hypothesis_, references_;  // ids at each place, or absent
  std::vector<size_t> ends_;                       // of the references
  std::vector<int64_t> lengths_;                   // in tokens
  std::vector<InformedMatch> matches_;             // by reference, of this order
  std::vector<Gram> grams_, before_;               // of this order and the one before
};

}  // namespace

int64_t information_weight(uint64_t wider, uint64_t count) noexcept {
  const double information = std::log2(static_cast<double>(wider) / static_cast<double>(count));
  return std::llround(std::ldexp(information, 2 * weight_bits));
}

const InformedMatch& best_match(const std::vector<InformedMatch>& matches) noexcept {
  const InformedMatch& most = *std::max_element(matches.begin(), matches.end(), tells_less);
  InformedMatch least = most;
  least.low -= equal_weights;
  least.carry();
  const InformedMatch* best = nullptr;
  for (const InformedMatch& match : matches) {
    if (tells_less(match, least)) continue;
    const bool longer = best == nullptr || match.length > best->length;
    if (longer || (match.length == best->length && tells_less(*best, match))) best = &match;
  }
  return *best;
}

std::unique_ptr<RowCounter> informed_rows(const Aligned& texts, const Reading& reading,
                                          std::shared_ptr<const Prior> prior, uint64_t seed) {
  return std::make_unique<InformedRows>(texts, reading, std::move(prior), seed);
}

}  // namespace bleuprint
