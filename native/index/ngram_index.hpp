// An exact index of the n-grams of a corpus, read from bytes that may be mapped from a file.
//
// The corpus is an array of word numbers in which 0 ends every text. `positions` holds the place of every word, sorted
// by the words from there to the end of the text, at most `max_order` of them, then by place. So the places of an
// n-gram stand side by side, and a binary search finds them. Words are numbered in the order of their bytes: two
// indexes agree on the order of their common words, so merging them compares nothing but numbers, and the index of a
// corpus does not depend on how it was cut into parts.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "parallel.hpp"
#include "rows/count_rows.hpp"
#include "tables/prefetch.hpp"
#include "tables/vocabulary.hpp"

namespace bleuprint {

constexpr size_t largest_index_order = 64;

// Bytes that are no index, or a damaged one.
class IndexFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What is where in the file; everything follows from five numbers.
struct IndexLayout {
  uint64_t max_order = 1, words = 0, word_bytes = 0, texts = 0, tokens = 0;

  static constexpr size_t sections = 6;
  enum Section : size_t { word_text, word_ends, word_places, text_ends, token_numbers, positions };

  uint64_t array_size() const { return tokens + texts; }  // words and the ends of texts
  unsigned width(Section section) const;                  // bytes of a number
  uint64_t count(Section section) const;
  // Where each section begins, then where the last one ends. Throws IndexFault where that is beyond `limit`.
  std::vector<uint64_t> offsets(uint64_t limit) const;
};

// Places of `positions` that hold one n-gram.
struct PlaceRange {
  uint64_t begin = 0, end = 0;
  uint64_t size() const noexcept { return end - begin; }
};

// A run of words of a text that stands somewhere in the corpus.
struct SeenSpan {
  uint32_t length = 0;
  uint64_t place = 0;  // in the corpus; where the run is not longer than max_order, one of several
};

class NgramIndex {
 public:
  // Checks everything but the large sections, whose blocks are checked when they are first read. The bytes must stay.
  explicit NgramIndex(std::string_view content);
  NgramIndex(const NgramIndex&) = delete;

  const IndexLayout& layout() const noexcept { return layout_; }
  std::string_view note() const noexcept { return note_; }
  std::string_view content() const noexcept { return content_; }
  // The checksums of everything, and the footer: two indexes with equal seals are equal.
  std::string_view seal() const { return content_.substr(offsets_[IndexLayout::sections]); }
  void verify(const Run& run) const;  // reads and checks every byte and every number

  // Numbers of words begin at 1; 0 is a word that the corpus does not have.
  uint32_t find_word(std::string_view word) const;
  std::string_view word(uint32_t number) const;
  PlaceRange places(uint32_t word) const;  // where the word stands

  // The places of `range` whose n-gram of `length` words is followed by this word.
  PlaceRange extend(PlaceRange range, size_t length, uint32_t word) const;
  PlaceRange find(const uint32_t* words, size_t count) const;  // at most max_order words

  uint64_t position(uint64_t place) const;
  uint32_t token(uint64_t position) const;  // 0 where a text ends
  void prefetch_token(uint64_t place) const {
    const uint64_t found = position(place);
    prefetch(content_.data() + offsets_[IndexLayout::token_numbers] + found * widths_[IndexLayout::token_numbers]);
  }
  uint64_t text_of(uint64_t position) const;
  uint64_t text_begin(uint64_t text) const { return text == 0 ? 0 : text_end(text - 1) + 1; }
  uint64_t text_end(uint64_t text) const;
  uint64_t word_end_offset(uint32_t number) const;
  uint64_t places_end(uint32_t number) const;

  // For every word of a text: how many words from there on are an n-gram of the corpus, at most `most`.
  void seen_lengths(const uint32_t* words, size_t count, size_t most, uint32_t* lengths) const;
  // The same without a limit, and where these words stand. Comparisons grow with the words of the text, the different
  // places of its n-grams of max_order words and the words that stand there; tests count them.
  std::vector<SeenSpan> seen_spans(const std::vector<uint32_t>& words, const Run& run,
                                   uint64_t* comparisons = nullptr) const;

 private:
  uint64_t find_long_runs(const std::vector<uint32_t>& words, const std::vector<PlaceRange>& ranges, const Run& run,
                          std::vector<SeenSpan>& spans) const;
  uint64_t load(IndexLayout::Section section, uint64_t item) const;
  void check_bytes(uint64_t offset, uint64_t size) const {
    const uint64_t last = (offset + size - 1) >> block_bits_;
    for (uint64_t block = offset >> block_bits_; block <= last; ++block) {
      if (checked_[block].load(std::memory_order_relaxed) == 0) check_block(block);
    }
  }
  void check_block(uint64_t block) const;

  static constexpr unsigned block_bits_ = 12;
  std::string_view content_;
  std::string_view note_;
  IndexLayout layout_;
  uint64_t offsets_[IndexLayout::sections + 1];
  unsigned widths_[IndexLayout::sections];
  uint64_t masks_[IndexLayout::sections];
  std::unique_ptr<std::atomic<uint8_t>[]> checked_;  // one per block
};

// Collects texts and writes their index. What it takes depends on the texts added so far: see `collecting`, `sorting`.
class IndexBuilder {
 public:
  IndexBuilder(size_t max_order, uint64_t seed) : max_order_(max_order), seed_(seed), vocabulary_(seed) {}

  // Adds the texts from `first` on until one of the two numbers is above `memory`; returns the text after the last.
  size_t add(const Texts& texts, size_t first, const Reading& reading, uint64_t memory, const Run& run);
  uint64_t collecting() const;  // bytes that the texts take now
  uint64_t sorting() const;     // bytes that `write` will take
  uint64_t texts() const noexcept { return text_ends_.size(); }

  // Writes the index of the texts and forgets them.
  void write(int descriptor, std::string_view note, const Run& run);

 private:
  size_t max_order_;
  uint64_t seed_;
  Vocabulary vocabulary_;
  uint64_t word_bytes_ = 0;
  std::vector<uint32_t> array_;  // word + 1 in order of appearance, 0 after each text
  std::vector<uint64_t> text_ends_;
};

// Writes the index of the texts of all parts, one after the other: equal, byte by byte, to the index of all texts at
// once. Takes four bytes for every word of every part.
void merge_indexes(const std::vector<const NgramIndex*>& parts, int descriptor, std::string_view note, const Run& run);

// Numbers of the words of texts, looked up once for every different word.
class WordNumbers {
 public:
  WordNumbers(const NgramIndex& index, uint64_t seed) : index_(index), words_(seed) {}
  const std::vector<uint32_t>& of(const Spans& tokens);

 private:
  const NgramIndex& index_;
  Vocabulary words_;
  std::vector<uint32_t> known_;  // by number in words_
  std::vector<uint32_t> numbers_;
};

// Row layout: words of the text; then for every order: n-grams, those that the corpus has, and the words inside of
// such n-grams. With `whole`, a text shorter than the order is one n-gram.
std::unique_ptr<RowCounter> seen_rows(const Aligned& texts, const Reading& reading, const NgramIndex& index,
                                      const std::vector<size_t>& orders, bool whole, uint64_t seed);

}  // namespace bleuprint
