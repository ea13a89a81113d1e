#include "pool/ngram_holders.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

#include "pool/counting.hpp"
#include "tables/bit_tally.hpp"
#include "tables/prefetch.hpp"

namespace bleuprint {
namespace {

constexpr size_t look_ahead = 16;
constexpr size_t block_groups = 4096, block_texts = 1024;
constexpr uint64_t poll_every = uint64_t{1} << 16;  // positions
constexpr size_t few_planes = 3;                    // most n-grams occur less than eight times

// For 64 parts: how many items have each value.
class Histogram {
 public:
  explicit Histogram(uint64_t used) : used_(used) {}

  void add(size_t part, uint64_t value, uint64_t items = 1) {
    if (value >= dense_values) {
      sparse_[{part, value}] += items;
      return;
    }
    if (value >= width_) widen(value + 1);
    dense_[value * word_bits + part] += items;
  }

  // An item whose values have these planes; 0 is no value. Small values are counted for all parts at once.
  void add(const BitTally& values) {
    if (values.used() > few_planes) {
      std::array<uint64_t, word_bits> numbers{};
      values.add_to(numbers.data());
      for_bits(used_, [&](size_t part) {
        if (numbers[part] > 0) add(part, numbers[part]);
      });
      return;
    }
    for (size_t value = 1; value < size_t{1} << values.used(); ++value) {
      uint64_t parts = ~uint64_t{0};
      for (size_t i = 0; i < values.used(); ++i) parts &= (value >> i) & 1 ? values.planes()[i] : ~values.planes()[i];
      few_[value].add(parts);
    }
  }

  void add_items(uint64_t value, const std::array<uint64_t, word_bits>& items) {
    for_bits(used_, [&](size_t part) {
      if (items[part] > 0) add(part, value, items[part]);
    });
  }

  void finish() {
    for (size_t value = 1; value < few_.size(); ++value) {
      std::array<uint64_t, word_bits> items{};
      few_[value].finish();
      few_[value].add_to(items.data());
      few_[value].clear();
      add_items(value, items);
    }
  }

  void add(const Histogram& other) {
    if (other.width_ > width_) widen(other.width_);
    for (size_t i = 0; i < other.dense_.size(); ++i) dense_[i] += other.dense_[i];
    for (const auto& [place, items] : other.sparse_) sparse_[place] += items;
  }

  void list(size_t first_part, std::vector<PartCount>* counts) const {
    for_bits(used_, [&](size_t part) {
      for (uint64_t value = 0; value < width_; ++value) {
        const uint64_t items = dense_[value * word_bits + part];
        if (items > 0) counts->push_back({first_part + part, value, items});
      }
      for (auto at = sparse_.lower_bound({part, 0}); at != sparse_.end() && at->first.first == part; ++at) {
        counts->push_back({first_part + part, at->first.second, at->second});
      }
    });
  }

 private:
  static constexpr uint64_t dense_values = uint64_t{1} << 16;  // a map takes ten times as long

  void widen(uint64_t width) {
    width_ = std::min(std::max(width, 2 * width_), dense_values);
    dense_.resize(width_ * word_bits);
  }

