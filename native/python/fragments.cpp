// Requests for rows about what a text copies from its source.
#include "rows/fragments.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include "python/plan.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

Plan fragments_plan(std::string_view tokenizer, bool lowercase, size_t max_order) {
  const Reading reading{require_tokenizer(tokenizer), lowercase};
  return Plan(fragment_columns(max_order), [=](const Aligned& texts) {
    if (texts.sources == nullptr) throw nb::value_error("the sources are missing");
    return fragment_rows(texts, reading, max_order, process_seed());
  });
}

}  // namespace

void bind_fragments(nb::module_& module) {
  module.def("fragments_plan", &fragments_plan, "tokenizer"_a, "lowercase"_a, "max_order"_a);
}

}  // namespace bleuprint
