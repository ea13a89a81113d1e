#include <nanobind/ndarray.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>

#include "pool/fill.hpp"
#include "pool/ngram_holders.hpp"
#include "pool/spilled_texts.hpp"
#include "python/binding.hpp"
#include "python/column.hpp"
#include "python/interpreter.hpp"
#include "rows/pool_parts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

using Matrix = nb::ndarray<int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void check_shape(const Matrix& out, size_t rows, size_t columns) {
  if (out.shape(0) != rows || out.shape(1) != columns) throw nb::value_error("the output matrix has the wrong shape");
}

// Bits of parts, a row of texts for each 64 of them.
using Members = nb::ndarray<const uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

class PyParts {
 public:
  explicit PyParts(std::unique_ptr<PoolParts> parts) : parts_(std::move(parts)) {}

  void leave_one_out(Members members, const nb::list& formulas, unsigned threads,
                     nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu> out) const {
    std::vector<RowFormula> used;
    for (const nb::handle formula : formulas) used.push_back(nb::cast<const RowFormula&>(formula));
    check(members, out.shape(0));
    if (out.shape(1) != used.size()) throw nb::value_error("the output has the wrong shape");
    run_job(false, [&](Cancel cancel) {
      parts_->leave_one_out(members.data(), members.shape(0), used, out.data(), {threads, cancel});
    });
  }

 private:
  void check(const Members& members, size_t rows) const {
    if (members.shape(1) != parts_->texts() || rows != 64 * members.shape(0)) {
      throw nb::value_error("the members or the output have the wrong shape");
    }
  }

  std::unique_ptr<PoolParts> parts_;
};

// Adds the token as it is shown: a number, which is kept in base 16 ("-0x1f"), in base 10.
void append_shown(std::string_view token, std::string* out) {
  if (token.empty() || token.front() != '\xFF') {
    out->append(token);
    return;
  }
  constexpr uint32_t limb = 1000000000;
  std::vector<uint32_t> limbs(1, 0);  // the lowest first
  for (const char digit : token.substr(token.find('x') + 1)) {
    uint64_t carry = static_cast<uint64_t>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    for (uint32_t& part : limbs) {
      carry += uint64_t{part} * 16;
      part = static_cast<uint32_t>(carry % limb);
      carry /= limb;
    }
    if (carry > 0) limbs.push_back(static_cast<uint32_t>(carry));
  }
  if (token[1] == '-') out->push_back('-');
  out->append(std::to_string(limbs.back()));
  for (size_t i = limbs.size() - 1; i-- > 0;) out->append(std::to_string(limb + limbs[i]).substr(1));
}

class PyHolders {
 public:
  explicit PyHolders(std::unique_ptr<NgramHolders> holders) : holders_(std::move(holders)) {}

  size_t shared() const { return holders_->shared(); }
  nb::object frequencies(Members members, unsigned threads) const {
    return count(&NgramHolders::frequencies, members, threads);
  }
  nb::object other_texts(Members members, unsigned threads) const {
    return count(&NgramHolders::other_texts, members, threads);
  }

 private:
  // Rows of part, value and items.
  template <typename Count>
  nb::object count(Count method, const Members& members, unsigned threads) const {
    if (members.shape(1) != holders_->texts()) throw nb::value_error("the members have the wrong shape");
    std::vector<PartCount> counts;
    run_job(false,
            [&](Cancel cancel) { (*holders_.*method)(members.data(), members.shape(0), &counts, {threads, cancel}); });
    return to_bytes(counts.data(), counts.size() * sizeof(PartCount));
  }

  std::unique_ptr<NgramHolders> holders_;
};

// Pairs (count, n-grams that occur so often) for each order.
nb::list to_pairs(const std::vector<std::vector<FrequencyCount>>& counts) {
  return make_list(counts.size(), [&](size_t order) {
    const std::vector<FrequencyCount>& pairs = counts[order];
    return make_list(pairs.size(), [&](size_t i) { return to_tuple(pairs[i].count, pairs[i].ngrams); });
  });
}

class PyPool {
  friend class PySpilledTexts;

 public:
  PyPool(std::string_view tokenizer, bool lowercase, nb::bytes content)
      : reading_{require_tokenizer(tokenizer), lowercase}, pool_(process_seed()) {
    const std::string_view bytes(content.c_str(), content.size());
    run_job(is_small_job(bytes.size()), [&](Cancel cancel) { pool_.add_content(bytes, {1, cancel}); });
  }

  PyPool(const PyPool&) = delete;

