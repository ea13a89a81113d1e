#include "rows/clipped.hpp"

namespace bleuprint {

namespace {

class ClippedRows : public RowCounter {
 public:
  ClippedRows(const Aligned& texts, const Reading& reading, const ClipOptions& options, uint64_t seed)
      : texts_(texts),
        hypothesis_(reading, texts.cancel, texts.shared),
        reference_(reading, texts.cancel, texts.shared),
        counter_(options, seed, texts.cancel) {}

  void count(size_t segment, int64_t* row) override {
    const Spans& hypothesis = hypothesis_.read(texts_.hypotheses, texts_.hypotheses.first_text(segment));
    counter_.begin(hypothesis, hypothesis_.region());
    const size_t last = texts_.references.last_text(segment);
    for (size_t text = texts_.references.first_text(segment); text < last; ++text) {
      const Spans& reference = reference_.read(texts_.references, text);
      counter_.add_reference(reference, reference_.region());
    }
    counter_.finish(row);
  }

 private:
  Aligned texts_;
  Reader hypothesis_;
  Reader reference_;
  ClippedCounter counter_;
};

}  // namespace

std::unique_ptr<RowCounter> clipped_rows(const Aligned& texts, const Reading& reading, const ClipOptions& options,
                                         uint64_t seed) {
  return std::make_unique<ClippedRows>(texts, reading, options, seed);
}

}  // namespace bleuprint
