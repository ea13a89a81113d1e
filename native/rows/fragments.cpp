#include "rows/fragments.hpp"

#include <algorithm>
#include <vector>

#include "rows/ngrams.hpp"
#include "rows/units.hpp"

namespace bleuprint {

namespace {

class FragmentRows : public RowCounter {
 public:
  FragmentRows(const Aligned& texts, const Reading& reading, size_t max_order, uint64_t seed)
      : texts_(texts), ids_(texts, reading, seed), max_order_(max_order), seed_(seed) {}

  void count(size_t segment, int64_t* row) override {
    ids_.read_hypothesis(texts_.hypotheses, texts_.hypotheses.first_text(segment), text_);
    ids_.read_reference(*texts_.sources, texts_.sources->first_text(segment), source_);
    row[0] += static_cast<int64_t>(text_.size());
    row[1] += static_cast<int64_t>(source_.size());
    count_fragments(row + 2);
    count_novel(row + 5);
  }

 private:
  static constexpr uint32_t absent = SmallTable<TokenKey>::absent;

  void poll(size_t step) const {
    if (step % (1 << 14) == 0) texts_.cancel.poll();
  }

  void count_fragments(int64_t* row) {
    // Where each word of the text stands in the source, in order.
    begins_.assign(ids_.kinds() + 1, 0);
    for (const uint32_t id : source_) {
      if (id != absent) ++begins_[id + 1];
    }
    for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    places_.resize(begins_.back());
    next_ = begins_;
    for (size_t i = 0; i < source_.size(); ++i) {
      if (source_[i] != absent) places_[next_[source_[i]]++] = i;
    }
    size_t steps = 0;
    for (size_t begin = 0; begin < text_.size();) {
      size_t longest = 0, behind = 0;
      for (size_t i = begins_[text_[begin]]; i < begins_[text_[begin] + size_t{1}]; ++i) {
        poll(steps++);
        if (places_[i] < behind) continue;
        size_t length = 1;
        while (begin + length < text_.size() && places_[i] + length < source_.size() &&
               text_[begin + length] == source_[places_[i] + length]) {
          poll(steps++);
          ++length;
        }
        longest = std::max(longest, length);
        behind = places_[i] + length;
      }
      row[0] += longest > 0;
      row[1] += static_cast<int64_t>(longest);
      row[2] += static_cast<int64_t>(longest * longest);
      begin += std::max<size_t>(longest, 1);
    }
  }

  void count_novel(int64_t* row) {
    size_t kinds = ids_.kinds();
    for (size_t order = 1; order <= max_order_; ++order, row += 2) {
      if (order > 1) kinds = extend(order);
      known_.assign(kinds, 0);
      for (size_t i = 0; i + order <= source_.size(); ++i) {
        if (source_[i] != absent) known_[source_[i]] = 1;
      }
      row[0] += static_cast<int64_t>(kinds);
      row[1] += std::count(known_.begin(), known_.end(), 0);
    }
  }

  // Ids of n-grams in the place of those one word shorter.
  size_t extend(size_t order) {
    const size_t size = text_.size() >= order ? text_.size() - order + 1 : 0;
    pairs_.reset(size);
    for (size_t i = 0; i < size; ++i) {
      const uint64_t key = uint64_t{text_[i]} << 32 | text_[i + 1];
      text_[i] = pairs_.insert(key, hash(key, seed_));
    }
    for (size_t i = 0; i + order <= source_.size(); ++i) {
      const uint64_t key = uint64_t{source_[i]} << 32 | source_[i + 1];
      const bool possible = source_[i] != absent && source_[i + 1] != absent;
      source_[i] = possible ? pairs_.find(key, hash(key, seed_)) : absent;
    }
    return pairs_.size();
  }

  Aligned texts_;
  TokenIds ids_;
  size_t max_order_;
  uint64_t seed_;
  Ids text_, source_;
  std::vector<size_t> begins_, next_, places_;
  std::vector<uint8_t> known_;
  SmallTable<uint64_t> pairs_;
};

}  // namespace

std::unique_ptr<RowCounter> fragment_rows(const Aligned& texts, const Reading& reading, size_t max_order,
                                          uint64_t seed) {
  return std::make_unique<FragmentRows>(texts, reading, max_order, seed);
}

}  // namespace bleuprint
