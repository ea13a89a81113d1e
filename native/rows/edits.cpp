#include "rows/edits.hpp"

#include <algorithm>
#include <vector>

#include "rows/alignment.hpp"
#include "text/utf8.hpp"

namespace bleuprint {

namespace {

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

  void read_hypothesis(const Texts& texts, size_t text, Ids& ids) {
    const std::string_view characters = hypothesis_.clean(texts.pieces[text]);
    const size_t beyond = beyond_ascii(characters);
    table_.reset(beyond);
    if (beyond == 0) return widen(characters, ids);
    convert(characters, ids, [this](char32_t value) { return table_.insert(value, hash(uint64_t{value}, seed_)); });
  }

  void read_reference(const Texts& texts, size_t text, Ids& ids) {
    const std::string_view characters = reference_.clean(texts.pieces[text]);
    if (beyond_ascii(characters) == 0) return widen(characters, ids);
    convert(characters, ids, [this](char32_t value) { return table_.find(value, hash(uint64_t{value}, seed_)); });
  }

  size_t kinds() const noexcept { return narrow + table_.size(); }

 private:
  static constexpr uint32_t narrow = 0x80;

  // No fewer than there are code points beyond ASCII.
  static size_t beyond_ascii(std::string_view text) noexcept {
    size_t count = 0;
    for (const char byte : text) count += static_cast<unsigned char>(byte) >> 7;
    return count;
  }

  static void widen(std::string_view ascii, Ids& ids) {
    ids.resize(ascii.size());
    for (size_t i = 0; i < ascii.size(); ++i) ids[i] = static_cast<unsigned char>(ascii[i]);
  }

  template <typename Identify>
  static void convert(std::string_view text, Ids& ids, Identify identify) {
    ids.resize(text.size());
    size_t count = 0;
    const char* position = text.data();
    const char* const end = position + text.size();
    while (position < end) {
      const Decoded decoded = decode(position, end);
      position += decoded.length;
      if (decoded.value < narrow) {
        ids[count++] = decoded.value;
      } else {
        const uint32_t id = identify(decoded.value);
        ids[count++] = id == Aligner::absent ? id : id + narrow;
      }
    }
    ids.resize(count);
  }

  Cleaner hypothesis_;
  Cleaner reference_;
  uint64_t seed_;
  SmallTable<uint64_t> table_;
};

double rate(const Operations& found, Nearest nearest) noexcept {
  const auto hits = static_cast<double>(found.hits);
  const auto errors = static_cast<double>(found.substitutions + found.deletions + found.insertions);
  const auto reference = static_cast<double>(found.hits + found.substitutions + found.deletions);
  const auto hypothesis = static_cast<double>(found.hits + found.substitutions + found.insertions);
  if (errors == 0) return 0;
  switch (nearest) {
    case Nearest::per_reference:
      return reference > 0 ? errors / reference : errors;
    case Nearest::per_alignment:
      return errors / (hits + errors);
    case Nearest::information:
      return hits > 0 ? 1 - hits / reference * (hits / hypothesis) : 1;
  }
  return 0;
}

template <typename Units>
class EditRows : public RowCounter {
 public:
  EditRows(const Aligned& texts, Units units, Nearest nearest, uint64_t seed)
      : texts_(texts), units_(std::move(units)), nearest_(nearest), aligner_(texts.cancel, seed) {}

  void count(size_t segment, int64_t* row) override {
    units_.read_hypothesis(texts_.hypotheses, texts_.hypotheses.first_text(segment), hypothesis_);
    const size_t first = texts_.references.first_text(segment), last = texts_.references.last_text(segment);
    Operations best;
    for (size_t text = first; text < last; ++text) {
      units_.read_reference(texts_.references, text, reference_);
      const Operations found =
          aligner_.align(reference_.data(), reference_.size(), hypothesis_.data(), hypothesis_.size(), units_.kinds());
      if (text == first || rate(found, nearest_) < rate(best, nearest_)) best = found;
    }
    row[0] += best.hits;
    row[1] += best.substitutions;
    row[2] += best.deletions;
    row[3] += best.insertions;
  }

 private:
  Aligned texts_;
  Units units_;
  Nearest nearest_;
  Aligner aligner_;
  Ids hypothesis_;
  Ids reference_;
};

class DistanceRows : public RowCounter {
 public:
  DistanceRows(const Aligned& texts, const Cleaning& cleaning, bool substitutions, uint64_t seed)
      : texts_(texts), units_(cleaning, seed), substitutions_(substitutions), aligner_(texts.cancel, seed) {}

