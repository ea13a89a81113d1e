#include "text/clean.hpp"

#include "text/unicode_tables.hpp"
#include "text/utf8.hpp"

namespace bleuprint {

namespace {

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

}  // namespace bleuprint