  void add(const Column& column, unsigned threads) {
    run(column.texts.work(), threads,
        [&](const Run& how) { fill(pool_, column.texts, reading_, process_seed(), how); });
  }
  void append(const PyPool& other) {
    run(other.work(), 1, other, [&](const Run&) { pool_.append(other.pool_); });
  }
  nb::bytes content() const {
    std::string bytes;
    run(work(), 1, [&](const Run& how) { bytes = pool_.content(how); });
    return to_bytes(bytes);
  }
  size_t texts() const {
    return read([&] { return pool_.texts(); });
  }

  // Adds the chosen texts of another pool.
  void add_from(const PyPool& other, const nb::object& numbers) {
    const auto texts = to_vector<size_t>(numbers);
    if (&other == this) throw nb::value_error("a pool cannot add its own texts one by one");
    run(other.work(), 1, other, [&](const Run&) {
      for (const size_t text : texts) other.require_text(text);
      pool_.add_from(other.pool_, texts.data(), texts.size());
    });
  }

  // Columns: length of the text, nearest length of another, matches of order 1..N.
  void leave_one_out(unsigned threads, Matrix out) const {
    run(work(), threads, [&](const Run& how) {
      const size_t orders = orders_of(out);
      std::vector<uint32_t> matches(pool_.texts() * orders);
      bleuprint::leave_one_out(pool_, orders, matches.data(), how);
      std::vector<int64_t> lengths(pool_.texts());
      leave_one_out_lengths(pool_, lengths.data());
      assemble(matches, lengths, out);
    });
  }

  void cross(const PyPool& references, unsigned threads, Matrix out) const {
    run(work(), threads, references, [&](const Run& how) {
      const size_t orders = orders_of(out);
      std::vector<uint32_t> matches(pool_.texts() * orders);
      bleuprint::cross(pool_, references.pool_, orders, matches.data(), how);
      std::vector<int64_t> lengths(pool_.texts());
      cross_lengths(pool_, references.pool_, lengths.data());
      assemble(matches, lengths, out);
    });
  }

  void distinct_per_text(unsigned threads, Matrix out) const {
    run(work(), threads, [&](const Run& how) {
      check_shape(out, pool_.texts(), out.shape(1));
      std::vector<uint32_t> different(out.size());
      bleuprint::distinct_per_text(pool_, out.shape(1), different.data(), how);
      std::copy(different.begin(), different.end(), out.data());
    });
  }

  nb::list frequency_counts(size_t max_order, unsigned threads) const {
    std::vector<std::vector<FrequencyCount>> counts;
    run(work(), threads, [&](const Run& how) { bleuprint::frequency_counts(pool_, max_order, &counts, how); });
    return to_pairs(counts);
  }

  void ngram_numbers(size_t order, unsigned threads, Vector out) const {
    run(work(), threads, [&](const Run& how) {
      if (out.shape(0) != pool_.tokens()) throw nb::value_error("the output has the wrong length");
      bleuprint::ngram_numbers(pool_, order, out.data(), how);
    });
  }

  void other_texts(size_t order, unsigned threads, Vector out) const {
    run(work(), threads, [&](const Run& how) {
      check_length(out);
      bleuprint::other_texts(pool_, order, out.data(), how);
    });
  }

  // Elements, offsets and sizes, and the limit of the elements.
  nb::tuple ngram_sets(size_t order, bool repeats_count, unsigned threads) const {
    NgramSets sets;
    run(work(), threads, [&](const Run& how) { bleuprint::ngram_sets(pool_, order, repeats_count, &sets, how); });
    return to_tuple(bytes_of(sets.elements.data(), sets.elements.size()),
                    bytes_of(sets.offsets.data(), sets.offsets.size()), bytes_of(sets.sizes.data(), sets.sizes.size()),
                    sets.element_limit);
  }

  PyParts parts(size_t max_order, unsigned threads) const {
    std::unique_ptr<PoolParts> counted;
    run(work(), threads, [&](const Run& how) { counted = std::make_unique<PoolParts>(pool_, max_order, how); });
    return PyParts(std::move(counted));
  }

  PyHolders holders(size_t order, unsigned threads) const {
    std::unique_ptr<NgramHolders> counted;
    run(work(), threads, [&](const Run& how) { counted = std::make_unique<NgramHolders>(pool_, order, how); });
    return PyHolders(std::move(counted));
  }

  // Tokens, tokens of a window, different tokens of all windows; a row for each part.
  void window_types(uint64_t window, Members members, unsigned threads, Matrix out) const {
    each_part(members, threads, out, 3, [&](const Part& part, int64_t* row, const Run& how) {
      Windows found;
      bleuprint::window_types(pool_, part, window, &found, how);
      write_row({found.tokens, found.width, found.different}, row);
    });
  }

