// Best matches for Python, and the stemmer they use.
#include "rows/best_match.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "python/plan.hpp"
#include "rows/subsequence.hpp"
#include "text/porter.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

constexpr size_t highest_order = 16;
constexpr size_t small_lines = 1 << 12;  // every line meets every line: this many bytes take about 10 ms at most

Measure require_measure(std::string_view name) {
  if (name == "subsequence") return {Measure::Kind::subsequence, 0};
  if (name == "lines") return {Measure::Kind::lines, 0};
  for (size_t order = 1; order <= highest_order; ++order) {
    if (name == std::to_string(order)) return {Measure::Kind::ngrams, order};
  }
  throw nb::value_error("no such measure");
}

Plan best_match_plan(std::string_view tokenizer, bool lowercase, bool stem, const nb::object& names) {
  const WordReading reading{{require_tokenizer(tokenizer), lowercase}, stem};
  std::vector<Measure> measures;
  bool quadratic = false;
  for (const std::string_view name : to_vector<std::string_view>(names)) {
    measures.push_back(require_measure(name));
    quadratic |= measures.back().kind == Measure::Kind::lines;
  }
  return {best_match_columns(measures.size()),
          [=](const Aligned& texts) { return best_match_rows(texts, reading, measures, process_seed()); },
          quadratic ? small_lines : small_job};
}

// The places in `rows` that one longest common subsequence takes: what tests see of the way back.
std::vector<size_t> common_subsequence(const nb::object& first, const nb::object& second, size_t stored) {
  const auto columns = to_vector<uint32_t>(first), rows = to_vector<uint32_t>(second);
  uint32_t largest = 0;
  for (const std::vector<uint32_t>* const ids : {&columns, &rows}) {
    for (const uint32_t id : *ids) largest = std::max(largest, id);
  }
  if (largest >= columns.size() + rows.size()) throw nb::value_error("ids are to be dense");
  Subsequence subsequence({}, stored);
  subsequence.set_columns(columns.data(), columns.size(), size_t{largest} + 1);
  std::vector<uint8_t> marks(rows.size(), 0);
  subsequence.mark(rows.data(), rows.size(), marks.data());
  std::vector<size_t> places;
  for (size_t i = 0; i < marks.size(); ++i) {
    if (marks[i] != 0) places.push_back(i);
  }
  if (places.size() != subsequence.length(rows.data(), rows.size())) throw std::logic_error("the way back is wrong");
  return places;
}

nb::str stem(std::string_view word) {
  std::string bytes(word);
  bytes.resize(porter_stem(bytes.data(), bytes.size()));
  return to_object(bytes);
}

}  // namespace

void bind_best_match(nb::module_& module) {
  module.def("best_match_plan", &best_match_plan, "tokenizer"_a, "lowercase"_a, "stem"_a, "measures"_a);
  module.def("common_subsequence", &common_subsequence, "columns"_a, "rows"_a, "stored"_a);
  module.def("porter_stem", &stem, "word"_a);
}

}  // namespace bleuprint
