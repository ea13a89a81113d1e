#include "rows/leave_out.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>

#include "rows/segment_grams.hpp"

namespace bleuprint {

namespace {

constexpr uint32_t absent = Prior::absent;

// The n-grams that a segment has, with how often: what is taken from a prior's counts without it.
class LeftOut {
 public:
  struct Node {
    size_t order;
    uint32_t shorter, node;
  };

  explicit LeftOut(const Prior& prior) : prior_(prior), counts_(prior.nodes(), 0) {}

  void take(uint64_t segment) {
    for (const Node& each : nodes_) counts_[each.node] = 0;
    nodes_.clear();
    tokens_ = prior_.segment_tokens(segment);
    prior_.each_node(segment, [&](size_t order, uint32_t shorter, uint32_t node) {
      if (counts_[node]++ == 0) nodes_.push_back({order, shorter, node});
    });
  }
  void take_nothing() {
    for (const Node& each : nodes_) counts_[each.node] = 0;
    nodes_.clear();
    tokens_ = 0;
  }

  const std::vector<Node>& nodes() const noexcept { return nodes_; }  // different ones
  uint64_t count(uint32_t node) const noexcept {
    return node == Prior::root ? tokens_ : node == absent ? 0 : counts_[node];
  }
  // Whether nothing is left of an n-gram; never for what another segment has.
  bool all(uint32_t node) const noexcept { return count(node) == whole(node); }
  uint64_t whole(uint32_t node) const noexcept { return node == Prior::root ? prior_.tokens() : prior_.count(node); }
  int64_t weight(uint32_t shorter, uint32_t node) const noexcept {
    return information_weight(whole(shorter) - count(shorter), whole(node) - count(node));
  }

 private:
  const Prior& prior_;
  std::vector<uint64_t> counts_;  // by node
  std::vector<Node> nodes_;
  uint64_t tokens_ = 0;
};

// N-grams that a hypothesis shares with a reference. Those without a node have equal weights if they have the same
// first n-1 tokens, and so stand together.
struct Shared {
  uint32_t shorter, node;
  int64_t times;

  uint64_t key() const noexcept { return uint64_t{shorter} << 32 | node; }
};

// The shared n-grams of one order of a segment, by reference.
struct Choices {
  struct Reference {
    std::vector<Shared> shared;  // in the order of their keys
    int64_t length;
  };

  size_t segment, order;
  std::vector<Reference> references;
  size_t best = 0;

  const InformedMatch& find_best(const LeftOut& left_out, std::vector<InformedMatch>* matches) const {
    matches->clear();
    for (const Reference& reference : references) {
      InformedMatch match;
      match.length = reference.length;
      for (const Shared& each : reference.shared) match.add(each.times, left_out.weight(each.shorter, each.node));
      match.carry();
      matches->push_back(match);
    }
    return best_match(*matches);
  }
};

// Counts for every segment as if it left the choice of references as it is, and then corrects what it changes there.
class InformedLeaveOut {
 public:
  InformedLeaveOut(const Aligned& texts, const Reading& reading, const Prior& prior, uint64_t seed, const Run& run)
      : texts_(texts),
        segment_(texts, reading, prior, seed),
        prior_(prior),
        run_(run),
        left_out_(prior),
        matched_(prior.nodes(), 0),
        sums_(seed) {}

  void count(int64_t* sums) {
    columns_ = informed_columns(prior_.max_order());
    totals_.assign(columns_, 0);
    own_.assign(texts_.hypotheses.segments() * columns_, 0);
    for (size_t segment = 0; segment < texts_.hypotheses.segments(); ++segment) read(segment);
    begins_.push_back(chosen_.size());
    group_children();
    post_open_choices();
    for (size_t segment = 0; segment < texts_.hypotheses.segments(); ++segment) {
      run_.poll();
      leave_out(segment, sums + segment * columns_);
    }
  }