  // Tokens, complete stretches, tokens of the rest, different tokens of the rest; a row for each part.
  void stretches(double threshold, bool backward, Members members, unsigned threads, Matrix out) const {
    each_part(members, threads, out, 4, [&](const Part& part, int64_t* row, const Run& how) {
      Stretches found;
      bleuprint::stretches(pool_, part, threshold, backward, &found, how);
      write_row({found.tokens, found.complete, found.rest_tokens, found.rest_different}, row);
    });
  }

  nb::object loops(uint32_t max_period, uint32_t times, Vector looping_tokens) const {
    std::vector<LoopSpan> spans;
    run(work(), 1, [&](const Run& how) {
      check_length(looping_tokens);
      bleuprint::loops(pool_, max_period, times, looping_tokens.data(), &spans, how);
    });
    return bytes_of(spans.data(), spans.size());
  }

  // Arrays, not lists: there may be as many n-grams as tokens.
  nb::object paired_counts(const PyPool& other, size_t order, unsigned threads) const {
    std::vector<PairedCount> counts;
    run(work(), threads, other,
        [&](const Run& how) { bleuprint::paired_counts(pool_, other.pool_, order, &counts, how); });
    return bytes_of(counts.data(), counts.size());
  }

  nb::list most_shared(size_t order, size_t limit, unsigned threads) const {
    SharedNgrams shared;
    std::vector<std::string_view> texts;  // valid for the life of the vocabulary
    run(work(), threads, [&](const Run& how) {
      bleuprint::most_shared(pool_, order, limit, &shared, how);
      for (const uint32_t token : shared.tokens) texts.push_back(pool_.vocabulary().text(token));
    });
    return make_list(shared.text_counts.size(), [&](size_t i) {
      const nb::list tokens = make_list(order, [&](size_t k) { return token_object(texts[i * order + k]); });
      return to_tuple(owned(PyList_AsTuple(tokens.ptr())), shared.text_counts[i]);
    });
  }

  nb::list tokens(const nb::object& numbers) const {
    const auto texts = to_vector<size_t>(numbers);
    const auto found = read([&] {
      std::vector<std::vector<std::string_view>> lists;
      for (const size_t text : texts) {
        require_text(text);
        lists.push_back(tokens_of(text));
      }
      return lists;
    });
    return make_list(found.size(), [&](size_t text) {
      return make_list(found[text].size(), [&](size_t i) { return token_object(found[text][i]); });
    });
  }

  // All tokens, each followed by a blank, and where the texts end. A number is written in base 10.
  nb::tuple joined() const {
    std::string content;
    std::vector<uint64_t> ends;
    run(work(), 1, [&](const Run& how) {
      for (size_t text = 0; text < pool_.texts(); ++text) {
        if (text % 4096 == 0) how.poll();
        for (const std::string_view token : tokens_of(text)) {
          append_shown(token, &content);
          content.push_back(' ');
        }
        if (pool_.length(text) == 0) content.push_back(' ');
        ends.push_back(content.size());
      }
    });
    return to_tuple(to_bytes(content), bytes_of(ends.data(), ends.size()));
  }

  void duplicates(unsigned threads, Vector out) const {
    run(work(), threads, [&](const Run& how) {
      check_length(out);
      std::vector<uint64_t> groups(pool_.texts());
      uint64_t count = 0;
      bleuprint::duplicates(pool_, groups.data(), &count, how);
      for (size_t i = 0; i < groups.size(); ++i) out.data()[i] = static_cast<int64_t>(groups[i]);
    });
  }

  // Bytes that leave-one-out counts take in memory at most, and those of them that do not grow with the texts.
  nb::tuple leave_one_out_bytes(size_t max_order, unsigned threads) const {
    const auto bytes = read([&] {
      const uint64_t words = pool_.vocabulary().size();
      return std::make_pair(bleuprint::leave_one_out_bytes(pool_, max_order, threads),
                            pool_.vocabulary().bytes() + words * 16);
    });
    return to_tuple(bytes.first, bytes.second);
  }

  nb::object lengths() const {
    const auto all = read([&] {
      std::vector<uint64_t> found(pool_.texts());
      for (size_t i = 0; i < found.size(); ++i) found[i] = pool_.length(i);
      return found;
    });
    return bytes_of(all.data(), all.size());
  }

 private:
  template <typename Item>
  static nb::object bytes_of(const Item* items, size_t count) {
    return to_bytes(items, count * sizeof(Item));
  }

