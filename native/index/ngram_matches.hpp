// N-grams of some texts, and which of them a stream of other texts holds.
//
// An index turns a corpus into a file that answers for any text. Here it is the other way round: the few texts are
// compiled into a table, and a corpus of any size passes by once. Words become ids, and an n-gram is found by comparing
// ids: hashes only say where to look.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "columns/segments.hpp"
#include "index/ngram_index.hpp"
#include "parallel.hpp"
#include "tables/vocabulary.hpp"
#include "tables/vocabulary_key.hpp"

namespace bleuprint {

// Where an n-gram stands in the stream: file, text of the file, word of the text; all from 0.
struct MatchPlace {
  uint64_t file = 0, text = 0, word = 0;

  auto key() const noexcept { return std::tie(file, text, word); }
  bool operator<(const MatchPlace& other) const noexcept { return key() < other.key(); }
};

// What the stream holds of one n-gram.
struct NgramMatch {
  uint64_t texts = 0;
  std::vector<MatchPlace> places;  // in each of the first texts the first
  // Words around the first place, where it begins or ends a run of n-grams that stand in the sought texts like this.
  std::string before, after;
  MatchPlace last;  // in the text that was counted last
};

constexpr size_t most_match_places = 3;
constexpr size_t words_around_match = 12;

// The different n-grams of `order` words of texts. With `whole`, a text shorter than that is one n-gram.
class SoughtNgrams {
 public:
  static constexpr uint32_t absent = UINT32_MAX;

  SoughtNgrams(const Texts& texts, const Reading& reading, size_t order, bool whole, uint64_t seed, const Run& run);
  SoughtNgrams(const SoughtNgrams&) = delete;

  size_t texts() const noexcept { return text_ends_.size(); }
  size_t size() const noexcept { return ngrams_.size(); }
  size_t order() const noexcept { return order_; }
  bool whole() const noexcept { return whole_; }
  uint64_t text_begin(size_t text) const noexcept { return text == 0 ? 0 : text_ends_[text - 1]; }
  uint64_t text_end(size_t text) const noexcept { return text_ends_[text]; }
  // The n-gram that begins at this word of all texts; absent if none does.
  uint32_t ngram_at(uint64_t word) const noexcept { return ngram_at_[word]; }
  uint64_t first_place(uint32_t ngram) const noexcept { return ngrams_[ngram].first; }
  size_t length(uint32_t ngram) const noexcept { return ngrams_[ngram].length; }

  size_t different_words() const noexcept { return words_.size(); }
  uint32_t id(uint64_t at) const noexcept { return ids_[at]; }                // of a word of all texts
  std::string_view word(uint64_t at) const { return words_.text(ids_[at]); }  // of all texts
  uint32_t find_word(std::string_view word) const { return words_.find(word); }
  // Words in the order of the ids. A trigram that no text holds is nearly always told apart without a comparison.
  bool may_hold(uint32_t first, uint32_t second, uint32_t third) const noexcept {
    const uint64_t bit = trigram_hash(first, second, third) >> trigram_shift_;
    return (trigrams_[bit >> 6] >> (bit & 63) & 1) != 0;
  }
  uint32_t find(const uint32_t* ids, size_t length) const noexcept { return slots_[locate(ids, length)]; }

  // An n-gram shorter than `order` is looked for where its anchor stands, the word of it that the sought texts have
  // least often. Few words of a stream are the anchor of any, and their bytes tell nearly all others apart.
  struct Anchored {
    uint32_t length, offset;  // of an n-gram, and of the anchor in it
    bool operator==(const Anchored& other) const noexcept { return length == other.length && offset == other.offset; }
  };
  bool may_be_anchor(std::string_view word, const Region& region) const noexcept {
    const uint64_t bit = hash_word(word, region) >> anchor_shift_;
    return (anchor_bits_[bit >> 6] >> (bit & 63) & 1) != 0;
  }
  const std::vector<Anchored>& anchored(uint32_t word) const noexcept { return anchored_[word]; }
  uint32_t anchor_of(uint32_t ngram) const noexcept { return ngrams_[ngram].anchor; }
  bool has_short() const noexcept { return !anchored_.empty(); }

  // How many slots a look-up of every n-gram passes by, all together: what crafted texts would raise.
  uint64_t detours() const noexcept;

 private:
  struct Ngram {
    uint64_t first;  // where it first stands in all texts
    uint32_t length;
    uint32_t anchor;  // its offset, of one shorter than `order`
  };

  uint64_t hash_word(std::string_view word, const Region& region) const noexcept {
    // One product: a word that is taken for an anchor by mistake is looked up, and no more.
    return bleuprint::hash(make_key(word, region, seed_), seed_) * 0xD6E8FEB86659FD93u;
  }

  uint64_t trigram_hash(uint32_t first, uint32_t second, uint32_t third) const noexcept;
  uint64_t hash(const uint32_t* ids, size_t length) const noexcept;
  size_t locate(const uint32_t* ids, size_t length) const noexcept;
  uint32_t insert(uint64_t first, size_t length);
  void collect_trigrams(const Run& run);
  void set_anchors(const Run& run);

