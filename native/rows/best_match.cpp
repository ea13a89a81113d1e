#include "rows/best_match.hpp"

#include <algorithm>
#include <stdexcept>

#include "rows/ngrams.hpp"
#include "rows/places.hpp"
#include "rows/subsequence.hpp"

namespace bleuprint {

namespace {

constexpr uint32_t absent = Subsequence::absent;

struct Match {
  int64_t matches = 0, hypothesis = 0, reference = 0;

  // Rounded step by step as the definition has it: ties between references are decided by the rounded number.
  double f_measure() const noexcept {
    if (matches == 0) return 0.0;
    const double precision = static_cast<double>(matches) / static_cast<double>(hypothesis);
    const double recall = static_cast<double>(matches) / static_cast<double>(reference);
    return 2 * precision * recall / (precision + recall);
  }
};

int64_t ngrams_in(size_t words, size_t order) noexcept {
  return words < order ? 0 : static_cast<int64_t>(words - order + 1);
}

class BestMatchRows : public RowCounter {
 public:
  BestMatchRows(const Aligned& texts, const WordReading& reading, std::vector<Measure> measures, uint64_t seed)
      : texts_(texts),
        hypothesis_reader_(reading, texts.cancel),
        reference_reader_(reading, texts.cancel),
        measures_(std::move(measures)),
        seed_(seed),
        whole_(texts.cancel),
        line_(texts.cancel) {
    for (const Measure& measure : measures_) {
      if (measure.kind == Measure::Kind::ngrams) orders_ = std::max(orders_, measure.order);
    }
    grams_.resize(std::max<size_t>(1, orders_));
    ngram_matches_.resize(orders_ + 1);
    best_.resize(measures_.size());
  }

  void count(size_t segment, int64_t* row) override {
    read_hypothesis(texts_.hypotheses.first_text(segment));
    const size_t first = texts_.references.first_text(segment);
    for (size_t text = first; text < texts_.references.last_text(segment); ++text) {
      read_reference(text);
      count_ngrams();
      for (size_t i = 0; i < measures_.size(); ++i) {
        const Match match = by(measures_[i]);
        if (text == first || match.f_measure() > best_[i].f_measure()) best_[i] = match;
      }
    }
    for (const Match& match : best_) {
      *row++ += match.matches;
      *row++ += match.hypothesis;
      *row++ += match.reference;
    }
  }

 private:
  // The n-grams of the hypothesis of one order: how often each occurs. An n-gram is the pair of its first and its last
  // n - 1 words, both ids of the order before.
  struct Order {
    SmallTable<uint64_t> pairs;
    std::vector<uint32_t> available;
  };

  static void check_length(size_t words) {
    if (words >= absent / 4) throw std::length_error("a segment has more than 2^30 words");
  }

  void read_hypothesis(size_t text) {
    hypothesis_reader_.read(texts_.hypotheses, text);
    const Spans& words = hypothesis_reader_.words();
    check_length(words.size());
    words_.reset(words.size());
    hypothesis_.resize(words.size());
    for (size_t i = 0; i < words.size(); ++i) {
      const TokenKey key = make_key(words[i], hypothesis_reader_.region(), seed_);
      hypothesis_[i] = words_.insert(key, hash(key, seed_));
    }
    whole_.set_columns(hypothesis_.data(), hypothesis_.size(), words_.size());
    if (whole_.places() == nullptr) find_ngrams();
  }

  void count_words() {
    std::vector<uint32_t>& available = grams_[0].available;
    available.assign(words_.size(), 0);
    for (const uint32_t id : hypothesis_) ++available[id];
  }

  void find_ngrams() {
    count_words();
    ids_ = hypothesis_;
    for (size_t order = 2; order <= orders_ && ids_.size() > 1; ++order) {
      Order& grams = grams_[order - 1];
      const size_t count = ids_.size() - 1;
      grams.pairs.reset(count);
      grams.available.assign(count, 0);
      for (size_t i = 0; i < count; ++i) {
        const uint64_t key = uint64_t{ids_[i]} << 32 | ids_[i + 1];
        ids_[i] = grams.pairs.insert(key, hash(key, seed_));
        ++grams.available[ids_[i]];
      }
      ids_.pop_back();
    }
  }

  void read_reference(size_t text) {
    reference_reader_.read(texts_.references, text);
    const Spans& words = reference_reader_.words();
    check_length(words.size());
    reference_.resize(words.size());
    for (size_t i = 0; i < words.size(); ++i) {
      const TokenKey key = make_key(words[i], reference_reader_.region(), seed_);
      reference_[i] = words_.find(key, hash(key, seed_));
    }
  }

