#include <algorithm>

#include "pool/join.hpp"
#include "pool/pool.hpp"
#include "pool/refinement.hpp"

namespace bleuprint {
namespace {

template <typename Rule>
void mark_all_orders(const Sequence& sequence, const Rule& rule, size_t marked_texts, size_t max_order,
                     uint32_t* values, const Run& run) {
  std::fill(values, values + marked_texts * max_order, 0u);
  Refinement<Rule>(sequence, rule, run).refine(max_order, {values, marked_texts}, nullptr);
  if (run.threads > 1) give_memory_back();
}

}  // namespace

void leave_one_out(const Pool& pool, size_t max_order, uint32_t* matches, const Run& run) {
  mark_all_orders(sequence_of(pool), SharedByTexts{}, pool.texts(), max_order, matches, run);
}

uint64_t leave_one_out_bytes(const Pool& pool, size_t max_order, unsigned threads) {
  const uint64_t texts = pool.texts(), tokens = pool.tokens(), words = pool.vocabulary().size();
  const uint64_t kept = tokens * sizeof(uint32_t) + texts * sizeof(uint64_t);
  // A vector that grows is there twice, and twice as large as before the second time.
  const uint64_t adding = 3 * kept + pool.vocabulary().bytes() * 2;
  const uint64_t counting = 2 * kept + pool.vocabulary().bytes() + words * threads * sizeof(Tally) + 3 * tokens +
                            texts * (max_order * 12 + 48);
  return std::max(adding, counting);
}

void cross(const Pool& queries, const Pool& references, size_t max_order, uint32_t* matches, const Run& run) {
  JoinedPools joined;
  joined.join(queries, references, run);
  uint32_t first_reference = 0;
  for (size_t text = 0; text < queries.texts(); ++text) first_reference += queries.length(text) > 0;
  const SharedAcross rule{first_reference};
  mark_all_orders(joined.sequence(), rule, queries.texts(), max_order, matches, run);
}

void distinct_per_text(const Pool& pool, size_t max_order, uint32_t* different, const Run& run) {
  mark_all_orders(sequence_of(pool), RepeatedInText{}, pool.texts(), max_order, different, run);
  for (size_t text = 0; text < pool.texts(); ++text) {
    const uint64_t length = pool.length(text);
    for (size_t order = 1; order <= max_order; ++order) {
      uint32_t& value = different[text * max_order + order - 1];
      value = static_cast<uint32_t>(length < order ? 0 : length - order + 1) - value;
    }
  }
}

}  // namespace bleuprint