  size_t order_;
  bool whole_;
  uint64_t seed_;
  Vocabulary words_;
  std::vector<uint32_t> ids_;  // of the words of all texts
  std::vector<uint64_t> text_ends_;
  std::vector<uint32_t> ngram_at_;
  std::vector<Ngram> ngrams_;
  std::vector<uint32_t> slots_;
  std::vector<uint64_t> trigrams_;
  unsigned trigram_shift_ = 63, anchor_shift_ = 63;
  std::vector<uint64_t> anchor_bits_;
  std::vector<std::vector<Anchored>> anchored_;  // by word; empty if no n-gram is short
};

// A file of the stream that was read to its end.
struct ReadFile {
  uint64_t texts = 0;
  std::string stamp;  // what the caller knows it by
};

// Words of a sought text that stand somewhere in the stream in this order, and the words around them there.
struct MatchedRun {
  uint64_t begin = 0, length = 0;
  MatchPlace place;
  std::string before, after;
};

// What was found of a sought text.
struct Evidence {
  uint64_t rare = 0;                // n-grams that few texts of the stream hold
  uint64_t longest_rare = 0;        // words of the longest run of them
  std::vector<uint64_t> begins;     // of the n-grams that were found
  std::vector<MatchedRun> longest;  // runs, the longest first, then the first of the stream
};

// The n-grams that were found in some texts of a stream. Merging what was found in parts of it gives what is found in
// the whole, whatever the parts and their order.
class NgramMatches {
 public:
  // Throws std::invalid_argument if both have read a file.
  void merge(const NgramMatches& other);
  void finish_file(uint64_t file, ReadFile read) { files_[file] = std::move(read); }
  const std::map<uint64_t, ReadFile>& files() const noexcept { return files_; }
  Evidence evidence(const SoughtNgrams& sought, size_t text, uint64_t most_rare, size_t most_runs) const;
  const NgramMatch* find(uint32_t ngram) const {
    const auto found = matches_.find(ngram);
    return found == matches_.end() ? nullptr : &found->second;
  }
  NgramMatch& operator[](uint32_t ngram) { return matches_[ngram]; }
  size_t size() const noexcept { return matches_.size(); }

  std::string content() const;  // equal bytes for equal matches
  // Throws std::invalid_argument for anything but the content of matches of so many n-grams in so many files.
  static NgramMatches parse(std::string_view content, size_t ngrams, size_t files);

 private:
  std::unordered_map<uint32_t, NgramMatch> matches_;
  std::map<uint64_t, ReadFile> files_;
};

// Looks through texts, one after the other.
class NgramScanner {
 public:
  static constexpr size_t usual_piece = size_t{1} << 16;

  // Texts of strings are read in pieces of about so many bytes, cut where no tokenizer joins words: a text of a
  // gigabyte needs no list of its words.
  NgramScanner(const SoughtNgrams& sought, const Reading& reading, Cancel cancel, size_t piece = usual_piece)
      : sought_(sought), reader_(reading, cancel), cancel_(cancel), piece_(piece) {}

  // Calls match(n-gram, word of the text) for every place of an n-gram; those of one n-gram come in order, and those of
  // all n-grams of `order` words.
  template <typename Match>
  void scan(const Texts& texts, size_t text, const Match& match) {
    carried_.clear();
    ids_.clear();
    begin_ = 0;
    if (texts.tokenized) return scan_words(reader_.read(texts, text), match);
    for (std::string_view rest = texts.pieces[text]; !rest.empty();) {
      cancel_.poll();
      const size_t size = piece_size(rest);
      scan_words(reader_.read(rest.substr(0, size)), match);
      rest.remove_prefix(size);
      if (!rest.empty()) carry();
    }
  }

  // The words around a match, while it is shown: at most so many before, and behind its end.
  void describe(uint64_t word, size_t length, std::string* before, std::string* after) const;

 private:
  static constexpr uint32_t unknown = UINT32_MAX - 1;  // an id that was not looked up yet

  size_t piece_size(std::string_view text) const noexcept;
  void carry();
  std::string_view word(size_t at) const {
    return at < carried_.size() ? carried_[at] : (*words_)[at - carried_.size()];
  }
  size_t words() const noexcept { return carried_.size() + words_->size(); }
  uint32_t id(size_t at) {
    if (ids_[at] == unknown) ids_[at] = sought_.find_word(word(at));
    return ids_[at];
  }
  std::string join(size_t begin, size_t end) const;

  template <typename Match>
  void scan_words(const Spans& read, const Match& match) {
    words_ = &read;
    ids_.resize(words(), unknown);
    const size_t length = sought_.order();
    // Windows within the words that were carried are done.
    const size_t first = carried_.size() + 1 < length ? 0 : carried_.size() + 1 - length;
    if (sought_.has_short()) scan_anchors(match);
    length < 3 ? scan_all(length, first, match) : scan_windows(length, first, match);
  }

