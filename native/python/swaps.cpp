// Judgements of swapped sums, as Python sees them.
#include "rows/swaps.hpp"

#include <nanobind/ndarray.h>

#include <cmath>

#include "python/binding.hpp"
#include "python/interpreter.hpp"
#include "python/objects.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

using Sums = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Places = nb::ndarray<const uint32_t, nb::shape<-1, 2, -1>, nb::c_contig, nb::device::cpu>;
using Bounds = nb::ndarray<const double, nb::shape<-1, -1, 4>, nb::c_contig, nb::device::cpu>;
using Limits = nb::ndarray<const double, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Shares = nb::ndarray<int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Whether both systems have the same sums in a column, such as the lengths of references: the difference is always 0.
bool is_nothing(const SwappedColumn& column) {
  const bool is_same = column.first == column.second && column.centre == 0 && column.width >= 0;
  return is_same && std::isfinite(column.slope) && std::isfinite(column.error);
}

std::vector<SwappedPair> read_pairs(const Sums& sums, const Places& places, const Bounds& bounds,
                                    const Limits& limits) {
  const size_t trials = sums.shape(1), columns = bounds.shape(1);
  const auto column_at = [&](uint32_t place) {
    if (place >= sums.shape(0)) throw nb::index_error("there are not so many columns");
    return sums.data() + place * trials;
  };
  std::vector<SwappedPair> pairs;
  for (size_t pair = 0; pair < bounds.shape(0); ++pair) {
    const uint32_t* const first = places.data() + 2 * pair * columns;
    pairs.push_back({{}, limits.data()[2 * pair], limits.data()[2 * pair + 1]});
    for (size_t column = 0; column < columns; ++column) {
      const double* const known = bounds.data() + 4 * (pair * columns + column);
      const SwappedColumn own{
          column_at(first[column]), column_at(first[columns + column]), known[0], known[1], known[2], known[3]};
      if (!is_nothing(own)) pairs.back().columns.push_back(own);
    }
  }
  return pairs;
}

}  // namespace

void bind_swaps(nb::module_& module) {
  module.def(
      "judge_swaps",
      [](Sums sums, Places places, Bounds bounds, Limits limits, Shares as_far) {
        const size_t count = bounds.shape(0), trials = sums.shape(1);
        if (places.shape(0) != count || places.shape(2) != bounds.shape(1) || limits.shape(0) != count ||
            as_far.shape(0) != count) {
          throw nb::value_error("the arrays have the wrong sizes");
        }
        const std::vector<SwappedPair> pairs = read_pairs(sums, places, bounds, limits);
        std::vector<PairTrial> unknown;
        run_job(is_small_job(count * trials),
                [&](Cancel cancel) { unknown = judge_swaps(pairs, trials, as_far.data(), cancel); });
        return to_bytes(unknown.data(), unknown.size() * sizeof(PairTrial));
      },
      "sums"_a, "places"_a, "bounds"_a, "limits"_a, "as_far"_a);
}

}  // namespace bleuprint
