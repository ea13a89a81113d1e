// The ARPA format: log10 probability, words, log10 back-off, one n-gram a line, one section an order.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "language_model/language_model.hpp"
#include "text/utf8.hpp"

namespace bleuprint {

namespace {

constexpr float missing_unknown_log = -100;  // what KenLM gives to <unk> where a file has none
constexpr float zero_log = -99;
constexpr uint32_t poll_every = 1 << 14;

bool is_utf8(std::string_view text) {
  for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
    const Decoded decoded = decode(at, end);
    if (decoded.value >= 0xD800 && decoded.value <= 0xDFFF) return false;
    at += decoded.length;
  }
  return true;
}

// A decimal number, the same in every locale. Eighteen digits are more than a float has.
bool parse_number(std::string_view text, double* number) {
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  if (text == "inf" || text == "Inf" || text == "infinity") {
    *number = negative ? -HUGE_VAL : HUGE_VAL;
    return true;
  }
  uint64_t mantissa = 0;
  int exponent = 0, digits = 0;
  size_t at = 0;
  bool point = false;
  for (; at < text.size() && ((text[at] >= '0' && text[at] <= '9') || (text[at] == '.' && !point)); ++at) {
    if (text[at] == '.') {
      point = true;
      continue;
    }
    ++digits;
    const bool room = mantissa < 100'000'000'000'000'000;
    if (room) mantissa = mantissa * 10 + static_cast<uint64_t>(text[at] - '0');
    exponent += (room ? 0 : 1) - (point ? 1 : 0);
  }
  if (digits == 0 || digits > 1000) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::string_view rest = text.substr(at + 1);
    const bool minus = !rest.empty() && rest.front() == '-';
    const std::string_view power = rest.substr(!rest.empty() && (minus || rest.front() == '+'));
    if (power.empty() || power.size() > 4) return false;
    int value = 0;
    for (const char digit : power) {
      if (digit < '0' || digit > '9') return false;
      value = value * 10 + (digit - '0');
    }
    exponent += minus ? -value : value;
    at = text.size();
  }
  if (at != text.size()) return false;
  const double size = mantissa == 0    ? 0.0
                      : exponent < -22 ? static_cast<double>(mantissa) * std::pow(10.0, exponent)
                      : exponent < 0   ? static_cast<double>(mantissa) / std::pow(10.0, -exponent)
                                       : static_cast<double>(mantissa) * std::pow(10.0, exponent);
  *number = negative ? -size : size;
  return true;
}

std::string quoted(std::string_view text) {
  if (!is_utf8(text)) return "bytes that are not UTF-8";
  std::string shown = "'";
  for (const char byte : text.substr(0, 60)) shown += static_cast<unsigned char>(byte) < 0x20 ? '?' : byte;
  while (!is_utf8(shown)) shown.pop_back();
  return shown + (text.size() > 60 ? "…'" : "'");
}

class Lines {
 public:
  explicit Lines(std::string_view content) : rest_(content) {}

  bool next(std::string_view* line) {
    if (rest_.empty()) return false;
    const size_t end = std::min(rest_.find('\n'), rest_.size());
    *line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number;
    while (!line->empty() && (line->back() == '\r' || line->back() == ' ' || line->back() == '\t')) {
      line->remove_suffix(1);
    }
    return true;
  }
  bool next_filled(std::string_view* line) {
    while (next(line)) {
      if (!line->empty()) return true;
    }
    return false;
  }
  [[noreturn]] void fail(const std::string& problem) const { throw ModelFault(problem, number); }

  uint64_t number = 0;

 private:
  std::string_view rest_;
};

void split(std::string_view line, std::vector<std::string_view>* fields) {
  fields->clear();
  for (size_t at = 0; at < line.size();) {
    const size_t begin = line.find_first_not_of(" \t", at);
    if (begin == std::string_view::npos) return;
    at = std::min(line.find_first_of(" \t", begin), line.size());
    fields->push_back(line.substr(begin, at - begin));
  }
}

// The n-grams of one section as the file has them.
struct Section {
  uint64_t first_line = 0;
  std::vector<uint32_t> words;  // `order` for each
  std::vector<float> probabilities;
  std::vector<float> backoffs;
};

class ArpaReader {
 public:
  ArpaReader(std::string_view content, uint64_t seed, const Run& run) : lines_(content), run_(run), vocabulary_(seed) {
    for (const char* const mark : {"<unk>", "<s>", "</s>"}) vocabulary_.intern(mark);
  }

  LanguageModel read() {
    read_counts();
    for (size_t order = 1; order <= counts_.size(); ++order) read_section(order);
    if (line_ != "\\end\\") lines_.fail("\\end\\ must follow the last section, got " + quoted(line_));
    if (lines_.next_filled(&line_)) lines_.fail("nothing may follow \\end\\, got " + quoted(line_));
    std::vector<ModelLevel> levels = build();
    return LanguageModel(std::move(vocabulary_), levels, run_);
  }

 private:
  void require_line(const char* expected) {
    if (!lines_.next_filled(&line_)) lines_.fail(std::string("the file ends where ") + expected + " is expected");
  }

