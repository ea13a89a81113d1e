#include "pool/refinement.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "pool/bucket_table.hpp"
#include "tables/prefetch.hpp"

namespace bleuprint {
namespace {

constexpr uint64_t kPiece = uint64_t{1} << 16;            // positions between two looks at the cancel flag
constexpr uint64_t kTokensPerThread = uint64_t{1} << 17;  // about 10 ms for five orders, against 20 thread starts
constexpr uint64_t kBucketRecords = 8192;                 // 4096 to 32768 differ by less than the noise (12 %)
constexpr unsigned kMaxBucketBits = 11;
constexpr uint64_t kAhead = 16;  // positions between a prefetch and its use

// No more workers than tokens per different token: order 1 keeps 16 bytes for each different token in each
// worker, and so never more than 16 bytes for each token in all.
size_t worker_count(const Run& run, uint64_t tokens, uint64_t vocabulary) {
  const uint64_t useful = std::min(tokens / kTokensPerThread, tokens / std::max<uint64_t>(1, vocabulary));
  return static_cast<size_t>(std::max<uint64_t>(1, std::min<uint64_t>(run.threads, useful)));
}

}  // namespace

void SharedByTexts::merge(Tally* tally, const Tally& other) const {
  tally->second = std::max({tally->second, other.second, std::min(tally->largest, other.largest)});
  tally->largest = std::max(tally->largest, other.largest);
}

void SharedAcross::merge(Tally* tally, const Tally& other) const {
  tally->second = std::max(tally->second, other.second);
  tally->largest = std::max(tally->largest, other.largest);
}

void RepeatedInText::merge(Tally* tally, const Tally& other) const {
  tally->largest = std::max(tally->largest, other.largest);
}

void RepeatedAnywhere::merge(Tally* tally, const Tally& other) const {
  tally->largest = std::min(2u, tally->largest + other.largest);
}

template <typename Rule>
Refinement<Rule>::Refinement(const Sequence& sequence, const Rule& rule, const Run& run)
    : sequence_(sequence), rule_(rule), run_(run), bucketing_{PairHash(sequence.seed)} {
  if (sequence.texts >= UINT32_MAX) throw std::length_error("at most 2^32 - 2 texts can be counted together");
  groups_.reset(new uint32_t[sequence.offsets[sequence.texts]]);
  split_texts();
}

template <typename Rule>
void Refinement<Rule>::split_texts() {
  const uint64_t tokens = sequence_.offsets[sequence_.texts];
  const size_t count = worker_count(run_, tokens, sequence_.vocabulary);
  const uint64_t* offsets_end = sequence_.offsets + sequence_.texts;
  worker_texts_.assign(count + 1, 0);
  for (size_t worker = 1; worker < count; ++worker) {
    const uint64_t* begin = std::lower_bound(sequence_.offsets, offsets_end, tokens / count * worker);
    worker_texts_[worker] = static_cast<size_t>(begin - sequence_.offsets);
  }
  worker_texts_[count] = sequence_.texts;
}

// True if every worker's share was finished, not cancelled.
template <typename Rule>
bool Refinement<Rule>::run_all(const std::function<bool(size_t)>& work) const {
  std::atomic<bool> finished{true};
  run_workers(workers(), [&](size_t worker) {
    if (!work(worker)) finished = false;
  });
  return finished;
}

template <typename Rule>
template <typename Body>
bool Refinement<Rule>::sweep(size_t worker, size_t order, const Body& body) const {
  uint64_t since_poll = 0;
  for (size_t text = worker_texts_[worker]; text < worker_texts_[worker + 1]; ++text) {
    uint64_t begin = sequence_.offsets[text];
    const uint64_t length = sequence_.offsets[text + 1] - begin;
    if (length < order) continue;
    const uint64_t end = begin + length - order + 1;
    while (begin < end) {
      const uint64_t stop = std::min(end, begin + kPiece);
      body(text, begin, stop);
      since_poll += stop - begin;
      begin = stop;
      if (since_poll < kPiece) continue;
      if (run_.cancelled()) return false;
      since_poll = 0;
    }
  }
  return true;
}

template <typename Rule>
bool Refinement<Rule>::advance(const Marks& marks) {
  ++order_;
  if (run_.cancelled()) return false;
  if (order_ == 1) return first_order(marks);
  if (live_positions_ == 0) return true;
  return size_buckets() && distribute() && count_buckets() && collect(marks);
}

// Tokens are dense ids already, so order 1 counts in plain arrays, one for each worker.
template <typename Rule>
bool Refinement<Rule>::first_order(const Marks& marks) {
  std::vector<std::vector<Tally>> tallies(workers());
  return tally_tokens(&tallies) && merge_tallies(&tallies) && group_tokens(tallies[0], marks);
}

// The prefetches here and in group_tokens(): the whole call 1.1x faster at 1.5M different tokens.
template <typename Rule>
bool Refinement<Rule>::tally_tokens(std::vector<std::vector<Tally>>* tallies) {
  const uint64_t tokens = sequence_.offsets[sequence_.texts];
  return run_all([&](size_t worker) {
    std::vector<Tally>& own = (*tallies)[worker];
    own.resize(sequence_.vocabulary);
    return sweep(worker, 1, [&](size_t text, uint64_t begin, uint64_t end) {
      const uint32_t label = static_cast<uint32_t>(text) + 1;
      for (uint64_t p = begin; p < end; ++p) {
        prefetch(&own[sequence_.ids[std::min(p + kAhead, tokens - 1)]]);
        Tally& tally = own[sequence_.ids[p]];
        tally.rank = tally.last_text == label ? tally.rank + 1 : 1;
        tally.last_text = label;
        rule_.observe(&tally, tally.rank, static_cast<uint32_t>(text));
        groups_[p] = tally.rank;  // until group_tokens() needs it
      }
    });
  });
}

template <typename Rule>
bool Refinement<Rule>::merge_tallies(std::vector<std::vector<Tally>>* tallies) {
  std::vector<Tally>& all = (*tallies)[0];
  return run_all([&](size_t share) {
    const size_t end = all.size() * (share + 1) / workers();
    for (size_t begin = all.size() * share / workers(); begin < end; begin += kPiece) {
      if (run_.cancelled()) return false;
      const size_t stop = std::min<size_t>(end, begin + kPiece);
      for (size_t other = 1; other < workers(); ++other) {
        for (size_t id = begin; id < stop; ++id) rule_.merge(&all[id], (*tallies)[other][id]);
      }
    }
    return true;
  });
}

template <typename Rule>
bool Refinement<Rule>::group_tokens(const std::vector<Tally>& tallies, const Marks& marks) {
  const uint64_t tokens = sequence_.offsets[sequence_.texts];
  std::vector<uint64_t> live(workers(), 0);
  const bool finished = run_all([&](size_t worker) {
    uint64_t alive_here = 0;
    const bool done = sweep(worker, 1, [&](size_t text, uint64_t begin, uint64_t end) {
      int64_t marked = 0;
      for (uint64_t p = begin; p < end; ++p) {
        prefetch(&tallies[sequence_.ids[std::min(p + kAhead, tokens - 1)]]);
        const uint32_t id = sequence_.ids[p];
        const bool alive = rule_.alive(tallies[id]);
        marked += alive && rule_.marked(tallies[id], groups_[p]);
        alive_here += alive;
        groups_[p] = alive ? id + 1 : 0;
      }
      if (text < marks.texts) marks.values[text * marks.stride] += marked;
    });
    live[worker] = alive_here;
    return done;
  });
  const auto alive = [&](const Tally& tally) { return rule_.alive(tally); };
  live_positions_ = std::accumulate(live.begin(), live.end(), uint64_t{0});
  live_groups_ = static_cast<uint64_t>(std::count_if(tallies.begin(), tallies.end(), alive));
  group_limit_ = tallies.size() + 1;
  return finished;
}

// Partitioning first keeps every table of count_bucket() in cache: 3.6x at 1M texts, 1.9x at 144k, against
// one table.
template <typename Rule>
bool Refinement<Rule>::size_buckets() {
  unsigned bits = 0;
  while (bits < kMaxBucketBits && live_positions_ >> bits > kBucketRecords) ++bits;
  bucketing_.bits = bits;
  const size_t buckets = size_t{1} << bits;
  starts_.assign(workers(), {});
  const bool finished = run_all([&](size_t worker) {
    std::vector<uint64_t> sizes(buckets, 0);
    const Bucketing bucket_of = bucketing_;
    const uint32_t* groups = groups_.get();
    const bool done = sweep(worker, order_, [&](size_t, uint64_t begin, uint64_t end) {
      uint32_t first = groups[begin];
      for (uint64_t p = begin; p < end; ++p) {
        const uint32_t second = groups[p + 1];
        if (first != 0 && second != 0) ++sizes[bucket_of(first, second)];
        first = second;
      }
    });
    starts_[worker] = std::move(sizes);
    return done;
  });
  if (finished) place_buckets();
  return finished;
}

// Turns the sizes in starts_ into places: bucket by bucket, inside a bucket worker by worker.
template <typename Rule>
void Refinement<Rule>::place_buckets() {
  bucket_ends_.assign(starts_[0].size(), 0);
  uint64_t records = 0;
  for (size_t bucket = 0; bucket < bucket_ends_.size(); ++bucket) {
    for (std::vector<uint64_t>& starts : starts_) {
      const uint64_t size = starts[bucket];
      starts[bucket] = records;
      records += size;
    }
    bucket_ends_[bucket] = records;
  }
  if (records <= record_capacity_) return;
  pairs_.reset(new uint64_t[records]);
  results_.reset(new uint32_t[records]);
  record_capacity_ = records;
}

template <typename Rule>
bool Refinement<Rule>::distribute() {
  return run_all([&](size_t worker) {
    std::vector<uint64_t> next = starts_[worker];
    const Bucketing bucket_of = bucketing_;
    const uint32_t* groups = groups_.get();
    uint64_t* pairs = pairs_.get();
    uint32_t* texts = results_.get();
    return sweep(worker, order_, [&](size_t text, uint64_t begin, uint64_t end) {
      uint32_t first = groups[begin];
      for (uint64_t p = begin; p < end; ++p) {
        const uint32_t second = groups[p + 1];
        // A branch, not a spill bucket for dead pairs: without the branch 8 % slower on real text, 11 % at 1M
        // texts.
        if (first != 0 && second != 0) {
          const uint64_t record = next[bucket_of(first, second)]++;
          pairs[record] = uint64_t{first} << 32 | second;
          texts[record] = static_cast<uint32_t>(text);
        }
        first = second;
      }
    });
  });
}

template <typename Rule>
bool Refinement<Rule>::count_buckets() {
  const size_t buckets = bucket_ends_.size();
  bucket_groups_.assign(buckets, 0);
  std::atomic<size_t> next{0};
  const bool finished = run_all([&](size_t) {
    BucketTable table(bucketing_);
    std::vector<Repeat> repeats;
    for (size_t bucket = next++; bucket < buckets; bucket = next++) {
      if (run_.cancelled() || !count_bucket(bucket, &table, &repeats)) return false;
    }
    return true;
  });
  if (!finished) return false;
  uint64_t groups = 0;
  for (uint64_t& earlier : bucket_groups_) {
    const uint64_t own = earlier;
    earlier = groups;
    groups += own;
  }
  if (groups >= UINT32_MAX) throw std::length_error("too many different n-grams of one order");
  live_groups_ = groups;
  group_limit_ = groups + 1;
  return true;
}

// A table, not a sort: 11 ns a record, against 13 for a radix sort and 50 for std::sort.
template <typename Rule>
bool Refinement<Rule>::count_bucket(size_t bucket, BucketTable* table, std::vector<Repeat>* repeats) {
  const uint64_t begin = starts_[0][bucket];
  const uint64_t end = bucket_ends_[bucket];
  table->reset(end - begin);
  repeats->clear();
  for (uint64_t i = begin; i < end; ++i) {
    if ((i - begin) % kPiece == kPiece - 1 && run_.cancelled()) return false;
    const uint32_t number = table->number_of(pairs_[i]);
    Tally& tally = table->entries()[number].tally;
    const uint32_t text = results_[i];
    if (tally.last_text == text + 1) {
      repeats->push_back({i, number, ++tally.rank});
    } else {
      tally.last_text = text + 1;
      tally.rank = 1;
    }
    rule_.observe(&tally, tally.rank, text);
    results_[i] = number;
  }
  uint32_t groups = 0;
  for (auto& [pair, tally] : table->entries()) {
    // From here on last_text is the result of the n-gram's first occurrence in a text.
    tally.last_text = rule_.alive(tally) ? ++groups << 1 | static_cast<uint32_t>(rule_.marked(tally, 1)) : 0;
  }
  bucket_groups_[bucket] = groups;
  for (uint64_t i = begin; i < end; ++i) results_[i] = table->entries()[results_[i]].tally.last_text;
  for (const Repeat& repeat : *repeats) {
    const Tally& tally = table->entries()[repeat.number].tally;
    const bool marked = rule_.alive(tally) && rule_.marked(tally, repeat.rank);
    results_[repeat.record] = (tally.last_text & ~1u) | static_cast<uint32_t>(marked);
  }
  return true;
}

template <typename Rule>
bool Refinement<Rule>::collect(const Marks& marks) {
  std::vector<uint64_t> live(workers(), 0);
  const bool finished = run_all([&](size_t worker) {
    std::vector<uint64_t> next = starts_[worker];
    const Bucketing bucket_of = bucketing_;
    uint64_t alive_here = 0;
    const bool done = sweep(worker, order_, [&](size_t text, uint64_t begin, uint64_t end) {
      int64_t marked = 0;
      uint32_t first = groups_[begin];
      for (uint64_t p = begin; p < end; ++p) {
        const uint32_t second = groups_[p + 1];
        uint32_t group = 0;
        if (first != 0 && second != 0) {
          const size_t bucket = bucket_of(first, second);
          const uint32_t result = results_[next[bucket]++];
          marked += result & 1;
          group = result == 0 ? 0 : static_cast<uint32_t>(bucket_groups_[bucket] + (result >> 1));
        }
        alive_here += group != 0;
        groups_[p] = group;
        first = second;
      }
      if (text < marks.texts) marks.values[text * marks.stride] += marked;
    });
    live[worker] = alive_here;
    return done;
  });
  live_positions_ = std::accumulate(live.begin(), live.end(), uint64_t{0});
  return finished;
}

template class Refinement<SharedByTexts>;
template class Refinement<SharedAcross>;
template class Refinement<RepeatedInText>;
template class Refinement<RepeatedAnywhere>;

}  // namespace bleuprint