  void count(size_t segment, int64_t* row) override {
    units_.read_hypothesis(texts_.hypotheses, texts_.hypotheses.first_text(segment), hypothesis_);
    const size_t first = texts_.references.first_text(segment), last = texts_.references.last_text(segment);
    Apart best;
    for (size_t text = first; text < last; ++text) {
      units_.read_reference(texts_.references, text, reference_);
      const Apart found = apart();
      if (text == first || found.share() < best.share()) best = found;
    }
    row[0] += best.distance;
    row[1] += best.length;
  }

 private:
  struct Apart {
    int64_t distance = 0, length = 0;
    double share() const noexcept {
      return length > 0 ? static_cast<double>(distance) / static_cast<double>(length) : 0;
    }
  };

  Apart apart() {
    const size_t h = hypothesis_.size(), r = reference_.size();
    if (substitutions_) {
      const int64_t distance = aligner_.distance(reference_.data(), r, hypothesis_.data(), h, units_.kinds());
      return {distance, static_cast<int64_t>(std::max(h, r))};
    }
    const int64_t both = static_cast<int64_t>(h + r);
    return {both - 2 * aligner_.common(reference_.data(), r, hypothesis_.data(), h, units_.kinds()), both};
  }

  Aligned texts_;
  CharacterIds units_;
  bool substitutions_;
  Aligner aligner_;
  Ids hypothesis_;
  Ids reference_;
};

class EqualRows : public RowCounter {
 public:
  EqualRows(const Aligned& texts, const Cleaning& cleaning, bool inside)
      : texts_(texts), hypothesis_(cleaning), reference_(cleaning), inside_(inside) {}

  void count(size_t segment, int64_t* row) override {
    const std::string_view text = hypothesis_.clean(texts_.hypotheses.pieces[texts_.hypotheses.first_text(segment)]);
    const size_t last = texts_.references.last_text(segment);
    bool found = false;
    for (size_t other = texts_.references.first_text(segment); other < last && !found; ++other) {
      const std::string_view reference = reference_.clean(texts_.references.pieces[other]);
      found = inside_ ? holds(text, reference) : text == reference;
    }
    row[0] += found ? 1 : 0;
    row[1] += 1;
  }

 private:
  // Knuth, Morris and Pratt (1977): linear whatever the texts are.
  bool holds(std::string_view text, std::string_view wanted) {
    if (wanted.size() > text.size()) return false;
    borders_.assign(wanted.size() + 1, 0);
    for (size_t i = 1, length = 0; i < wanted.size(); ++i) {
      while (length > 0 && wanted[i] != wanted[length]) length = borders_[length];
      if (wanted[i] == wanted[length]) ++length;
      borders_[i + 1] = length;
    }
    size_t length = 0;
    for (size_t i = 0; i < text.size() && length < wanted.size(); ++i) {
      while (length > 0 && text[i] != wanted[length]) length = borders_[length];
      if (text[i] == wanted[length]) ++length;
    }
    return length == wanted.size();
  }

  Aligned texts_;
  Cleaner hypothesis_;
  Cleaner reference_;
  bool inside_;
  std::vector<size_t> borders_;  // per length of a beginning of the text: its longest end that is a beginning too
};

}  // namespace

std::unique_ptr<RowCounter> token_edit_rows(const Aligned& texts, const Reading& reading, Nearest nearest,
                                            uint64_t seed) {
  return std::make_unique<EditRows<TokenIds>>(texts, TokenIds(texts, reading, seed), nearest, seed);
}

std::unique_ptr<RowCounter> character_edit_rows(const Aligned& texts, const Cleaning& cleaning, Nearest nearest,
                                                uint64_t seed) {
  return std::make_unique<EditRows<CharacterIds>>(texts, CharacterIds(cleaning, seed), nearest, seed);
}

std::unique_ptr<RowCounter> distance_rows(const Aligned& texts, const Cleaning& cleaning, bool substitutions,
                                          uint64_t seed) {
  return std::make_unique<DistanceRows>(texts, cleaning, substitutions, seed);
}

std::unique_ptr<RowCounter> equal_rows(const Aligned& texts, const Cleaning& cleaning, bool inside) {
  return std::make_unique<EqualRows>(texts, cleaning, inside);
}

}  // namespace bleuprint
