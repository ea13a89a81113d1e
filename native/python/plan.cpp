#include "python/plan.hpp"

#include <algorithm>

#include "python/column.hpp"
#include "python/interpreter.hpp"
#include "text/utf8.hpp"

namespace nb = nanobind;

namespace bleuprint {

namespace {

nb::object row_tuple(const std::vector<int64_t>& row) {
  nb::object tuple = owned(PyTuple_New(static_cast<Py_ssize_t>(row.size())));
  for (size_t i = 0; i < row.size(); ++i) {
    nb::object number = to_object(row[i]);
    PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), number.release().ptr());
  }
  return tuple;
}

}  // namespace

void LoneSegment::count() {
  std::fill(row.begin(), row.end(), 0);
  counter_->count(0, row.data());
}

std::unique_ptr<LoneSegment> Plan::counted(nb::handle hypothesis, nb::handle references) const {
  std::unique_ptr<LoneSegment> segment = spare_.take();
  if (segment == nullptr) segment = std::make_unique<LoneSegment>(make_, columns_);
  Texts &first = segment->hypotheses, &others = segment->references;
  first.pieces.push_back(text_view(hypothesis, 0, -1));
  // A snapshot: another thread may change the list, and long texts are counted without the interpreter lock.
  const bool is_list = PyList_Check(references.ptr());
  const nb::object kept = is_list ? owned(PyList_AsTuple(references.ptr())) : nb::borrow(references);
  for_each_reference(kept, [&](std::string_view text) { others.pieces.push_back(text); });
  if (others.pieces.size() > 1) others.segment_ends.push_back(others.pieces.size());
  if (first.work() + others.work() <= small_) {
    segment->count();
  } else {
    std::fill(segment->row.begin(), segment->row.end(), 0);
    count({first, others, nullptr}, 1, true, segment->row.data());
  }
  return segment;
}

void Plan::keep(std::unique_ptr<LoneSegment> segment) const {
  constexpr size_t short_text = 1 << 12;  // bytes; a counter that has read more holds more memory than it saves time
  if (segment->hypotheses.work() + segment->references.work() > short_text) return;
  segment->hypotheses.pieces.clear();
  segment->references.pieces.clear();
  segment->references.segment_ends.clear();
  spare_.give_back(std::move(segment));
}

nb::object Plan::pair(nb::handle hypothesis, nb::handle references) const {
  std::unique_ptr<LoneSegment> segment = counted(hypothesis, references);
  nb::object row = row_tuple(segment->row);
  keep(std::move(segment));
  return row;
}

nb::object PairScorer::score(nb::handle hypothesis, nb::handle references) const {
  std::unique_ptr<LoneSegment> segment = plan_.counted(hypothesis, references);
  const nb::object row = row_tuple(segment->row);
  nb::object number = nb::none();
  if (formula_.compute) {
    segment->values.resize(formula_.values);
    formula_.compute(segment->row.data(), segment->values.data());
    number = to_object(segment->values[formula_.main]);
  }
  const nb::object texts = to_object(segment->references.pieces.size());
  plan_.keep(std::move(segment));
  return to_tuple(row, texts, number);
}

nb::object PairScorer::records(nb::tuple names, nb::type_object kind, nb::handle beyond_ascii, nb::handle hypothesis,
                               nb::handle references) const {
  auto* const type = reinterpret_cast<PyTypeObject*>(kind.ptr());
  if (!PyType_IsSubtype(type, &PyTuple_Type)) throw nb::type_error("the class is no tuple");
  const size_t count = names.size(), share = count == 0 ? 0 : formula_.values / count;
  if (!formula_.compute || share == 0) throw nb::value_error("there are no numbers for the names");
  std::unique_ptr<LoneSegment> segment;
  try {
    segment = plan_.counted(hypothesis, references);
  } catch (const Fault&) {
    return nb::none();
  }
  if (!is_ascii(segment->hypotheses.pieces[0])) beyond_ascii(hypothesis);
  segment->values.resize(formula_.values);
  formula_.compute(segment->row.data(), segment->values.data());
  // What tuple.__new__ does for a subclass, without the tuple that it would copy.
  const auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  const nb::object by_name = owned(PyDict_New());
  const double* value = segment->values.data();
  for (size_t i = 0; i < count; ++i) {
    const nb::object record = owned(allocate(type, static_cast<Py_ssize_t>(share)));
    for (size_t j = 0; j < share; ++j) {
      nb::object number = to_object(*value++);
      PyTuple_SetItem(record.ptr(), static_cast<Py_ssize_t>(j), number.release().ptr());
    }
    // Numbers alone are in no cycle; CPython only leaves tuples of its own class out when it looks for cycles.
    PyObject_GC_UnTrack(record.ptr());
    if (PyDict_SetItem(by_name.ptr(), PyTuple_GetItem(names.ptr(), static_cast<Py_ssize_t>(i)), record.ptr()) < 0) {
      throw nb::python_error();
    }
  }
  // Nor is a dict of them until something else is put in, when CPython looks for cycles in it again: up to 3.13.
  if (Py_Version < 0x030E0000) PyObject_GC_UnTrack(by_name.ptr());
  plan_.keep(std::move(segment));
  return by_name;
}

