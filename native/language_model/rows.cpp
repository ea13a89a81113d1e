#include "language_model/rows.hpp"

namespace bleuprint {

namespace {

constexpr size_t poll_every = 1 << 14;

class ModelRows : public RowCounter {
 public:
  ModelRows(const Aligned& texts, const Reading& reading, const LanguageModel& model)
      : texts_(texts.hypotheses), cancel_(texts.cancel), reader_(reading, texts.cancel), model_(model) {}

  void count(size_t segment, int64_t* row) override {
    const Spans& tokens = reader_.read(texts_, texts_.first_text(segment));
    uint32_t context = model_.context_of_sentence();
    int64_t sum = 0, unknown = 0, unknown_sum = 0;
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (i % poll_every == 0 && cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) throw Cancelled{};
      const uint32_t word = model_.word(tokens[i]);
      const int64_t value = rounded(model_.advance(&context, word));
      sum += value;
      if (word == LanguageModel::unknown) {
        ++unknown;
        unknown_sum += value;
      }
    }
    row[0] += sum + rounded(model_.advance(&context, LanguageModel::end));
    row[1] += static_cast<int64_t>(tokens.size()) + 1;
    row[2] += unknown;
    row[3] += unknown_sum;
  }

 private:
  static int64_t rounded(const LanguageModel::Step& step) {
    return std::llround(std::ldexp(step.log_probability, log_probability_bits));
  }

  const Texts& texts_;
  const std::atomic<bool>* cancel_;
  Reader reader_;
  const LanguageModel& model_;
};

}  // namespace

std::unique_ptr<RowCounter> model_rows(const Aligned& texts, const Reading& reading, const LanguageModel& model) {
  return std::make_unique<ModelRows>(texts, reading, model);
}

}  // namespace bleuprint
