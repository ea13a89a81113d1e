// Requests for edits with moves.
#include "rows/shifts.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include "python/plan.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

constexpr size_t small = 1 << 12;  // bytes of one pair of texts can take some tenths of a second

Plan shifts_plan(std::string_view tokenizer, std::string_view reference_tokenizer, bool lowercase) {
  const Reading hypothesis{require_tokenizer(tokenizer), lowercase};
  const Reading reference{require_tokenizer(reference_tokenizer), lowercase};
  return {shift_columns, [=](const Aligned& texts) { return shift_rows(texts, hypothesis, reference, process_seed()); },
          small};
}

}  // namespace

void bind_shifts(nb::module_& module) {
  module.def("shifts_plan", &shifts_plan, "tokenizer"_a, "reference_tokenizer"_a, "lowercase"_a);
  module.attr("LENGTH_BASE") = length_base;
}

}  // namespace bleuprint