 private:
  using Sum = InformedMatch;
  // The n-grams that begin with the same one and have the same count, and how often they match in all segments.
  struct Child {
    uint32_t shorter;
    uint64_t count;
    int64_t times;

    bool operator<(const Child& other) const noexcept {
      return shorter != other.shorter ? shorter < other.shorter : count < other.count;
    }
  };
  struct Posting {
    uint32_t node;
    uint32_t choices;
    bool operator<(const Posting& other) const noexcept { return node < other.node; }
  };

  void read(size_t segment) {
    begins_.push_back(chosen_.size());
    segment_.read(segment);
    int64_t* own = own_.data() + segment * columns_;
    own[0] = segment_.length(0);
    for (size_t order = 1; order <= prior_.max_order(); ++order) {
      run_.poll();
      if (order > 1) segment_.extend();
      Choices choices = choices_of(segment, order);
      const InformedMatch& best = choices.find_best(left_out_, &matches_);
      choices.best = static_cast<size_t>(&best - matches_.data());
      own[1] += best.length;
      own[3 * order - 1] = best.high;
      own[3 * order] = best.low;
      own[3 * order + 1] = std::max<int64_t>(0, own[0] - static_cast<int64_t>(order) + 1);
      for (const Shared& each : choices.references[choices.best].shared) {
        chosen_.push_back({order, each});
        if (each.node != absent) matched_[each.node] += each.times;
        children_.push_back({each.shorter, prior_.count(each.node), each.times});
      }
      if (is_open(choices)) open_.push_back(std::move(choices));
    }
    for (size_t column = 0; column < columns_; ++column) totals_[column] += own[column];
  }

  Choices choices_of(size_t segment, size_t order) {
    Choices choices{segment, order, {}};
    available_.assign(segment_.grams().size(), 0);
    for (const uint32_t* at = segment_.begin(0); at != segment_.end(0); ++at) ++available_[*at];
    for (size_t text = 1; text < segment_.texts(); ++text) {
      std::vector<Shared> shared;
      seen_.assign(segment_.grams().size(), 0);
      for (const uint32_t* at = segment_.begin(text); at != segment_.end(text); ++at) {
        const SegmentGrams::Gram& gram = segment_.grams()[*at];
        const bool tells = gram.shorter != absent;  // what begins with something seen once was seen once as well
        if (++seen_[*at] <= available_[*at] && tells) shared.push_back({gram.shorter, gram.node, 1});
      }
      choices.references.push_back({merge(std::move(shared)), segment_.length(text)});
    }
    return choices;
  }

  static std::vector<Shared> merge(std::vector<Shared> shared) {
    std::sort(shared.begin(), shared.end(), [](const Shared& a, const Shared& b) { return a.key() < b.key(); });
    size_t kept = 0;
    for (const Shared& each : shared) {
      if (kept > 0 && shared[kept - 1].key() == each.key()) {
        shared[kept - 1].times += each.times;
      } else {
        shared[kept++] = each;
      }
    }
    shared.resize(kept);
    shared.erase(std::remove_if(shared.begin(), shared.end(), [](const Shared& each) { return each.times == 0; }),
                 shared.end());
    return shared;
  }

  // What the best reference shares more often than another one, or less often.
  static std::vector<Shared> difference(const Choices& choices, size_t other) {
    std::vector<Shared> both = choices.references[choices.best].shared;
    for (Shared each : choices.references[other].shared) {
      each.times = -each.times;
      both.push_back(each);
    }
    return merge(std::move(both));
  }

  // Whether other weights could make another reference the best.
  static bool is_open(const Choices& choices) {
    for (size_t other = 0; other < choices.references.size(); ++other) {
      if (other != choices.best && !difference(choices, other).empty()) return true;
    }
    return false;
  }

  void group_children() {
    std::sort(children_.begin(), children_.end());
    size_t kept = 0;
    for (const Child& each : children_) {
      if (kept > 0 && !(children_[kept - 1] < each)) {
        children_[kept - 1].times += each.times;
      } else {
        children_[kept++] = each;
      }
    }
    children_.resize(kept);
  }

