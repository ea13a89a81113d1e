// Sums of rows chosen at random, as Python sees them: into a matrix of the caller's.
#include "rows/resample.hpp"

#include <nanobind/ndarray.h>

#include <limits>

#include "python/binding.hpp"
#include "python/interpreter.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

using Words = nb::ndarray<uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename Value>
class Rows {
 public:
  using Matrix = nb::ndarray<Value, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

  explicit Rows(Matrix rows) : rows_(std::move(rows)), sums_(rows_.data(), rows_.shape(0), rows_.shape(1)) {
    if (rows_.shape(0) == 0 || rows_.shape(0) >= std::numeric_limits<uint32_t>::max() || rows_.shape(1) == 0) {
      throw nb::value_error("there must be rows, and fewer than 2 ** 32");
    }
  }

  void drawn(uint64_t seed, size_t begin, size_t end, size_t threads, Matrix out) const {
    const size_t trials = require_trials(out, begin, end);
    run(trials, threads, [&](size_t used, Cancel cancel) { sums_.drawn(seed, begin, end, used, out.data(), cancel); });
  }

  void drawn_at(Words indices, size_t threads, Matrix out) const {
    const size_t trials = require_trials(out, 0, out.shape(0));
    if (indices.shape(0) != trials * sums_.segments()) throw nb::value_error("there are not so many draws");
    const auto segments = static_cast<uint32_t>(sums_.segments());
    uint32_t outside = 0;
    for (size_t i = 0; i < indices.shape(0); ++i) outside |= indices.data()[i] >= segments;
    if (outside) throw nb::index_error("there are not so many rows");
    run(trials, threads,
        [&](size_t used, Cancel cancel) { sums_.drawn_at(indices.data(), trials, used, out.data(), cancel); });
  }

  void chosen(uint64_t seed, size_t begin, size_t end, size_t threads, Matrix out) const {
    const size_t trials = require_trials(out, begin, end);
    run(trials, threads, [&](size_t used, Cancel cancel) { sums_.chosen(seed, begin, end, used, out.data(), cancel); });
  }

  void chosen_by(Words words, size_t threads, Matrix out) const {
    const size_t trials = require_trials(out, 0, out.shape(0));
    if (words.shape(0) != (trials * sums_.segments() + 31) / 32) throw nb::value_error("there are not so many coins");
    run(trials, threads,
        [&](size_t used, Cancel cancel) { sums_.chosen_by(words.data(), trials, used, out.data(), cancel); });
  }

 private:
  size_t require_trials(const Matrix& out, size_t begin, size_t end) const {
    if (begin > end || out.shape(0) != end - begin || out.shape(1) != sums_.columns()) {
      throw nb::value_error("the output has the wrong size");
    }
    return end - begin;
  }

  template <typename Work>
  void run(size_t trials, size_t threads, Work work) const {
    const bool small = is_small_job(trials * sums_.segments());
    run_job(small, [&](Cancel cancel) {
      if (trials > 0) work(small ? 1 : threads, cancel);
    });
  }

  Matrix rows_;
  RowSums<Value> sums_;
};

template <typename Value>
void bind_rows(nb::module_& module, const char* name) {
  nb::class_<Rows<Value>>(module, name)
      .def(nb::init<typename Rows<Value>::Matrix>(), "rows"_a)
      .def("drawn", &Rows<Value>::drawn, "seed"_a, "begin"_a, "end"_a, "threads"_a, "out"_a)
      .def("drawn_at", &Rows<Value>::drawn_at, "indices"_a, "threads"_a, "out"_a)
      .def("chosen", &Rows<Value>::chosen, "seed"_a, "begin"_a, "end"_a, "threads"_a, "out"_a)
      .def("chosen_by", &Rows<Value>::chosen_by, "words"_a, "threads"_a, "out"_a);
}

}  // namespace

void bind_resample(nb::module_& module) {
  module.def(
      "bounded",
      [](Words words, uint32_t bound) {
        if (bound == 0) throw nb::value_error("the bound must be positive");
        return bounded(words.data(), words.shape(0), bound, words.data());
      },
      "words"_a, "bound"_a);
  bind_rows<int64_t>(module, "IntegerRows");
  bind_rows<double>(module, "RealRows");
}

}  // namespace bleuprint
