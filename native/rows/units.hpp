// What edits go by: the tokens or the code points of a segment as ids.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rows/alignment.hpp"
#include "rows/count_rows.hpp"
#include "rows/ngrams.hpp"
#include "text/clean.hpp"
#include "text/utf8.hpp"

namespace bleuprint {

using Ids = std::vector<uint32_t>;

// A segment's tokens as ids: those of the hypothesis count up from 0, a token of a reference has one if the hypothesis
// has the token.
class TokenIds {
 public:
  TokenIds(const Aligned& texts, const Reading& reading, uint64_t seed)
      : hypothesis_(reading, texts.cancel, texts.shared),
        reference_(reading, texts.cancel, texts.shared),
        seed_(seed) {}

  void read_hypothesis(const Texts& texts, size_t text, Ids& ids) {
    const Spans& tokens = hypothesis_.read(texts, text);
    table_.reset(tokens.size());
    ids.resize(tokens.size());
    for (size_t i = 0; i < tokens.size(); ++i) {
      const TokenKey key = make_key(tokens[i], hypothesis_.region(), seed_);
      ids[i] = table_.insert(key, hash(key, seed_));
    }
  }

  void read_reference(const Texts& texts, size_t text, Ids& ids) {
    const Spans& tokens = reference_.read(texts, text);
    ids.resize(tokens.size());
    for (size_t i = 0; i < tokens.size(); ++i) {
      const TokenKey key = make_key(tokens[i], reference_.region(), seed_);
      ids[i] = table_.find(key, hash(key, seed_));
    }
  }

  size_t kinds() const noexcept { return table_.size(); }

 private:
  Reader hypothesis_;
  Reader reference_;
  uint64_t seed_;
  SmallTable<TokenKey> table_;
};

// The same of code points; ASCII is its own id.
class CharacterIds {
 public:
  CharacterIds(const Cleaning& cleaning, uint64_t seed) : hypothesis_(cleaning), reference_(cleaning), seed_(seed) {}

  std::string_view hypothesis_text(const Texts& texts, size_t text) { return hypothesis_.clean(texts.pieces[text]); }
  std::string_view reference_text(const Texts& texts, size_t text) { return reference_.clean(texts.pieces[text]); }

  void read_hypothesis(const Texts& texts, size_t text, Ids& ids) {
    read_hypothesis(hypothesis_text(texts, text), ids);
  }
  void read_reference(const Texts& texts, size_t text, Ids& ids) { read_reference(reference_text(texts, text), ids); }

  void read_hypothesis(std::string_view characters, Ids& ids) {
    const size_t beyond = beyond_ascii(characters);
    table_.reset(beyond);
    if (beyond == 0) return widen(characters, ids);
    convert(characters, ids, [this](char32_t value) { return table_.insert(value, hash(uint64_t{value}, seed_)); });
  }

  void read_reference(std::string_view characters, Ids& ids) {
    if (beyond_ascii(characters) == 0) return widen(characters, ids);
    convert(characters, ids, [this](char32_t value) { return table_.find(value, hash(uint64_t{value}, seed_)); });
  }

  size_t kinds() const noexcept { return narrow + table_.size(); }

 private:
  static constexpr uint32_t narrow = 0x80;

  // No fewer than there are code points beyond ASCII.
  static size_t beyond_ascii(std::string_view text) noexcept {
    const char* const end = text.data() + text.size();
    size_t count = 0;
    for (const char* at = skip_ascii(text.data(), end); at < end; ++at) count += static_cast<unsigned char>(*at) >> 7;
    return count;
  }

  static void widen(std::string_view ascii, Ids& ids) {
    ids.resize(ascii.size());
    widen(ascii.data(), ascii.data() + ascii.size(), ids.data());
  }
  static void widen(const char* position, const char* end, uint32_t* out) {
    while (position < end) *out++ = static_cast<unsigned char>(*position++);
  }

  template <typename Identify>
  static void convert(std::string_view text, Ids& ids, Identify identify) {
    ids.resize(text.size());
    size_t count = 0;
    const char* position = text.data();
    const char* const end = position + text.size();
    while (position < end) {
      if (static_cast<unsigned char>(*position) < narrow) {
        const char* const stop = skip_ascii(position, end);
        widen(position, stop, ids.data() + count);
        count += static_cast<size_t>(stop - position);
        position = stop;
        continue;
      }
      const Decoded decoded = decode(position, end);
      position += decoded.length;
      const uint32_t id = identify(decoded.value);
      ids[count++] = id == Aligner::absent ? id : id + narrow;
    }
    ids.resize(count);
  }

  Cleaner hypothesis_;
  Cleaner reference_;
  uint64_t seed_;
  SmallTable<uint64_t> table_;
};

}  // namespace bleuprint