  // Lists the open choices under the n-grams without which they may fall to another reference.
  void post_open_choices() {
    if (open_.empty()) return;
    most_.assign(prior_.nodes(), 0);
    for (size_t segment = 0; segment < texts_.hypotheses.segments(); ++segment) {
      run_.poll();
      left_out_.take(segment);
      most_tokens_ = std::max(most_tokens_, left_out_.count(Prior::root));
      for (const LeftOut::Node& each : left_out_.nodes()) {
        most_[each.node] = std::max(most_[each.node], left_out_.count(each.node));
      }
    }
    left_out_.take_nothing();
    for (size_t place = 0; place < open_.size(); ++place) {
      run_.poll();
      post(static_cast<uint32_t>(place));
    }
    std::sort(postings_.begin(), postings_.end());
    stamps_.assign(open_.size(), 0);
  }

  void post(uint32_t place) {
    const Choices& choices = open_[place];
    bool always = false;
    for (size_t other = 0; other < choices.references.size(); ++other) {
      const std::vector<Shared> shared = difference(choices, other);
      if (other == choices.best || shared.empty()) continue;
      double margin = -static_cast<double>(equal_weights);
      std::map<uint64_t, int64_t> by_count;
      std::map<uint32_t, double> effects;  // by node: how much a segment that has it may add to the other's lead
      for (const Shared& each : shared) {
        const auto times = static_cast<double>(each.times);
        margin += times * static_cast<double>(left_out_.weight(each.shorter, each.node)) - 2 * std::fabs(times);
        by_count[prior_.count(each.node)] += each.times;
        for (const uint32_t node : {each.shorter, each.node}) {
          if (node < prior_.nodes())
            effects[node] += std::fabs(times) * largest_change(prior_.count(node), most_[node]);
        }
      }
      // Every segment changes the number of all tokens, but not what is equal under any number.
      const bool tied =
          std::all_of(by_count.begin(), by_count.end(), [](const auto& each) { return each.second == 0; });
      if (choices.order == 1 && !tied) {
        double lead = 0;
        for (const auto& each : by_count) lead += static_cast<double>(each.second);
        if (lead != 0) margin -= std::fabs(lead) * largest_change(prior_.tokens(), most_tokens_);
        always |= !(margin > 0);
      }
      post_effects(place, effects, margin);
    }
    if (always) always_.push_back(place);
  }

  // The smallest effects may all come together and change nothing.
  void post_effects(uint32_t place, const std::map<uint32_t, double>& effects, double margin) {
    std::vector<std::pair<double, uint32_t>> ascending;
    for (const auto& each : effects) ascending.emplace_back(each.second, each.first);
    std::sort(ascending.begin(), ascending.end());
    for (const auto& each : ascending) {
      margin -= each.first;
      if (!(margin > 0)) postings_.push_back({each.second, place});
    }
  }

  // Of the weight of an n-gram when a segment that has it `most` times is left out.
  static double largest_change(uint64_t count, uint64_t most) {
    if (most == count) return std::numeric_limits<double>::infinity();
    return static_cast<double>(information_weight(count, count - most)) + 1;
  }

  void leave_out(size_t segment, int64_t* sums) {
    left_out_.take(segment);
    changes_.assign(prior_.max_order(), {});
    change_children(Prior::root, 1);
    for (const LeftOut::Node& each : left_out_.nodes()) {
      if (each.order < prior_.max_order()) change_children(each.node, each.order + 1);
    }
    correct_matches(segment);
    reference_lengths_ = 0;
    correct_choices(segment);
    const int64_t* own = own_.data() + segment * columns_;
    sums[0] = totals_[0] - own[0];
    sums[1] = totals_[1] - own[1] + reference_lengths_;
    for (size_t order = 1; order <= prior_.max_order(); ++order) {
      sums[3 * order - 1] = totals_[3 * order - 1] + changes_[order - 1].high;
      sums[3 * order] = totals_[3 * order] + changes_[order - 1].low;
      sums[3 * order + 1] = totals_[3 * order + 1] - own[3 * order + 1];
    }
  }

