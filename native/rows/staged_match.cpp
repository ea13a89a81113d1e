#include "rows/staged_match.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "rows/ngrams.hpp"
#include "tables/vocabulary_key.hpp"
#include "text/porter.hpp"
#include "text/utf8.hpp"

namespace bleuprint {

namespace {

constexpr uint32_t absent = SmallTable<TokenKey>::absent;
constexpr size_t unstemmed = 2;  // letters

// A number in a list of tokens is written with this byte in front, which no UTF-8 has.
bool is_number(std::string_view word) noexcept { return !word.empty() && word.front() == '\xFF'; }

size_t letters(std::string_view word) noexcept {
  return static_cast<size_t>(std::count_if(
      word.begin(), word.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

struct Match {
  int64_t matches = 0, chunks = 0, hypothesis = 0, reference = 0;

  // Rounded step by step as the definition has it: ties between references are decided by the rounded number.
  double score(const MatchScore& by) const noexcept {
    if (matches == 0) return 0.0;
    const double precision = static_cast<double>(matches) / static_cast<double>(hypothesis);
    const double recall = static_cast<double>(matches) / static_cast<double>(reference);
    const double mean = precision * recall / (by.recall_weight * precision + (1 - by.recall_weight) * recall);
    const double penalty =
        by.chunk_weight * std::pow(static_cast<double>(chunks) / static_cast<double>(matches), by.exponent);
    return (1 - penalty) * mean;
  }
};

// Words of one text that no stage has matched yet, in order.
struct Rest {
  std::vector<uint32_t> places;
  std::vector<std::string_view> words;
  std::string stems;
  Region region;  // where the words lie

  void begin(const Spans& all, const Region& where) {
    places.resize(all.size());
    words.assign(all.begin(), all.end());
    for (size_t i = 0; i < all.size(); ++i) places[i] = static_cast<uint32_t>(i);
    region = where;
  }
  size_t size() const noexcept { return places.size(); }

  void keep_unmatched(const std::vector<uint8_t>& matched) {
    size_t kept = 0;
    for (size_t i = 0; i < places.size(); ++i) {
      if (matched[i] != 0) continue;
      places[kept] = places[i];
      words[kept++] = words[i];
    }
    places.resize(kept);
    words.resize(kept);
  }
};

// Places of words by kind of word, of which the last free one is taken first.
class Stacks {
 public:
  void reset(size_t kinds, size_t places) {
    tops_.assign(kinds, absent);
    below_.resize(places);
  }
  void push(uint32_t kind, uint32_t place) noexcept {
    below_[place] = tops_[kind];
    tops_[kind] = place;
  }
  uint32_t top(uint32_t kind) const noexcept { return tops_[kind]; }
  void pop(uint32_t kind) noexcept { tops_[kind] = below_[tops_[kind]]; }

 private:
  std::vector<uint32_t> tops_, below_;
};

class StagedMatchRows : public RowCounter {
 public:
  StagedMatchRows(const Aligned& texts, const Reading& reading, const Stages& stages, const MatchScore& score,
                  uint64_t seed)
      : texts_(texts),
        hypothesis_reader_(reading, texts.cancel, texts.shared),
        reference_reader_(reading, texts.cancel, texts.shared),
        stages_(stages),
        score_(score),
        seed_(seed) {}

  void count(size_t segment, int64_t* row) override {
    const Spans& hypothesis = read(hypothesis_reader_, texts_.hypotheses, texts_.hypotheses.first_text(segment));
    const size_t first = texts_.references.first_text(segment);
    Match best;
    for (size_t text = first; text < texts_.references.last_text(segment); ++text) {
      const Match match = matched(hypothesis, read(reference_reader_, texts_.references, text));
      if (text == first || match.score(score_) > best.score(score_)) best = match;
    }
    row[0] += best.matches;
    row[1] += best.chunks;
    row[2] += best.hypothesis;
    row[3] += best.reference;
  }

 private:
  static const Spans& read(Reader& reader, const Texts& texts, size_t text) {
    const Spans& words = reader.read(texts, text);
    if (words.size() >= absent / 4) throw std::length_error("a segment has more than 2^30 words");
    return words;
  }

  // One segment may be a line of a hundred megabytes.
  void poll(size_t step) const {
    if ((step & 0xFFFF) == 0) texts_.cancel.poll();
  }

  TokenKey key(const Rest& rest, size_t i) const noexcept { return make_key(rest.words[i], rest.region, seed_); }

  Match matched(const Spans& hypothesis, const Spans& reference) {
    hypothesis_.begin(hypothesis, hypothesis_reader_.region());
    reference_.begin(reference, reference_reader_.region());
    partners_.assign(hypothesis.size(), absent);
    if (stages_.exact) match_equal();
    if (stages_.stem && unfinished()) {
      stem(hypothesis_);
      stem(reference_);
      match_equal();
    }
    if (stages_.synonyms != nullptr && unfinished()) match_synonyms();
    Match match = runs();
    match.hypothesis = static_cast<int64_t>(hypothesis.size());
    match.reference = static_cast<int64_t>(reference.size());
    return match;
  }

  bool unfinished() const noexcept { return hypothesis_.size() > 0 && reference_.size() > 0; }

  Match runs() const noexcept {
    Match match;
    uint32_t next = absent;  // the place that would go on with the run
    for (const uint32_t partner : partners_) {
      match.matches += partner != absent;
      match.chunks += partner != absent && partner != next;
      next = partner == absent ? absent : partner + 1;
    }
    return match;
  }

  void start_matching() {
    hypothesis_matched_.assign(hypothesis_.size(), 0);
    reference_matched_.assign(reference_.size(), 0);
  }
  void match(size_t word, uint32_t other) noexcept {
    partners_[hypothesis_.places[word]] = reference_.places[other];
    hypothesis_matched_[word] = reference_matched_[other] = 1;
  }
  void finish_matching() {
    hypothesis_.keep_unmatched(hypothesis_matched_);
    reference_.keep_unmatched(reference_matched_);
  }

  void match_equal() {
    number(hypothesis_, hypothesis_kinds_, kinds_);
    free_.reset(hypothesis_kinds_.size(), reference_.size());
    for (size_t i = 0; i < reference_.size(); ++i) {
      poll(i);
      const TokenKey word = key(reference_, i);
      const uint32_t kind = hypothesis_kinds_.find(word, hash(word, seed_));
      if (kind != absent) free_.push(kind, static_cast<uint32_t>(i));
    }
    start_matching();
    for (size_t i = hypothesis_.size(); i-- > 0;) {
      const uint32_t other = free_.top(kinds_[i]);
      if (other == absent) continue;
      free_.pop(kinds_[i]);
      match(i, other);
    }
    finish_matching();
  }

  void number(const Rest& rest, SmallTable<TokenKey>& table, std::vector<uint32_t>& kinds) {
    table.reset(rest.size());
    kinds.resize(rest.size());
    for (size_t i = 0; i < rest.size(); ++i) {
      poll(i);
      const TokenKey word = key(rest, i);
      kinds[i] = table.insert(word, hash(word, seed_));
    }
  }

  void stem(Rest& rest) {
    rest.stems.clear();
    ends_.clear();
    for (size_t i = 0; i < rest.size(); ++i) {
      poll(i);
      const std::string_view word = rest.words[i];
      const size_t begin = rest.stems.size();
      rest.stems.append(is_number(word) || stages_.lowered ? word : lower(word));
      if (!is_number(word) && letters(word) > unstemmed) {
        rest.stems.resize(begin + porter_stem(rest.stems.data() + begin, rest.stems.size() - begin));
      }
      ends_.push_back(rest.stems.size());
    }
    rest.region = {rest.stems.data(), rest.stems.size()};
    size_t begin = 0;
    for (size_t i = 0; i < rest.size(); ++i) {
      rest.words[i] = std::string_view(rest.stems).substr(begin, ends_[i] - begin);
      begin = ends_[i];
    }
  }

  std::string_view lower(std::string_view word) {
    lowercase(word, lowered_);
    return lowered_;
  }

  void match_synonyms() {
    number(reference_, reference_kinds_, kinds_);
    free_.reset(reference_kinds_.size(), reference_.size());
    for (size_t i = 0; i < reference_.size(); ++i) free_.push(kinds_[i], static_cast<uint32_t>(i));
    find_reference_words();
    number(hypothesis_, hypothesis_kinds_, kinds_);
    find_candidates();
    start_matching();
    for (size_t i = hypothesis_.size(); i-- > 0;) {
      poll(i);
      uint32_t best = absent, best_kind = absent;
      for (size_t c = candidate_ends_[kinds_[i]]; c < candidate_ends_[kinds_[i] + 1]; ++c) {
        const uint32_t other = free_.top(candidates_[c]);
        if (other == absent || (best != absent && other < best)) continue;
        best = other;
        best_kind = candidates_[c];
      }
      if (best == absent) continue;
      free_.pop(best_kind);
      match(i, best);
    }
    finish_matching();
  }

  // The kinds of words of the reference that the table has, by their numbers in the table.
  void find_reference_words() {
    known_.reset(reference_kinds_.size());
    kinds_known_.clear();
    known_bits_ = 0;
    uint32_t next = 0;  // kinds are numbered in order of first appearance
    for (size_t i = 0; i < reference_.size(); ++i) {
      if (kinds_[i] != next) continue;
      ++next;
      const uint32_t word = stages_.synonyms->find(reference_.words[i]);
      if (word == Synonyms::absent) continue;
      known_.insert(word, hash(uint64_t{word}, seed_));
      kinds_known_.push_back(kinds_[i]);
      known_bits_ |= bit(word);
    }
  }

  // Per kind of word of the text: the kinds of the reference that it may take.
  void find_candidates() {
    candidates_.clear();
    candidate_ends_.assign(1, 0);
    for (size_t i = 0; i < hypothesis_.size(); ++i) {
      poll(i);
      if (size_t{kinds_[i]} + 1 != candidate_ends_.size()) continue;
      const TokenKey word = key(hypothesis_, i);
      const uint32_t same = reference_kinds_.find(word, hash(word, seed_));
      if (same != absent) candidates_.push_back(same);
      if (known_bits_ != 0 && !is_number(hypothesis_.words[i])) add_synonyms(hypothesis_.words[i]);
      candidate_ends_.push_back(candidates_.size());
    }
  }

  void add_synonyms(std::string_view word) {
    const size_t begin = candidates_.size();
    stages_.synonyms->visit(stages_.lowered || stages_.stem ? word : lower(word), [&](uint32_t number) {
      if ((known_bits_ & bit(number)) == 0) return;
      const uint32_t found = known_.find(number, hash(uint64_t{number}, seed_));
      if (found != absent) candidates_.push_back(kinds_known_[found]);
    });
    std::sort(candidates_.begin() + begin, candidates_.end());
    candidates_.erase(std::unique(candidates_.begin() + begin, candidates_.end()), candidates_.end());
  }

  static uint64_t bit(uint32_t number) noexcept { return uint64_t{1} << (number & 63); }

  Aligned texts_;
  Reader hypothesis_reader_, reference_reader_;
  Stages stages_;
  MatchScore score_;
  uint64_t seed_;
  Rest hypothesis_, reference_;
  std::vector<uint32_t> partners_;  // per word of the text: the place in the reference
  std::vector<uint8_t> hypothesis_matched_, reference_matched_;
  SmallTable<TokenKey> hypothesis_kinds_, reference_kinds_;
  std::vector<uint32_t> kinds_;  // per word of the rest that was numbered last
  Stacks free_;
  SmallTable<uint64_t> known_;
  std::vector<uint32_t> kinds_known_;
  uint64_t known_bits_ = 0;  // most synonyms stand nowhere in the reference: one bit of each tells so
  std::vector<uint32_t> candidates_;
  std::vector<size_t> candidate_ends_, ends_;
  std::string lowered_;
};

}  // namespace

std::unique_ptr<RowCounter> staged_match_rows(const Aligned& texts, const Reading& reading, const Stages& stages,
                                              const MatchScore& score, uint64_t seed) {
  return std::make_unique<StagedMatchRows>(texts, reading, stages, score, seed);
}

}  // namespace bleuprint
