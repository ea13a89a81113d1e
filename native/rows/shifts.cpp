#include "rows/shifts.hpp"

#include <algorithm>
#include <limits>

#include "rows/shift_search.hpp"
#include "tables/vocabulary.hpp"

namespace bleuprint {

namespace {

class ShiftRows : public RowCounter {
  using Numbered = std::vector<std::vector<uint32_t>>;  // by text: its words

 public:
  ShiftRows(const Aligned& texts, const Reading& hypothesis, const Reading& reference, uint64_t seed)
      : texts_(texts),
        hypothesis_(hypothesis, texts.cancel, texts.shared),
        reference_(reference, texts.cancel, texts.shared),
        search_(seed, texts.cancel),
        vocabulary_(seed) {}

  void count(size_t segment, int64_t* row) override {
    if (!texts_.hypotheses.picks.empty() && !texts_.references.picks.empty()) return count_picked(segment, row);
    const Spans& hypothesis = hypothesis_.read(texts_.hypotheses, texts_.hypotheses.first_text(segment));
    const size_t begin = texts_.references.first_text(segment), end = texts_.references.last_text(segment);
    int64_t fewest = std::numeric_limits<int64_t>::max();
    uint64_t length = 0;
    for (size_t text = begin; text < end; ++text) {
      const Spans& reference = reference_.read(texts_.references, text);
      length += reference.size();
      search_.begin(reference, reference_.region());
      const int64_t edits = search_.edits(hypothesis, hypothesis_.region(), fewest);
      fewest = std::min(fewest, edits);
    }
    row[0] += fewest;
    add_mean(length, end - begin, row + 1);
  }

 private:
  // Texts of pairs come again and again: looking up every word in every reference was an eighth of the time.
  void count_picked(size_t segment, int64_t* row) {
    const uint32_t text = texts_.references.picks[segment];
    const std::vector<uint32_t>& hypothesis = number_words(hypothesis_, texts_.hypotheses, segment, hypotheses_);
    const std::vector<uint32_t>& reference = number_words(reference_, texts_.references, segment, references_);
    if (text != begun_) search_.begin(reference);
    begun_ = text;
    row[0] += search_.edits(hypothesis, std::numeric_limits<int64_t>::max());
    add_mean(reference.size(), 1, row + 1);
  }

  const std::vector<uint32_t>& number_words(Reader& reader, const Texts& texts, size_t segment, Numbered& numbered) {
    const uint32_t text = texts.picks[segment];
    if (numbered.size() <= text) numbered.resize(texts.texts());
    std::vector<uint32_t>& numbers = numbered[text];
    if (!numbers.empty()) return numbers;
    const Spans& words = reader.read(texts, text);
    numbers.resize(words.size());
    if (!words.empty()) vocabulary_.intern(&words[0], words.size(), numbers.data());
    return numbers;
  }

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
  Vocabulary vocabulary_;  // of texts that are picked
  Numbered hypotheses_, references_;
  uint64_t begun_ = std::numeric_limits<uint64_t>::max();  // the reference that is searched
};

}  // namespace

std::unique_ptr<RowCounter> shift_rows(const Aligned& texts, const Reading& hypothesis, const Reading& reference,
                                       uint64_t seed) {
  return std::make_unique<ShiftRows>(texts, hypothesis, reference, seed);
}

}  // namespace bleuprint
