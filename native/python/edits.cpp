// Requests for edits, distances and equality of a hypothesis and its nearest reference.
#include "rows/edits.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include "python/interpreter.hpp"
#include "python/plan.hpp"
#include "rows/alignment.hpp"
#include "rows/distance.hpp"
#include "rows/equal.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

Nearest require_nearest(std::string_view name) {
  if (name == "per-reference") return Nearest::per_reference;
  if (name == "per-alignment") return Nearest::per_alignment;
  if (name == "information") return Nearest::information;
  throw nb::value_error("no such choice of a reference");
}

Space require_space(std::string_view name) {
  if (name == "keep") return Space::keep;
  if (name == "strip") return Space::strip;
  if (name == "collapse") return Space::collapse;
  if (name == "remove") return Space::remove;
  throw nb::value_error("no such treatment of white space");
}

const Aligned& require_strings(const Aligned& texts) {
  if (texts.hypotheses.tokenized || texts.references.tokenized) throw nb::value_error("the texts are tokens");
  return texts;
}

Plan token_edits_plan(std::string_view tokenizer, bool lowercase, std::string_view nearest, bool divides) {
  const Reading reading{require_tokenizer(tokenizer), lowercase};
  const Nearest choice = require_nearest(nearest);
  return Plan(edit_columns,
              [=](const Aligned& texts) { return token_edit_rows(texts, reading, choice, divides, process_seed()); });
}

Plan character_edits_plan(bool lowercase, std::string_view space, std::string_view nearest, bool divides) {
  const Cleaning cleaning{lowercase, false, false, require_space(space)};
  const Nearest choice = require_nearest(nearest);
  return Plan(edit_columns, [=](const Aligned& texts) {
    return character_edit_rows(require_strings(texts), cleaning, choice, divides, process_seed());
  });
}

Plan distance_plan(bool lowercase, std::string_view space, bool substitutions) {
  const Cleaning cleaning{lowercase, false, false, require_space(space)};
  return Plan(distance_columns, [=](const Aligned& texts) {
    return distance_rows(require_strings(texts), cleaning, substitutions, process_seed());
  });
}

Plan equal_plan(bool lowercase, bool without_punctuation, bool without_numbers, std::string_view space, bool inside) {
  const Cleaning cleaning{lowercase, without_punctuation, without_numbers, require_space(space)};
  return Plan(equal_columns,
              [=](const Aligned& texts) { return equal_rows(require_strings(texts), cleaning, inside); });
}

nb::str edit_path(Array<uint32_t> columns, Array<uint32_t> rows, size_t kinds, bool divides) {
  require_ids(columns, kinds);
  require_ids(rows, kinds);
  std::string steps;
  run_job(is_small_job(columns.shape(0) * rows.shape(0) / 8), [&](Cancel cancel) {
    Aligner aligner(cancel, process_seed(), divides);
    steps = aligner.path(columns.data(), columns.shape(0), rows.data(), rows.shape(0), kinds);
  });
  return to_object(steps);
}

}  // namespace

void bind_edits(nb::module_& module) {
  module.def("token_edits_plan", &token_edits_plan, "tokenizer"_a, "lowercase"_a, "nearest"_a, "divides"_a = false);
  module.def("character_edits_plan", &character_edits_plan, "lowercase"_a, "space"_a, "nearest"_a, "divides"_a = false);
  module.def("distance_plan", &distance_plan, "lowercase"_a, "space"_a, "substitutions"_a);
  module.def("equal_plan", &equal_plan, "lowercase"_a, "without_punctuation"_a, "without_numbers"_a, "space"_a,
             "inside"_a);
  module.def("edit_path", &edit_path, "columns"_a, "rows"_a, "kinds"_a, "divides"_a = false);
}

}  // namespace bleuprint
