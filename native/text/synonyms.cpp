#include "text/synonyms.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace bleuprint {

namespace {

struct Rule {
  size_t part;
  std::string_view suffix, replacement;
};

// The detachment rules of WordNet's morphology: nouns, verbs, adjectives; adverbs have none. Miller et al. (1990).
constexpr Rule rules[] = {
    {0, "s", ""},      {0, "ses", "s"},   {0, "ves", "f"}, {0, "xes", "x"}, {0, "zes", "z"}, {0, "ches", "ch"},
    {0, "shes", "sh"}, {0, "men", "man"}, {0, "ies", "y"}, {1, "s", ""},    {1, "ies", "y"}, {1, "es", "e"},
    {1, "es", ""},     {1, "ed", "e"},    {1, "ed", ""},   {1, "ing", "e"}, {1, "ing", ""},  {2, "er", ""},
    {2, "est", ""},    {2, "er", "e"},    {2, "est", "e"},
};
constexpr char only_looked_up = '\x01', only_synonym = '\x02';

std::string lowered_ascii(std::string_view word) {
  std::string lower(word);
  for (char& byte : lower) {
    if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
  }
  return lower;
}

std::string_view next_line(std::string_view& text) {
  const size_t end = text.find('\n');
  if (end == std::string_view::npos) throw std::invalid_argument("the table of synonyms ends too early");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

template <typename Visit>
void for_each_word(std::string_view line, Visit visit) {
  while (!line.empty()) {
    const size_t end = std::min(line.find(' '), line.size());
    if (end > 0) visit(line.substr(0, end));
    line.remove_prefix(std::min(line.size(), end + 1));
  }
}

}  // namespace

void Synonyms::Lists::fill(size_t lists, std::vector<std::pair<uint64_t, uint32_t>>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  begins.assign(lists + 1, 0);
  items.reserve(pairs.size());
  for (const auto& [list, item] : pairs) {
    ++begins[list + 1];
    items.push_back(item);
  }
  for (size_t i = 0; i < lists; ++i) begins[i + 1] += begins[i];
}

Synonyms::Synonyms(std::string_view table, uint64_t seed) : words_(seed) {
  std::vector<std::pair<uint64_t, uint32_t>> synonyms, bases;
  std::vector<uint32_t> looked_up, names;
  for (size_t part = 0; part < parts; ++part) {
    for (std::string_view line = next_line(table); !line.empty(); line = next_line(table)) {
      looked_up.clear();
      names.clear();
      for_each_word(line, [&](std::string_view name) {
        const char mark = name.front();
        const bool marked = mark == only_looked_up || mark == only_synonym;
        if (marked) name.remove_prefix(1);
        if (mark != only_synonym) looked_up.push_back(number(marked ? std::string(name) : lowered_ascii(name)));
        if (mark != only_looked_up && name.find('_') == std::string_view::npos) names.push_back(number(name));
      });
      for (const uint32_t word : looked_up) {
        for (const uint32_t name : names) synonyms.emplace_back(list(word, part), name);
      }
    }
    for (std::string_view line = next_line(table); !line.empty(); line = next_line(table)) {
      uint32_t form = absent;
      for_each_word(line, [&](std::string_view name) {
        const uint32_t word = number(name);
        if (form != absent) {
          bases.emplace_back(list(form, part), word);
          return;
        }
        form = word;
        if (exceptions_.size() <= form) exceptions_.resize(size_t{form} + 1);
        exceptions_[form] = static_cast<uint8_t>(exceptions_[form] | 1U << part);
      });
    }
  }
  if (!table.empty()) throw std::invalid_argument("the table of synonyms is too long");
  exceptions_.resize(words_.size());
  by_part_.fill(words_.size() * parts, synonyms);
  for (auto& [of, name] : synonyms) of /= parts;
  for (const auto& [form, base] : bases) {
    const auto add = [&, word = form / parts](uint32_t name) { synonyms.emplace_back(word, name); };
    by_part_.visit(list(base, form % parts), add);
  }
  direct_.fill(words_.size(), synonyms);
}

uint32_t Synonyms::number(std::string_view word) {
  longest_ = std::max(longest_, word.size());
  return words_.intern(word);
}

uint32_t Synonyms::find(std::string_view word) const { return word.size() > longest_ ? absent : words_.find(word); }

bool Synonyms::may_have_suffix(std::string_view word) noexcept {
  const char last = word.back();
  return last == 's' || last == 'd' || last == 'g' || last == 'r' || last == 't' || last == 'n';
}

std::vector<uint64_t> Synonyms::bases(std::string_view lowered, uint8_t exceptions) const {
  std::vector<uint64_t> lists;
  std::string base;
  for (const Rule& rule : rules) {
    const size_t length = rule.suffix.size();
    if (lowered.size() < length || lowered.substr(lowered.size() - length) != rule.suffix) continue;
    if ((exceptions >> rule.part & 1) != 0) continue;
    base.assign(lowered.substr(0, lowered.size() - length)).append(rule.replacement);
    const uint32_t word = find(base);
    if (word != absent) lists.push_back(list(word, rule.part));
  }
  return lists;
}

}  // namespace bleuprint
