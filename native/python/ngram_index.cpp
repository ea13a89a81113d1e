#include "python/ngram_index.hpp"

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cerrno>

#include "python/binding.hpp"
#include "python/column.hpp"
#include "python/interpreter.hpp"
#include "python/plan.hpp"
#include "tables/paged_file.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

void run(size_t work, const std::function<void(const Run&)>& job) {
  run_job(is_small_job(work), [&](Cancel cancel) { job({1, cancel}); });
}

Reading reading_of(std::string_view tokenizer, bool lowercase) { return {require_tokenizer(tokenizer), lowercase}; }

// How often each text, read as one n-gram, occurs; -1 for a text without words or with more than max_order of them.
std::vector<int64_t> ngram_counts(const PyIndex& index, const Column& column, std::string_view tokenizer,
                                  bool lowercase) {
  std::vector<int64_t> counts;
  run(column.texts.work() * 16, [&](const Run& how) {
    Reader reader(reading_of(tokenizer, lowercase), how.cancel);
    WordNumbers numbers(index.get(), process_seed());
    for (size_t text = 0; text < column.texts.texts(); ++text) {
      how.poll();
      const std::vector<uint32_t>& words = numbers.of(reader.read(column.texts, text));
      const bool fits = !words.empty() && words.size() <= index.get().layout().max_order;
      counts.push_back(fits ? static_cast<int64_t>(index.get().find(words.data(), words.size()).size()) : -1);
    }
  });
  return counts;
}

// (text, word in it) of the first text, read as one n-gram: its first `limit` places in the corpus.
nb::list ngram_places(const PyIndex& index, const Column& column, std::string_view tokenizer, bool lowercase,
                      size_t limit) {
  std::vector<std::pair<uint64_t, uint64_t>> places;
  run(small_job + 1, [&](const Run& how) {
    Reader reader(reading_of(tokenizer, lowercase), how.cancel);
    WordNumbers numbers(index.get(), process_seed());
    if (column.texts.texts() == 0) return;
    const std::vector<uint32_t>& words = numbers.of(reader.read(column.texts, 0));
    if (words.empty() || words.size() > index.get().layout().max_order) return;
    std::vector<uint64_t> first;  // a heap with the last of them on top
    const PlaceRange range = index.get().find(words.data(), words.size());
    for (uint64_t place = range.begin; place < range.end; ++place) {
      if (place % (1 << 12) == 0) how.poll();
      const uint64_t position = index.get().position(place);
      if (first.size() == limit) {
        if (first.empty() || position > first.front()) continue;
        std::pop_heap(first.begin(), first.end());
        first.pop_back();
      }
      first.push_back(position);
      std::push_heap(first.begin(), first.end());
    }
    std::sort(first.begin(), first.end());
    for (const uint64_t position : first) {
      const uint64_t text = index.get().text_of(position);
      places.emplace_back(text, position - index.get().text_begin(text));
    }
  });
  return make_list(places.size(), [&](size_t i) { return to_tuple(places[i].first, places[i].second); });
}

// For each text: its tokens, and for every token how many from there on stand in the corpus, in which text and where.
nb::list seen_spans(const PyIndex& index, const Column& column, std::string_view tokenizer, bool lowercase) {
  std::vector<std::vector<SeenSpan>> found;
  std::vector<std::vector<std::pair<uint64_t, uint64_t>>> places;
  run(column.texts.work() * 16, [&](const Run& how) {
    Reader reader(reading_of(tokenizer, lowercase), how.cancel);
    WordNumbers numbers(index.get(), process_seed());
    for (size_t text = 0; text < column.texts.texts(); ++text) {
      found.push_back(index.get().seen_spans(numbers.of(reader.read(column.texts, text)), how));
      places.emplace_back();
      for (const SeenSpan& span : found.back()) {
        const uint64_t source = span.length == 0 ? 0 : index.get().text_of(span.place);
        places.back().emplace_back(source, span.length == 0 ? 0 : span.place - index.get().text_begin(source));
      }
    }
  });
  return make_list(found.size(), [&](size_t text) {
    return make_list(found[text].size(), [&](size_t i) {
      return to_tuple(found[text][i].length, places[text][i].first, places[text][i].second);
    });
  });
}

// How many comparisons the spans of the first text take, for tests.
uint64_t span_comparisons(const PyIndex& index, const Column& column, std::string_view tokenizer, bool lowercase) {
  uint64_t comparisons = 0;
  run(small_job + 1, [&](const Run& how) {
    Reader reader(reading_of(tokenizer, lowercase), how.cancel);
    WordNumbers numbers(index.get(), process_seed());
    index.get().seen_spans(numbers.of(reader.read(column.texts, 0)), how, &comparisons);
  });
  return comparisons;
}

// The words of a text of the corpus from `begin` to `end`.
nb::list text_words(const PyIndex& index, uint64_t text, uint64_t begin, uint64_t end) {
  if (text >= index.get().layout().texts) throw nb::index_error("there are not so many texts");
  const uint64_t first = index.get().text_begin(text), last = index.get().text_end(text);
  nb::list words = empty_list();
  for (uint64_t at = first + begin; at < std::min(last, first + end); ++at) {
    const uint32_t number = index.get().token(at);
    if (number == 0) throw IndexFault("its numbers do not belong together");
    try {
      words.append(token_object(index.get().word(number)));
    } catch (const nb::python_error& error) {
      if (!error.matches(PyExc_ValueError)) throw;
      throw IndexFault("it has a word that is no text");
    }
  }
  return words;
}