nb::object Plan::total(const Column& hypotheses, const Column& references, const Column* sources,
                       size_t threads) const {
  std::vector<int64_t> row(columns_, 0);
  count(hypotheses, references, sources, threads, true, row.data());
  return row_tuple(row);
}

void Plan::rows(const Column& hypotheses, const Column& references, const Column* sources, size_t threads,
                Rows out) const {
  if (out.shape(0) != hypotheses.texts.segments() || out.shape(1) != columns_) {
    throw nb::value_error("the output matrix has the wrong shape");
  }
  count(hypotheses, references, sources, threads, false, out.data());
}

void Plan::sums_without_each(const Column& hypotheses, const Column& references, unsigned threads, Rows out) const {
  const size_t segments = hypotheses.texts.segments();
  if (!leave_out_ || references.texts.segments() != segments) {
    throw nb::value_error("these rows or columns cannot be counted without each segment");
  }
  if (out.shape(0) != segments || out.shape(1) != columns_) {
    throw nb::value_error("the output matrix has the wrong shape");
  }
  run_job(false, [&](Cancel cancel) {
    leave_out_({hypotheses.texts, references.texts, nullptr, cancel}, {threads, cancel}, out.data());
  });
}

void Plan::count(const Column& hypotheses, const Column& references, const Column* sources, size_t threads, bool sum,
                 int64_t* rows) const {
  const size_t segments = hypotheses.texts.segments();
  if (references.texts.segments() != segments || (sources != nullptr && sources->texts.segments() != segments)) {
    throw nb::value_error("the columns have different lengths");
  }
  count({hypotheses.texts, references.texts, sources != nullptr ? &sources->texts : nullptr}, threads, sum, rows);
}

void Plan::count(const Aligned& texts, size_t threads, bool sum, int64_t* rows) const {
  const bool small = texts.hypotheses.work() + texts.references.work() <= small_;
  run_job(small, [&](Cancel cancel) {
    const Aligned cancellable{texts.hypotheses, texts.references, texts.sources, cancel};
    count_rows(texts, columns_, [&] { return make_(cancellable); }, small ? 1 : threads, sum, rows, cancel);
  });
}

void rows_together(const nb::list& items, size_t threads) {
  std::vector<RowsJob> jobs;
  size_t segments = 0;
  bool small = true;
  for (const nb::handle item : items) {
    const auto fields = nb::cast<nb::tuple>(item);
    if (fields.size() != 5) throw nb::value_error("an item has five fields");
    const auto& plan = nb::cast<const Plan&>(fields[0]);
    const Texts& hypotheses = nb::cast<const Column&>(fields[1]).texts;
    const Texts& references = nb::cast<const Column&>(fields[2]).texts;
    const Texts* const sources = fields[3].is_none() ? nullptr : &nb::cast<const Column&>(fields[3]).texts;
    const auto out = nb::cast<Rows>(fields[4]);
    if (jobs.empty()) segments = hypotheses.segments();
    if (hypotheses.segments() != segments || references.segments() != segments ||
        (sources != nullptr && sources->segments() != segments)) {
      throw nb::value_error("the columns have different lengths");
    }
    if (out.shape(0) != segments || out.shape(1) != plan.columns()) {
      throw nb::value_error("an output matrix has the wrong shape");
    }
    small = small && hypotheses.work() + references.work() <= plan.small() / items.size();
    // What the items hold outlives the job: the caller keeps the list.
    jobs.push_back({[&plan, &hypotheses, &references, sources](Cancel cancel, SharedReadings* shared) {
                      return plan.counter({hypotheses, references, sources, cancel, shared});
                    },
                    plan.columns(), out.data()});
  }
  run_job(small, [&](Cancel cancel) { count_together(segments, jobs, small ? 1 : threads, cancel); });
}

}  // namespace bleuprint
