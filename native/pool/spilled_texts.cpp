#include "pool/spilled_texts.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "pool/bucket_table.hpp"
#include "pool/refinement.hpp"

namespace bleuprint {
namespace {

constexpr uint64_t poll_every = uint64_t{1} << 16;         // numbers between two looks at the cancel flag
constexpr uint64_t partition_records = uint64_t{1} << 18;  // that a cache nearly holds, with their table
constexpr unsigned max_partition_bits = 9;
constexpr unsigned division_bits = 4;   // of a partition that is too large
constexpr unsigned last_hash_bit = 28;  // further divisions would leave a table too few bits
constexpr uint64_t smallest_page = 64, largest_page = uint64_t{1} << 18;
constexpr uint64_t pages_in_memory = 8192;  // each writer and each reader has one; there are some hundred
constexpr uint64_t entry_bytes = 96;        // of a table that grows
constexpr uint64_t least_entries = 16;
constexpr uint32_t no_token = UINT32_MAX;

uint64_t page_bytes_for(uint64_t memory) {
  uint64_t bytes = smallest_page;
  while (bytes < largest_page && bytes * 2 * pages_in_memory <= memory) bytes *= 2;
  return bytes;
}

// Which partition a pair goes to, of those that agree in the first bits of their hash.
size_t partition_of(const PairHash& hash, uint32_t first, uint32_t second, unsigned from, unsigned bits) {
  return bits == 0 ? 0 : static_cast<size_t>((hash(first, second) << from) >> (64 - bits));
}

// Records of texts, in the order of the texts: each says how far its text is from the one before. Occurrences of
// n-grams that can be alive have the group of their first tokens, and the tokens that follow with their number; marks
// have bits.
struct Records {
  Pages pages;
  uint64_t count = 0;
};

class RecordWriter {
 public:
  explicit RecordWriter(PagedFile& file) : out_(file) {}

  void write(uint32_t text, uint32_t group, const uint32_t* tokens, uint32_t count) {
    begin(text);
    out_.write(group);
    out_.write(count);
    for (uint32_t i = 0; i < count; ++i) out_.write(tokens[i]);
  }
  void write(uint32_t text, uint32_t bits) {
    if (bits == 0) return;
    begin(text);
    out_.write(bits);
  }
  Records finish() { return {out_.finish(), count_}; }

 private:
  void begin(uint32_t text) {
    out_.write(text - last_text_);
    last_text_ = text;
    ++count_;
  }

  NumberWriter out_;
  uint32_t last_text_ = 0;
  uint64_t count_ = 0;
};

class OccurrenceReader {
 public:
  OccurrenceReader(const Records& occurrences, size_t most_tokens)
      : tokens(most_tokens), in_(occurrences.pages), left_(occurrences.count) {}

  bool next() {
    if (left_-- == 0) return false;
    text += in_.read();
    group = in_.read();
    count = in_.read();
    if (count > tokens.size()) throw FileFault(EIO);
    for (uint32_t i = 0; i < count; ++i) tokens[i] = in_.read();
    return true;
  }

  uint32_t text = 0;
  uint32_t group = 0;
  uint32_t count = 0;  // tokens
  std::vector<uint32_t> tokens;

 private:
  NumberReader in_;
  uint64_t left_;
};

// Which occurrence in its text this is, from 1 on.
uint32_t advance(Tally* tally, uint32_t text) {
  tally->rank = tally->last_text == text + 1 ? tally->rank + 1 : 1;
  tally->last_text = text + 1;
  return tally->rank;
}

// Ready to see the texts once more; from here on `largest` is the n-gram's group, 0 if it is pruned.
template <typename Rule>
void settle(const Rule& rule, std::vector<BucketTable::Entry>* entries) {
  uint32_t groups = 0;
  for (auto& [pair, tally] : *entries) {
    tally.largest = rule.alive(tally) ? ++groups : 0;
    tally.last_text = tally.rank = 0;
  }
}

// Counts partitions, one at a time. For RepeatedAnywhere alone: `frequencies`, unless empty, has those of the n-grams
// of each order that were seen here; the others occur once.
template <typename Rule>
class PartitionCounter {
 public:
  PartitionCounter(PagedFile& file, const PairHash& hash, size_t max_order, uint64_t memory, Cancel cancel,
                   size_t frequency_orders)
      : frequencies(frequency_orders),
        file_(file),
        hash_(hash),
        max_order_(max_order),
        memory_(memory),
        cancel_(cancel),
        table_({hash, 0}) {}