  // As if all that begins with an n-gram had the counts it had, and fewer occurrences of the n-gram itself.
  void change_children(uint32_t shorter, size_t order) {
    Sum& change = changes_[order - 1];
    const Sum before = sum_of_children(shorter, 0);
    change.high -= before.high;
    change.low -= before.low;
    if (left_out_.all(shorter)) return;
    const Sum after = sum_of_children(shorter, left_out_.count(shorter));
    change.high += after.high;
    change.low += after.low;
  }

  // Many segments have an n-gram as often as each other.
  Sum sum_of_children(uint32_t shorter, uint64_t fewer) {
    const uint32_t id = sums_.insert(uint64_t{shorter} << 32 | fewer);
    if (id < known_sums_.size()) return known_sums_[id];
    Sum sum;
    const auto first = std::lower_bound(children_.begin(), children_.end(), Child{shorter, 0, 0});
    for (auto each = first; each != children_.end() && each->shorter == shorter; ++each) {
      sum.add(each->times, information_weight(left_out_.whole(shorter) - fewer, each->count));
    }
    known_sums_.push_back(sum);
    return sum;
  }

  // For the n-grams that the segment has: their own counts, and without its own matches.
  void correct_matches(size_t segment) {
    for (size_t i = begins_[segment]; i < begins_[segment + 1]; ++i) {
      const auto& [order, shared] = chosen_[i];
      if (shared.node != absent) {
        matched_[shared.node] -= shared.times;
      } else if (!left_out_.all(shared.shorter)) {
        changes_[order - 1].add(-shared.times, weight_before(shared.shorter, shared.node));
      }
    }
    for (const LeftOut::Node& each : left_out_.nodes()) {
      const int64_t times = matched_[each.node];
      if (times == 0 || left_out_.all(each.shorter)) continue;
      changes_[each.order - 1].add(-times, weight_before(each.shorter, each.node));
      changes_[each.order - 1].add(times, left_out_.weight(each.shorter, each.node));
    }
    for (size_t i = begins_[segment]; i < begins_[segment + 1]; ++i) {
      const auto& [order, shared] = chosen_[i];
      if (shared.node == absent) continue;
      matched_[shared.node] += shared.times;
      if (left_out_.all(shared.shorter)) continue;
      changes_[order - 1].add(-shared.times, weight_before(shared.shorter, shared.node));
    }
  }

  int64_t weight_before(uint32_t shorter, uint32_t node) const noexcept {
    return information_weight(left_out_.whole(shorter) - left_out_.count(shorter), left_out_.whole(node));
  }

  void correct_choices(size_t segment) {
    if (open_.empty()) return;
    for (const uint32_t place : always_) correct(place, segment);
    for (const LeftOut::Node& each : left_out_.nodes()) {
      const auto range = std::equal_range(postings_.begin(), postings_.end(), Posting{each.node, 0});
      for (auto posting = range.first; posting != range.second; ++posting) correct(posting->choices, segment);
    }
  }

  void correct(uint32_t place, size_t segment) {
    const Choices& choices = open_[place];
    if (choices.segment == segment || stamps_[place] == segment + 1) return;
    stamps_[place] = segment + 1;
    const InformedMatch& best = choices.find_best(left_out_, &matches_);
    const InformedMatch& before = matches_[choices.best];
    reference_lengths_ += best.length - before.length;
    changes_[choices.order - 1].high += best.high - before.high;
    changes_[choices.order - 1].low += best.low - before.low;
  }

