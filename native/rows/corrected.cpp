#include "rows/corrected.hpp"

#include <algorithm>
#include <vector>

#include "rows/ngrams.hpp"

namespace bleuprint {

namespace {

class CorrectedRows : public RowCounter {
 public:
  CorrectedRows(const Aligned& texts, const Reading& reading, size_t max_order, uint64_t seed)
      : texts_(texts),
        hypothesis_reader_(reading, texts.cancel, texts.shared),
        reference_reader_(reading, texts.cancel, texts.shared),
        source_reader_(reading, texts.cancel, texts.shared),
        max_order_(max_order),
        seed_(seed) {}

  void count(size_t segment, int64_t* row) override {
    const Spans& hypothesis = hypothesis_reader_.read(texts_.hypotheses, texts_.hypotheses.first_text(segment));
    const Spans& reference = reference_reader_.read(texts_.references, texts_.references.first_text(segment));
    const Spans& source = source_reader_.read(*texts_.sources, texts_.sources->first_text(segment));
    intern(hypothesis, hypothesis_);
    look_up(reference, reference_reader_.region(), reference_);
    look_up(source, source_reader_.region(), source_);
    const auto length = static_cast<int64_t>(hypothesis.size());
    row[0] += length;
    row[1] += static_cast<int64_t>(reference.size());
    for (size_t order = 1; order <= max_order_; ++order) {
      if (order > 1) extend();
      row[1 + order] += matches();
      row[1 + max_order_ + order] += std::max<int64_t>(0, length - static_cast<int64_t>(order) + 1);
    }
  }

 private:
  static constexpr uint32_t absent = SmallTable<uint64_t>::absent;

  void intern(const Spans& tokens, std::vector<uint32_t>& ids) {
    tokens_.reset(tokens.size());
    ids.clear();
    for (const std::string_view token : tokens) {
      const TokenKey key = make_key(token, hypothesis_reader_.region(), seed_);
      ids.push_back(tokens_.insert(key, hash(key, seed_)));
    }
    kinds_ = tokens_.size();
  }

  void look_up(const Spans& tokens, const Region& region, std::vector<uint32_t>& ids) {
    ids.clear();
    for (const std::string_view token : tokens) {
      const TokenKey key = make_key(token, region, seed_);
      ids.push_back(tokens_.find(key, hash(key, seed_)));
    }
  }

  void extend() {
    pairs_.reset(hypothesis_.size());
    extend(hypothesis_, [this](uint64_t key) { return pairs_.insert(key, hash(key, seed_)); });
    kinds_ = pairs_.size();
    const auto find = [this](uint64_t key) { return pairs_.find(key, hash(key, seed_)); };
    extend(reference_, find);
    extend(source_, find);
  }

  template <typename Identify>
  static void extend(std::vector<uint32_t>& ids, Identify identify) {
    for (size_t i = 0; i + 1 < ids.size(); ++i) {
      const bool known = ids[i] != absent && ids[i + 1] != absent;
      ids[i] = known ? identify(uint64_t{ids[i]} << 32 | ids[i + 1]) : absent;
    }
    if (!ids.empty()) ids.pop_back();
  }

  static void tally(const std::vector<uint32_t>& ids, size_t kinds, std::vector<uint32_t>& counts) {
    counts.assign(kinds, 0);
    for (const uint32_t id : ids) {
      if (id != absent) ++counts[id];
    }
  }

  int64_t matches() {
    tally(hypothesis_, kinds_, in_hypothesis_);
    tally(reference_, kinds_, in_reference_);
    tally(source_, kinds_, in_source_);
    int64_t sum = 0;
    for (size_t id = 0; id < kinds_; ++id) {
      sum += std::min(in_hypothesis_[id], in_reference_[id]);
      if (in_reference_[id] == 0) sum -= std::min(in_hypothesis_[id], in_source_[id]);
    }
    return std::max<int64_t>(0, sum);
  }

  Aligned texts_;
  Reader hypothesis_reader_;
  Reader reference_reader_;
  Reader source_reader_;
  size_t max_order_;
  uint64_t seed_;
  SmallTable<TokenKey> tokens_;
  SmallTable<uint64_t> pairs_;
  size_t kinds_ = 0;
  std::vector<uint32_t> hypothesis_, reference_, source_;  // n-gram ids at each place, or absent
  std::vector<uint32_t> in_hypothesis_, in_reference_, in_source_;
};

}  // namespace

std::unique_ptr<RowCounter> corrected_rows(const Aligned& texts, const Reading& reading, size_t max_order,
                                           uint64_t seed) {
  return std::make_unique<CorrectedRows>(texts, reading, max_order, seed);
}

}  // namespace bleuprint
