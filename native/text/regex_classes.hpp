// Character classes of the third-party `regex` module. NLTK >= 3.10 compiles its quote and punctuation rules
// with it instead of `re`, and the two disagree: combining marks are \w only there, superscripts and
// fractions only in `re`, and U+001C..U+001F are \s only in `re`.
#pragma once

namespace bleuprint {

bool is_regex_word(char32_t value) noexcept;
bool is_regex_decimal(char32_t value) noexcept;
bool is_regex_space(char32_t value) noexcept;

}  // namespace bleuprint
