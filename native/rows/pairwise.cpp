#include "rows/pairwise.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "parallel.hpp"

namespace bleuprint {

namespace {

constexpr uint32_t absent = GrowingTable<uint64_t>::absent;
constexpr uint32_t mark = uint32_t{1} << 31;  // no id and no length has this bit, so marked keys equal no other

uint64_t pair_key(uint32_t first, uint32_t last) noexcept { return uint64_t{first} << 32 | last; }

int64_t ngrams(int64_t length, size_t order, int64_t minimum) noexcept {
  return std::max(minimum, length - static_cast<int64_t>(order) + 1);
}

uint32_t checked_length(size_t tokens) {
  if (tokens >= mark / 2) throw std::length_error("a text has more than 2^30 tokens");
  return static_cast<uint32_t>(tokens);
}

// Numbers rows so that equal ones are numbered alike. A row is a path: both lengths, then the matches of order after
// order until there are none. Most pairs share a word or two and no bigram, so most paths are two steps long.
class RowTable {
 public:
  explicit RowTable(const PairOptions& options) : options_(options), nodes_(options.seed) {}

  uint32_t start(uint32_t length, uint32_t other_length) {
    return nodes_.insert(pair_key(mark | length, other_length));
  }
  uint32_t next(uint32_t node, uint32_t matches) { return nodes_.insert(pair_key(node, matches)); }

  uint32_t number(uint32_t node) {
    if (node >= number_.size()) number_.resize(nodes_.size(), absent);
    uint32_t& number = number_[node];
    if (number == absent) {
      number = static_cast<uint32_t>(ends_.size());
      ends_.push_back(node);
    }
    return number;
  }

  size_t rows() const noexcept { return ends_.size(); }

  // Writes the rows from `first` on into columns that hold `all` rows each.
  void write(int64_t* columns, size_t first, size_t all) const {
    std::vector<int64_t> row(clip_columns(options_.max_order));
    for (size_t number = 0; number < ends_.size(); ++number) {
      read(ends_[number], row);
      for (size_t column = 0; column < row.size(); ++column) columns[column * all + first + number] = row[column];
    }
  }

 private:
  void read(uint32_t node, std::vector<int64_t>& row) const {
    std::fill(row.begin(), row.end(), 0);
    size_t depth = 0;
    for (uint32_t up = node; !is_start(up); up = first(up)) ++depth;
    for (; depth > 0; node = first(node)) row[1 + depth--] = last(node);
    row[0] = first(node) & ~mark;
    row[1] = last(node);
    const auto orders = static_cast<int64_t>(options_.max_order);
    for (int64_t order = 1; order <= orders; ++order) {
      row[1 + orders + order] = std::max(options_.minimum_total, row[0] - order + 1);
    }
  }

  bool is_start(uint32_t node) const noexcept { return (first(node) & mark) != 0; }
  uint32_t first(uint32_t node) const noexcept { return static_cast<uint32_t>(nodes_.key(node) >> 32); }
  uint32_t last(uint32_t node) const noexcept { return static_cast<uint32_t>(nodes_.key(node)); }

  PairOptions options_;
  GrowingTable<uint64_t> nodes_;
  std::vector<uint32_t> number_;  // per node, if a row ends there
  std::vector<uint32_t> ends_;    // the node of each number
};

// Counts one text after another against an index, reusing its memory.
class PairCounter {
 public:
  PairCounter(const PairOptions& options, RowTable& rows)
      : orders_(options.max_order), reader_(options.reading), rows_(rows) {}

  void count(const TextIndex& index, const Texts& texts, size_t text, uint32_t* numbers) {
    const Spans& tokens = reader_.read(texts, text);
    const uint32_t length = checked_length(tokens.size());
    const size_t others = index.size();
    matches_.assign(others * orders_, 0);
    index.match(tokens, reader_.region(), scratch_, matches_.data());
    starts_.clear();
    for (uint32_t i = 0; i < index.length_classes(); ++i) {
      starts_.push_back(rows_.start(length, static_cast<uint32_t>(index.length(i))));
    }
    for (size_t other = 0; other < others; ++other) {
      uint32_t node = starts_[index.length_class(other)];
      for (size_t order = 0; order < orders_; ++order) {
        const uint32_t matches = matches_[order * others + other];
        if (matches == 0) break;  // then no higher order has any
        node = rows_.next(node, matches);
      }
      numbers[other] = rows_.number(node);
    }
  }

