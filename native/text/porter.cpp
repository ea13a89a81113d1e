// Porter (1980): An algorithm for suffix stripping, Program 14(3). The departures are NLTK's (mode NLTK_EXTENSIONS):
// a table of irregular words, -ies and -ied of four letters, -y only after a consonant, -alli before all other rules of
// step 2, -bli, -fulli and -logi, and words of two letters that end in vowel and consonant count as *o.
#include "text/porter.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "text/utf8.hpp"

namespace bleuprint {

namespace {

constexpr std::string_view irregular[][2] = {
    {"sky", "sky"},        {"skies", "sky"},       {"dying", "die"},        {"lying", "lie"},
    {"tying", "tie"},      {"news", "news"},       {"innings", "inning"},   {"inning", "inning"},
    {"outings", "outing"}, {"outing", "outing"},   {"cannings", "canning"}, {"canning", "canning"},
    {"howe", "howe"},      {"proceed", "proceed"}, {"exceed", "exceed"},    {"succeed", "succeed"},
};

struct Rule {
  std::string_view suffix, replacement;
};

// In each list the first suffix that fits decides, whether or not its condition holds.
constexpr Rule step_2[] = {
    {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"}, {"eli", "e"},     {"ousli", "ous"},
    {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},  {"alism", "al"},  {"iveness", "ive"},
    {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},  {"iviti", "ive"}, {"biliti", "ble"},
    {"fulli", "ful"},   {"logi", "log"},
};
constexpr Rule step_3[] = {
    {"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
};
constexpr Rule step_4[] = {
    {"al", ""},  {"ance", ""},  {"ence", ""}, {"er", ""},  {"ic", ""},  {"able", ""}, {"ible", ""},
    {"ant", ""}, {"ement", ""}, {"ment", ""}, {"ent", ""}, {"ion", ""}, {"ou", ""},   {"ism", ""},
    {"ate", ""}, {"iti", ""},   {"ous", ""},  {"ive", ""}, {"ize", ""},
};

// A word of letters of one type: bytes where all are ASCII, otherwise code points.
template <typename Letter>
class Word {
 public:
  Word(Letter* letters, size_t length) : letters_(letters), length_(length) {}

  size_t stem() {
    for (const auto& [form, stem] : irregular) {
      if (length_ == form.size() && ends(form)) return replace(length_, stem), length_;
    }
    if (length_ <= 2) return length_;
    plurals();
    past_and_participle();
    if (ends("y") && length_ > 2 && consonant(length_ - 2)) letters_[length_ - 1] = 'i';
    if (ends("alli") && measure(length_ - 4) > 0) length_ -= 2;
    apply(step_2,
          [this](const Rule& rule, size_t stem) { return measure(rule.suffix == "logi" ? stem + 1 : stem) > 0; });
    apply(step_3, [this](const Rule&, size_t stem) { return measure(stem) > 0; });
    apply(step_4, [this](const Rule& rule, size_t stem) {
      const bool fits = rule.suffix != "ion" || (stem > 0 && (letters_[stem - 1] == 's' || letters_[stem - 1] == 't'));
      return fits && measure(stem) > 1;
    });
    final_letters();
    return length_;
  }

 private:
  static bool vowel(Letter letter) noexcept {
    return letter == 'a' || letter == 'e' || letter == 'i' || letter == 'o' || letter == 'u';
  }

  bool ends(std::string_view suffix) const noexcept {
    if (suffix.size() > length_) return false;
    const Letter* const tail = letters_ + length_ - suffix.size();
    for (size_t i = suffix.size(); i-- > 0;) {
      if (tail[i] != static_cast<Letter>(suffix[i])) return false;
    }
    return true;
  }

  void replace(size_t suffix, std::string_view replacement) noexcept {
    length_ -= suffix;
    for (const char letter : replacement) letters_[length_++] = static_cast<Letter>(letter);
  }

  // A y is a consonant at the beginning and after a vowel, so in a run of them every other one is.
  bool consonant(size_t at) const noexcept {
    if (letters_[at] != 'y') return !vowel(letters_[at]);
    bool negated = false;
    for (; at > 0 && letters_[at] == 'y'; --at) negated = !negated;
    return !vowel(letters_[at]) != negated;
  }

  // How often a vowel is followed by a consonant in the first `length` letters.
  size_t measure(size_t length) const noexcept {
    size_t count = 0;
    bool before = true;
    for (size_t i = 0; i < length; ++i) {
      const bool now = letters_[i] == 'y' ? i == 0 || !before : !vowel(letters_[i]);
      count += !before && now;
      before = now;
    }
    return count;
  }

  bool has_vowel(size_t length) const noexcept {
    for (size_t i = 0; i < length; ++i) {
      // The first letter that could be a vowel: a y behind consonants only is one.
      if (vowel(letters_[i]) || (letters_[i] == 'y' && i > 0)) return true;
    }
    return false;
  }

  bool ends_double_consonant() const noexcept {
    return length_ >= 2 && letters_[length_ - 1] == letters_[length_ - 2] && consonant(length_ - 1);
  }

  bool ends_short(size_t length) const noexcept {
    if (length == 2) return !consonant(0) && consonant(1);
    if (length < 3) return false;
    const Letter last = letters_[length - 1];
    return consonant(length - 3) && !consonant(length - 2) && consonant(length - 1) && last != 'w' && last != 'x' &&
           last != 'y';
  }

  template <size_t size, typename Condition>
  void apply(const Rule (&rules)[size], Condition condition) {
    for (const Rule& rule : rules) {
      if (!ends(rule.suffix)) continue;
      if (condition(rule, length_ - rule.suffix.size())) replace(rule.suffix.size(), rule.replacement);
      return;
    }
  }

  void plurals() noexcept {
    if (!ends("s") || ends("ss")) return;
    if (ends("sses") || (ends("ies") && length_ != 4)) {
      length_ -= 2;
    } else {
      length_ -= 1;
    }
  }

  void past_and_participle() noexcept {
    if (ends("ied")) {
      length_ -= length_ == 4 ? 1 : 2;
    } else if (ends("eed")) {
      if (measure(length_ - 3) > 0) length_ -= 1;
    } else if (ends("ed") && has_vowel(length_ - 2)) {
      length_ -= 2;
      restore_ending();
    } else if (ends("ing") && has_vowel(length_ - 3)) {
      length_ -= 3;
      restore_ending();
    }
  }

  void restore_ending() noexcept {
    const Letter last = letters_[length_ - 1];
    if (ends("at") || ends("bl") || ends("iz")) {
      letters_[length_++] = 'e';
    } else if (ends_double_consonant() || ends("*d")) {
      // NLTK writes the rule for double consonants as "*d" and then also compares it with the word itself.
      if (last == 'l' || last == 's' || last == 'z') return;
      letters_[length_ - 2] = last;
      length_ -= 1;
    } else if (measure(length_) == 1 && ends_short(length_)) {
      letters_[length_++] = 'e';
    }
  }

  void final_letters() noexcept {
    if (ends("e")) {
      const size_t count = measure(length_ - 1);
      if (count > 1 || (count == 1 && !ends_short(length_ - 1))) length_ -= 1;
    }
    if (ends("ll") && measure(length_ - 1) > 1) length_ -= 1;
  }

  Letter* letters_;
  size_t length_;
};

}  // namespace

size_t porter_stem(char* word, size_t length) {
  if (std::all_of(word, word + length, [](char byte) { return static_cast<unsigned char>(byte) < 0x80; })) {
    return Word<char>(word, length).stem();
  }
  std::u32string letters;
  for (const char *at = word, *const end = word + length; at < end;) {
    const Decoded decoded = decode(at, end);
    letters.push_back(decoded.value);
    at += decoded.length;
  }
  letters.resize(Word<char32_t>(letters.data(), letters.size()).stem());
  std::string bytes;
  for (const char32_t letter : letters) append_utf8(bytes, letter);
  std::copy(bytes.begin(), bytes.end(), word);
  return bytes.size();
}

}  // namespace bleuprint
