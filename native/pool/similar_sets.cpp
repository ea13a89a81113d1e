#include "pool/similar_sets.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>
#include <utility>

#include "tables/bits.hpp"

namespace bleuprint {
namespace {

constexpr size_t block = 256;           // sets a worker takes at a time
constexpr double rounding_room = 1e-9;  // bounds are computed in floating point and must never exclude an equal one

struct Posting {
  uint32_t place;      // of the set, by size
  uint32_t offset;     // of the element among those listed
  uint64_t signature;  // of the set
};

class Join {
 public:
  Join(const Sets& sets, double threshold) : sets_(sets), threshold_(threshold), starts_(sets.element_limit + 1, 0) {
    for (uint32_t set = 0; set < sets.count; ++set) {
      if (prefix_length(set, threshold) > 0) by_size_.push_back(set);
    }
    std::stable_sort(by_size_.begin(), by_size_.end(),
                     [&](uint32_t one, uint32_t other) { return sets.sizes[one] < sets.sizes[other]; });
    for (const uint32_t set : by_size_) sizes_.push_back({sets.sizes[set], static_cast<uint32_t>(listed(set))});
    build_index();
  }

  // Sets that list enough elements to be similar to any other.
  size_t candidates() const { return by_size_.size(); }

  // Appends the pairs of the set at this place with smaller sets, or earlier ones of its size.
  void probe(uint32_t place, std::vector<uint32_t>* met, std::vector<SimilarPair>* pairs) const {
    const uint32_t set = by_size_[place];
    const uint32_t size = sets_.sizes[set];
    const size_t prefix = prefix_length(set, threshold_);
    const uint32_t first_place = first_of_size(least(threshold_ * size));
    const uint64_t own = signature(set), own_listed = listed(set);
    uint32_t other_size = 0, needed = 0;
    for (size_t i = 0; i < prefix; ++i) {
      const uint32_t element = elements(set)[i];
      const Posting* const end = postings_.data() + starts_[element + 1];
      const Posting* posting = std::partition_point(postings_.data() + starts_[element], end,
                                                    [&](const Posting& at) { return at.place < first_place; });
      for (; posting != end && posting->place < place; ++posting) {
        const Size& theirs = sizes_[posting->place];
        if (theirs.all != other_size) {  // they ascend, so that it seldom changes
          other_size = theirs.all;
          needed = least(threshold_ / (1 + threshold_) * (static_cast<double>(size) + other_size));
        }
        if (count_bits(own ^ posting->signature) + 2 * uint64_t{needed} > own_listed + theirs.listed) continue;
        if ((*met)[posting->place] == place + 1) continue;
        (*met)[posting->place] = place + 1;
        const uint32_t other = by_size_[posting->place];
        // It is the first element they share, so nothing before it counts.
        const uint32_t most = static_cast<uint32_t>(std::min(listed(set) - i, listed(other) - posting->offset));
        if (most < needed) continue;
        const uint32_t shared = common(elements(set) + i, elements(other) + posting->offset, set, other, needed);
        const double either = static_cast<double>(size) + other_size - shared;
        if (shared / either >= threshold_) pairs->push_back({std::min(set, other), std::max(set, other), shared});
      }
    }
  }

 private:
  static uint32_t least(double bound) { return static_cast<uint32_t>(std::ceil(bound - rounding_room)); }

  const uint32_t* elements(uint32_t set) const { return sets_.elements + sets_.offsets[set]; }
  size_t listed(uint32_t set) const { return sets_.offsets[set + 1] - sets_.offsets[set]; }

  // Bits that are set where an odd number of listed elements fall: two sets differ in as many elements, or more, as
  // their signatures in bits. Most sets that share an element by chance differ in too many.
  uint64_t signature(uint32_t set) const {
    uint64_t bits = 0;
    for (size_t i = 0; i < listed(set); ++i) bits ^= uint64_t{1} << (elements(set)[i] * 0x9E3779B1u >> 26);
    return bits;
  }

  uint32_t first_of_size(uint32_t size) const {
    const auto first =
        std::partition_point(by_size_.begin(), by_size_.end(), [&](uint32_t set) { return sets_.sizes[set] < size; });
    return static_cast<uint32_t>(first - by_size_.begin());
  }

  // How many of the listed elements can be the first that a similar set shares; `share` of the size must be shared.
  size_t prefix_length(uint32_t set, double share) const {
    const size_t needed = std::max<size_t>(1, least(share * sets_.sizes[set]));
    return listed(set) < needed ? 0 : listed(set) - needed + 1;
  }

  // A set is only met by larger ones, with which it must share more: 2t / (1 + t) of its own size.
  size_t index_length(uint32_t set) const { return prefix_length(set, 2 * threshold_ / (1 + threshold_)); }

  void build_index() {
    for (const uint32_t set : by_size_) {
      for (size_t i = 0; i < index_length(set); ++i) ++starts_[elements(set)[i] + 1];
    }
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    postings_.resize(starts_.back());
    std::vector<uint64_t> next(starts_.begin(), starts_.end() - 1);
    for (uint32_t place = 0; place < by_size_.size(); ++place) {
      const uint32_t set = by_size_[place];
      const uint64_t bits = signature(set);
      for (size_t i = 0; i < index_length(set); ++i) {
        postings_[next[elements(set)[i]]++] = {place, static_cast<uint32_t>(i), bits};
      }
    }
  }

  uint32_t common(const uint32_t* one, const uint32_t* two, uint32_t set, uint32_t other, uint32_t needed) const {
    const uint32_t* const one_end = elements(set) + listed(set);
    const uint32_t* const two_end = elements(other) + listed(other);
    uint32_t shared = 0;
    while (one != one_end && two != two_end) {
      if (*one == *two) {
        ++shared, ++one, ++two;
      } else if (*one < *two) {
        ++one;
      } else {
        ++two;
      }
      if (shared + std::min(one_end - one, two_end - two) < needed) return 0;
    }
    return shared;
  }

  Sets sets_;
  double threshold_;
  std::vector<uint32_t> by_size_;
  struct Size {
    uint32_t all, listed;
  };
  std::vector<Size> sizes_;  // in the same order
  std::vector<uint64_t> starts_;
  std::vector<Posting> postings_;
};

}  // namespace

bool similar_sets(const Sets& sets, double threshold, size_t limit, std::vector<SimilarPair>* pairs, const Run& run) {
  const Join join(sets, threshold);
  std::mutex results;
  std::atomic<bool> too_many{false};
  pairs->clear();
  const auto worker = [&] {
    return [&, met = std::vector<uint32_t>(join.candidates(), 0), own = std::vector<SimilarPair>()](
               size_t begin, size_t end) mutable {
      own.clear();
      for (size_t place = begin; place < end && !too_many; ++place) {
        run.poll();
        join.probe(static_cast<uint32_t>(place), &met, &own);
        if (own.size() > limit) too_many = true;
      }
      const std::lock_guard<std::mutex> lock(results);
      if (pairs->size() + own.size() > limit) too_many = true;
      if (!too_many) pairs->insert(pairs->end(), own.begin(), own.end());
    };
  };
  share_out(join.candidates(), block, run.threads, run.cancel, worker);
  if (too_many) return false;
  std::sort(pairs->begin(), pairs->end(), [](const SimilarPair& one, const SimilarPair& other) {
    return std::make_pair(one.first, one.second) < std::make_pair(other.first, other.second);
  });
  return true;
}

}  // namespace bleuprint