  uint64_t used_;
  uint64_t width_ = 0;
  std::vector<uint64_t> dense_;
  std::map<std::pair<size_t, uint64_t>, uint64_t> sparse_;
  std::array<BitTally, size_t{1} << few_planes> few_;
};

// The histogram of items, counted in blocks: `make()` gives each thread its worker(begin, end, histogram).
template <typename Make>
Histogram count_blocks(size_t items, size_t block, uint64_t used, const Run& run, const Make& make) {
  std::mutex turn;
  std::deque<Histogram> found;  // of each thread
  share_out(items, block, run.threads, run.cancel, [&] {
    const std::lock_guard<std::mutex> lock(turn);
    Histogram* const own = &found.emplace_back(used);
    return [own, count = make()](size_t begin, size_t end) mutable { count(begin, end, own); };
  });
  Histogram all(used);
  for (Histogram& own : found) {
    own.finish();
    all.add(own);
  }
  return all;
}

// The parts that have any text.
uint64_t used_parts(const uint64_t* parts, size_t texts) {
  return std::accumulate(parts, parts + texts, uint64_t{0}, [](uint64_t all, uint64_t one) { return all | one; });
}

// For 64 parts, the sum of the numbers of their texts.
std::array<uint64_t, word_bits> sum_numbers(const std::vector<uint32_t>& numbers, const uint64_t* parts) {
  std::array<BitTally, 32> tallies;  // of the texts whose number has this bit
  for (size_t text = 0; text < numbers.size(); ++text) {
    for_bits(numbers[text], [&](size_t bit) { tallies[bit].add(parts[text]); });
  }
  std::array<uint64_t, word_bits> sums{};
  for (size_t bit = 0; bit < tallies.size(); ++bit) {
    tallies[bit].finish();
    tallies[bit].add_to<uint64_t>(sums.data(), uint64_t{1} << bit);
  }
  return sums;
}

size_t bit_length(uint64_t number) {
  size_t bits = 0;
  for (; number != 0; number >>= 1) ++bits;
  return bits;
}

}  // namespace

NgramHolders::NgramHolders(const Pool& pool, size_t order, const Run& run) {
  require_order(order);
  const Sequence sequence = sequence_of(pool);
  Grouped counted;
  counted.count(sequence, order, run);
  const uint32_t* const groups = counted.groups.get();
  alone_.assign(pool.texts(), 0);
  starts_.assign(counted.limit + 2, 0);
  // Each thread reads all positions and keeps those of its groups.
  const auto for_ranges = [&](const auto& body) {
    share_out(run.threads, 1, run.threads, run.cancel, [&] {
      return [&](size_t range, size_t) {
        const size_t first = counted.limit * range / run.threads, last = counted.limit * (range + 1) / run.threads;
        visit_ngrams(sequence, order, groups, run, [&](size_t text, uint64_t position, uint32_t group) {
          prefetch_group(sequence, starts_, groups, position);
          if (group >= first && group < last) body(static_cast<uint32_t>(text), group);
        });
      };
    });
  };
  for_ranges([&](uint32_t text, uint32_t group) {
    if (group == 0) {
      ++alone_[text];
    } else {
      ++starts_[group + 2];
    }
  });
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  holders_.resize(starts_.back());
  // What begins group g + 1 moves on until it is where that begins.
  for_ranges([&](uint32_t text, uint32_t group) {
    if (group != 0) holders_[starts_[group + 1]++] = text;
  });
  starts_.pop_back();
}

size_t NgramHolders::shared() const {
  size_t found = 0;
  for (size_t group = 0; group + 1 < starts_.size(); ++group) {
    const uint64_t begin = starts_[group], end = starts_[group + 1];
    found += begin < end && holders_[begin] != holders_[end - 1];
  }
  return found;
}

void NgramHolders::frequencies(const uint64_t* members, size_t words, std::vector<PartCount>* counts,
                               const Run& run) const {
  counts->clear();
  for (size_t word = 0; word < words; ++word) {
    const uint64_t* const parts = members + word * texts();
    Histogram found = count_blocks(starts_.size() - 1, block_groups, used_parts(parts, texts()), run, [&] {
      return [&, tally = BitTally()](size_t begin, size_t end, Histogram* histogram) mutable {
        for (size_t group = begin; group < end; ++group) {
          if (starts_[group] == starts_[group + 1]) continue;
          tally.clear();
          for (uint64_t i = starts_[group]; i < starts_[group + 1]; ++i) {
            prefetch(parts + holders_[std::min<uint64_t>(i + look_ahead, holders_.size() - 1)]);
            if (i % poll_every == 0) run.poll();
            tally.add(parts[holders_[i]]);
          }
          tally.finish();
          histogram->add(tally);
        }
      };
    });
    found.add_items(1, sum_numbers(alone_, parts));
    found.list(word * word_bits, counts);
  }
}

void NgramHolders::other_texts(const uint64_t* members, size_t words, std::vector<PartCount>* counts,
                               const Run& run) const {
  // The different n-grams of each text, and where the numbers of texts that have an n-gram are.
  std::vector<uint64_t> begins(texts() + 1, 0), planes_of(starts_.size(), 0);
  const auto for_holders = [&](size_t group, const auto& body) {
    for (uint64_t i = starts_[group]; i < starts_[group + 1]; ++i) {
      if (i == starts_[group] || holders_[i] != holders_[i - 1]) body(holders_[i]);
    }
  };
  for (size_t group = 0; group + 1 < starts_.size(); ++group) {
    if (group % block_groups == 0) run.poll();
    planes_of[group + 1] = planes_of[group] + bit_length(starts_[group + 1] - starts_[group]);
    for_holders(group, [&](uint32_t text) { ++begins[text + 1]; });
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<uint32_t> groups(begins.back());
  std::vector<uint64_t> next(begins.begin(), begins.end() - 1), planes(planes_of.back());
  for (size_t group = 0; group + 1 < starts_.size(); ++group) {
    if (group % block_groups == 0) run.poll();
    for_holders(group, [&](uint32_t text) { groups[next[text]++] = static_cast<uint32_t>(group); });
  }
  counts->clear();
  for (size_t word = 0; word < words; ++word) {
    const uint64_t* const parts = members + word * texts();
    share_out(starts_.size() - 1, block_groups, run.threads, run.cancel, [&] {
      return [&, tally = BitTally()](size_t begin, size_t end) mutable {
        for (size_t group = begin; group < end; ++group) {
          tally.clear();
          for_holders(group, [&](uint32_t text) { tally.add(parts[text]); });
          tally.finish();
          uint64_t* const out = planes.data() + planes_of[group];
          std::fill(std::copy_n(tally.planes(), tally.used(), out), planes.data() + planes_of[group + 1], 0);
        }
      };
    });
    const Histogram found = count_blocks(texts(), block_texts, used_parts(parts, texts()), run, [&] {
      return [&, tally = BitTally()](size_t begin, size_t end, Histogram* histogram) mutable {
        for (size_t text = begin; text < end; ++text) {
          const uint64_t own = begins[text + 1] - begins[text];  // the text has its n-grams itself
          tally.clear();
          for (uint64_t i = begins[text]; i < begins[text + 1]; ++i) {
            prefetch(&planes[planes_of[groups[std::min<uint64_t>(i + look_ahead, groups.size() - 1)]]]);
            const uint64_t at = planes_of[groups[i]];
            tally.add(&planes[at], planes_of[groups[i] + 1] - at);
          }
          std::array<uint64_t, word_bits> sums{};
          tally.add_to(sums.data());
          for_bits(parts[text], [&](size_t part) { histogram->add(part, sums[part] - own); });
        }
      };
    });
    found.list(word * word_bits, counts);
  }
}

}  // namespace bleuprint
