#include "rows/characters.hpp"

#include <algorithm>
#include <stdexcept>

#include "rows/character_ngrams.hpp"
#include "rows/row_values.hpp"
#include "text/utf8.hpp"

namespace bleuprint {

namespace {

bool is_ascii_punctuation(char character) noexcept {
  return (character >= '!' && character <= '/') || (character >= ':' && character <= '@') ||
         (character >= '[' && character <= '`') || (character >= '{' && character <= '~');
}

// Words between white space; one sign of ASCII punctuation at the end of a word, or else at its beginning, is a word
// of its own.
class WordSplitter {
 public:
  explicit WordSplitter(Cancel cancel) {
    tokens_.spans.cancel = cancel;
    words_.cancel = cancel;
  }
  const Spans& words() const noexcept { return words_; }
  const Spans& split(std::string_view text) {
    tokenize_whitespace(text, tokens_);
    words_.clear();
    for (const std::string_view word : tokens_.spans) {
      const size_t length = word.size();
      if (length > 1 && is_ascii_punctuation(word.back())) {
        words_.push_back(word.substr(0, length - 1));
        words_.push_back(word.substr(length - 1));
      } else if (length > 1 && is_ascii_punctuation(word.front())) {
        words_.push_back(word.substr(0, 1));
        words_.push_back(word.substr(1));
      } else {
        words_.push_back(word);
      }
    }
    return words_;
  }

 private:
  Tokens tokens_;
  Spans words_;
};

int64_t ngrams_of(int64_t length, size_t order) noexcept {
  return std::max<int64_t>(0, length - static_cast<int64_t>(order) + 1);
}

class CharacterRows : public RowCounter {
 public:
  CharacterRows(const Aligned& texts, const CharacterOptions& options, uint64_t seed)
      : texts_(texts),
        options_(options),
        characters_(options.character_order, options.keep_space, seed, texts.cancel),
        words_({options.word_order, LengthRule::closest, 0}, seed, texts.cancel),
        hypothesis_splitter_(texts.cancel),
        reference_splitter_(texts.cancel),
        matches_(options.character_order),
        clipped_(clip_columns(options.word_order)),
        current_(character_columns(options)),
        best_(current_.size()) {
    if (texts.hypotheses.tokenized || texts.references.tokenized) {
      throw std::invalid_argument("characters are counted of texts, not of tokens");
    }
  }

  void count(size_t segment, int64_t* row) override {
    const std::string_view hypothesis =
        read(texts_.hypotheses.pieces[texts_.hypotheses.first_text(segment)], hypothesis_lowered_);
    if (options_.character_order > 0) characters_.begin(hypothesis);
    if (options_.word_order > 0) hypothesis_splitter_.split(hypothesis);
    const size_t first = texts_.references.first_text(segment), last = texts_.references.last_text(segment);
    double best_score = -1;
    for (size_t text = first; text < last; ++text) {
      count_with(hypothesis, read(texts_.references.pieces[text], reference_lowered_));
      const double score = last - first == 1 ? 0 : f_score();
      if (score <= best_score) continue;
      best_score = score;
      best_.swap(current_);
    }
    for (size_t i = 0; i < best_.size(); ++i) row[i] += best_[i];
  }

 private:
  std::string_view read(std::string_view text, std::string& lowered) const {
    if (!options_.lowercase) return text;
    lowercase(text, lowered);
    return lowered;
  }

  void count_with(std::string_view hypothesis, std::string_view reference) {
    int64_t* out = current_.data();
    const auto put = [&out](int64_t hypothesis_length, int64_t reference_length, size_t order, int64_t matches) {
      const int64_t total = ngrams_of(reference_length, order);
      *out++ = total > 0 ? ngrams_of(hypothesis_length, order) : 0;
      *out++ = total;
      *out++ = matches;
    };
    if (options_.character_order > 0) {
      const int64_t length = characters_.match(reference, matches_.data());
      for (size_t order = 1; order <= options_.character_order; ++order) {
        put(characters_.length(), length, order, matches_[order - 1]);
      }
    }
    if (options_.word_order == 0) return;
    std::fill(clipped_.begin(), clipped_.end(), 0);
    words_.begin(hypothesis_splitter_.words(), {hypothesis.data(), hypothesis.size()});
    words_.add_reference(reference_splitter_.split(reference), {reference.data(), reference.size()});
    words_.finish(clipped_.data());
    for (size_t order = 1; order <= options_.word_order; ++order) {
      put(clipped_[0], clipped_[1], order, clipped_[1 + order]);
    }
  }

  // In percent: what ties there must tie here.
  double f_score() const noexcept {
    return mean_f({current_.size() / 3, options_.recall_factor, options_.mean_of_scores}, current_.data()).percent;
  }

  Aligned texts_;
  CharacterOptions options_;
  CharacterMatcher characters_;
  ClippedCounter words_;
  WordSplitter hypothesis_splitter_;
  WordSplitter reference_splitter_;
  std::string hypothesis_lowered_;
  std::string reference_lowered_;
  std::vector<int64_t> matches_;
  std::vector<int64_t> clipped_;
  std::vector<int64_t> current_;
  std::vector<int64_t> best_;
};

}  // namespace

std::unique_ptr<RowCounter> character_rows(const Aligned& texts, const CharacterOptions& options, uint64_t seed) {
  return std::make_unique<CharacterRows>(texts, options, seed);
}

}  // namespace bleuprint