  void read_counts() {
    do {
      require_line("\\data\\");
    } while (line_ != "\\data\\");
    for (require_line("'ngram 1=' and a number"); line_.substr(0, 5) == "ngram"; require_line("\\1-grams:")) {
      const size_t equals = line_.find('=');
      double order = 0, count = 0;
      const bool read = equals != std::string_view::npos && parse_number(trim(line_.substr(5, equals - 5)), &order) &&
                        parse_number(trim(line_.substr(equals + 1)), &count);
      if (!read || order != static_cast<double>(counts_.size() + 1) || !(count >= 0 && count < 4e9)) {
        lines_.fail("expected 'ngram " + std::to_string(counts_.size() + 1) + "=' and a number, got " + quoted(line_));
      }
      counts_.push_back(static_cast<uint64_t>(count));
      if (counts_.size() > largest_model_order) {
        lines_.fail("models of order 1 to " + std::to_string(largest_model_order) + " can be read, this one is larger");
      }
    }
    if (counts_.empty()) lines_.fail("expected 'ngram 1=' and a number, got " + quoted(line_));
  }

  void read_section(size_t order) {
    const std::string heading = "\\" + std::to_string(order) + "-grams:";
    if (line_ != heading) lines_.fail("expected " + heading + ", got " + quoted(line_));
    sections_.emplace_back();
    Section& section = sections_.back();
    while (true) {
      if (!lines_.next(&line_)) lines_.fail("the file ends inside the section " + heading);
      if (section.probabilities.empty() && line_.empty()) continue;
      if (line_.empty() || line_.front() == '\\') break;
      if (section.probabilities.empty()) section.first_line = lines_.number;
      if (section.probabilities.size() == counts_[order - 1]) {
        lines_.fail("there are more " + std::to_string(order) + "-grams than the " +
                    std::to_string(counts_[order - 1]) + " that \\data\\ announces");
      }
      if (lines_.number % poll_every == 0) run_.poll();
      read_ngram(order, section);
    }
    if (section.probabilities.size() != counts_[order - 1]) {
      lines_.fail("there are " + std::to_string(section.probabilities.size()) + " " + std::to_string(order) +
                  "-grams where \\data\\ announces " + std::to_string(counts_[order - 1]));
    }
    if (line_.empty()) require_line("\\end\\");
    if (order == 1) finish_words(section);
  }

  void read_ngram(size_t order, Section& section) {
    split(line_, &fields_);
    if (fields_.size() != order + 1 && fields_.size() != order + 2) {
      lines_.fail("expected a log10 probability, " + std::to_string(order) + (order == 1 ? " word" : " words") +
                  " and perhaps a back-off, got " + quoted(line_));
    }
    double probability = 0, backoff = 0;
    if (!parse_number(fields_[0], &probability)) lines_.fail(quoted(fields_[0]) + " is no number");
    if (fields_.size() == order + 2 && !parse_number(fields_.back(), &backoff)) {
      lines_.fail(quoted(fields_.back()) + " is no number");
    }
    if (probability > 0) lines_.fail("a log10 probability is at most 0, got " + quoted(fields_[0]));
    if (order == counts_.size() && backoff != 0) lines_.fail("an n-gram of the highest order has no back-off");
    for (size_t i = 1; i <= order; ++i) section.words.push_back(word_number(fields_[i], order == 1));
    section.probabilities.push_back(checked(probability));
    if (order < counts_.size()) section.backoffs.push_back(checked(backoff));
  }

  float checked(double value) const {
    if (value == -HUGE_VAL) return zero_log;
    if (!(std::fabs(value) <= static_cast<double>(largest_model_log))) {
      lines_.fail("log10 values lie between -100 and 100, one of " + quoted(line_) + " does not");
    }
    return static_cast<float>(value);
  }

  uint32_t word_number(std::string_view word, bool listing) {
    if (word == "<UNK>") word = "<unk>";
    if (!listing) {
      const uint32_t found = vocabulary_.find(word);
      if (found == Vocabulary::absent) lines_.fail(quoted(word) + " is not among the 1-grams");
      return found;
    }
    if (!is_utf8(word)) lines_.fail("a word is not valid UTF-8; convert the file: iconv -f … -t UTF-8");
    const uint32_t number = vocabulary_.intern(word);
    if (listed_.size() <= number) listed_.resize(number + size_t{1});
    if (listed_[number]) lines_.fail("the 1-gram " + quoted(word) + " is there twice");
    listed_[number] = true;
    return number;
  }

  // Words in the order of their numbers, marks first.
  void finish_words(Section& section) {
    listed_.resize(vocabulary_.size());
    for (const uint32_t mark : {LanguageModel::begin, LanguageModel::end}) {
      if (!listed_[mark]) throw ModelFault("there is no 1-gram " + std::string(vocabulary_.text(mark)));
    }
    Section sorted;
    sorted.probabilities.assign(vocabulary_.size(), missing_unknown_log);
    if (counts_.size() > 1) sorted.backoffs.assign(vocabulary_.size(), 0.0f);
    for (size_t i = 0; i < section.words.size(); ++i) {
      sorted.probabilities[section.words[i]] = section.probabilities[i];
      if (counts_.size() > 1) sorted.backoffs[section.words[i]] = section.backoffs[i];
    }
    section = std::move(sorted);
  }

