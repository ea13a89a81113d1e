#include "language_model/rows.hpp"

#include <algorithm>
#include <array>

namespace bleuprint {

namespace {

constexpr size_t at_once = 1 << 10;  // words; what is known about so many stays in the cache

class ModelRows : public RowCounter {
 public:
  ModelRows(const Aligned& texts, const Reading& reading, const LanguageModel& model)
      : texts_(texts.hypotheses), cancel_(texts.cancel), reader_(reading, texts.cancel), model_(model) {}

  void count(size_t segment, int64_t* row) override {
    const Spans& tokens = reader_.read(texts_, texts_.first_text(segment));
    LanguageModel::Context context = LanguageModel::sentence_begin();
    int64_t sum = 0, unknown = 0, unknown_sum = 0;
    // The end of the sentence is one more word.
    for (size_t begin = 0; begin <= tokens.size(); begin += at_once) {
      cancel_.poll();
      const size_t texts = std::min(at_once, tokens.size() - begin);
      const bool is_last = texts < at_once;
      model_.find_words(tokens.begin() + begin, texts, words_.data());
      if (is_last) words_[texts] = LanguageModel::end;
      model_.advance(context, words_.data(), texts + is_last, steps_.data(), scratch_);
      for (size_t i = 0; i < texts + is_last; ++i) {
        const int64_t value = rounded(steps_[i].log_probability);
        sum += value;
        if (words_[i] != LanguageModel::unknown) continue;
        ++unknown;
        unknown_sum += value;
      }
    }
    row[0] += sum;
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
  Cancel cancel_;
  Reader reader_;
  const LanguageModel& model_;
  std::array<uint32_t, at_once> words_{};
  std::array<LanguageModel::Step, at_once> steps_{};
  LanguageModel::Scratch scratch_;
};

}  // namespace

std::unique_ptr<RowCounter> model_rows(const Aligned& texts, const Reading& reading, const LanguageModel& model) {
  return std::make_unique<ModelRows>(texts, reading, model);
}

}  // namespace bleuprint