  Aligned texts_;
  SegmentGrams segment_;
  const Prior& prior_;
  Run run_;
  LeftOut left_out_;
  size_t columns_ = 0;
  std::vector<int64_t> totals_, own_;              // rows: of all segments together, of each
  std::vector<size_t> begins_;                     // of each segment, in chosen_
  std::vector<std::pair<size_t, Shared>> chosen_;  // with their orders
  std::vector<int64_t> matched_;                   // by node: how often it matches in all segments
  std::vector<Child> children_;
  GrowingTable<uint64_t> sums_;  // of children
  std::vector<Sum> known_sums_;
  std::vector<Sum> changes_;  // by order: of the matches, without a segment
  int64_t reference_lengths_ = 0;
  std::vector<Choices> open_;
  std::vector<uint64_t> most_;  // by node: how often one segment has it at most
  uint64_t most_tokens_ = 0;
  std::vector<Posting> postings_;
  std::vector<uint32_t> always_;  // open choices to look at for every segment
  std::vector<size_t> stamps_;    // by open choice: the segment that looked at it last, from 1
  std::vector<InformedMatch> matches_;
  std::vector<uint32_t> available_, seen_;  // by n-gram of a segment
};

// Which segments have each node, in their order.
class Holders {
 public:
  Holders(const Prior& prior, const Run& run) : begins_(prior.nodes() + size_t{1}, 0) {
    for (uint32_t node = 0; node < prior.nodes(); ++node) begins_[node + 1] = begins_[node] + prior.count(node);
    segments_.resize(begins_.back());
    std::vector<uint64_t> next(begins_.begin(), begins_.end() - 1);
    LeftOut segment(prior);
    for (uint64_t i = 0; i < prior.segments(); ++i) {
      run.poll();
      segment.take(i);
      for (const LeftOut::Node& each : segment.nodes()) segments_[next[each.node]++] = static_cast<uint32_t>(i);
    }
  }
  const uint32_t* begin(uint32_t node) const noexcept { return segments_.data() + begins_[node]; }
  const uint32_t* end(uint32_t node) const noexcept { return segments_.data() + begins_[node + 1]; }

 private:
  std::vector<uint64_t> begins_;
  std::vector<uint32_t> segments_;
};

// The row of one segment after another, as every other segment that is left out makes it.
class CosinesLeaveOut {
 public:
  CosinesLeaveOut(const Aligned& texts, const Reading& reading, const Prior& prior, const CosineOptions& options,
                  uint64_t seed, const Holders& holders, std::vector<int64_t>* changes, int64_t* own)
      : segments_(texts.hypotheses.segments()),
        segment_(texts, reading, prior, seed),
        prior_(prior),
        options_(options),
        holders_(holders),
        changes_(*changes),
        own_(own),
        memo_(seed) {
    changes_.assign(segments_ * prior.max_order(), 0);
  }

  void operator()(size_t begin, size_t end) {
    for (size_t segment = begin; segment < end; ++segment) read(segment);
  }

 private:
  void read(size_t segment) {
    segment_.read(segment);
    length_penalties(segment_, options_, &penalties_);
    for (size_t order = 1; order <= prior_.max_order(); ++order) {
      if (order > 1) segment_.extend();
      vectors_.count(segment_, options_);
      if (vectors_.any_shared()) own_[segment * prior_.max_order() + order - 1] = change(segment, order);
    }
  }

  // Returns the value that segments without a common n-gram leave.
  int64_t change(size_t segment, size_t order) {
    squares_.clear();
    for (const SegmentGrams::Gram& gram : segment_.grams()) squares_.push_back(square(false, gram.node));
    const int64_t usual = vectors_.mean_cosine(squares_, penalties_);
    mark_holders(segment);
    memo_.reset(0);
    values_.clear();
    for (const uint32_t other : marked_) {
      uint64_t* marks = marks_.data() + other * words_;
      const uint32_t known = words_ == 1 ? memo_.insert(*marks) : static_cast<uint32_t>(values_.size());
      if (known == values_.size()) values_.push_back(value_without(marks));
      changes_[other * prior_.max_order() + order - 1] += values_[known] - usual;
      std::fill_n(marks, words_, 0);
    }
    return usual;
  }

