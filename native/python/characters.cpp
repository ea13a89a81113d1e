// Requests for rows of characters.
#include "rows/characters.hpp"

#include <nanobind/nanobind.h>

#include "python/plan.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

Plan characters_plan(size_t character_order, size_t word_order, bool lowercase, bool keep_space, double recall_factor,
                     bool mean_of_scores) {
  const CharacterOptions options{character_order, word_order, lowercase, keep_space, recall_factor, mean_of_scores};
  return Plan(character_columns(options),
              [=](const Aligned& texts) { return character_rows(texts, options, process_seed()); });
}

}  // namespace

void bind_characters(nb::module_& module) {
  module.def("characters_plan", &characters_plan, "character_order"_a, "word_order"_a, "lowercase"_a, "keep_space"_a,
             "recall_factor"_a, "mean_of_scores"_a);
}

}  // namespace bleuprint
