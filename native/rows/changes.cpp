#include "rows/changes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "rows/ngrams.hpp"

namespace bleuprint {

namespace {

int64_t share(int64_t part, int64_t whole) noexcept {
  return std::llround(std::ldexp(static_cast<double>(part) / static_cast<double>(whole), share_bits));
}

class ChangeRows : public RowCounter {
 public:
  ChangeRows(const Aligned& texts, const Reading& reading, size_t max_order, bool shares, uint64_t seed)
      : texts_(texts),
        reader_(reading, texts.cancel, texts.shared),
        max_order_(max_order),
        shares_(shares),
        seed_(seed) {}

  void count(size_t segment, int64_t* row) override {
    references_ = static_cast<int64_t>(texts_.references.last_text(segment) - texts_.references.first_text(segment));
    read(segment);
    for (size_t order = 1; order <= max_order_; ++order, row += changes_per_order) {
      if (order > 1) extend();
      tally();
      for (const Counts& counts : counts_) {
        add(counts, row);
        shares_ ? add_shares(counts, row + 3) : add_counts(counts, row + 3);
      }
    }
  }

 private:
  struct Counts {
    int64_t source = 0, hypothesis = 0, references = 0;
  };

  // The tokens of all texts as ids: source, hypothesis, references. Long texts are copied because the reader reuses
  // its memory, so that keys of long tokens would not outlive the next text.
  void read(size_t segment) {
    ends_.clear();
    bytes_.clear();
    spans_.clear();
    add_text(*texts_.sources, texts_.sources->first_text(segment));
    add_text(texts_.hypotheses, texts_.hypotheses.first_text(segment));
    for (size_t text = texts_.references.first_text(segment); text < texts_.references.last_text(segment); ++text) {
      add_text(texts_.references, text);
    }
    intern();
  }

  void add_text(const Texts& texts, size_t text) {
    const Spans& tokens = reader_.read(texts, text);
    for (const std::string_view token : tokens) {
      bytes_.append(token);
      spans_.push_back(token.size());
    }
    if (shares_ && tokens.empty()) spans_.push_back(0);
    ends_.push_back(spans_.size());
  }

  void intern() {
    tokens_.reset(spans_.size());
    ids_.clear();
    const Region region{bytes_.data(), bytes_.size()};
    size_t begin = 0;
    for (const size_t length : spans_) {
      const TokenKey key = make_key({bytes_.data() + begin, length}, region, seed_);
      ids_.push_back(tokens_.insert(key, hash(key, seed_)));
      begin += length;
    }
    kinds_ = tokens_.size();
  }

  // From n-grams to those one token longer; every text has one fewer.
  void extend() {
    pairs_.reset(ids_.size());
    size_t out = 0, begin = 0;
    for (size_t& end : ends_) {
      for (size_t i = begin; i + 1 < end; ++i) {
        const uint64_t key = uint64_t{ids_[i]} << 32 | ids_[i + 1];
        ids_[out++] = pairs_.insert(key, hash(key, seed_));
      }
      begin = end;
      end = out;
    }
    ids_.resize(out);
    kinds_ = pairs_.size();
  }

  void tally() {
    counts_.assign(kinds_, {});
    for (size_t i = 0; i < ends_[0]; ++i) ++counts_[ids_[i]].source;
    for (size_t i = ends_[0]; i < ends_[1]; ++i) ++counts_[ids_[i]].hypothesis;
    for (size_t i = ends_[1]; i < ids_.size(); ++i) ++counts_[ids_[i]].references;
  }

  static void add(const Counts& counts, int64_t* row) noexcept {
    if (counts.source > 0) return;
    row[0] += counts.hypothesis > 0 && counts.references > 0;
    row[1] += counts.hypothesis > 0;
    row[2] += counts.references > 0;
  }

  void add_counts(const Counts& counts, int64_t* row) const noexcept {
    const int64_t source = counts.source * references_;
    const int64_t kept = std::min(counts.source, counts.hypothesis) * references_;
    const int64_t kept_there = std::min(source, counts.references);
    row[0] += std::min(kept, kept_there);
    row[1] += kept;
    row[2] += kept_there;
    row[3] += std::min(source - kept, source - kept_there);
    row[4] += source - kept;
    row[5] += source - kept_there;
  }

  void add_shares(const Counts& counts, int64_t* row) const noexcept {
    const int64_t source = counts.source * references_;
    const int64_t kept = std::min(counts.source, counts.hypothesis) * references_;
    const int64_t deleted = source - kept;
    row[0] += std::min(kept, counts.references);
    row[1] += std::min(source, counts.references);
    if (kept > 0) row[2] += share(std::min(kept, counts.references), kept);
    row[3] += kept > 0;
    if (deleted > 0) row[4] += share(std::max<int64_t>(0, deleted - counts.references), deleted);
    row[5] += deleted > 0;
  }

  Aligned texts_;
  Reader reader_;
  size_t max_order_;
  bool shares_;
  uint64_t seed_;
  int64_t references_ = 0;
  std::string bytes_;
  std::vector<size_t> spans_;  // lengths of the tokens, one after another in bytes_
  std::vector<size_t> ends_;   // of the texts, in ids_
  SmallTable<TokenKey> tokens_;
  SmallTable<uint64_t> pairs_;
  size_t kinds_ = 0;
  std::vector<uint32_t> ids_;
  std::vector<Counts> counts_;
};

}  // namespace

std::unique_ptr<RowCounter> change_rows(const Aligned& texts, const Reading& reading, size_t max_order, bool shares,
                                        uint64_t seed) {
  return std::make_unique<ChangeRows>(texts, reading, max_order, shares, seed);
}

}  // namespace bleuprint
