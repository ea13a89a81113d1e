// Judgements of swapped sums, as Python sees them: into an array of the caller's.
#include "rows/swaps.hpp"

#include <nanobind/ndarray.h>

#include "python/binding.hpp"
#include "python/interpreter.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

using Sums = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Systems = nb::ndarray<const uint32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Bounds = nb::ndarray<const double, nb::shape<-1, -1, 4>, nb::c_contig, nb::device::cpu>;
using Limits = nb::ndarray<const double, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Judgements = nb::ndarray<uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::vector<SwappedPair> read_pairs(const Sums& sums, const Systems& systems, const Bounds& bounds,
                                    const Limits& limits) {
  const size_t columns = sums.shape(1), trials = sums.shape(2);
  const auto of_system = [&](uint32_t system) {
    if (system >= sums.shape(0)) throw nb::index_error("there are not so many systems");
    return sums.data() + system * columns * trials;
  };
  std::vector<SwappedPair> pairs;
  for (size_t pair = 0; pair < bounds.shape(0); ++pair) {
    const double* const first = of_system(systems.data()[2 * pair]);
    const double* const second = of_system(systems.data()[2 * pair + 1]);
    pairs.push_back({{}, limits.data()[2 * pair], limits.data()[2 * pair + 1]});
    for (size_t column = 0; column < columns; ++column) {
      const double* const known = bounds.data() + 4 * (pair * columns + column);
      const size_t at = column * trials;
      pairs.back().columns.push_back({first + at, second + at, known[0], known[1], known[2], known[3]});
    }
  }
  return pairs;
}

}  // namespace

void bind_swaps(nb::module_& module) {
  module.def(
      "judge_swaps",
      [](Sums sums, Systems systems, Bounds bounds, Limits limits, Judgements out) {
        const size_t count = bounds.shape(0), trials = sums.shape(2);
        if (systems.shape(0) != count || bounds.shape(1) != sums.shape(1) || limits.shape(0) != count ||
            out.shape(0) != count || out.shape(1) != trials) {
          throw nb::value_error("the arrays have the wrong sizes");
        }
        const std::vector<SwappedPair> pairs = read_pairs(sums, systems, bounds, limits);
        run_job(is_small_job(count * trials), [&](Cancel cancel) { judge_swaps(pairs, trials, out.data(), cancel); });
      },
      "sums"_a, "systems"_a, "bounds"_a, "limits"_a, "out"_a);
}

}  // namespace bleuprint
