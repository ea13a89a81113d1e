#include "pool/shuffle_tables.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "pool/refinement.hpp"
#include "tables/packed_bytes.hpp"

namespace bleuprint {
namespace {

constexpr uint64_t poll_every = uint64_t{1} << 16;
constexpr uint64_t most_buckets = uint64_t{1} << 23;
constexpr uint64_t magic = 0x32303042544B4C42u;

// Most numbers are small, and what Spark moves costs it more than writing them short costs us.
template <typename Item>
void write_numbers(const std::vector<Item>& numbers, ByteWriter* writer) {
  writer->word(numbers.size());
  for (const Item number : numbers) writer->number(static_cast<Item>(number + 1));  // TextBlock::pruned becomes 0
}

template <typename Item>
void read_numbers(ByteReader* reader, std::vector<Item>* numbers) {
  numbers->resize(static_cast<size_t>(reader->bounded(reader->word())));
  for (Item& number : *numbers) {
    const uint64_t value = reader->number();
    if (value > static_cast<Item>(~Item{0})) throw std::invalid_argument("these bytes are no whole block of texts");
    number = static_cast<Item>(value - 1);
  }
}

uint64_t token_hash(std::string_view token, uint64_t seed) { return hash(make_key(token, Region{}, seed), seed); }

}  // namespace

struct TextBlock::Local {
  explicit Local(uint64_t seed) : pairs(seed) {}