  // Numbers of the n-grams sorted by their words: a stable counting sort for each place, the last one first.
  std::vector<uint32_t> sorted(const Section& section, size_t order) const {
    std::vector<uint32_t> numbers(section.probabilities.size()), other(numbers.size());
    for (uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    for (size_t place = order; place-- > 0;) {
      run_.poll();
      std::vector<uint32_t> ends(vocabulary_.size() + 1, 0);
      for (const uint32_t i : numbers) ++ends[section.words[i * order + place] + 1];
      for (size_t word = 0; word < vocabulary_.size(); ++word) ends[word + 1] += ends[word];
      for (const uint32_t i : numbers) other[ends[section.words[i * order + place]]++] = i;
      numbers.swap(other);
    }
    return numbers;
  }

  // Sorts a section and adds, as blanks, the contexts that the section above needs and this one has not got.
  Section completed(const Section& section, size_t order, const std::vector<uint32_t>& needed) const {
    Section whole;
    size_t next = 0;  // in `needed`: the words of the contexts, sorted
    const auto add = [&](const uint32_t* words, float probability, float backoff) {
      whole.words.insert(whole.words.end(), words, words + order);
      whole.probabilities.push_back(probability);
      if (order < counts_.size()) whole.backoffs.push_back(backoff);
    };
    const auto add_needed = [&](const uint32_t* before) {
      while (next < needed.size()) {
        const uint32_t* const words = needed.data() + next;
        if (before != nullptr && !std::lexicographical_compare(words, words + order, before, before + order)) {
          if (std::equal(words, words + order, before)) next += order;
          return;
        }
        add(words, NAN, 0.0f);
        next += order;
      }
    };
    for (const uint32_t i : sorted(section, order)) {
      const uint32_t* const words = section.words.data() + size_t{i} * order;
      add_needed(words);
      if (!whole.words.empty() && std::equal(words, words + order, whole.words.end() - static_cast<ptrdiff_t>(order))) {
        throw ModelFault("this " + std::to_string(order) + "-gram is there twice", section.first_line + i);
      }
      add(words, section.probabilities[i], order < counts_.size() ? section.backoffs[i] : 0.0f);
    }
    add_needed(nullptr);
    return whole;
  }

  std::vector<ModelLevel> build() {
    std::vector<ModelLevel> levels(counts_.size());
    std::vector<uint32_t> contexts, children;  // of the section above: what its n-grams continue, how many each
    for (size_t order = counts_.size(); order > 1; --order) {
      const Section whole = completed(sections_[order - 1], order, contexts);
      sections_[order - 1] = {};
      place_children(levels, order, whole.words, contexts, children);
      contexts.clear();
      children.clear();
      for (size_t i = 0; i < whole.probabilities.size(); ++i) {
        const uint32_t* const words = whole.words.data() + i * order;
        const bool again = !contexts.empty() &&
                           std::equal(words, words + order - 1, contexts.end() - static_cast<ptrdiff_t>(order - 1));
        if (!again) {
          contexts.insert(contexts.end(), words, words + order - 1);
          children.push_back(0);
        }
        ++children.back();
        levels[order - 1].words.push_back(words[order - 1]);
      }
      levels[order - 1].probabilities = whole.probabilities;
      levels[order - 1].backoffs = whole.backoffs;
    }
    levels[0].probabilities = sections_[0].probabilities;
    levels[0].backoffs = sections_[0].backoffs;
    std::vector<uint32_t> words(vocabulary_.size());
    for (uint32_t word = 0; word < words.size(); ++word) words[word] = word;
    place_children(levels, 1, words, contexts, children);
    return levels;
  }

  // Tells every n-gram of an order how many children it has; each of the contexts is one of them.
  void place_children(std::vector<ModelLevel>& levels, size_t order, const std::vector<uint32_t>& words,
                      const std::vector<uint32_t>& contexts, const std::vector<uint32_t>& children) const {
    if (order == counts_.size()) return;
    size_t next = 0;
    for (size_t at = 0; at < words.size(); at += order) {
      const bool here = next < children.size() &&
                        std::equal(words.data() + at, words.data() + at + order, contexts.data() + next * order);
      levels[order].children.push_back(here ? children[next++] : 0);
    }
  }

  Lines lines_;
  const Run& run_;
  Vocabulary vocabulary_;
  std::vector<uint64_t> counts_;
  std::vector<Section> sections_;
  std::vector<bool> listed_;
  std::string_view line_;
  std::vector<std::string_view> fields_;
};

}  // namespace

LanguageModel read_arpa(std::string_view content, uint64_t seed, const Run& run) {
  return ArpaReader(content, seed, run).read();
}

}  // namespace bleuprint
