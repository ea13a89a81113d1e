// A kind of row to be counted, with its options: for one segment, for the sum of a corpus, or for every segment.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <atomic>
#include <functional>
#include <memory>

#include "python/binding.hpp"
#include "python/column.hpp"
#include "rows/count_rows.hpp"
#include "rows/row_values.hpp"

namespace bleuprint {

using Rows = nanobind::ndarray<int64_t, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
using MakeRows = std::function<std::unique_ptr<RowCounter>(const Aligned&)>;
// For each segment the sum of the rows of all others, counted without it.
using LeaveOut = std::function<void(const Aligned&, const Run&, int64_t* sums)>;

// One segment with the counter that reads it, kept for the next segment: a short pair costs less than the memory of a
// new counter.
class LoneSegment {
 public:
  LoneSegment(const MakeRows& make, size_t columns) : row(columns), counter_(make({hypotheses, references, nullptr})) {}
  LoneSegment(const LoneSegment&) = delete;

  void count();

  Texts hypotheses, references;
  std::vector<int64_t> row;
  std::vector<double> values;  // of a formula

 private:
  std::unique_ptr<RowCounter> counter_;
};

// At most one of them, for whoever comes first: threads may call a plan at the same time.
class SpareSegment {
 public:
  SpareSegment() = default;
  SpareSegment(SpareSegment&& other) noexcept : kept_(other.kept_.exchange(nullptr)) {}
  ~SpareSegment() { delete kept_.load(); }

  std::unique_ptr<LoneSegment> take() noexcept { return std::unique_ptr<LoneSegment>(kept_.exchange(nullptr)); }
  void give_back(std::unique_ptr<LoneSegment> segment) noexcept { delete kept_.exchange(segment.release()); }

 private:
  std::atomic<LoneSegment*> kept_{nullptr};
};

class Plan {
 public:
  // A job of up to `small` bytes keeps the interpreter lock: less than usual where time is not linear in bytes.
  Plan(size_t columns, MakeRows make, size_t small = small_job, LeaveOut leave_out = nullptr)
      : columns_(columns), make_(std::move(make)), small_(small), leave_out_(std::move(leave_out)) {}

  nanobind::object pair(nanobind::handle hypothesis, nanobind::handle references) const;
  std::unique_ptr<LoneSegment> counted(nanobind::handle hypothesis, nanobind::handle references) const;
  void keep(std::unique_ptr<LoneSegment> segment) const;  // for the next pair
  nanobind::object total(const Column& hypotheses, const Column& references, const Column* sources,
                         size_t threads) const;
  void rows(const Column& hypotheses, const Column& references, const Column* sources, size_t threads, Rows out) const;
  // Of columns whose own references the rows are weighed by.
  void sums_without_each(const Column& hypotheses, const Column& references, unsigned threads, Rows out) const;

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
  LeaveOut leave_out_;
  mutable SpareSegment spare_;
};

// Counts pairs by a plan and computes numbers from their rows.
class PairScorer {
 public:
  PairScorer(const Plan& plan, RowFormula formula) : plan_(plan), formula_(std::move(formula)) {}

  // The row, the number of references and the number it is scored by, which is None without a formula.
  nanobind::object score(nanobind::handle hypothesis, nanobind::handle references) const;
  // All numbers, dealt out to the names: a dict of as many tuples of the class, each with an equal share. None for what
  // is no text; calls `beyond_ascii` with a hypothesis that has more than ASCII.
  nanobind::object records(nanobind::tuple names, nanobind::type_object kind, nanobind::handle beyond_ascii,
                           nanobind::handle hypothesis, nanobind::handle references) const;

 private:
  const Plan& plan_;  // kept alive by the Python object
  RowFormula formula_;
};

// Counts several plans in one pass over the segments. An item is (plan, hypotheses, references, sources or None, out).
void rows_together(const nanobind::list& items, size_t threads);

}  // namespace bleuprint
