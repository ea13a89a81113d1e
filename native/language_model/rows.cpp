#include "language_model/rows.hpp"

#include <algorithm>

namespace bleuprint {

namespace {

constexpr size_t poll_every = 1 << 14;

class ModelRows : public RowCounter {
 public:
  ModelRows(const Aligned& texts, const Reading& reading, const LanguageModel& model)
      : texts_(texts.hypotheses), cancel_(texts.cancel), reader_(reading, texts.cancel), model_(model) {}

  void count(size_t segment, int64_t* row) override {
    const Spans& tokens = reader_.read(texts_, texts_.first_text(segment));
    words_.resize(tokens.size());
    uint32_t context = model_.context_of_sentence();
    size_t known = 0;  // words whose numbers were looked up
    int64_t sum = 0, unknown = 0, unknown_sum = 0;
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (i % poll_every == 0) {
        if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) throw Cancelled{};
        known = std::min(tokens.size(), i + poll_every);
        model_.find_words(tokens.begin() + i, known - i, words_.data() + i);
      }
      if (i + 2 < known) model_.prefetch_word(words_[i + 2]);
      const uint32_t word = words_[i];
      const int64_t value = rounded(model_.log_probability(&context, word));
      sum += value;
      if (word == LanguageModel::unknown) {
        ++unknown;
        unknown_sum += value;
      }
    }
    row[0] += sum + rounded(model_.log_probability(&context, LanguageModel::end));
    row[1] += static_cast<int64_t>(tokens.size()) + 1;
    row[2] += unknown;
    row[3] += unknown_sum;
  }

 private:
  // What llround() and ldexp() give, without their calls, which are a tenth of a query. The logarithm of a word has at
  // most three digits, so everything here is exact.
  static int64_t rounded(double log_probability) noexcept {
    const double scaled = log_probability * static_cast<double>(int64_t{1} << log_probability_bits);
    const auto whole = static_cast<int64_t>(scaled);
    const double rest = scaled - static_cast<double>(whole);
    return whole + static_cast<int64_t>(rest >= 0.5) - static_cast<int64_t>(rest <= -0.5);
  }

  const Texts& texts_;
  const std::atomic<bool>* cancel_;
  Reader reader_;
  const LanguageModel& model_;
  std::vector<uint32_t> words_;
};

}  // namespace

std::unique_ptr<RowCounter> model_rows(const Aligned& texts, const Reading& reading, const LanguageModel& model) {
  return std::make_unique<ModelRows>(texts, reading, model);
}

}  // namespace bleuprint
