// Requests for edits with moves, counted or one by one.
#include "rows/shifts.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include "python/interpreter.hpp"
#include "python/plan.hpp"
#include "rows/shift_search.hpp"

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

nb::tuple shift_path(Array<uint32_t> reference, Array<uint32_t> hypothesis, size_t kinds) {
  require_ids(reference, kinds);
  require_ids(hypothesis, kinds);
  const size_t words = reference.shape(0), own_words = hypothesis.shape(0);
  ShiftPath path;
  run_job(words + own_words <= small / 8, [&](Cancel cancel) {
    path = ShiftSearch(process_seed(), cancel).path(hypothesis.data(), own_words, reference.data(), words, kinds);
  });
  const auto to_move = [&](size_t i) {
    return to_tuple(path.moves[i].start, path.moves[i].length, path.moves[i].target);
  };
  return to_tuple(make_list(path.moves.size(), to_move), std::string_view(path.steps));
}

}  // namespace

void bind_shifts(nb::module_& module) {
  module.def("shifts_plan", &shifts_plan, "tokenizer"_a, "reference_tokenizer"_a, "lowercase"_a);
  module.def("shift_path", &shift_path, "reference"_a, "hypothesis"_a, "kinds"_a);
  module.attr("LENGTH_BASE") = length_base;
}

}  // namespace bleuprint
