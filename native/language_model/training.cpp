// Modified Kneser-Ney smoothing (Chen and Goodman 1998), with the rules of KenLM's lmplz (Heafield et al. 2013)
// wherever the paper leaves a choice: counts of lower orders, sentence marks, unknown words, pruning.
#include <algorithm>
#include <array>
#include <cmath>

#include "language_model/language_model.hpp"
#include "pool/pool.hpp"

namespace bleuprint {

namespace {

constexpr uint32_t none = UINT32_MAX;
constexpr float zero_log = -99;  // what stands for the logarithm of nothing
constexpr size_t poll_every = 1 << 16;

// The different n-grams of one order, sorted by (first words, last word).
struct Counted {
  std::vector<uint32_t> first_children;  // of the n-grams of the order below, and one more
  std::vector<uint32_t> words;           // the last one of each
  std::vector<uint32_t> occurrences;
  std::vector<uint32_t> endings;  // which n-gram of the order below it is without its first word
};

using Discounts = std::array<double, 4>;  // by count: 0, 1, 2, 3 and more

class Trainer {
 public:
  // `numbers` are the model's for the words of the pool.
  Trainer(const Pool& pool, const std::vector<uint32_t>& numbers, size_t words, const TrainingOptions& options,
          const Run& run)
      : options_(options), run_(run), words_(static_cast<uint32_t>(words)) {
    lay_out(pool, numbers);
    sort_by_word();
  }

  std::vector<ModelLevel> levels() {
    std::vector<Counted> counted;
    counted.push_back(count_words());
    while (counted.size() < options_.order) counted.push_back(extend(counted.back()));
    std::vector<ModelLevel> levels;
    std::vector<double> lower = estimate_words(counted, levels);
    for (size_t level = 1; level < options_.order; ++level) lower = estimate(counted, level, lower, levels);
    return levels;
  }

 private:
  void poll(size_t step) const {
    if (step % poll_every == 0) run_.poll();
  }

  // All sentences in a row, each between its marks.
  void lay_out(const Pool& pool, const std::vector<uint32_t>& numbers) {
    const uint64_t size = pool.tokens() + 2 * uint64_t{pool.texts()};
    if (size >= none) throw std::length_error("a model is trained on at most 2^32 - 2 tokens");
    tokens_.reserve(size);
    for (size_t text = 0; text < pool.texts(); ++text) {
      poll(text);
      tokens_.push_back(LanguageModel::begin);
      for (uint64_t i = pool.offsets()[text]; i < pool.offsets()[text + 1]; ++i) {
        const uint32_t word = numbers[pool.ids()[i]];
        if (word > LanguageModel::end) {
          tokens_.push_back(word);
        } else if (!options_.skip_marks) {
          throw ModelFault(std::string(pool.vocabulary().text(pool.ids()[i])), text + 1);
        }
      }
      tokens_.push_back(LanguageModel::end);
    }
  }

  void sort_by_word() {
    std::vector<uint32_t> ends(words_ + size_t{1}, 0);
    for (const uint32_t word : tokens_) ++ends[word + 1];
    for (size_t word = 0; word < words_; ++word) ends[word + 1] += ends[word];
    sorted_.resize(tokens_.size());
    for (uint32_t position = 0; position < tokens_.size(); ++position) {
      poll(position);
      sorted_[ends[tokens_[position]]++] = position;
    }
  }

  Counted count_words() {
    Counted counted;
    counted.occurrences.assign(words_, 0);
    for (const uint32_t word : tokens_) ++counted.occurrences[word];
    counted.occurrences[LanguageModel::begin] = 0;  // it is given, never predicted
    starting_ = tokens_;
    return counted;
  }

  bool goes_on(uint32_t start, size_t length) const {
    return starting_[start] != none && tokens_[start + length - 1] != LanguageModel::end;
  }

  // N-grams one word longer than those that start at each position. Positions come sorted by word, so a stable sort
  // by the shorter n-gram brings equal n-grams together: linear, and without any hash.
  Counted extend(const Counted& shorter) {
    const size_t length = ++length_, parents = shorter.occurrences.size();
    Counted counted;
    std::vector<uint32_t>& first = counted.first_children;
    first.assign(parents + 1, 0);
    std::vector<uint32_t> next(tokens_.size(), none), order(tokens_.size());
    std::vector<uint32_t> places(parents + 1, 0);
    for (uint32_t start = 0; start < tokens_.size(); ++start) {
      poll(start);
      if (goes_on(start, length - 1)) ++places[starting_[start] + 1];
    }
    for (size_t parent = 0; parent < parents; ++parent) places[parent + 1] += places[parent];
    const uint32_t all = places[parents];
    for (size_t i = 0; i < sorted_.size(); ++i) {
      poll(i);
      if (sorted_[i] + 1 < length) continue;
      const uint32_t start = static_cast<uint32_t>(sorted_[i] + 1 - length);
      if (goes_on(start, length - 1)) order[places[starting_[start]]++] = start;
    }
    uint32_t before = none;
    for (uint32_t i = 0; i < all; ++i) {
      poll(i);
      const uint32_t start = order[i], word = tokens_[start + length - 1];
      if (before == none || starting_[start] != starting_[before] || word != counted.words.back()) {
        counted.words.push_back(word);
        counted.occurrences.push_back(0);
        counted.endings.push_back(starting_[start + 1]);
        ++first[starting_[start] + 1];
      }
      ++counted.occurrences.back();
      next[start] = static_cast<uint32_t>(counted.words.size() - 1);
      before = start;
    }
    for (size_t parent = 0; parent < parents; ++parent) first[parent + 1] += first[parent];
    starting_.swap(next);
    return counted;
  }

