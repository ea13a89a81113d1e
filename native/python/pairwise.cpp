// The pairwise kernel as Python sees it: numbers of rows into a matrix of the caller's, the distinct rows as columns.
#include "rows/pairwise.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string_view.h>

#include <memory>

#include "python/binding.hpp"
#include "python/column.hpp"
#include "python/interpreter.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

using Numbers = nb::ndarray<uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Reals = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Columns = nb::ndarray<nb::numpy, int64_t, nb::ndim<2>>;

PairOptions pair_options(std::string_view tokenizer, bool lowercase, size_t max_order, int64_t minimum_total) {
  return {{require_tokenizer(tokenizer), lowercase}, max_order, minimum_total, process_seed()};
}

Columns to_array(DistinctRows distinct, size_t max_order) {
  auto kept = std::make_unique<std::vector<int64_t>>(std::move(distinct.columns));
  int64_t* const data = kept->data();
  const nb::capsule owner(kept.get(), [](void* values) noexcept { delete static_cast<std::vector<int64_t>*>(values); });
  kept.release();
  return Columns(data, {clip_columns(max_order), distinct.rows}, owner);
}

void require_size(const Numbers& out, size_t pairs) {
  if (out.shape(0) != pairs) throw nb::value_error("the output has the wrong size");
}

class PairIndex {
 public:
  PairIndex(const Column& texts, std::string_view tokenizer, bool lowercase, size_t max_order, int64_t minimum_total)
      : options_(pair_options(tokenizer, lowercase, max_order, minimum_total)), index_(options_) {
    run_job(is_small_job(texts.texts.work()),
            [&](Cancel cancel) { index_.build(texts.texts, 0, texts.texts.texts(), cancel); });
  }

  size_t size() const { return index_.size(); }

  Columns rows(const Column& texts, size_t begin, size_t end, size_t threads, Numbers out) const {
    if (begin > end || end > texts.texts.texts()) throw nb::value_error("there are not so many texts");
    require_size(out, (end - begin) * index_.size());
    DistinctRows distinct;
    const bool small = out.shape(0) <= small_pairs && is_small_job(texts.texts.work());
    run_job(small, [&](Cancel cancel) {
      count_pairs(index_, options_, texts.texts, begin, end, small ? 1 : threads, out.data(), distinct, cancel);
    });
    return to_array(std::move(distinct), options_.max_order);
  }

 private:
  static constexpr size_t small_pairs = 1 << 12;

  PairOptions options_;
  TextIndex index_;
};

Columns group_pairs(const Column& texts, const Column& others, std::string_view tokenizer, bool lowercase,
                    size_t max_order, int64_t minimum_total, size_t begin, size_t end, size_t threads, Numbers out) {
  if (begin > end || end > texts.texts.segments() || texts.texts.segments() != others.texts.segments()) {
    throw nb::value_error("the columns have not so many segments, or not equally many");
  }
  size_t pairs = 0;
  for (size_t i = begin; i < end; ++i) {
    pairs += (texts.texts.last_text(i) - texts.texts.first_text(i)) *
             (others.texts.last_text(i) - others.texts.first_text(i));
  }
  require_size(out, pairs);
  const PairOptions options = pair_options(tokenizer, lowercase, max_order, minimum_total);
  DistinctRows distinct;
  run_job(false, [&](Cancel cancel) {
    count_group_pairs(texts.texts, others.texts, options, begin, end, threads, out.data(), distinct, cancel);
  });
  return to_array(std::move(distinct), max_order);
}

using Rows = nb::ndarray<int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void rows_against_mean(const Column& texts, const Column& others, std::string_view tokenizer, bool lowercase,
                       size_t max_order, int64_t minimum_total, size_t begin, size_t end, size_t threads, Rows out) {
  if (begin > end || end > texts.texts.segments() || texts.texts.segments() != others.texts.segments()) {
    throw nb::value_error("the columns have not so many segments, or not equally many");
  }
  size_t rows = 0;
  for (size_t i = begin; i < end; ++i) rows += texts.texts.last_text(i) - texts.texts.first_text(i);
  if (out.shape(0) != rows || out.shape(1) != 2 + 3 * max_order) {
    throw nb::value_error("the output matrix has the wrong shape");
  }
  const PairOptions options = pair_options(tokenizer, lowercase, max_order, minimum_total);
  run_job(false, [&](Cancel cancel) {
    count_against_mean(texts.texts, others.texts, options, begin, end, threads, out.data(), cancel);
  });
}

// NumPy's take() does the same after turning the numbers into twice as large ones.
void pick(Reals values, Numbers numbers, Reals out) {
  require_size(numbers, out.shape(0));
  const double* const from = values.data();
  const uint32_t* const number = numbers.data();
  double* const to = out.data();
  for (size_t i = 0; i < out.shape(0); ++i) {
    if (number[i] >= values.shape(0)) throw nb::index_error("there are not so many values");
    to[i] = from[number[i]];
  }
}

}  // namespace

void bind_pairwise(nb::module_& module) {
  nb::class_<PairIndex>(module, "PairIndex")
      .def(nb::init<const Column&, std::string_view, bool, size_t, int64_t>(), "texts"_a, "tokenizer"_a, "lowercase"_a,
           "max_order"_a, "minimum_total"_a)
      .def("__len__", &PairIndex::size)
      .def("rows", &PairIndex::rows, "texts"_a, "begin"_a, "end"_a, "threads"_a, "out"_a);
  module.def("group_pairs", &group_pairs, "texts"_a, "others"_a, "tokenizer"_a, "lowercase"_a, "max_order"_a,
             "minimum_total"_a, "begin"_a, "end"_a, "threads"_a, "out"_a);
  module.def("rows_against_mean", &rows_against_mean, "texts"_a, "others"_a, "tokenizer"_a, "lowercase"_a,
             "max_order"_a, "minimum_total"_a, "begin"_a, "end"_a, "threads"_a, "out"_a);
  module.def("pick", &pick, "values"_a, "numbers"_a, "out"_a);
}

}  // namespace bleuprint
