// Synonyms of words, by way of their base forms.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "vocabulary.hpp"

namespace bleuprint {

// Reads the table that src/bleuprint/wordnet.py describes. Nothing changes after that, so threads share it.
class Synonyms {
 public:
  static constexpr uint32_t absent = Vocabulary::kAbsent;

  // Throws std::invalid_argument for what is no table.
  Synonyms(std::string_view table, uint64_t seed);
  Synonyms(const Synonyms&) = delete;
  Synonyms& operator=(const Synonyms&) = delete;

  uint32_t find(std::string_view word) const;                               // the number of a word of the table
  void append(std::string_view lowered, std::vector<uint32_t>& out) const;  // numbers of its synonyms, some twice
  std::string_view word(uint32_t number) const { return words_.text(number); }

 private:
  static constexpr size_t parts = 4;  // of speech

  // Lists of numbers, one per word and part of speech.
  struct Lists {
    std::vector<uint64_t> begins;
    std::vector<uint32_t> items;

    void fill(size_t lists, std::vector<std::pair<uint64_t, uint32_t>>& pairs);
    void append(uint64_t list, std::vector<uint32_t>& out) const {
      out.insert(out.end(), items.begin() + begins[list], items.begin() + begins[list + 1]);
    }
  };

  uint32_t number(std::string_view word);
  void append_rules(std::string_view lowered, size_t part, std::vector<uint32_t>& out) const;
  uint64_t list(uint32_t word, size_t part) const noexcept { return uint64_t{word} * parts + part; }

  Vocabulary words_;
  size_t longest_ = 0;               // bytes of a word
  Lists synonyms_;                   // words
  Lists bases_;                      // words that an exception leads to
  std::vector<uint8_t> exceptions_;  // per word: a bit for each part of speech in which it is one
};

}  // namespace bleuprint
