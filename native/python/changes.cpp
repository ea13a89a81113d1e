// Requests for rows about what a text changes in its source.
#include "rows/changes.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include "python/plan.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

Plan changes_plan(std::string_view tokenizer, bool lowercase, size_t max_order, bool shares) {
  const Reading reading{require_tokenizer(tokenizer), lowercase};
  return Plan(changes_per_order * max_order, [=](const Aligned& texts) {
    if (texts.sources == nullptr) throw nb::value_error("the sources are missing");
    return change_rows(texts, reading, max_order, shares, process_seed());
  });
}

}  // namespace

void bind_changes(nb::module_& module) {
  module.def("changes_plan", &changes_plan, "tokenizer"_a, "lowercase"_a, "max_order"_a, "shares"_a);
}

}  // namespace bleuprint
