// A model as text for other programs.
#include <cstdio>
#include <cstdlib>

#include "language_model/language_model.hpp"

namespace bleuprint {

namespace {

constexpr uint32_t poll_every = 1 << 14;

// The shortest decimals that are read back as the same float, with a point whatever the locale says.
void append_number(std::string& out, float value) {
  char digits[40];
  for (int precision = 6; precision <= 9; ++precision) {
    std::snprintf(digits, sizeof digits, "%.*g", precision, static_cast<double>(value));
    if (std::strtof(digits, nullptr) == value) break;
  }
  bool point = false;
  for (const char* at = digits; *at != '\0'; ++at) {
    const bool plain = (*at >= '0' && *at <= '9') || *at == '-' || *at == '+' || *at == 'e';
    if (plain) {
      out += *at;
    } else if (!point) {
      out += '.';
      point = true;
    }
  }
}

void check_words(const LanguageModel& model) {
  for (uint32_t word = 0; word < model.words(); ++word) {
    const std::string_view text = model.vocabulary().text(word);
    const bool split = text.find_first_of(std::string_view(" \t\n\v\f\r\0", 7)) != std::string_view::npos;
    if (text.empty() || split || text.front() == '\xFF' || text == "<UNK>")
      throw ModelFault("word", word + uint64_t{1});
  }
}

std::vector<uint32_t> parents_of(const LanguageModel& model) {
  std::vector<uint32_t> parents(model.nodes());
  for (uint32_t node = 0; node < model.inner_nodes(); ++node) {
    for (uint32_t child = model.first_child(node); child < model.first_child(node + 1); ++child) parents[child] = node;
  }
  return parents;
}

}  // namespace

std::string write_arpa(const LanguageModel& model, const Run& run) {
  check_words(model);
  const std::vector<uint32_t> parents = parents_of(model);
  std::string out = "\\data\\\n";
  for (size_t level = 0; level < model.order(); ++level) {
    uint32_t count = 0;
    for (uint32_t node = model.level_begin(level); node < model.level_begin(level + 1); ++node) {
      count += model.blank(node) ? 0 : 1;
    }
    out += "ngram " + std::to_string(level + 1) + "=" + std::to_string(count) + "\n";
  }
  std::vector<uint32_t> words;
  for (size_t level = 0; level < model.order(); ++level) {
    out += "\n\\" + std::to_string(level + 1) + "-grams:\n";
    words.resize(level + 1);
    for (uint32_t node = model.level_begin(level); node < model.level_begin(level + 1); ++node) {
      if (node % poll_every == 0) run.poll();
      if (model.blank(node)) continue;
      uint32_t at = node;
      for (size_t place = level + 1; place-- > 0; at = parents[at]) words[place] = model.node_word(at);
      append_number(out, model.probability(node));
      for (size_t place = 0; place <= level; ++place) {
        out += place == 0 ? '\t' : ' ';
        out += model.vocabulary().text(words[place]);
      }
      if (level + 1 < model.order()) {
        out += '\t';
        append_number(out, model.backoff(node));
      }
      out += '\n';
    }
  }
  return out + "\n\\end\\\n";
}

}  // namespace bleuprint
