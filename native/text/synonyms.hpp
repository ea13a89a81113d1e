// Synonyms of words, by way of their base forms.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "tables/vocabulary.hpp"

namespace bleuprint {

// Reads the table that src/bleuprint/wordnet.py describes. Nothing changes after that, so threads share it.
class Synonyms {
 public:
  static constexpr uint32_t absent = Vocabulary::absent;

  // Throws std::invalid_argument for what is no table.
  Synonyms(std::string_view table, uint64_t seed);
  Synonyms(const Synonyms&) = delete;
  Synonyms& operator=(const Synonyms&) = delete;

  uint32_t find(std::string_view word) const;  // the number of a word of the table

  // Visits the numbers of the synonyms of a word in lower case, some more than once.
  template <typename Visit>
  void visit(std::string_view lowered, Visit visit_one) const {
    if (lowered.empty() || lowered.size() > longest_ + longest_suffix) return;
    const uint32_t word = find(lowered);
    if (word != absent) direct_.visit(word, visit_one);
    if (!may_have_suffix(lowered)) return;
    for (const uint64_t base : bases(lowered, word == absent ? 0 : exceptions_[word])) {
      by_part_.visit(base, visit_one);
    }
  }
  std::string_view word(uint32_t number) const { return words_.text(number); }

 private:
  static constexpr size_t parts = 4;  // of speech
  static constexpr size_t longest_suffix = 4;

  struct Lists {
    std::vector<uint64_t> begins;
    std::vector<uint32_t> items;

    void fill(size_t lists, std::vector<std::pair<uint64_t, uint32_t>>& pairs);

    template <typename Visit>
    void visit(uint64_t list, Visit& visit_one) const {
      for (uint64_t i = begins[list]; i < begins[list + 1]; ++i) visit_one(items[i]);
    }
  };

  uint32_t number(std::string_view word);
  static uint64_t list(uint32_t word, size_t part) noexcept { return uint64_t{word} * parts + part; }
  static bool may_have_suffix(std::string_view word) noexcept;
  // Lists of the words that rules lead to, in the parts of speech in which the word is no exception.
  std::vector<uint64_t> bases(std::string_view lowered, uint8_t exceptions) const;

  Vocabulary words_;
  size_t longest_ = 0;               // bytes of a word
  Lists by_part_;                    // per word and part of speech
  Lists direct_;                     // per word: of all its parts of speech, those it is an exception in included
  std::vector<uint8_t> exceptions_;  // per word: a bit for each part of speech in which it is one
};

}  // namespace bleuprint