  template <typename Match>
  void scan_anchors(const Match& match) {
    for (size_t at = 0; at < carried_.size(); ++at) {
      if (sought_.may_be_anchor(carried_[at], Region{})) try_anchor(at, match);
    }
    const Region region = reader_.region();
    const std::string_view* const read = words_->begin();
    for (size_t at = 0, count = words_->size(); at < count; ++at) {
      if (sought_.may_be_anchor(read[at], region)) try_anchor(carried_.size() + at, match);
    }
  }

  template <typename Match>
  void try_anchor(size_t at, const Match& match) {
    if (id(at) == SoughtNgrams::absent) return;
    for (const SoughtNgrams::Anchored& of : sought_.anchored(id(at))) {
      const size_t begin = at - of.offset, end = begin + of.length;
      if (at < of.offset || end > words() || end <= carried_.size()) continue;
      size_t known = begin;
      while (known < end && id(known) != SoughtNgrams::absent) ++known;
      const uint32_t ngram = known < end ? SoughtNgrams::absent : sought_.find(ids_.data() + begin, of.length);
      // Another of its words may be the anchor of others of its length: then it is found twice.
      if (ngram != SoughtNgrams::absent && sought_.anchor_of(ngram) == of.offset) match(ngram, begin_ + begin);
    }
  }

  template <typename Match>
  void scan_all(size_t length, size_t begin, const Match& match) {
    for (; begin + length <= words(); ++begin) {
      if (id(begin) == SoughtNgrams::absent || id(begin + length - 1) == SoughtNgrams::absent) continue;
      report(begin, length, match);
    }
  }

  // From the last word of a window back: where a trigram that no sought text holds ends the search, the next window
  // begins behind its first word, so most words are never looked at (as Boyer and Moore 1977 skip letters).
  template <typename Match>
  void scan_windows(size_t length, size_t begin, const Match& match) {
    size_t known = begin + 2;  // trigrams that end before this word, from the begin of the window on, are known
    for (size_t steps = 0; begin + length <= words(); ++steps) {
      if (steps % 4096 == 0) cancel_.poll();
      const size_t end = begin + length, stop = std::max(begin + 2, known);
      size_t next = begin;
      for (size_t at = end; at-- > stop;) {
        next = id(at) == SoughtNgrams::absent                                                            ? at + 1
               : id(at - 1) == SoughtNgrams::absent                                                      ? at
               : id(at - 2) == SoughtNgrams::absent || !sought_.may_hold(id(at - 2), id(at - 1), id(at)) ? at - 1
                                                                                                         : begin;
        if (next != begin) break;
      }
      known = end;
      if (next == begin) {
        report(begin, length, match);
        ++next;
      }
      begin = next;
    }
  }

  template <typename Match>
  void report(size_t begin, size_t length, const Match& match) {
    const uint32_t ngram = sought_.find(ids_.data() + begin, length);
    if (ngram != SoughtNgrams::absent) match(ngram, begin_ + begin);
  }

  const SoughtNgrams& sought_;
  Reader reader_;
  Cancel cancel_;
  size_t piece_;
  const Spans* words_ = nullptr;
  std::vector<std::string> carried_;  // the last words of the piece before
  std::vector<uint32_t> ids_;         // of those, and of the words of the piece
  uint64_t begin_ = 0;                // the first of them in the text
};

// Adds what texts hold. They are texts `first`, `first` + 1, … of a file.
void add_matches(const SoughtNgrams& sought, const Texts& texts, const Reading& reading, uint64_t file, uint64_t first,
                 const Run& run, NgramMatches* matches, size_t piece = NgramScanner::usual_piece);

// Texts of an index that come from one file: the first of them in the index, and which text of the file it is.
struct IndexedFile {
  uint64_t begin = 0, first = 0;
};

// Adds what an index holds, whose files these are in order. Its n-grams must be at least as long, and the texts read by
// its tokenizer.
void add_index_matches(const SoughtNgrams& sought, const NgramIndex& index, const std::vector<IndexedFile>& files,
                       const Run& run, NgramMatches* matches);

// A row for every sought text: its words, its n-grams, those that were found, and the words inside of these.
void count_matches(const SoughtNgrams& sought, const NgramMatches& matches, int64_t* rows);

// Words of a text that n-grams of a choice cover.
struct MarkedWords {
  uint64_t text = 0, begin = 0, end = 0;
  std::vector<uint32_t> ngrams;  // in the order in which they were found
};

// The stretches that n-grams cover which `wanted` says, text by text, in order.
std::vector<MarkedWords> mark_matches(const SoughtNgrams& sought, const Texts& texts, const Reading& reading,
                                      const std::vector<bool>& wanted, const Run& run,
                                      size_t piece = NgramScanner::usual_piece);

}  // namespace bleuprint
