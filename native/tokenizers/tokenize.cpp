#include "tokenizers/tokenize.hpp"

#include "parallel.hpp"
#include "text/utf8.hpp"
#include "tokenizers/event_mask.hpp"

namespace bleuprint {

void Spans::grow() {
  cancel.poll();
  items_.resize(items_.empty() ? 64 : items_.size() * 2);
}

// 16 bytes at a time: white space is among the bytes that can end a token. 2x against one by one on English text.
void tokenize_whitespace(std::string_view text, Tokens& out) {
  out.spans.clear();
  const char* start = text.data();
  const char* const end = start + text.size();
  for (const char* base = start; base < end; base += 16) {
    for (uint32_t events = event_mask(base, end); events != 0; events &= events - 1) {
      const char* const position = base + trailing_zeros(events);
      const uint32_t space = space_length(position, end);
      if (space == 0) continue;
      if (position > start) out.spans.emplace_back(start, position - start);
      start = position + space;
    }
    if (end - base <= 16) break;
  }
  if (end > start) out.spans.emplace_back(start, end - start);
}

void tokenize_characters(std::string_view text, Tokens& out) {
  out.spans.clear();
  const char* position = text.data();
  const char* const end = position + text.size();
  while (position < end) {
    const Decoded decoded = decode(position, end);
    if (!is_space(decoded.value)) out.spans.emplace_back(position, decoded.length);
    position += decoded.length;
  }
}

const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all = [] {
    std::vector<Scheme> found = {
        {"13a", tokenize_13a},
        {"char", tokenize_characters},
        {"intl", tokenize_international},
        {"nltk", tokenize_nltk, true},
        {"none", tokenize_whitespace},
        {"whitespace", tokenize_whitespace},
        {"zh", tokenize_chinese},
        {"zh-corrected", tokenize_chinese_corrected},
        {"ascii-words", tokenize_ascii_words},
        {"unicode-words", tokenize_unicode_words, true},
    };
    for (const std::string_view name :
         {"tercom", "tercom-normalized", "tercom-no-punct", "tercom-normalized-no-punct", "tercom-asian",
          "tercom-normalized-asian", "tercom-no-punct-asian", "tercom-normalized-no-punct-asian"}) {
      found.push_back({name, find_tercom_tokenizer(name)});
    }
    return found;
  }();
  return all;
}

Tokenizer find_tokenizer(std::string_view name) {
  for (const Scheme& scheme : schemes()) {
    if (scheme.name == name) return scheme.tokenizer;
  }
  return find_tercom_tokenizer(name);
}

}  // namespace bleuprint