 private:
  size_t orders_;
  Reader reader_;
  RowTable& rows_;
  TextIndex::Scratch scratch_;
  std::vector<uint32_t> matches_;  // order by order, one per text of the index
  std::vector<uint32_t> starts_;   // per length class
};

// The tables of all threads, and which of them numbered which unit of work.
class SharedRows {
 public:
  SharedRows(const PairOptions& options, size_t units) : options_(options), owner_(units) {}

  size_t add_table() {
    const std::lock_guard<std::mutex> guard(lock_);
    tables_.emplace_back(options_);
    return tables_.size() - 1;
  }
  RowTable& table(size_t number) {
    const std::lock_guard<std::mutex> guard(lock_);
    return tables_[number];  // a deque: stays where it is when another is added
  }
  void own(size_t unit, size_t table) noexcept { owner_[unit] = static_cast<uint32_t>(table); }

  // Numbers of each table follow those of the one before; `end_of(unit)` says where a unit's numbers end.
  template <typename EndOf>
  void join(uint32_t* numbers, EndOf end_of, DistinctRows& distinct) const {
    std::vector<size_t> bases;
    size_t rows = 0;
    for (const RowTable& table : tables_) {
      bases.push_back(rows);
      rows += table.rows();
    }
    if (rows >= absent) throw std::length_error("more than 2^32 different rows");
    distinct.rows = rows;
    distinct.columns.resize(rows * clip_columns(options_.max_order));
    for (size_t i = 0; i < tables_.size(); ++i) tables_[i].write(distinct.columns.data(), bases[i], rows);
    size_t at = 0;
    for (size_t unit = 0; unit < owner_.size(); ++unit) {
      const size_t end = end_of(unit);
      const auto base = static_cast<uint32_t>(bases[owner_[unit]]);
      if (base != 0) std::for_each(numbers + at, numbers + end, [base](uint32_t& number) { number += base; });
      at = end;
    }
  }