  // The n-grams of an order and all longer ones. The hashes of these n-grams agree in so many first bits.
  void count(Records&& occurrences, size_t order, unsigned hash_bits) {
    if (occurrences.count == 0) return;
    const uint64_t each = (stride(order) + 2) * sizeof(uint32_t) + entry_bytes;
    if (occurrences.count < UINT32_MAX && occurrences.count * each <= memory_) {
      count_in_memory(std::move(occurrences), order, hash_bits);
    } else {
      count_in_passes(std::move(occurrences), order, hash_bits);
    }
  }

  std::vector<Records> marks;
  std::vector<Frequencies> frequencies;

 private:
  // Once all occurrences of an order in the table were seen.
  void settle_order(size_t order) {
    if (!frequencies.empty()) {
      for (const auto& [pair, tally] : table_.entries()) frequencies[order - 1].add(tally.largest);
    }
    settle(rule_, &table_.entries());
  }

  size_t stride(size_t order) const { return 2 + max_order_ - order + 1; }

  void poll() {
    if (++since_poll_ % poll_every == 0) cancel_.poll();
  }

  // A record is a text, a group and the tokens that follow; no_token from where there are none.
  void count_in_memory(Records&& occurrences, size_t first_order, unsigned hash_bits) {
    const size_t width = stride(first_order), size = static_cast<size_t>(occurrences.count);
    records_.assign(size * width, no_token);
    alive_.resize(size);
    bits_.assign(size, 0);
    {
      const Records read = std::move(occurrences);  // whose pages are free for others from here on
      OccurrenceReader reader(read, max_order_);
      for (uint32_t i = 0; reader.next(); ++i) {
        poll();
        uint32_t* const record = records_.data() + i * width;
        record[0] = reader.text;
        record[1] = reader.group;
        std::copy_n(reader.tokens.data(), reader.count, record + 2);
        alive_[i] = i;
      }
    }
    for (size_t order = first_order; order <= max_order_ && !alive_.empty(); ++order) {
      const size_t last = 2 + order - first_order;
      table_.reset(alive_.size(), hash_bits);
      keep_alive([&](uint32_t i) {
        uint32_t* const record = records_.data() + i * width;
        if (record[last] == no_token) return false;
        record[1] = table_.number_of(uint64_t{record[1]} << 32 | record[last]);
        Tally& tally = table_.entries()[record[1]].tally;
        rule_.observe(&tally, advance(&tally, record[0]), record[0]);
        return true;
      });
      settle_order(order);
      keep_alive([&](uint32_t i) {
        uint32_t* const record = records_.data() + i * width;
        Tally& tally = table_.entries()[record[1]].tally;
        bits_[i] |= uint32_t{rule_.marked(tally, advance(&tally, record[0]))} << (order - 2);
        record[1] = tally.largest;
        return tally.largest != 0;
      });
    }
    RecordWriter found(file_);
    for (size_t i = 0; i < size; ++i) found.write(records_[i * width], bits_[i]);
    marks.push_back(found.finish());
  }

  template <typename Keep>
  void keep_alive(const Keep& keep) {
    size_t kept = 0;
    for (const uint32_t i : alive_) {
      poll();
      if (keep(i)) alive_[kept++] = i;
    }
    alive_.resize(kept);
  }