  // Below the highest order an n-gram counts as often as there are different words before it. What begins with <s>
  // has none before it and counts as often as it occurs.
  std::vector<uint32_t> adjusted(const std::vector<Counted>& counted, size_t level) const {
    const std::vector<uint32_t>& occurrences = counted[level].occurrences;
    if (level + 1 == counted.size()) return occurrences;
    std::vector<uint32_t> counts(occurrences.size(), 0);
    for (const uint32_t ending : counted[level + 1].endings) ++counts[ending];
    for (size_t i = 0; i < counts.size() && level > 0; ++i) {
      if (counts[i] == 0) counts[i] = occurrences[i];
    }
    return counts;
  }

  // Equation 26 of the paper. An n-gram that will be pruned counts like any other.
  Discounts discounts_of(const std::vector<uint32_t>& counts, size_t level) const {
    std::array<double, 5> having{};
    for (const uint32_t count : counts) {
      if (count < having.size()) ++having[count];
    }
    Discounts discounts{};
    const double share = having[1] / (having[1] + 2 * having[2]);
    bool usable = true;
    for (size_t count = 1; count < discounts.size() && usable; ++count) {
      const double own = static_cast<double>(count);
      usable = having[count] > 0;
      if (!usable) break;
      discounts[count] = own - (own + 1) * share * having[count + 1] / having[count];
      usable = discounts[count] >= 0 && discounts[count] <= own;
    }
    if (usable) return discounts;
    if (options_.discounts.empty()) throw ModelFault("discounts", level + 1);
    std::copy(options_.discounts.begin(), options_.discounts.end(), discounts.begin() + 1);
    return discounts;
  }

  bool kept(const Counted& counted, size_t level, size_t node) const {
    return level == 0 || counted.occurrences[node] > options_.prune[level];
  }

  static float log_of(double value) {
    return value > 0 ? std::max(zero_log, std::min(0.0f, static_cast<float>(std::log10(value)))) : zero_log;
  }

  // Order 1 is mixed with the uniform distribution over all words, <unk> among them and <s> not.
  std::vector<double> estimate_words(const std::vector<Counted>& counted, std::vector<ModelLevel>& levels) const {
    const std::vector<uint32_t> counts = adjusted(counted, 0);
    const Discounts discounts = discounts_of(counts, 0);
    double total = 0, held_back = 0;
    for (const uint32_t count : counts) {
      total += count;
      held_back += discounts[std::min(count, 3u)];
    }
    std::vector<double> probabilities(words_);
    ModelLevel level;
    for (uint32_t word = 0; word < words_; ++word) {
      const double own = (counts[word] - discounts[std::min(counts[word], 3u)]) / total;
      probabilities[word] = word == LanguageModel::begin ? 1.0 : own + held_back / total / (words_ - 1);
      level.probabilities.push_back(log_of(probabilities[word]));
    }
    if (options_.order > 1) level.backoffs.assign(words_, 0.0f);
    levels.push_back(std::move(level));
    return probabilities;
  }

  // The kept n-grams of an order; what the pruned ones would have had goes to the order below with the discounts.
  std::vector<double> estimate(const std::vector<Counted>& counted, size_t level, const std::vector<double>& lower,
                               std::vector<ModelLevel>& levels) const {
    const Counted& own = counted[level];
    const std::vector<uint32_t> counts = adjusted(counted, level);
    const Discounts discounts = discounts_of(counts, level);
    std::vector<double> probabilities(counts.size(), 0.0);
    ModelLevel made;
    size_t kept_parent = 0;
    for (size_t parent = 0; parent + 1 < own.first_children.size(); ++parent) {
      poll(parent);
      if (!kept(counted[level - 1], level - 1, parent)) continue;
      const uint32_t from = own.first_children[parent], to = own.first_children[parent + 1];
      double total = 0, held_back = 0;
      for (uint32_t node = from; node < to; ++node) {
        total += counts[node];
        held_back += kept(own, level, node) ? discounts[std::min(counts[node], 3u)] : counts[node];
      }
      uint32_t children = 0;
      for (uint32_t node = from; node < to; ++node) {
        if (!kept(own, level, node)) continue;
        const double discounted = counts[node] - discounts[std::min(counts[node], 3u)];
        probabilities[node] = discounted / total + held_back / total * lower[own.endings[node]];
        made.words.push_back(own.words[node]);
        made.probabilities.push_back(log_of(probabilities[node]));
        ++children;
      }
      made.children.push_back(children);
      if (from < to) levels[level - 1].backoffs[kept_parent] = log_of(held_back / total);
      ++kept_parent;
    }
    if (level + 1 < options_.order) made.backoffs.assign(made.words.size(), 0.0f);
    levels.push_back(std::move(made));
    return probabilities;
  }

  const TrainingOptions& options_;
  const Run& run_;
  uint32_t words_;
  size_t length_ = 1;
  std::vector<uint32_t> tokens_;
  std::vector<uint32_t> sorted_;    // positions by word
  std::vector<uint32_t> starting_;  // the n-gram that starts at each position, where one does
};

}  // namespace

LanguageModel train_model(const Pool& pool, const TrainingOptions& options, uint64_t seed, const Run& run) {
  const Vocabulary& known = pool.vocabulary();
  Vocabulary vocabulary(seed);
  for (const char* const mark : {"<unk>", "<s>", "</s>"}) vocabulary.intern(mark);
  std::vector<uint32_t> numbers(known.size());
  for (uint32_t word = 0; word < known.size(); ++word) numbers[word] = vocabulary.intern(known.text(word));
  const std::vector<ModelLevel> levels = Trainer(pool, numbers, vocabulary.size(), options, run).levels();
  return LanguageModel(std::move(vocabulary), levels, run);
}

}  // namespace bleuprint