Plan seen_plan(const PyIndex& index, std::string_view tokenizer, bool lowercase, const nb::object& given, bool whole) {
  const auto orders = to_vector<size_t>(given);
  const Reading reading = reading_of(tokenizer, lowercase);
  for (const size_t order : orders) {
    if (order < 1 || order > index.get().layout().max_order) throw nb::value_error("the index has no such order");
  }
  if (orders.empty()) throw nb::value_error("no orders");
  return {1 + 3 * orders.size(), [=, kept = index.shared()](const Aligned& texts) {
            return seen_rows(texts, reading, kept->index, orders, whole, process_seed());
          }};
}

void verify(const PyIndex& index) {
  run(index.get().content().size(), [&](const Run& how) { index.get().verify(how); });
}

// A builder changes with every call, so one thread uses it at a time.
struct PyBuilder {
  explicit PyBuilder(size_t max_order) : builder(max_order, process_seed()) {
    if (max_order < 1 || max_order > largest_index_order) throw nb::value_error("no such order");
  }
  PyBuilder(const PyBuilder&) = delete;

  void run(size_t work, unsigned threads, const std::function<void(const Run&)>& job) {
    const bool small = is_small_job(work);
    run_alone(turn, small, [&](Cancel cancel) { job({small ? 1 : threads, cancel}); });
  }

  IndexBuilder builder;
  std::mutex turn;
};

size_t add(PyBuilder& builder, const Column& column, size_t first, std::string_view tokenizer, bool lowercase,
           uint64_t memory) {
  const Reading reading = reading_of(tokenizer, lowercase);
  size_t next = first;
  builder.run(column.texts.work(), 1,
              [&](const Run& how) { next = builder.builder.add(column.texts, first, reading, memory, how); });
  return next;
}

std::string_view view_of(const nb::bytes& bytes) { return {static_cast<const char*>(bytes.data()), bytes.size()}; }

void write(PyBuilder& builder, int descriptor, nb::bytes note, unsigned threads) {
  builder.run(builder.builder.sorting(), threads,
              [&](const Run& how) { builder.builder.write(descriptor, view_of(note), how); });
}

void merge(const nb::list& indexes, int descriptor, nb::bytes note) {
  std::vector<const NgramIndex*> parts;
  size_t work = 0;
  for (const nb::handle item : indexes) {
    parts.push_back(&nb::cast<const PyIndex&>(item).get());
    work += parts.back()->content().size();
    if (parts.back()->layout().max_order != parts[0]->layout().max_order) throw nb::value_error("different orders");
  }
  if (parts.empty()) throw nb::value_error("no indexes");
  run(work, [&](const Run& how) { merge_indexes(parts, descriptor, view_of(note), how); });
}

}  // namespace

void bind_ngram_index(nb::module_& module) {
  static PyObject* fault_type = PyErr_NewException("bleuprint.core._native.IndexFault", PyExc_ValueError, nullptr);
  if (fault_type == nullptr) throw nb::python_error();
  module.attr("IndexFault") = nb::borrow(fault_type);
  nb::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const IndexFault& fault) {
      PyErr_SetString(fault_type, fault.what());
    } catch (const FileFault& fault) {
      errno = fault.code();
      PyErr_SetFromErrno(PyExc_OSError);
    }
  });
  module.attr("LARGEST_INDEX_ORDER") = largest_index_order;
  nb::class_<PyIndex>(module, "NgramIndex")
      .def(nb::init<nb::handle>(), "content"_a)
      .def_prop_ro("max_order", [](const PyIndex& index) { return index.get().layout().max_order; })
      .def_prop_ro("words", [](const PyIndex& index) { return index.get().layout().words; })
      .def_prop_ro("texts", [](const PyIndex& index) { return index.get().layout().texts; })
      .def_prop_ro("tokens", [](const PyIndex& index) { return index.get().layout().tokens; })
      .def_prop_ro("note", [](const PyIndex& index) { return to_bytes(index.get().note()); })
      .def_prop_ro("seal", [](const PyIndex& index) { return to_bytes(index.get().seal()); })
      .def("counts", &ngram_counts, "column"_a, "tokenizer"_a, "lowercase"_a)
      .def("places", &ngram_places, "column"_a, "tokenizer"_a, "lowercase"_a, "limit"_a)
      .def("seen_spans", &seen_spans, "column"_a, "tokenizer"_a, "lowercase"_a)
      .def("span_comparisons", &span_comparisons, "column"_a, "tokenizer"_a, "lowercase"_a)
      .def("text_words", &text_words, "text"_a, "begin"_a, "end"_a)
      .def("plan", &seen_plan, "tokenizer"_a, "lowercase"_a, "orders"_a, "whole"_a)
      .def("verify", &verify);
  nb::class_<PyBuilder>(module, "IndexBuilder")
      .def(nb::init<size_t>(), "max_order"_a)
      .def_prop_ro("texts", [](const PyBuilder& builder) { return builder.builder.texts(); })
      .def("add", &add, "column"_a, "first"_a, "tokenizer"_a, "lowercase"_a, "memory"_a)
      .def("write", &write, "descriptor"_a, "note"_a, "threads"_a);
  module.def("merge_indexes", &merge, "indexes"_a, "descriptor"_a, "note"_a);
}

}  // namespace bleuprint
