// Requests for rows of token n-grams: clipped, best overlap, corrected.
#include "rows/clipped.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include "python/plan.hpp"
#include "rows/best_overlap.hpp"
#include "rows/corrected.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

LengthRule require_length_rule(std::string_view name) {
  if (name == "closest") return LengthRule::closest;
  if (name == "closest-first") return LengthRule::closest_first;
  if (name == "shortest") return LengthRule::shortest;
  throw nb::value_error("no such length rule");
}

Plan clipped_plan(std::string_view tokenizer, bool lowercase, size_t max_order, std::string_view length_rule,
                  int64_t minimum_total) {
  const Reading reading{require_tokenizer(tokenizer), lowercase};
  const ClipOptions options{max_order, require_length_rule(length_rule), minimum_total};
  return {clip_columns(max_order),
          [=](const Aligned& texts) { return clipped_rows(texts, reading, options, process_seed()); }};
}

Plan best_overlap_plan(std::string_view tokenizer, bool lowercase, size_t min_order, size_t max_order) {
  const Reading reading{require_tokenizer(tokenizer), lowercase};
  return {best_overlap_columns, [=](const Aligned& texts) {
            return best_overlap_rows(texts, reading, min_order, max_order, process_seed());
          }};
}

Plan corrected_plan(std::string_view tokenizer, bool lowercase, size_t max_order) {
  const Reading reading{require_tokenizer(tokenizer), lowercase};
  return {clip_columns(max_order), [=](const Aligned& texts) {
            if (texts.sources == nullptr) throw nb::value_error("the sources are missing");
            return corrected_rows(texts, reading, max_order, process_seed());
          }};
}

}  // namespace

void bind_clipped(nb::module_& module) {
  module.def("clipped_plan", &clipped_plan, "tokenizer"_a, "lowercase"_a, "max_order"_a, "length_rule"_a,
             "minimum_total"_a);
  module.def("best_overlap_plan", &best_overlap_plan, "tokenizer"_a, "lowercase"_a, "min_order"_a, "max_order"_a);
  module.def("corrected_plan", &corrected_plan, "tokenizer"_a, "lowercase"_a, "max_order"_a);
}

}  // namespace bleuprint
