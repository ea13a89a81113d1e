// Similar sets, as Python sees them: arrays in, a list of pairs out as bytes.
#include "pool/similar_sets.hpp"

#include "python/binding.hpp"
#include "python/interpreter.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

// None where there are more pairs than the limit.
nb::object join(Array<uint32_t> elements, Array<uint64_t> offsets, Array<uint32_t> sizes, size_t element_limit,
                double threshold, size_t limit, unsigned threads) {
  if (!(threshold > 0 && threshold <= 1)) throw nb::value_error("the threshold must be above 0 and at most 1");
  require_lists(elements, offsets, sizes.shape(0), element_limit);
  if (sizes.shape(0) >= UINT32_MAX) throw nb::value_error("there are too many sets");
  for (size_t set = 0; set < sizes.shape(0); ++set) {
    if (offsets(set + 1) - offsets(set) > sizes(set)) throw nb::value_error("a set lists more elements than it has");
    for (uint64_t i = offsets(set) + 1; i < offsets(set + 1); ++i) {
      if (elements(i - 1) >= elements(i)) throw nb::value_error("the elements of a set must ascend");
    }
  }
  const Sets sets{elements.data(), offsets.data(), sizes.data(), sizes.shape(0), element_limit};
  std::vector<SimilarPair> pairs;
  bool complete = true;
  const bool small = is_small_job(elements.shape(0) * 64);
  run_job(small, [&](Cancel cancel) {
    complete = similar_sets(sets, threshold, limit, &pairs, {small ? 1 : threads, cancel});
  });
  if (!complete) return nb::none();
  return to_bytes(pairs.data(), pairs.size() * sizeof(SimilarPair));
}

}  // namespace

void bind_similar_sets(nb::module_& module) {
  module.def("similar_sets", &join, "elements"_a, "offsets"_a, "sizes"_a, "element_limit"_a, "threshold"_a, "limit"_a,
             "threads"_a);
}

}  // namespace bleuprint