  void run(size_t work, unsigned threads, const std::function<void(const Run&)>& job) const {
    run(work, threads, *this, job);
  }
  void run(size_t work, unsigned threads, const PyPool& other, const std::function<void(const Run&)>& job) const {
    const bool small = is_small_job(work);
    run_alone(turn_, other.turn_, small, [&](Cancel cancel) { job({small ? 1 : threads, cancel}); });
  }
  template <typename Get>
  std::invoke_result_t<Get> read(const Get& get) const {
    std::invoke_result_t<Get> found{};
    run(0, 1, [&](const Run&) { found = get(); });
    return found;
  }
  size_t work() const {
    return read([&] { return size_t{pool_.tokens()} * 8; });
  }

  // Calls body(part, row, run) for each part, in threads of its own.
  template <typename Body>
  void each_part(const Members& members, unsigned threads, const Matrix& out, size_t columns, const Body& body) const {
    run(work() * 64 * members.shape(0), threads, [&](const Run& how) {
      check_shape(out, 64 * members.shape(0), columns);
      if (members.shape(1) != pool_.texts()) throw nb::value_error("the members have the wrong shape");
      share_out(out.shape(0), 1, how.threads, how.cancel, [&] {
        return [&](size_t number, size_t) {
          const Part part{members.data() + number / 64 * pool_.texts(), uint64_t{1} << number % 64};
          body(part, out.data() + number * columns, Run{1, how.cancel});
        };
      });
    });
  }
  static void write_row(std::initializer_list<uint64_t> numbers, int64_t* row) {
    for (const uint64_t number : numbers) *row++ = static_cast<int64_t>(number);
  }

  // The next four inside a job.
  void check_length(const Vector& out) const {
    if (out.shape(0) != pool_.texts()) throw nb::value_error("the output has the wrong length");
  }
  void require_text(size_t text) const {
    if (text >= pool_.texts()) throw nb::index_error("the pool has no such text");
  }
  std::vector<std::string_view> tokens_of(size_t text) const {
    std::vector<std::string_view> tokens;
    const uint64_t* const offsets = pool_.offsets() + text;
    for (uint64_t i = offsets[0]; i < offsets[1]; ++i) tokens.push_back(pool_.vocabulary().text(pool_.ids()[i]));
    return tokens;
  }
  size_t orders_of(const Matrix& out) const {
    if (out.shape(1) < 3) throw nb::value_error("the output matrix has the wrong shape");
    check_shape(out, pool_.texts(), out.shape(1));
    return out.shape(1) - 2;
  }

  void assemble(const std::vector<uint32_t>& matches, const std::vector<int64_t>& lengths, const Matrix& out) const {
    const size_t orders = out.shape(1) - 2;
    for (size_t text = 0; text < pool_.texts(); ++text) {
      int64_t* const row = out.data() + text * (orders + 2);
      row[0] = static_cast<int64_t>(pool_.length(text));
      row[1] = lengths[text];
      std::copy_n(matches.data() + text * orders, orders, row + 2);
    }
  }

  Reading reading_;
  Pool pool_;
  mutable std::mutex turn_;  // a thread may add texts while another counts
};

class PySpilledRows {
 public:
  PySpilledRows(std::unique_ptr<SpilledRows> rows, size_t texts, size_t columns)
      : rows_(std::move(rows)), left_(texts), columns_(columns) {}

  void read(Matrix out) {
    check_shape(out, out.shape(0), columns_);
    run_alone(turn_, false, [&](Cancel cancel) {
      if (out.shape(0) > left_) throw nb::value_error("there are not so many rows");
      left_ -= out.shape(0);
      rows_->read(out.shape(0), out.data(), {1, cancel});
    });
  }

 private:
  std::unique_ptr<SpilledRows> rows_;
  size_t left_;
  size_t columns_;
  std::mutex turn_;
};

class PySpilledTexts {
 public:
  PySpilledTexts(int descriptor, uint64_t memory) : texts_(descriptor, memory) {}

  size_t texts() const { return texts_.texts(); }

