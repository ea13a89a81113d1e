// Best matches for Python, and the stemmer they use.
#include "../best_match.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "../porter.hpp"
#include "plan.hpp"

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

Plan best_match_plan(std::string_view tokenizer, bool lowercase, bool stem,
                     const std::vector<std::string_view>& names) {
  const WordReading reading{{require_tokenizer(tokenizer), lowercase}, stem};
  std::vector<Measure> measures;
  bool quadratic = false;
  for (const std::string_view name : names) {
    measures.push_back(require_measure(name));
    quadratic |= measures.back().kind == Measure::Kind::lines;
  }
  return {best_match_columns(measures.size()),
          [=](const Aligned& texts) { return best_match_rows(texts, reading, measures, process_seed()); },
          quadratic ? small_lines : small_job};
}

nb::str stem(std::string_view word) {
  std::string bytes(word);
  bytes.resize(porter_stem(bytes.data(), bytes.size()));
  return nb::str(bytes.data(), bytes.size());
}

}  // namespace

void bind_best_match(nb::module_& module) {
  module.def("best_match_plan", &best_match_plan, "tokenizer"_a, "lowercase"_a, "stem"_a, "measures"_a);
  module.def("porter_stem", &stem, "word"_a);
}

}  // namespace bleuprint
