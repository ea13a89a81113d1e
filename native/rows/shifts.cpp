#include "rows/shifts.hpp"

#include <algorithm>
#include <limits>

#include "rows/shift_search.hpp"

namespace bleuprint {

namespace {

class ShiftRows : public RowCounter {
 public:
  ShiftRows(const Aligned& texts, const Reading& hypothesis, const Reading& reference, uint64_t seed)
      : texts_(texts),
        hypothesis_(hypothesis, texts.cancel, texts.shared),
        reference_(reference, texts.cancel, texts.shared),
        search_(seed, texts.cancel) {}

  void count(size_t segment, int64_t* row) override {
    const Spans& hypothesis = hypothesis_.read(texts_.hypotheses, texts_.hypotheses.first_text(segment));
    const size_t begin = texts_.references.first_text(segment), end = texts_.references.last_text(segment);
    int64_t fewest = std::numeric_limits<int64_t>::max();
    uint64_t length = 0;
    for (size_t text = begin; text < end; ++text) {
      const bool known = reference_.holds(texts_.references, text);
      const Spans& reference = reference_.read(texts_.references, text);
      length += reference.size();
      if (!known) search_.begin(reference, reference_.region());
      const int64_t edits = search_.edits(hypothesis, hypothesis_.region(), fewest);
      fewest = std::min(fewest, edits);
    }
    row[0] += fewest;
    add_mean(length, end - begin, row + 1);
  }

 private:
  static void add_mean(uint64_t sum, uint64_t count, int64_t* digits) noexcept {
    const uint64_t first = sum % count * length_base;
    const uint64_t second = first % count * length_base;
    digits[0] += static_cast<int64_t>(sum / count);
    digits[1] += static_cast<int64_t>(first / count);
    digits[2] += static_cast<int64_t>((second + count / 2) / count);
  }

  Aligned texts_;
  Reader hypothesis_;
  Reader reference_;
  ShiftSearch search_;
};

}  // namespace

std::unique_ptr<RowCounter> shift_rows(const Aligned& texts, const Reading& hypothesis, const Reading& reference,
                                       uint64_t seed) {
  return std::make_unique<ShiftRows>(texts, hypothesis, reference, seed);
}

}  // namespace bleuprint
