#include <algorithm>

#include "pool/join.hpp"
#include "pool/pool.hpp"
#include "pool/refinement.hpp"

namespace bleuprint {
namespace {

template <typename Rule>
bool mark_all_orders(const Sequence& sequence, const Rule& rule, size_t marked_texts, size_t max_order, int64_t* values,
                     const Run& run) {
  std::fill(values, values + marked_texts * max_order, 0);
  Refinement<Rule> refinement(sequence, rule, run);
  for (size_t order = 1; order <= max_order; ++order) {
    if (!refinement.advance({values + order - 1, max_order, marked_texts})) return false;
  }
  return true;
}

}  // namespace

bool leave_one_out(const Pool& pool, size_t max_order, int64_t* matches, const Run& run) {
  return mark_all_orders(sequence_of(pool), SharedByTexts{}, pool.texts(), max_order, matches, run);
}

bool cross(const Pool& queries, const Pool& references, size_t max_order, int64_t* matches, const Run& run) {
  JoinedPools joined;
  if (!joined.join(queries, references, run)) return false;
  const SharedAcross rule{static_cast<uint32_t>(queries.texts())};
  return mark_all_orders(joined.sequence(), rule, queries.texts(), max_order, matches, run);
}

bool distinct_per_text(const Pool& pool, size_t max_order, int64_t* different, const Run& run) {
  if (!mark_all_orders(sequence_of(pool), RepeatedInText{}, pool.texts(), max_order, different, run)) return false;
  for (size_t text = 0; text < pool.texts(); ++text) {
    const int64_t length = static_cast<int64_t>(pool.length(text));
    for (size_t order = 1; order <= max_order; ++order) {
      int64_t& value = different[text * max_order + order - 1];
      value = std::max<int64_t>(0, length - static_cast<int64_t>(order) + 1) - value;
    }
  }
  return true;
}

}  // namespace bleuprint