 private:
  PairOptions options_;
  std::mutex lock_;
  std::deque<RowTable> tables_;
  std::vector<uint32_t> owner_;
};

}  // namespace

TextIndex::TextIndex(const PairOptions& options)
    : options_(options),
      reader_(options.reading),
      tokens_(options.seed),
      orders_(options.max_order, Order(options.seed)),
      lengths_(options.seed) {}

// Visits (order, ids) of the n-grams of the text that `token` and `item` know, sorted: they give ids or `absent`.
template <typename Token, typename Item, typename Visit>
void TextIndex::walk_grams(const Spans& tokens, const Region& region, Scratch& scratch, Token token, Item item,
                           Visit visit) const {
  std::vector<uint32_t>& grams = scratch.grams;
  grams.clear();
  for (const std::string_view span : tokens) grams.push_back(token(make_key(span, region, options_.seed)));
  for (size_t order = 0; order < options_.max_order && !grams.empty(); ++order) {
    // An n-gram is the pair of its first and its last n-1 tokens; for n = 1 both are the token.
    const size_t last = order == 0 ? 0 : 1;
    scratch.sorted.clear();
    for (size_t i = 0; i + last < grams.size(); ++i) {
      const bool known = grams[i] != absent && grams[i + last] != absent;
      grams[i] = known ? item(order, pair_key(grams[i], grams[i + last])) : absent;
      if (grams[i] != absent) scratch.sorted.push_back(grams[i]);
    }
    grams.resize(grams.size() - last);
    if (scratch.sorted.empty()) return;
    std::sort(scratch.sorted.begin(), scratch.sorted.end());
    visit(order, scratch.sorted);
  }
}

// Visits (order, item) for every occurrence of those n-grams.
template <typename Token, typename Item, typename Visit>
void TextIndex::walk(const Spans& tokens, const Region& region, Scratch& scratch, Token token, Item item,
                     Visit visit) const {
  walk_grams(tokens, region, scratch, token, item, [&](size_t order, const std::vector<uint32_t>& sorted) {
    uint32_t before = absent, occurrence = 0;
    for (const uint32_t gram : sorted) {
      occurrence = gram == before ? occurrence + 1 : 1;
      before = gram;
      const uint32_t found = occurrence == 1 ? gram : item(order, pair_key(mark | gram, occurrence));
      if (found != absent) visit(order, found);
    }
  });
}

uint32_t TextIndex::intern(const TokenKey& key) {
  const uint32_t known = tokens_.size(), id = tokens_.insert(key);
  if (id == known && key.length > sizeof key.low + sizeof key.high) {
    long_tokens_.emplace_back(key.bytes, key.length);  // the reader's copy lives until the next text only
    tokens_.key(id).bytes = long_tokens_.back().data();
  }
  return id;
}

void TextIndex::build(const Texts& texts, size_t first, size_t last, Cancel cancel) {
  const size_t expected = (last - first) * 4;
  tokens_.reset(expected);
  long_tokens_.clear();
  lengths_.reset(0);
  length_class_.clear();
  for (Order& order : orders_) {
    order.items.reset(expected);
    order.found.clear();
  }
  for (size_t text = first; text < last; ++text) {
    cancel.poll();
    const Spans& tokens = reader_.read(texts, text);
    length_class_.push_back(lengths_.insert(checked_length(tokens.size())));
    walk(
        tokens, reader_.region(), scratch_, [this](const TokenKey& key) { return intern(key); },
        [this](size_t order, uint64_t key) { return orders_[order].items.insert(key); },
        [this](size_t order, uint32_t item) { orders_[order].found.push_back(item); });
  }
  for (size_t order = 0; order < orders_.size(); ++order) list_texts(order);
}

void TextIndex::list_texts(size_t number) {
  Order& order = orders_[number];
  if (order.found.size() >= absent) throw std::length_error("the texts have more than 2^32 n-grams of one order");
  order.starts.assign(order.items.size() + 1, 0);
  for (const uint32_t item : order.found) ++order.starts[item];
  uint32_t sum = 0;
  for (uint32_t& start : order.starts) {
    sum += start;
    start = sum;
  }
  // Filled from the last text to the first, each list from its end to its beginning: `starts` ends up where it should.
  order.texts.resize(order.found.size());
  size_t at = order.found.size();
  for (size_t text = size(); text-- > 0;) {
    const size_t tokens = length(length_class(text));
    for (size_t i = number; i < tokens; ++i) {
      order.texts[--order.starts[order.found[--at]]] = static_cast<uint32_t>(text);
    }
  }
  std::vector<uint32_t>().swap(order.found);
}

void TextIndex::match(const Spans& tokens, const Region& region, Scratch& scratch, uint32_t* matches) const {
  walk(
      tokens, region, scratch, [this](const TokenKey& key) { return tokens_.find(key); },
      [this](size_t order, uint64_t key) { return orders_[order].items.find(key); },
      [this, matches](size_t number, uint32_t item) {
        const Order& order = orders_[number];
        uint32_t* const of_order = matches + number * size();
        const uint32_t* const end = order.texts.data() + order.starts[item + 1];
        for (const uint32_t* text = order.texts.data() + order.starts[item]; text != end; ++text) ++of_order[*text];
      });
}

void TextIndex::match_mean(const Spans& tokens, const Region& region, Scratch& scratch, int64_t* matches) const {
  const auto look_up = [this](size_t order, uint64_t key) { return orders_[order].items.find(key); };
  walk_grams(
      tokens, region, scratch, [this](const TokenKey& key) { return tokens_.find(key); }, look_up,
      [&](size_t number, const std::vector<uint32_t>& sorted) {
        const Order& order = orders_[number];
        for (size_t i = 0; i < sorted.size();) {
          size_t next = i;
          while (next < sorted.size() && sorted[next] == sorted[i]) ++next;
          // The k-th occurrence is an item of its own, so the lists of all of them make up the count in all texts.
          int64_t count = 0;
          uint32_t found = sorted[i];
          for (uint32_t occurrence = 2; found != absent; ++occurrence) {
            count += order.starts[found + 1] - order.starts[found];
            found = look_up(number, pair_key(mark | sorted[i], occurrence));
          }
          matches[number] += std::min(static_cast<int64_t>((next - i) * size()), count);
          i = next;
        }
      });
}

void count_pairs(const TextIndex& index, const PairOptions& options, const Texts& texts, size_t begin, size_t end,
                 size_t threads, uint32_t* numbers, DistinctRows& distinct, Cancel cancel) {
  constexpr size_t pairs_at_a_time = 4096;
  const size_t others = index.size(), block = std::max<size_t>(1, pairs_at_a_time / std::max<size_t>(1, others));
  SharedRows shared(options, end - begin);
  share_out(end - begin, block, threads, cancel, [&]() {
    const size_t table = shared.add_table();
    return [&, table, counter = PairCounter(options, shared.table(table))](size_t from, size_t to) mutable {
      for (size_t i = from; i < to; ++i) {
        cancel.poll();
        counter.count(index, texts, begin + i, numbers + i * others);
        shared.own(i, table);
      }
    };
  });
  shared.join(numbers, [=](size_t unit) { return (unit + 1) * others; }, distinct);
}

void count_group_pairs(const Texts& texts, const Texts& others, const PairOptions& options, size_t begin, size_t end,
                       size_t threads, uint32_t* numbers, DistinctRows& distinct, Cancel cancel) {
  constexpr size_t groups_at_a_time = 4;
  std::vector<size_t> ends{0};
  for (size_t group = begin; group < end; ++group) {
    const size_t rows = texts.last_text(group) - texts.first_text(group);
    ends.push_back(ends.back() + rows * (others.last_text(group) - others.first_text(group)));
  }
  SharedRows shared(options, end - begin);
  share_out(end - begin, groups_at_a_time, threads, cancel, [&]() {
    const size_t table = shared.add_table();
    return [&, table, index = TextIndex(options), counter = PairCounter(options, shared.table(table))](
               size_t from, size_t to) mutable {
      for (size_t i = from; i < to; ++i) {
        const size_t group = begin + i;
        index.build(others, others.first_text(group), others.last_text(group), cancel);
        uint32_t* row = numbers + ends[i];
        for (size_t text = texts.first_text(group); text < texts.last_text(group); ++text, row += index.size()) {
          cancel.poll();
          counter.count(index, texts, text, row);
        }
        shared.own(i, table);
      }
    };
  });
  shared.join(numbers, [&](size_t unit) { return ends[unit + 1]; }, distinct);
}

void count_against_mean(const Texts& texts, const Texts& others, const PairOptions& options, size_t begin, size_t end,
                        size_t threads, int64_t* rows, Cancel cancel) {
  constexpr size_t groups_at_a_time = 4;
  const size_t orders = options.max_order, columns = 2 + 3 * orders;
  std::vector<size_t> starts{0};
  for (size_t group = begin; group < end; ++group) {
    starts.push_back(starts.back() + texts.last_text(group) - texts.first_text(group));
  }
  share_out(end - begin, groups_at_a_time, threads, cancel, [&]() {
    return [&, index = TextIndex(options), reader = Reader(options.reading), scratch = TextIndex::Scratch{},
            sums = std::vector<int64_t>(1 + orders)](size_t from, size_t to) mutable {
      for (size_t i = from; i < to; ++i) {
        const size_t group = begin + i;
        index.build(others, others.first_text(group), others.last_text(group), cancel);
        const auto count = static_cast<int64_t>(index.size());
        std::fill(sums.begin(), sums.end(), 0);
        for (size_t other = 0; other < index.size(); ++other) {
          const auto length = static_cast<int64_t>(index.length(index.length_class(other)));
          sums[0] += length;
          for (size_t n = 1; n <= orders; ++n) sums[n] += ngrams(length, n, options.minimum_total);
        }
        int64_t* row = rows + starts[i] * columns;
        for (size_t text = texts.first_text(group); text < texts.last_text(group); ++text, row += columns) {
          cancel.poll();
          const Spans& tokens = reader.read(texts, text);
          const auto length = static_cast<int64_t>(checked_length(tokens.size()));
          std::fill(row, row + columns, 0);
          row[0] = count * length;
          row[1] = sums[0];
          index.match_mean(tokens, reader.region(), scratch, row + 2);
          for (size_t n = 1; n <= orders; ++n) {
            row[1 + orders + n] = count * ngrams(length, n, options.minimum_total);
            row[1 + 2 * orders + n] = sums[n];
          }
        }
      }
    };
  });
}

}  // namespace bleuprint