  int64_t clipped(const std::vector<uint32_t>& available) {
    seen_.assign(available.size(), 0);
    int64_t matches = 0;
    for (const uint32_t id : ids_) {
      if (id != absent) matches += ++seen_[id] <= available[id];
    }
    return matches;
  }

  void count_ngrams_by_place(const uint64_t* places) {
    const size_t count = reference_.size();
    places_.resize(count + orders_);
    for (size_t i = 0; i < count; ++i) places_[i] = reference_[i] == absent ? 0 : places[reference_[i]];
    std::fill_n(places_.begin() + static_cast<std::ptrdiff_t>(count), orders_, 0);
    taken_.assign(orders_, 0);
    take_places(places_.data(), count, orders_, taken_.data());
    for (size_t i = 0; i < orders_; ++i) ngram_matches_[i + 1] = count_bits(taken_[i]);
  }

  void count_ngrams() {
    std::fill(ngram_matches_.begin(), ngram_matches_.end(), 0);
    if (orders_ == 0) return;
    if (whole_.places() != nullptr) return count_ngrams_by_place(whole_.places());
    ids_ = reference_;
    ngram_matches_[1] = clipped(grams_[0].available);
    for (size_t order = 2; order <= orders_ && ngram_matches_[order - 1] > 0; ++order) {
      if (hypothesis_.size() < order || ids_.empty()) return;
      SmallTable<uint64_t>& pairs = grams_[order - 1].pairs;
      for (size_t i = 0; i + 1 < ids_.size(); ++i) {
        const bool known = ids_[i] != absent && ids_[i + 1] != absent;
        const uint64_t key = uint64_t{ids_[i]} << 32 | ids_[i + 1];
        ids_[i] = known ? pairs.find(key, hash(key, seed_)) : absent;
      }
      ids_.pop_back();
      ngram_matches_[order] = clipped(grams_[order - 1].available);
    }
  }

  Match by(const Measure& measure) {
    const size_t hypothesis = hypothesis_.size(), reference = reference_.size();
    if (measure.kind == Measure::Kind::ngrams) {
      return {ngram_matches_[measure.order], ngrams_in(hypothesis, measure.order), ngrams_in(reference, measure.order)};
    }
    const int64_t matches = measure.kind == Measure::Kind::subsequence ? common_length() : common_by_lines();
    return {matches, static_cast<int64_t>(hypothesis), static_cast<int64_t>(reference)};
  }

  int64_t common_length() { return static_cast<int64_t>(whole_.length(reference_.data(), reference_.size())); }

  int64_t common_by_lines() {
    const std::vector<size_t>& columns = hypothesis_reader_.line_ends();
    const std::vector<size_t>& rows = reference_reader_.line_ends();
    // One subsequence has no word more often than either text, so nothing is clipped.
    if (columns.size() == 1 && rows.size() == 1) return common_length();
    marks_.assign(reference_.size(), 0);
    size_t column = 0;
    for (const size_t column_end : columns) {
      line_.set_columns(hypothesis_.data() + column, column_end - column, words_.size());
      size_t row = 0;
      for (const size_t row_end : rows) {
        line_.mark(reference_.data() + row, row_end - row, marks_.data() + row);
        row = row_end;
      }
      column = column_end;
    }
    // No word is marked more often than it stands in the reference, so the hypothesis alone clips.
    count_words();
    const std::vector<uint32_t>& available = grams_[0].available;
    seen_.assign(available.size(), 0);
    int64_t matches = 0;
    for (size_t i = 0; i < reference_.size(); ++i) {
      if (marks_[i] != 0) matches += ++seen_[reference_[i]] <= available[reference_[i]];
    }
    return matches;
  }

  Aligned texts_;
  LineWords hypothesis_reader_;
  LineWords reference_reader_;
  std::vector<Measure> measures_;
  uint64_t seed_;
  size_t orders_ = 0;
  SmallTable<TokenKey> words_;
  std::vector<Order> grams_;                      // by order - 1; words have no pairs
  std::vector<uint32_t> hypothesis_, reference_;  // ids of words; absent where the hypothesis has not got the word
  std::vector<uint64_t> places_;                  // per word of the reference: where it stands in the hypothesis
  std::vector<uint64_t> taken_;                   // per order: where a match begins in the hypothesis
  std::vector<uint32_t> ids_;                     // n-grams of the order at hand
  std::vector<uint32_t> seen_;
  std::vector<int64_t> ngram_matches_;  // by order
  Subsequence whole_, line_;
  std::vector<uint8_t> marks_;
  std::vector<Match> best_;
};

}  // namespace

std::unique_ptr<RowCounter> best_match_rows(const Aligned& texts, const WordReading& reading,
                                            std::vector<Measure> measures, uint64_t seed) {
  return std::make_unique<BestMatchRows>(texts, reading, std::move(measures), seed);
}

}  // namespace bleuprint
