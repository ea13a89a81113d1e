// The different n-grams of each text: how many other texts have them, and as sets that can be joined.
#include "pool/counting.hpp"
#include "pool/pool.hpp"

namespace bleuprint {
namespace {

constexpr uint32_t none = UINT32_MAX;
constexpr size_t poll_every = size_t{1} << 12;  // texts

// Turns how many sets have each element into its number: from the rarest on, in order; none where one set alone has
// it.
void rank_by_rarity(std::vector<uint32_t>* holders, size_t* element_limit) {
  const uint32_t most = holders->empty() ? 0 : *std::max_element(holders->begin(), holders->end());
  std::vector<uint32_t> next(size_t{most} + 2, 0);
  for (const uint32_t count : *holders) {
    if (count > 1) ++next[count + 1];
  }
  for (size_t count = 1; count < next.size(); ++count) next[count] += next[count - 1];
  *element_limit = next.back();
  for (uint32_t& holder : *holders) holder = holder > 1 ? next[holder]++ : none;
}

// Builds the sets in two passes over the pool: which elements there are, and their numbers.
class SetBuilder {
 public:
  SetBuilder(const Pool& pool, size_t order, bool repeats_count, NgramSets* sets, const Run& run)
      : pool_(pool), order_(order), repeats_count_(repeats_count), sets_(*sets), run_(run) {}

  void build() {
    sets_.sizes.assign(pool_.texts(), 0);
    find_elements();
    uint64_t listed = 0;
    for (const uint32_t count : holders_) listed += count > 1 ? count : 0;
    sets_.elements.clear();
    sets_.elements.reserve(listed);
    rank_by_rarity(&holders_, &sets_.element_limit);
    return write();
  }

 private:
  struct Seen {
    uint32_t first = none;   // the element of its first occurrence in a text
    uint32_t latest = none;  // the element of its latest occurrence
    uint32_t last_text = 0;  // text + 1
  };

  // Elements are numbered by first appearance: texts near each other have near elements.
  void find_elements() {
    const Sequence sequence = sequence_of(pool_);
    Grouped counted;
    counted.count(sequence, order_, run_);
    elements_ = std::move(counted.groups);  // a group is read once, before its element is written
    std::vector<Seen> seen(counted.limit);
    visit_ngrams(sequence, order_, elements_.get(), run_, [&](size_t text, uint64_t position, uint32_t group) {
      prefetch_group(sequence, seen, elements_.get(), position);
      elements_[position] = none;
      if (group == 0) {
        ++sets_.sizes[text];
        return;
      }
      Seen& ngram = seen[group];
      const uint32_t label = static_cast<uint32_t>(text) + 1;
      const bool again = ngram.last_text == label;
      if (again && !repeats_count_) return;
      uint32_t* const known = again ? &following_[ngram.latest] : &ngram.first;
      const uint32_t element = *known != none ? * known : * known = static_cast<uint32_t>(holders_.size());
      if (element == holders_.size()) add_element();
      ngram.latest = element;
      ngram.last_text = label;
      ++holders_[element];
      elements_[position] = element;
      ++sets_.sizes[text];
    });
  }

  void add_element() {
    if (holders_.size() + 1 >= none) throw std::length_error("too many different n-grams of one order");
    holders_.push_back(0);
    if (repeats_count_) following_.push_back(none);
  }

  void write() {
    sets_.offsets.assign(1, 0);
    for (size_t text = 0; text < pool_.texts(); ++text) {
      if (text % poll_every == 0) run_.poll();
      const auto begin = static_cast<std::ptrdiff_t>(sets_.elements.size());
      for (uint64_t p = pool_.offsets()[text]; p + order_ <= pool_.offsets()[text + 1]; ++p) {
        if (elements_[p] == none || holders_[elements_[p]] == none) continue;
        sets_.elements.push_back(holders_[elements_[p]]);
      }
      std::sort(sets_.elements.begin() + begin, sets_.elements.end());
      sets_.offsets.push_back(sets_.elements.size());
    }
  }

  const Pool& pool_;
  size_t order_;
  bool repeats_count_;
  NgramSets& sets_;
  Run run_;
  std::unique_ptr<uint32_t[]> elements_;  // by position, where an n-gram starts
  std::vector<uint32_t> holders_;         // by element: how many texts have it, then its rank
  std::vector<uint32_t> following_;       // by element: that of the same n-gram's next occurrence in a text
};

}  // namespace

void other_texts(const Pool& pool, size_t order, int64_t* sums, const Run& run) {
  require_order(order);
  std::fill_n(sums, pool.texts(), int64_t{0});
  const Sequence sequence = sequence_of(pool);
  if (order > longest_text(sequence)) return;
  return Refinement<RepeatedAnywhere>(sequence, {}, run).refine(order, {}, nullptr, nullptr, sums);
}

void ngram_sets(const Pool& pool, size_t order, bool repeats_count, NgramSets* sets, const Run& run) {
  require_order(order);
  return SetBuilder(pool, order, repeats_count, sets, run).build();
}

}  // namespace bleuprint
