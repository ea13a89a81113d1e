#include "pool/refinement.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "pool/bucket_table.hpp"
#include "tables/bits.hpp"
#include "tables/prefetch.hpp"

namespace bleuprint {
namespace {

constexpr uint64_t poll_every = uint64_t{1} << 16;         // positions between two looks at the cancel flag
constexpr uint64_t tokens_per_thread = uint64_t{1} << 17;  // about 10 ms for five orders, against 20 thread starts
constexpr uint64_t bucket_records = 8192;                  // 4096 to 32768 differ by less than the noise (12 %)
constexpr unsigned max_bucket_bits = 11;
constexpr uint64_t look_ahead = 16;  // positions between a prefetch and its use
constexpr uint64_t share_tokens = uint64_t{1} << 31;
// A twelfth of the tokens have a record at a time: 45 MB for 1M texts of 20 words, not 500. Each further part costs a
// sweep; with six parts counting takes 6 % less time and 45 MB more.
constexpr uint64_t tokens_per_record = 12;
constexpr uint32_t no_token = UINT32_MAX;

// No more shares than tokens per different token: order 1 keeps 16 bytes for each different token in each share, and
// so never more than 16 bytes for each token in all. Records need shares of less than 2^32 tokens.
size_t share_count(const Run& run, uint64_t tokens, uint64_t vocabulary) {
  const uint64_t useful = std::min(tokens / tokens_per_thread, tokens / std::max<uint64_t>(1, vocabulary));
  return static_cast<size_t>(std::max(tokens / share_tokens + 1, std::min<uint64_t>(run.threads, useful)));
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
  tally->largest += other.largest;
  tally->second += other.second;
}

void Frequencies::add(uint64_t occurrences, uint64_t ngrams) {
  (occurrences < rare_.size() ? rare_[occurrences] : frequent_[occurrences]) += ngrams;
}

void Frequencies::add(const Frequencies& other) {
  for (size_t count = 0; count < rare_.size(); ++count) rare_[count] += other.rare_[count];
  for (const auto& [count, ngrams] : other.frequent_) frequent_[count] += ngrams;
}

std::vector<FrequencyCount> Frequencies::counts() const {
  std::vector<FrequencyCount> counts;
  for (size_t count = 0; count < rare_.size(); ++count) {
    if (rare_[count] > 0) counts.push_back({count, rare_[count]});
  }
  for (const auto& [count, ngrams] : frequent_) counts.push_back({count, ngrams});
  return counts;
}

TextStarts::TextStarts(const Sequence& sequence) : words_(sequence.offsets[sequence.texts] / 64 + 2) {
  const auto add = [&](uint64_t position) { words_[position / 64].starts |= uint64_t{1} << position % 64; };
  for (size_t text = 0; text <= sequence.texts; ++text) add(sequence.offsets[text]);
  uint64_t before = 0;
  for (Word& word : words_) {
    word.before = before;
    before += static_cast<uint32_t>(count_bits(word.starts));
  }
}

inline uint32_t TextStarts::rank(uint64_t position) const {
  const Word& word = words_[position / 64];
  return static_cast<uint32_t>(word.before + static_cast<uint64_t>(count_bits(word.starts << (63 - position % 64))) -
                               1);
}

inline uint64_t TextStarts::from(uint64_t position) const {
  const Word* const word = &words_[position / 64];
  const unsigned shift = position % 64;
  return shift == 0 ? word[0].starts : word[0].starts >> shift | word[1].starts << (64 - shift);
}

// What a worker keeps from bucket to bucket.
template <typename Rule>
struct Refinement<Rule>::Worker {
  struct Repeat {  // an occurrence beyond an n-gram's first in its text
    uint32_t record;
    uint32_t rank;
  };

  Worker(const Bucketing& bucketing, size_t orders, bool counts)
      : table(bucketing), live(orders), frequencies(counts ? orders : 0) {}