  // One order in two passes, with a table of its n-grams alone; if not even that fits, of parts of them.
  void count_in_passes(Records&& occurrences, size_t order, unsigned hash_bits) {
    table_.reset(least_entries, hash_bits);
    const uint64_t most_entries = std::max(least_entries, memory_ / entry_bytes);
    for (OccurrenceReader reader(occurrences, max_order_); reader.next();) {
      poll();
      Tally& tally = table_.entries()[table_.number_of(pair_of(reader))].tally;
      rule_.observe(&tally, advance(&tally, reader.text), reader.text);
      if (table_.entries().size() > most_entries && hash_bits < last_hash_bit) {
        return divide(std::move(occurrences), order, hash_bits);
      }
    }
    settle_order(order);
    RecordWriter found(file_);
    std::vector<RecordWriter> longer = divisions();
    {
      const Records read = std::move(occurrences);
      for (OccurrenceReader reader(read, max_order_); reader.next();) {
        poll();
        Tally& tally = table_.entries()[table_.number_of(pair_of(reader))].tally;
        found.write(reader.text, uint32_t{rule_.marked(tally, advance(&tally, reader.text))} << (order - 2));
        if (tally.largest == 0 || reader.count < 2) continue;
        const uint32_t* const following = reader.tokens.data() + 1;
        longer[partition_of(hash_, tally.largest, *following, 0, division_bits)].write(reader.text, tally.largest,
                                                                                       following, reader.count - 1);
      }
    }
    marks.push_back(found.finish());
    count_all(std::move(longer), order + 1, division_bits);
  }

  void divide(Records&& occurrences, size_t order, unsigned hash_bits) {
    std::vector<RecordWriter> parts = divisions();
    {
      const Records read = std::move(occurrences);
      for (OccurrenceReader reader(read, max_order_); reader.next();) {
        poll();
        parts[partition_of(hash_, reader.group, reader.tokens[0], hash_bits, division_bits)].write(
            reader.text, reader.group, reader.tokens.data(), reader.count);
      }
    }
    count_all(std::move(parts), order, hash_bits + division_bits);
  }

  static uint64_t pair_of(const OccurrenceReader& reader) { return uint64_t{reader.group} << 32 | reader.tokens[0]; }

  std::vector<RecordWriter> divisions() const {
    std::vector<RecordWriter> writers;
    for (size_t i = 0; i < size_t{1} << division_bits; ++i) writers.emplace_back(file_);
    return writers;
  }

  void count_all(std::vector<RecordWriter>&& writers, size_t order, unsigned hash_bits) {
    std::vector<Records> parts;
    for (RecordWriter& writer : writers) parts.push_back(writer.finish());
    writers.clear();
    for (Records& part : parts) count(std::move(part), order, hash_bits);
  }

