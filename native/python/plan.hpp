// A kind of row to be counted, with its options: for one segment, for the sum of a corpus, or for every segment.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <functional>
#include <memory>

#include "columns/segments.hpp"
#include "python/binding.hpp"
#include "python/column.hpp"

namespace bleuprint {

using Rows = nanobind::ndarray<int64_t, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
using MakeRows = std::function<std::unique_ptr<RowCounter>(const Aligned&)>;

class Plan {
 public:
  // A job of up to `small` bytes keeps the interpreter lock: less than usual where time is not linear in bytes.
  Plan(size_t columns, MakeRows make, size_t small = small_job)
      : columns_(columns), make_(std::move(make)), small_(small) {}

  nanobind::object pair(nanobind::handle hypothesis, nanobind::handle references) const;
  nanobind::object total(const Column& hypotheses, const Column& references, const Column* sources,
                         size_t threads) const;
  void rows(const Column& hypotheses, const Column& references, const Column* sources, size_t threads, Rows out) const;

  size_t columns() const noexcept { return columns_; }
  size_t small() const noexcept { return small_; }
  std::unique_ptr<RowCounter> counter(const Aligned& texts) const { return make_(texts); }

 private:
  void count(const Column& hypotheses, const Column& references, const Column* sources, size_t threads, bool sum,
             int64_t* rows) const;
  void count(const Aligned& texts, size_t threads, bool sum, int64_t* rows) const;

  size_t columns_;
  MakeRows make_;
  size_t small_;
};

// Counts several plans in one pass over the segments. An item is (plan, hypotheses, references, sources or None, out).
void rows_together(const nanobind::list& items, size_t threads);

}  // namespace bleuprint
