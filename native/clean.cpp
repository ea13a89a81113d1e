#include "clean.hpp"

#include "unicode_tables.hpp"
#include "utf8.hpp"

namespace bleuprint {

namespace {

constexpr char token_edge = '\xFE';  // starts no token: UTF-8 has no such byte, and numbers begin with 0xFF

bool is_mark(char32_t value) {
  const Category category = category_of(value);
  return category == Category::punctuation || (category == Category::symbol && value < 0x80);
}

}  // namespace

// Copies what counts; white space is dealt with on the way, that at the ends afterwards.
void Cleaner::sift(std::string_view text) {
  sifted_.clear();
  const char* position = text.data();
  const char* const end = position + text.size();
  bool blank = false;
  while (position < end) {
    const Decoded decoded = decode(position, end);
    const char* const from = position;
    position += decoded.length;
    if (is_space(decoded.value) && (cleaning_.space == Space::collapse || cleaning_.space == Space::remove)) {
      blank = cleaning_.space == Space::collapse;
      continue;
    }
    if (cleaning_.without_punctuation && is_mark(decoded.value)) continue;
    if (cleaning_.without_numbers && category_of(decoded.value) == Category::number) continue;
    if (blank && !sifted_.empty()) sifted_.push_back(' ');
    blank = false;
    sifted_.append(from, decoded.length);
  }
}

std::string_view Cleaner::clean(std::string_view text) {
  if (cleaning_.lowercase) {
    lowercase(text, lowered_);
    text = lowered_;
  }
  const bool whole = cleaning_.space == Space::keep || cleaning_.space == Space::strip;
  if (!whole || cleaning_.without_punctuation || cleaning_.without_numbers) {
    sift(text);
    text = sifted_;
  }
  return cleaning_.space == Space::strip ? trim(text) : text;
}

std::string_view Cleaner::clean(const Texts& texts, size_t text) {
  if (!texts.tokenized) return clean(texts.pieces[text]);
  joined_.assign(1, token_edge);
  for (size_t i = text == 0 ? 0 : texts.text_ends[text - 1]; i < texts.text_ends[text]; ++i) {
    const std::string_view piece = texts.pieces[i];
    const bool is_number = !piece.empty() && piece.front() == '\xFF';
    const std::string_view kept = is_number ? piece : clean(piece);
    if (kept.empty() && !piece.empty()) continue;
    joined_.append(kept);
    joined_.push_back(token_edge);
  }
  return joined_;
}

}  // namespace bleuprint
