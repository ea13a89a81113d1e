// Text to token spans, one function per scheme. Texts are UTF-8; invalid bytes are scanned safely as themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bleuprint {

// Spans point into the tokenised text, into `scratch` (when a scheme rewrites the text first) or into static
// storage; they live until the next tokenisation into the same object or the end of the text, whichever is first.
struct Tokens {
  std::vector<std::string_view> spans;
  std::string scratch;
  std::string spare;
};

void tokenize_whitespace(std::string_view text, Tokens& out);  // str.split()
void tokenize_characters(std::string_view text, Tokens& out);  // every code point that is not white space
void tokenize_13a(std::string_view text, Tokens& out);         // mteval-v13a
void tokenize_international(std::string_view text, Tokens& out);       // mteval-v14, --international-tokenization
void tokenize_chinese(std::string_view text, Tokens& out);             // sacrebleu's `zh`, its range bug included
void tokenize_chinese_corrected(std::string_view text, Tokens& out);   // the ranges its table meant
void tokenize_nltk(std::string_view text, Tokens& out);                // NLTKWordTokenizer

using Tokenizer = void (*)(std::string_view, Tokens&);
Tokenizer find_tokenizer(std::string_view name) noexcept;  // nullptr for a name that is not a scheme

}  // namespace bleuprint