  BucketTable table;
  Record* records = nullptr;    // of the bucket
  std::vector<uint8_t> marks;   // of each record, a bit for each order of the window
  std::vector<uint32_t> alive;  // which records are
  std::vector<Repeat> repeats;
  std::vector<Live> live;
  std::vector<Frequencies> frequencies;  // by order, if they are asked for
};

template <typename Rule>
Refinement<Rule>::Refinement(const Sequence& sequence, const Rule& rule, const Run& run)
    : sequence_(sequence), rule_(rule), run_(run), starts_(sequence), bucketing_{PairHash(sequence.seed)} {
  if (sequence.texts >= UINT32_MAX) throw std::length_error("at most 2^32 - 2 texts can be counted together");
  split_texts();
}

template <typename Rule>
void Refinement<Rule>::split_texts() {
  const uint64_t tokens = sequence_.offsets[sequence_.texts];
  const size_t count = share_count(run_, tokens, sequence_.vocabulary);
  const uint64_t* offsets_end = sequence_.offsets + sequence_.texts;
  share_texts_.assign(count + 1, 0);
  for (size_t share = 1; share < count; ++share) {
    const uint64_t* begin = std::lower_bound(sequence_.offsets, offsets_end, tokens / count * share);
    share_texts_[share] = static_cast<size_t>(begin - sequence_.offsets);
  }
  share_texts_[count] = sequence_.texts;
  for (size_t share = 0; share < count; ++share) {
    const uint64_t size = sequence_.offsets[share_texts_[share + 1]] - sequence_.offsets[share_texts_[share]];
    if (size > UINT32_MAX) throw std::length_error("a text of 2^31 tokens or more cannot be counted with others");
  }
}

template <typename Rule>
void Refinement<Rule>::run_all(const std::function<void(size_t)>& work) const {
  share_out(shares(), 1, std::max(1u, run_.threads), run_.cancel,
            [&] { return [&](size_t share, size_t) { work(share); }; });
}

template <typename Rule>
template <typename Body>
void Refinement<Rule>::sweep(size_t share, size_t order, const Body& body) const {
  uint64_t since_poll = 0;
  for (size_t text = share_texts_[share]; text < share_texts_[share + 1]; ++text) {
    uint64_t begin = sequence_.offsets[text];
    const uint64_t length = sequence_.offsets[text + 1] - begin;
    if (length < order) continue;
    const uint64_t end = begin + length - order + 1;
    while (begin < end) {
      const uint64_t stop = std::min(end, begin + poll_every);
      body(begin, stop);
      since_poll += stop - begin;
      begin = stop;
      if (since_poll < poll_every) continue;
      run_.poll();
      since_poll = 0;
    }
  }
}

// How many of the first texts are not empty.
template <typename Rule>
uint32_t Refinement<Rule>::ranks(size_t texts) const {
  const uint64_t positions = sequence_.offsets[texts];
  return positions == 0 ? 0 : starts_.rank(positions - 1) + 1;
}

template <typename Rule>
void Refinement<Rule>::refine(size_t max_order, const Marks& marks, uint32_t* groups,
                              std::vector<Frequencies>* frequencies, int64_t* other_texts) {
  max_order_ = max_order;
  marks_ = marks;
  marked_ranks_ = ranks(marks.texts);
  groups_ = groups;
  frequencies_ = frequencies;
  other_texts_ = other_texts;
  if (frequencies != nullptr) frequencies->assign(max_order, {});
  live_.assign(max_order, {});
  if (max_order == 0) return;
  std::vector<std::vector<Tally>> tallies(shares());
  tally_tokens(&tallies);
  merge_tallies(&tallies);
  group_tokens(&tallies);
  tallies.clear();
  if (max_order > 1) {
    size_buckets();
    std::vector<Worker> workers(shares(), Worker(bucketing_, max_order_, frequencies != nullptr));
    for (size_t first = 0, last; first < bucket_ends_.size(); first = last) {
      last = place_buckets(first);
      distribute(first, last);
      count_buckets(first, last, &workers);
    }
    for (const Worker& worker : workers) {
      for (size_t i = 0; i < max_order_; ++i) {
        live_[i].groups += worker.live[i].groups;
        live_[i].positions += worker.live[i].positions;
        if (frequencies != nullptr) (*frequencies)[i].add(worker.frequencies[i]);
      }
    }
    group_limit_ = static_cast<size_t>(live_.back().groups) + 1;
  }
  spread(marks_.values, max_order_, marks_.texts, marked_ranks_);
  if (other_texts_ != nullptr) spread(other_texts_, 1, sequence_.texts, ranks(sequence_.texts));
}

// Tokens are dense ids already, so order 1 counts in plain arrays, one for each share. The prefetches here and in
// group_tokens(): the whole call 1.1x faster at 1.5M different tokens.
template <typename Rule>
void Refinement<Rule>::tally_tokens(std::vector<std::vector<Tally>>* tallies) {
  const uint64_t tokens = sequence_.offsets[sequence_.texts];
  run_all([&](size_t share) {
    std::vector<Tally>& own = (*tallies)[share];
    own.resize(sequence_.vocabulary);
    sweep(share, 1, [&](uint64_t begin, uint64_t end) {
      const uint32_t text = starts_.rank(begin), label = text + 1;
      for (uint64_t p = begin; p < end; ++p) {
        prefetch(&own[sequence_.ids[std::min(p + look_ahead, tokens - 1)]]);
        Tally& tally = own[sequence_.ids[p]];
        tally.rank = tally.last_text == label ? tally.rank + 1 : 1;
        tally.last_text = label;
        rule_.observe(&tally, tally.rank, text);
      }
    });
  });
}

// Leaves what all shares say in each of them, ready to see the texts once more.
template <typename Rule>
void Refinement<Rule>::merge_tallies(std::vector<std::vector<Tally>>* tallies) {
  run_all([&](size_t share) {
    const size_t end = sequence_.vocabulary * (share + 1) / shares();
    for (size_t id = sequence_.vocabulary * share / shares(); id < end; ++id) {
      if (id % poll_every == 0) run_.poll();
      Tally all = tallies->front()[id];
      for (size_t other = 1; other < shares(); ++other) rule_.merge(&all, (*tallies)[other][id]);
      all.last_text = all.rank = 0;
      for (std::vector<Tally>& own : *tallies) own[id] = all;
    }
  });
}

template <typename Rule>
void Refinement<Rule>::group_tokens(std::vector<std::vector<Tally>>* tallies) {
  const uint64_t tokens = sequence_.offsets[sequence_.texts];
  token_alive_.resize(sequence_.vocabulary);
  for (size_t id = 0; id < token_alive_.size(); ++id) {
    token_alive_[id] = rule_.alive(tallies->front()[id]);
    live_[0].groups += token_alive_[id];
    if (frequencies_ != nullptr && token_alive_[id]) frequencies_->front().add(tallies->front()[id].largest);
  }
  group_limit_ = sequence_.vocabulary + 1;
  std::vector<uint64_t> live(shares(), 0);
  run_all([&](size_t share) {
    std::vector<Tally>& own = (*tallies)[share];
    uint64_t alive_here = 0;
    sweep(share, 1, [&](uint64_t begin, uint64_t end) {
      const uint32_t text = starts_.rank(begin), label = text + 1;
      uint32_t marked = 0;
      int64_t others = 0;
      for (uint64_t p = begin; p < end; ++p) {
        prefetch(&own[sequence_.ids[std::min(p + look_ahead, tokens - 1)]]);
        const uint32_t id = sequence_.ids[p];
        Tally& tally = own[id];
        tally.rank = tally.last_text == label ? tally.rank + 1 : 1;
        tally.last_text = label;
        const bool alive = rule_.alive(tally);
        marked += alive && rule_.marked(tally, tally.rank);
        if (other_texts_ != nullptr && max_order_ == 1 && alive && tally.rank == 1) others += tally.second - 1;
        alive_here += alive;
        if (groups_ != nullptr && max_order_ == 1) groups_[p] = alive ? id + 1 : 0;
      }
      if (text < marked_ranks_) marks_.values[text * max_order_] += marked;
      if (others > 0) other_texts_[text] += others;
    });
    live[share] = alive_here;
  });
  live_[0].positions = std::accumulate(live.begin(), live.end(), uint64_t{0});
}

template <typename Rule>
template <typename Body>
void Refinement<Rule>::sweep_bigrams(size_t share, const Body& body) const {
  const Bucketing bucket_of = bucketing_;
  const uint32_t* const ids = sequence_.ids;
  const uint8_t* const token_alive = token_alive_.data();
  sweep(share, 2, [&](uint64_t begin, uint64_t end) {
    uint32_t first = ids[begin];
    bool alive = token_alive[first];
    for (uint64_t p = begin; p < end; ++p) {
      const uint32_t second = ids[p + 1];
      const bool next_alive = token_alive[second];
      // A branch, not a spill bucket for dead pairs: without the branch 8 % slower on real text, 11 % at 1M
      // texts.
      if (alive && next_alive) body(p, bucket_of(first, second));
      first = second;
      alive = next_alive;
    }
  });
}

// Partitioning first keeps every table of count_order() in cache: 3.6x at 1M texts, 1.9x at 144k, against
// one table.
template <typename Rule>
void Refinement<Rule>::size_buckets() {
  unsigned bits = 0;
  while (bits < max_bucket_bits && live_[0].positions >> bits > bucket_records) ++bits;
  bucketing_.bits = bits;
  places_.assign(shares(), {});
  bucket_ends_.assign(size_t{1} << bits, 0);
  run_all([&](size_t share) {
    std::vector<uint64_t> sizes(bucket_ends_.size(), 0);
    sweep_bigrams(share, [&](uint64_t, size_t bucket) { ++sizes[bucket]; });
    places_[share] = std::move(sizes);
  });
}

// Turns the sizes in places_ into places for as many buckets as fit, at least one: bucket by bucket, inside a bucket
// share by share. Returns the first bucket that does not fit.
template <typename Rule>
size_t Refinement<Rule>::place_buckets(size_t first) {
  const uint64_t most = sequence_.offsets[sequence_.texts] / tokens_per_record;
  uint64_t records = 0;
  size_t bucket = first;
  for (; bucket < bucket_ends_.size(); ++bucket) {
    uint64_t size = 0;
    for (const std::vector<uint64_t>& sizes : places_) size += sizes[bucket];
    if (size > UINT32_MAX) throw std::length_error("an n-gram occurs 2^32 times or more");
    if (bucket > first && records + size > most) break;
    for (std::vector<uint64_t>& places : places_) records += std::exchange(places[bucket], records);
    bucket_ends_[bucket] = records;
  }
  if (records > record_capacity_) {
    records_.reset();
    records_.reset(new Record[records]);
    record_capacity_ = records;
  }
  return bucket;
}

template <typename Rule>
void Refinement<Rule>::distribute(size_t first, size_t last) {
  run_all([&](size_t share) {
    std::vector<uint64_t> next = places_[share];
    const uint64_t base = sequence_.offsets[share_texts_[share]];
    Record* const records = records_.get();
    sweep_bigrams(share, [&](uint64_t p, size_t bucket) {
      if (bucket - first >= last - first) return;
      Record& record = records[next[bucket]++];
      record.place = static_cast<uint32_t>(p - base);
      record.text = starts_.rank(p);
      record.group = sequence_.ids[p];
      read_tokens(p + 1, &record);
    });
  });
}

template <typename Rule>
inline void Refinement<Rule>::read_tokens(uint64_t first, Record* record) const {
  const uint64_t ends = starts_.from(first);
  for (size_t k = 0; k < window_tokens; ++k) {
    record->tokens[k] = ends << (63 - k) == 0 ? sequence_.ids[first + k] : no_token;
  }
}

template <typename Rule>
void Refinement<Rule>::count_buckets(size_t first, size_t last, std::vector<Worker>* workers) {
  std::atomic<size_t> next{first};
  run_all([&](size_t share) {
    for (size_t bucket = next++; bucket < last; bucket = next++) {
      run_.poll();
      count_bucket(bucket, &(*workers)[share]);
    }
  });
}

template <typename Rule>
template <typename Body>
void Refinement<Rule>::visit(size_t bucket, const Worker& worker, const Body& body) const {
  const uint64_t first = places_[0][bucket];
  size_t share = 0, at = 0;
  const std::vector<uint32_t>& alive = worker.alive;
  while (at < alive.size()) {
    const uint64_t end = share + 1 < shares() ? places_[share + 1][bucket] : bucket_ends_[bucket];
    const uint64_t base = sequence_.offsets[share_texts_[share++]];
    for (; at < alive.size() && first + alive[at] < end; ++at) {
      if (at % poll_every == poll_every - 1) run_.poll();
      Record& record = worker.records[alive[at]];
      const uint64_t ahead =
          std::min(end - 1 - first, uint64_t{alive[std::min<size_t>(at + look_ahead, alive.size() - 1)]});
      body(&record, base + record.place, base + worker.records[ahead].place);
    }
  }
}

template <typename Rule>
void Refinement<Rule>::count_bucket(size_t bucket, Worker* worker) {
  const size_t size = static_cast<size_t>(bucket_ends_[bucket] - places_[0][bucket]);
  worker->records = records_.get() + places_[0][bucket];
  worker->alive.clear();  // so that growing copies nothing
  worker->alive.resize(size);
  std::iota(worker->alive.begin(), worker->alive.end(), 0u);
  for (size_t first = 2; first <= max_order_ && !worker->alive.empty(); first += window_tokens) {
    if (first > 2) read_window(bucket, first, *worker);
    worker->marks.assign(size, 0);
    for (size_t order = first; order <= std::min(max_order_, first + window_tokens - 1); ++order) {
      count_order(bucket, order, worker);
    }
    add_marks(first, worker);
  }
}

// The last tokens of the n-grams of an order and the next ones.
template <typename Rule>
void Refinement<Rule>::read_window(size_t bucket, size_t order, const Worker& worker) const {
  visit(bucket, worker, [&](Record* record, uint64_t position, uint64_t ahead) {
    prefetch(sequence_.ids + ahead);
    prefetch(starts_.place(ahead));
    read_tokens(position + order - 1, record);
  });
}

// From the records of n-grams one shorter to those of an order. A table, not a sort: 11 ns a record, against 13 for
// a radix sort and 50 for std::sort.
template <typename Rule>
void Refinement<Rule>::count_order(size_t bucket, size_t order, Worker* worker) {
  const size_t in_window = (order - 2) % window_tokens;
  BucketTable& table = worker->table;
  std::vector<uint32_t>& alive = worker->alive;
  Record* const records = worker->records;
  table.reset(alive.size());
  worker->repeats.clear();
  size_t kept = 0;
  for (size_t place = 0; place < alive.size(); ++place) {
    if (place % poll_every == poll_every - 1) run_.poll();
    const uint32_t i = alive[place];
    Record& record = records[i];
    const uint32_t token = record.tokens[in_window];
    if (token == no_token) continue;
    alive[kept++] = i;
    const uint32_t number = table.number_of(uint64_t{record.group} << 32 | token);
    Tally& tally = table.entries()[number].tally;
    if (tally.last_text == record.text + 1) {
      worker->repeats.push_back({i, ++tally.rank});
    } else {
      tally.last_text = record.text + 1;
      tally.rank = 1;
    }
    rule_.observe(&tally, tally.rank, record.text);
    record.group = number;
  }
  alive.resize(kept);
  uint32_t groups = 0;
  // From here on the rank is the n-gram's group, 0 if it is pruned, and last_text whether its first in a text is
  // marked.
  for (auto& [pair, tally] : table.entries()) {
    tally.rank = rule_.alive(tally) ? ++groups : 0;
    if (frequencies_ != nullptr && tally.rank != 0) worker->frequencies[order - 1].add(tally.largest);
    tally.last_text = tally.rank != 0 && rule_.marked(tally, 1);
  }
  const auto* const entries = table.entries().data();
  uint8_t* const marks = worker->marks.data();
  auto repeat = worker->repeats.begin();
  const auto repeats_end = worker->repeats.end();
  const bool sums = other_texts_ != nullptr && order == max_order_;
  kept = 0;
  for (const uint32_t i : alive) {
    Record& record = records[i];
    const Tally& tally = entries[record.group].tally;
    const bool again = repeat != repeats_end && repeat->record == i;
    const bool marked = again ? rule_.marked(tally, repeat->rank) : tally.last_text != 0;
    repeat += again;
    if (tally.rank == 0) continue;
    marks[i] = static_cast<uint8_t>(marks[i] | marked << in_window);
    if (sums && !again) add(other_texts_ + record.text, int64_t{tally.second} - 1);
    record.group = tally.rank;
    alive[kept++] = i;
  }
  alive.resize(kept);
  worker->live[order - 1].groups += groups;
  worker->live[order - 1].positions += kept;
  if (order < max_order_ || groups_ == nullptr) return;
  const uint64_t earlier = last_groups_.fetch_add(groups);
  if (earlier + groups >= UINT32_MAX) throw std::length_error("too many different n-grams of one order");
  visit(bucket, *worker, [&](const Record* record, uint64_t position, uint64_t) {
    groups_[position] = static_cast<uint32_t>(earlier + record->group);
  });
}

// Until spread() what a text has is at its rank. Other workers add to the same texts.
template <typename Rule>
template <typename Number>
inline void Refinement<Rule>::add(Number* sum, Number number) const {
  if (shares() == 1) {
    *sum += number;
  } else {
    reinterpret_cast<std::atomic<Number>&>(*sum).fetch_add(number, std::memory_order_relaxed);
  }
}

template <typename Rule>
void Refinement<Rule>::add_marks(size_t first_order, Worker* worker) {
  if (marks_.values == nullptr) return;
  const size_t size = worker->marks.size();
  for (size_t i = 0; i < size; ++i) {
    const uint32_t ahead = worker->records[std::min<size_t>(i + look_ahead, size - 1)].text;
    prefetch(marks_.values + size_t{ahead} * max_order_);
    const uint32_t text = worker->records[i].text;
    if (text >= marked_ranks_) break;
    uint32_t* const row = marks_.values + size_t{text} * max_order_ + first_order - 1;
    for (unsigned left = worker->marks[i], k = 0; left != 0; left >>= 1, ++k) {
      if ((left & 1) != 0) add(&row[k], 1u);
    }
  }
}

// Moves the rows of the texts that are not empty from their ranks to their places.
template <typename Rule>
template <typename Number>
void Refinement<Rule>::spread(Number* values, size_t width, size_t texts, size_t ranks) const {
  for (size_t text = texts; text-- > ranks;) {
    Number* const row = values + text * width;
    if (sequence_.offsets[text] == sequence_.offsets[text + 1]) {
      std::fill_n(row, width, Number{0});
    } else {
      std::copy_n(values + --ranks * width, width, row);
    }
  }
}

template class Refinement<SharedByTexts>;
template class Refinement<SharedAcross>;
template class Refinement<RepeatedInText>;
template class Refinement<RepeatedAnywhere>;

}  // namespace bleuprint
