// Text to token spans, one function per scheme. Texts are UTF-8; invalid bytes are scanned safely as
// themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parallel.hpp"

namespace bleuprint {

// A list of tokens that keeps its memory, with an append that compilers inline: std::vector's cost a call per
// token.
class Spans {
 public:
  Cancel cancel = {};  // looked at whenever the list grows: a huge line can be given up

  void clear() noexcept { size_ = 0; }
  void emplace_back(const char* bytes, size_t length) {
    if (size_ == items_.size()) grow();
    items_[size_++] = {bytes, length};
  }
  void push_back(std::string_view token) { emplace_back(token.data(), token.size()); }
  bool empty() const noexcept { return size_ == 0; }
  size_t size() const noexcept { return size_; }
  std::string_view& operator[](size_t index) noexcept { return items_[index]; }
  const std::string_view& operator[](size_t index) const noexcept { return items_[index]; }
  const std::string_view* begin() const noexcept { return items_.data(); }
  const std::string_view* end() const noexcept { return items_.data() + size_; }

 private:
  void grow();

  std::vector<std::string_view> items_;
  size_t size_ = 0;
};

// Spans point into the tokenised text, into `scratch` (when a scheme rewrites the text first) or into static
// storage; they live until the next tokenisation into the same object or the end of the text, whichever is
// first.
struct Tokens {
  Spans spans;
  std::string scratch;
  std::string spare;
};

void tokenize_whitespace(std::string_view text, Tokens& out);         // str.split()
void tokenize_characters(std::string_view text, Tokens& out);         // every code point that is not white space
void tokenize_13a(std::string_view text, Tokens& out);                // mteval-v13a
void tokenize_international(std::string_view text, Tokens& out);      // mteval-v14, --international-tokenization
void tokenize_chinese(std::string_view text, Tokens& out);            // sacrebleu's `zh`, its range bug included
void tokenize_chinese_corrected(std::string_view text, Tokens& out);  // the ranges its table meant
void tokenize_nltk(std::string_view text, Tokens& out);               // NLTKWordTokenizer
void tokenize_ascii_words(std::string_view text, Tokens& out);        // [a-z0-9]+ of the text in lower case
void tokenize_unicode_words(std::string_view text, Tokens& out);      // letters and digits of every script

using Tokenizer = void (*)(std::string_view, Tokens&);
// "tercom", then as wanted and in this order "-normalized", "-no-punct", "-asian" and "-twice", which reads the tokens,
// joined by blanks, a second time.
Tokenizer find_tercom_tokenizer(std::string_view name) noexcept;

// A way to take texts apart, under the name that it has everywhere.
struct Scheme {
  std::string_view name;
  Tokenizer tokenizer;
  bool needs_unicode = false;  // the tables of adopt_unicode
};
const std::vector<Scheme>& schemes();             // all but those of tercom that read twice
Tokenizer find_tokenizer(std::string_view name);  // nullptr for a name that is not a scheme

}  // namespace bleuprint