  void take(PyPool& pool) {
    run_alone(turn_, pool.turn_, false, [&](Cancel cancel) { texts_.take(pool.pool_, {1, cancel}); });
  }
  void append(const PySpilledTexts& others, const PyPool& theirs, PyPool& pool) {
    run_alone(turn_, pool.turn_, false,
              [&](Cancel cancel) { texts_.append(others.texts_, theirs.pool_.vocabulary(), pool.pool_, {1, cancel}); });
  }
  std::unique_ptr<PySpilledRows> leave_one_out(const PyPool& pool, size_t max_order, uint64_t memory,
                                               unsigned threads) {
    if (max_order == 0) throw nb::value_error("the order must be at least 1");
    std::unique_ptr<SpilledRows> rows;
    run_alone(turn_, pool.turn_, false, [&](Cancel cancel) {
      rows = texts_.leave_one_out(pool.pool_.vocabulary(), max_order, memory, {threads, cancel});
    });
    return std::make_unique<PySpilledRows>(std::move(rows), texts_.texts(), max_order + 2);
  }
  nb::list frequency_counts(const PyPool& pool, size_t max_order, uint64_t memory, unsigned threads) {
    if (max_order == 0) throw nb::value_error("the order must be at least 1");
    std::vector<std::vector<FrequencyCount>> counts;
    run_alone(turn_, pool.turn_, false, [&](Cancel cancel) {
      texts_.frequency_counts(pool.pool_.vocabulary(), max_order, memory, &counts, {threads, cancel});
    });
    return to_pairs(counts);
  }

 private:
  SpilledTexts texts_;
  std::mutex turn_;
};

}  // namespace

void bind_pool(nb::module_& module) {
  nb::class_<PyParts>(module, "PoolParts")
      .def("leave_one_out", &PyParts::leave_one_out, "members"_a, "formulas"_a, "threads"_a, "out"_a);
  nb::class_<PyHolders>(module, "NgramHolders")
      .def("shared", &PyHolders::shared)
      .def("frequencies", &PyHolders::frequencies, "members"_a, "threads"_a)
      .def("other_texts", &PyHolders::other_texts, "members"_a, "threads"_a);
  nb::class_<PyPool>(module, "Pool")
      .def(nb::init<std::string_view, bool, nb::bytes>(), "tokenizer"_a, "lowercase"_a, "content"_a = nb::bytes("", 0))
      .def("__len__", &PyPool::texts)
      .def("content", &PyPool::content)
      .def("add", &PyPool::add, "column"_a, "threads"_a)
      .def("append", &PyPool::append, "other"_a)
      .def("add_from", &PyPool::add_from, "other"_a, "texts"_a)
      .def("leave_one_out", &PyPool::leave_one_out, "threads"_a, "out"_a)
      .def("cross", &PyPool::cross, "references"_a, "threads"_a, "out"_a)
      .def("distinct_per_text", &PyPool::distinct_per_text, "threads"_a, "out"_a)
      .def("frequency_counts", &PyPool::frequency_counts, "max_order"_a, "threads"_a)
      .def("ngram_numbers", &PyPool::ngram_numbers, "order"_a, "threads"_a, "out"_a)
      .def("paired_counts", &PyPool::paired_counts, "other"_a, "order"_a, "threads"_a)
      .def("most_shared", &PyPool::most_shared, "order"_a, "limit"_a, "threads"_a)
      .def("tokens", &PyPool::tokens, "texts"_a)
      .def("joined", &PyPool::joined)
      .def("duplicates", &PyPool::duplicates, "threads"_a, "out"_a)
      .def("other_texts", &PyPool::other_texts, "order"_a, "threads"_a, "out"_a)
      .def("ngram_sets", &PyPool::ngram_sets, "order"_a, "repeats_count"_a, "threads"_a)
      .def("parts", &PyPool::parts, "max_order"_a, "threads"_a)
      .def("holders", &PyPool::holders, "order"_a, "threads"_a)
      .def("window_types", &PyPool::window_types, "window"_a, "members"_a, "threads"_a, "out"_a)
      .def("stretches", &PyPool::stretches, "threshold"_a, "backward"_a, "members"_a, "threads"_a, "out"_a)
      .def("loops", &PyPool::loops, "max_period"_a, "times"_a, "looping_tokens"_a)
      .def("leave_one_out_bytes", &PyPool::leave_one_out_bytes, "max_order"_a, "threads"_a)
      .def("lengths", &PyPool::lengths);
  nb::class_<PySpilledRows>(module, "SpilledRows").def("read", &PySpilledRows::read, "out"_a);
  nb::class_<PySpilledTexts>(module, "SpilledTexts")
      .def(nb::init<int, uint64_t>(), "descriptor"_a, "memory"_a)
      .def("__len__", &PySpilledTexts::texts)
      .def("take", &PySpilledTexts::take, "pool"_a)
      .def("append", &PySpilledTexts::append, "others"_a, "theirs"_a, "pool"_a)
      .def("leave_one_out", &PySpilledTexts::leave_one_out, "pool"_a, "max_order"_a, "memory"_a, "threads"_a)
      .def("frequency_counts", &PySpilledTexts::frequency_counts, "pool"_a, "max_order"_a, "memory"_a, "threads"_a);
}

}  // namespace bleuprint