  Rule rule_;
  PagedFile& file_;
  PairHash hash_;
  size_t max_order_;
  uint64_t memory_;
  Cancel cancel_;
  uint64_t since_poll_ = 0;
  BucketTable table_;
  std::vector<uint32_t> records_;
  std::vector<uint32_t> alive_;
  std::vector<uint32_t> bits_;  // of each record, one for each order above 1
};

}  // namespace

SpilledTexts::SpilledTexts(int descriptor, uint64_t memory)
    : file_(std::make_shared<PagedFile>(descriptor, page_bytes_for(memory))), ids_(*file_) {}

void SpilledTexts::require_whole() const {
  if (!whole_) throw std::runtime_error("texts cannot be counted or added after an error while some were written");
}

void SpilledTexts::add(const uint32_t* ids, size_t count) {
  if (texts_ + 1 >= UINT32_MAX) throw std::length_error("a pool holds at most 2^32 - 2 texts");
  ids_.write(static_cast<uint32_t>(count));
  for (size_t i = 0; i < count; ++i) ids_.write(ids[i]);
  ++texts_;
  tokens_ += count;
}

void SpilledTexts::take(Pool& pool, const Run& run) {
  require_whole();
  whole_ = false;
  for (size_t text = 0; text < pool.texts(); ++text) {
    if (text % poll_every == 0) run.poll();
    add(pool.ids() + pool.offsets()[text], static_cast<size_t>(pool.length(text)));
  }
  ids_.flush();
  pool.drop_texts();
  whole_ = true;
}

void SpilledTexts::append(const SpilledTexts& others, const Vocabulary& theirs, Pool& pool, const Run& run) {
  require_whole();
  others.require_whole();
  const std::vector<uint32_t> renumbered = pool.renumber(theirs);
  whole_ = false;
  others.visit(others.texts_, run, [&](uint32_t, std::vector<uint32_t>& ids) {
    for (uint32_t& id : ids) id = renumbered[id];
    add(ids.data(), ids.size());
  });
  ids_.flush();
  whole_ = true;
}

// Calls body(text, ids) for the first texts.
template <typename Body>
void SpilledTexts::visit(size_t texts, const Run& run, const Body& body) const {
  NumberReader reader(ids_.pages());
  std::vector<uint32_t> ids;
  uint64_t since_poll = 0;
  for (size_t text = 0; text < texts; ++text) {
    ids.resize(reader.read());
    for (uint32_t& id : ids) id = reader.read();
    body(static_cast<uint32_t>(text), ids);
    since_poll += ids.size() + 1;
    if (since_poll < poll_every) continue;
    run.poll();
    since_poll = 0;
  }
}

// What a pass over all partitions has found.
struct SpilledTexts::Found {
  std::vector<uint32_t> texts_by_length;
  Pages texts;  // the length of each, and its marks of order 1
  std::vector<Records> marks;
  std::vector<Frequencies> frequencies;  // of the n-grams that were seen, by order, if they were asked for
};

template <typename Rule>
SpilledTexts::Found SpilledTexts::count(const Vocabulary& vocabulary, size_t max_order, uint64_t memory, const Run& run,
                                        size_t frequency_orders) const {
  require_whole();
  if (max_order > largest_order) throw std::invalid_argument("n-grams of more than 32 tokens are counted in memory");
  const Rule rule{};
  const PairHash hash(vocabulary.seed());
  Found found{{}, Pages(*file_), {}, std::vector<Frequencies>(frequency_orders)};
  std::vector<Tally> tallies(vocabulary.size());
  visit(texts_, run, [&](uint32_t text, const std::vector<uint32_t>& ids) {
    if (ids.size() >= found.texts_by_length.size()) found.texts_by_length.resize(ids.size() + 1);
    ++found.texts_by_length[ids.size()];
    for (const uint32_t id : ids) {
      if (id >= tallies.size()) throw std::invalid_argument("the vocabulary is that of other texts");
      rule.observe(&tallies[id], advance(&tallies[id], text), text);
    }
  });
  for (Tally& tally : tallies) {
    if (frequency_orders > 0 && tally.largest > 0) found.frequencies[0].add(tally.largest);
    tally.last_text = tally.rank = 0;
  }

  const uint64_t share = std::max<uint64_t>(1, memory / 2 / std::max(1u, run.threads));
  const uint64_t usual = std::min(partition_records, share / (entry_bytes + 4 * (max_order + 4)) + 1);
  unsigned bits = 0;
  while (bits < max_partition_bits && tokens_ >> bits > usual) ++bits;
  std::vector<RecordWriter> writers;
  for (size_t i = 0; i < size_t{1} << bits; ++i) writers.emplace_back(*file_);
  NumberWriter texts(*file_);
  std::vector<uint32_t> following;  // how many tokens from here on are alive
  visit(texts_, run, [&](uint32_t text, const std::vector<uint32_t>& ids) {
    uint32_t marked = 0;
    for (const uint32_t id : ids) marked += rule.marked(tallies[id], advance(&tallies[id], text));
    texts.write(static_cast<uint32_t>(ids.size()));
    texts.write(marked);
    following.assign(ids.size() + 1, 0);
    for (size_t at = ids.size(); at-- > 0;) following[at] = rule.alive(tallies[ids[at]]) ? following[at + 1] + 1 : 0;
    for (size_t at = 0; at + 1 < ids.size(); ++at) {
      const uint32_t known = static_cast<uint32_t>(std::min<size_t>(following[at], max_order));
      if (known < 2) continue;
      writers[partition_of(hash, ids[at], ids[at + 1], 0, bits)].write(text, ids[at], &ids[at + 1], known - 1);
    }
  });
  std::vector<Tally>().swap(tallies);
  found.texts = texts.finish();
  std::vector<Records> partitions;
  for (RecordWriter& writer : writers) partitions.push_back(writer.finish());
  writers.clear();

  std::mutex adding;
  share_out(partitions.size(), 1, std::max(1u, run.threads), run.cancel, [&] {
    return [&, counter = PartitionCounter<Rule>(*file_, hash, max_order, share, run.cancel, frequency_orders)](
               size_t partition, size_t) mutable {
      counter.count(std::move(partitions[partition]), 2, bits);
      const std::lock_guard<std::mutex> alone(adding);
      for (Records& marks : counter.marks) {
        if (marks.count > 0) found.marks.push_back(std::move(marks));
      }
      counter.marks.clear();
      for (size_t i = 0; i < frequency_orders; ++i) found.frequencies[i].add(counter.frequencies[i]);
      counter.frequencies.assign(frequency_orders, {});
    };
  });
  if (run.threads > 1) give_memory_back();
  return found;
}

std::unique_ptr<SpilledRows> SpilledTexts::leave_one_out(const Vocabulary& vocabulary, size_t max_order,
                                                         uint64_t memory, const Run& run) const {
  Found found = count<SharedByTexts>(vocabulary, max_order, memory, run, 0);
  std::unique_ptr<SpilledRows> rows(new SpilledRows(file_, max_order));
  rows->nearest_ = nearest_lengths(found.texts_by_length, 2);
  rows->texts_ = std::make_unique<SpilledRows::Marks>(std::move(found.texts));
  for (Records& marks : found.marks) {
    rows->marks_.push_back(std::make_unique<SpilledRows::Marks>(std::move(marks.pages)));
    rows->marks_.back()->unread = marks.count;
  }
  return rows;
}

void SpilledTexts::frequency_counts(const Vocabulary& vocabulary, size_t max_order, uint64_t memory,
                                    std::vector<std::vector<FrequencyCount>>* counts, const Run& run) const {
  Found found = count<RepeatedAnywhere>(vocabulary, max_order, memory, run, max_order);
  counts->clear();
  for (size_t order = 1; order <= max_order; ++order) {
    Frequencies& frequencies = found.frequencies[order - 1];
    uint64_t unseen = 0;
    for (size_t length = order; length < found.texts_by_length.size(); ++length) {
      unseen += (length - order + 1) * found.texts_by_length[length];
    }
    for (const FrequencyCount& seen : frequencies.counts()) unseen -= seen.count * seen.ngrams;
    frequencies.add(1, unseen);
    counts->push_back(frequencies.counts());
  }
}

void SpilledRows::read(size_t texts, int64_t* rows, const Run& run) {
  const size_t width = 2 + max_order_, end = next_ + texts;
  std::fill_n(rows, texts * width, 0);
  for (size_t text = 0; text < texts; ++text) {
    const uint32_t length = texts_->left.read();
    rows[text * width] = length;
    rows[text * width + 1] = nearest_[length];
    rows[text * width + 2] = texts_->left.read();
  }
  for (const std::unique_ptr<Marks>& marks : marks_) {
    run.poll();
    for (;;) {
      if (marks->bits == 0) {
        if (marks->unread == 0) break;
        --marks->unread;
        marks->text = (marks->text == UINT64_MAX ? 0 : marks->text) + marks->left.read();
        marks->bits = marks->left.read();
      }
      if (marks->text >= end) break;
      int64_t* const row = rows + (marks->text - next_) * width + 3;
      for (uint32_t bits = std::exchange(marks->bits, 0), k = 0; bits != 0; bits >>= 1, ++k) row[k] += bits & 1;
    }
  }
  next_ = end;
}

}  // namespace bleuprint
