// Matches in stages for Python, and the table of synonyms they use.
#include "rows/staged_match.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "python/plan.hpp"
#include "text/utf8.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

std::shared_ptr<Synonyms> make_synonyms(nb::bytes table) {
  const std::string_view bytes(static_cast<const char*>(table.data()), table.size());
  const nb::gil_scoped_release released;
  return std::make_shared<Synonyms>(bytes, process_seed());
}

std::vector<std::string_view> synonyms_of(const Synonyms& table, std::string_view lowered) {
  std::vector<std::string_view> words;
  table.visit(lowered, [&](uint32_t number) { words.push_back(table.word(number)); });
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

Plan staged_match_plan(std::string_view tokenizer, bool lowercase, bool lowered, bool exact, bool stem,
                       std::shared_ptr<Synonyms> synonyms, double recall_weight, double exponent, double chunk_weight) {
  const Reading reading{require_tokenizer(tokenizer), lowercase};
  const Stages stages{exact, stem, std::move(synonyms), lowered};
  const MatchScore score{recall_weight, exponent, chunk_weight};
  return {staged_match_columns,
          [=](const Aligned& texts) { return staged_match_rows(texts, reading, stages, score, process_seed()); }};
}

using Reals = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The C library's, as Python's own `**` of two floats.
void power_in_place(Reals values, double exponent) {
  for (size_t i = 0; i < values.shape(0); ++i) values.data()[i] = std::pow(values.data()[i], exponent);
}

}  // namespace

void bind_staged_match(nb::module_& module) {
  nb::class_<Synonyms>(module, "Synonyms").def("of", &synonyms_of, "lowered"_a);
  module.def("make_synonyms", &make_synonyms, "table"_a);
  module.def("staged_match_plan", &staged_match_plan, "tokenizer"_a, "lowercase"_a, "lowered"_a, "exact"_a, "stem"_a,
             "synonyms"_a.none(), "recall_weight"_a, "exponent"_a, "chunk_weight"_a);
  module.def("power_in_place", &power_in_place, "values"_a, "exponent"_a);
}

}  // namespace bleuprint