  std::vector<uint32_t> at;    // the n-gram of every candidate, in the order of `visit`
  std::vector<uint32_t> rank;  // how many of it its text has shown up to there
  std::vector<Tally> tallies;
  GrowingTable<NumberPair> pairs;
};

TextBlock::TextBlock(const Pool& pool, bool second_side) : second_side_(second_side) {
  for (size_t text = 0; text < pool.texts(); ++text) lengths_.push_back(static_cast<uint32_t>(pool.length(text)));
  numbers_.assign(pool.ids(), pool.ids() + pool.tokens());
  for (size_t id = 0; id < pool.vocabulary().size(); ++id) {
    tokens_.emplace_back(pool.vocabulary().text(static_cast<uint32_t>(id)));
  }
}

TextBlock::TextBlock(std::string_view packed) {
  ByteReader reader(packed);
  if (reader.word() != magic) throw std::invalid_argument("these bytes are no block of texts");
  order_ = reader.word();
  second_side_ = reader.word() != 0;
  read_numbers(&reader, &lengths_);
  read_numbers(&reader, &numbers_);
  read_numbers(&reader, &matches_);
  tokens_.resize(reader.bounded(reader.word()));
  for (std::string& token : tokens_) token = std::string(reader.bytes());
  uint64_t tokens = 0;
  for (const uint32_t length : lengths_) tokens += length;
  const bool known = order_ > 0 || std::all_of(numbers_.begin(), numbers_.end(),
                                               [&](uint64_t number) { return number < tokens_.size(); });
  // Divided, because the product of an order out of arbitrary bytes may wrap.
  const bool matched =
      order_ == 0 ? matches_.empty() : matches_.size() / order_ == lengths_.size() && matches_.size() % order_ == 0;
  if (!reader.done() || tokens != numbers_.size() || !matched || !known) {
    throw std::invalid_argument("these bytes are no whole block of texts");
  }
}

std::string TextBlock::packed() const {
  ByteWriter writer;
  for (const uint64_t word : {magic, order_, uint64_t{second_side_}}) writer.word(word);
  write_numbers(lengths_, &writer);
  write_numbers(numbers_, &writer);
  write_numbers(matches_, &writer);
  writer.word(tokens_.size());
  for (const std::string& token : tokens_) writer.bytes(token);
  return writer.take();
}

template <typename Visit>
void TextBlock::visit(const Run& run, const Visit& visit) const {
  uint64_t begin = 0, visited = 0;
  for (size_t text = 0; text < lengths_.size(); ++text) {
    const uint64_t end = begin + lengths_[text];
    for (uint64_t p = begin; p + order_ + 1 <= end; ++p) {
      if (++visited % poll_every == 0) run.poll();
      if (order_ == 0 || (numbers_[p] != pruned && numbers_[p + 1] != pruned)) visit(text, p);
    }
    begin = end;
  }
}

uint64_t TextBlock::candidates() const {
  uint64_t count = 0;
  visit({}, [&](size_t, uint64_t) { ++count; });
  return count;
}

uint64_t TextBlock::fingerprint() const {
  uint64_t sum = lengths_.size();
  for (const uint32_t length : lengths_) sum = mix(sum ^ length, 0x9E3779B97F4A7C15u) + 1;
  for (const uint64_t number : numbers_) sum = mix(sum ^ number, 0xC2B2AE3D27D4EB4Fu) + 1;
  for (const std::string& token : tokens_) sum = mix(sum ^ token_hash(token, 1), 0x9E3779B97F4A7C15u) + 1;
  return sum;
}

void TextBlock::count(ShuffleRule rule, Local* local, const Run& run) const {
  const SharedByTexts top_two;
  if (order_ == 0) local->tallies.resize(tokens_.size());
  visit(run, [&](size_t text, uint64_t p) {
    uint32_t ngram = static_cast<uint32_t>(numbers_[p]);
    if (order_ > 0) {
      ngram = local->pairs.insert({numbers_[p], numbers_[p + 1]});
      if (ngram == local->tallies.size()) local->tallies.emplace_back();
    }
    Tally& tally = local->tallies[ngram];
    const uint32_t number = static_cast<uint32_t>(text) + 1;
    tally.rank = tally.last_text == number ? tally.rank + 1 : 1;
    tally.last_text = number;
    if (rule == ShuffleRule::top_two) {
      top_two.observe(&tally, tally.rank, 0);
    } else {
      auto& mine = second_side_ ? tally.second : tally.largest;
      mine = rule == ShuffleRule::sums ? mine + 1 : std::max(mine, tally.rank);
    }
    local->at.push_back(ngram);
    local->rank.push_back(tally.rank);
  });
}

size_t TextBlock::bucket_of(const Local& local, uint32_t ngram, uint64_t seed, size_t buckets) const {
  const uint64_t place = order_ == 0 ? token_hash(tokens_[ngram], seed) : hash(local.pairs.key(ngram), seed);
  return static_cast<size_t>(mix(place, 0xC2B2AE3D27D4EB4Fu) % buckets);
}

void TextBlock::tables(ShuffleRule rule, uint64_t seed, std::vector<std::string>* buckets, const Run& run) const {
  if (buckets->empty() || buckets->size() > most_buckets) throw std::invalid_argument("there are 1 to 2^23 buckets");
  Local local(seed);
  count(rule, &local, run);
  std::vector<ByteWriter> writers(buckets->size());
  for (uint32_t ngram = 0; ngram < local.tallies.size(); ++ngram) {
    if (ngram % poll_every == 0) run.poll();
    ByteWriter& writer = writers[bucket_of(local, ngram, seed, writers.size())];
    if (order_ == 0) {
      writer.bytes(tokens_[ngram]);
    } else {
      writer.number(local.pairs.key(ngram).first);
      writer.number(local.pairs.key(ngram).second);
    }
    writer.number(local.tallies[ngram].largest);
    writer.number(local.tallies[ngram].second);
  }
  std::transform(writers.begin(), writers.end(), buckets->begin(), [](ByteWriter& writer) { return writer.take(); });
}

void TextBlock::take_answers(ShuffleRule rule, uint64_t seed, const std::vector<std::string_view>& answers,
                             const Run& run) {
  if (answers.empty() || answers.size() > most_buckets) throw std::invalid_argument("there are 1 to 2^23 buckets");
  Local local(seed);
  count(rule, &local, run);
  std::vector<ByteReader> readers(answers.begin(), answers.end());
  std::vector<uint64_t> allowed(local.tallies.size()), numbers(local.tallies.size(), pruned);
  for (uint32_t ngram = 0; ngram < numbers.size(); ++ngram) {
    const size_t bucket = bucket_of(local, ngram, seed, readers.size());
    allowed[ngram] = readers[bucket].number();
    // No two buckets give the same number, and numbers stay as small as there are n-grams.
    if (allowed[ngram] > 0) numbers[ngram] = readers[bucket].number() * readers.size() + bucket;
  }
  for (const ByteReader& reader : readers) {
    if (!reader.done()) throw std::invalid_argument("the answers belong to another block of texts");
  }
  const size_t texts = lengths_.size(), before = static_cast<size_t>(order_), now = before + 1;
  std::vector<uint64_t> next(numbers_.size(), pruned);
  std::vector<uint32_t> matches(texts * now);
  for (size_t text = 0; text < texts; ++text) {
    std::copy_n(matches_.begin() + static_cast<std::ptrdiff_t>(text * before), before,
                matches.begin() + static_cast<std::ptrdiff_t>(text * now));
  }
  size_t place = 0;
  visit(run, [&](size_t text, uint64_t p) {
    const uint32_t ngram = local.at[place];
    next[p] = numbers[ngram];
    matches[text * now + before] += local.rank[place++] <= allowed[ngram];
  });
  numbers_ = std::move(next);
  matches_ = std::move(matches);
  tokens_.clear();
  order_ = now;
}

MergedTable::MergedTable(ShuffleRule rule, uint64_t order, uint64_t seed)
    : rule_(rule), order_(order), tokens_(seed), pairs_(seed) {}

void MergedTable::add(std::string_view table) {
  ByteReader reader(table);
  std::vector<uint32_t> asked;
  while (!reader.done()) {
    uint32_t ngram;
    if (order_ == 1) {
      ngram = tokens_.intern(reader.bytes());
    } else {
      const uint64_t first = reader.number();
      ngram = pairs_.insert({first, reader.number()});
    }
    if (ngram == counts_.size()) counts_.emplace_back();
    const uint64_t first = reader.number(), second = reader.number();
    NgramCounts& counts = counts_[ngram];
    if (rule_ == ShuffleRule::top_two) {
      counts.second = std::max({counts.second, second, std::min(counts.first, first)});
      counts.first = std::max(counts.first, first);
    } else if (rule_ == ShuffleRule::sums) {
      counts.first += first;
      counts.second += second;
    } else {
      counts.first = std::max(counts.first, first);
      counts.second = std::max(counts.second, second);
    }
    asked.push_back(ngram);
  }
  asked_.push_back(std::move(asked));
}

bool MergedTable::alive(const NgramCounts& counts) const {
  if (rule_ == ShuffleRule::sums) return counts.first + counts.second >= 2;
  return counts.first > 0 && counts.second > 0;
}

std::string MergedTable::answer(size_t table) const {
  ByteWriter writer;
  for (const uint32_t ngram : asked_.at(table)) {
    const NgramCounts& counts = counts_[ngram];
    if (!alive(counts)) {
      writer.number(0);
      continue;
    }
    writer.number(rule_ == ShuffleRule::sums ? 1 : counts.second);
    writer.number(ngram);
  }
  return writer.take();
}

}  // namespace bleuprint