  // Which of the segment's n-grams each other segment has.
  void mark_holders(size_t segment) {
    marked_.clear();
    known_.clear();
    rarer_.clear();
    for (uint32_t id = 0; id < squares_.size(); ++id) {
      if (segment_.grams()[id].node == absent) continue;
      known_.push_back(id);
      rarer_.push_back(square(true, segment_.grams()[id].node));
    }
    words_ = std::max<size_t>(1, (known_.size() + 63) / 64);
    if (marks_.size() < segments_ * words_) marks_.resize(segments_ * words_, 0);
    if (last_.empty()) last_.resize(segments_, 0);
    ++round_;
    for (size_t i = 0; i < known_.size(); ++i) {
      const uint32_t node = segment_.grams()[known_[i]].node;
      for (const uint32_t* other = holders_.begin(node); other != holders_.end(node); ++other) {
        if (*other == segment) continue;
        if (last_[*other] != round_) marked_.push_back(*other);
        last_[*other] = round_;
        marks_[*other * words_ + i / 64] |= uint64_t{1} << (i % 64);
      }
    }
  }

  int64_t value_without(const uint64_t* marks) {
    changed_ = squares_;
    for (size_t i = 0; i < known_.size(); ++i) {
      if ((marks[i / 64] >> (i % 64) & 1) != 0) changed_[known_[i]] = rarer_[i];
    }
    return vectors_.mean_cosine(changed_, penalties_);
  }

  double square(bool having, uint32_t node) const noexcept {
    const double rarity = prior_.rarity_without(having, node);
    return rarity * rarity;
  }

  size_t segments_;
  SegmentGrams segment_;
  const Prior& prior_;
  CosineOptions options_;
  const Holders& holders_;
  std::vector<int64_t>& changes_;  // by left-out segment and order
  int64_t* own_;                   // likewise: the value of the segment itself
  CountVectors vectors_;
  std::vector<double> squares_, changed_, penalties_;
  std::vector<uint32_t> known_;   // n-grams that others have as well
  std::vector<double> rarer_;     // their squares without another segment that has them
  std::vector<uint32_t> marked_;  // segments that have some of them
  std::vector<uint64_t> marks_;   // by segment: which
  size_t words_ = 1;
  std::vector<uint64_t> last_;  // by segment: the round that marked it last
  uint64_t round_ = 0;
  GrowingTable<uint64_t> memo_;  // of marks
  std::vector<int64_t> values_;
};

}  // namespace

void informed_without_each(const Aligned& texts, const Reading& reading, const Prior& prior, uint64_t seed,
                           const Run& run, int64_t* sums) {
  InformedLeaveOut(texts, reading, prior, seed, run).count(sums);
}

void cosines_without_each(const Aligned& texts, const Reading& reading, const Prior& prior,
                          const CosineOptions& options, uint64_t seed, const Run& run, int64_t* sums) {
  const size_t segments = texts.hypotheses.segments(), orders = prior.max_order();
  const Holders holders(prior, run);
  std::vector<std::vector<int64_t>> changes(std::max(1u, run.threads));
  std::vector<int64_t> own(segments * orders, 0);
  std::atomic<size_t> workers{0};
  share_out(segments, 16, changes.size(), run.cancel, [&] {
    return CosinesLeaveOut(texts, reading, prior, options, seed, holders, &changes[workers++], own.data());
  });
  std::vector<int64_t> totals(orders, 0);
  for (size_t i = 0; i < own.size(); ++i) totals[i % orders] += own[i];
  for (size_t i = 0; i < own.size(); ++i) {
    sums[i] = totals[i % orders] - own[i];
    for (const std::vector<int64_t>& part : changes) sums[i] += part.empty() ? 0 : part[i];
  }
}

}  // namespace bleuprint
