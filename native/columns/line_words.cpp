#include "columns/line_words.hpp"

#include <algorithm>
#include <cstring>

#include "text/porter.hpp"

namespace bleuprint {

namespace {

constexpr size_t shortest_stemmed = 4;  // letters

// A number in a list of tokens is written with this byte in front, which no UTF-8 has.
bool is_number(std::string_view word) noexcept { return !word.empty() && word.front() == '\xFF'; }

size_t letters(std::string_view word) noexcept {
  return static_cast<size_t>(std::count_if(
      word.begin(), word.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

const char* next_line_feed(const char* from, const char* end) noexcept {
  const void* const found = from < end ? std::memchr(from, '\n', static_cast<size_t>(end - from)) : nullptr;
  return found == nullptr ? end : static_cast<const char*>(found);
}

}  // namespace

LineWords::LineWords(const WordReading& reading, Cancel cancel)
    : reading_(reading),
      keeps_lines_(reading.words.tokenizer == tokenize_ascii_words ||
                   reading.words.tokenizer == tokenize_unicode_words),
      reader_(reading.words, cancel) {
  tokens_.spans.cancel = cancel;
  own_.cancel = cancel;
}

void LineWords::read(const Texts& texts, size_t text) {
  line_ends_.clear();
  if (texts.tokenized) {
    read_list(texts, text);
  } else if (keeps_lines_) {
    read_whole(texts.pieces[text]);
  } else {
    read_lines(texts.pieces[text]);
  }
  line_ends_.push_back(words_->size());
  if (reading_.stem) stem();
}

// These schemes lower-case by themselves, into a copy of the text that still has its line feeds.
void LineWords::read_whole(std::string_view text) {
  reading_.words.tokenizer(text, tokens_);
  words_ = &tokens_.spans;
  region_ = {tokens_.scratch.data(), tokens_.scratch.size()};
  if (words_->empty()) return;
  const std::string_view& last = (*words_)[words_->size() - 1];
  const char* const end = last.data() + last.size();
  size_t word = 0;
  for (const char* at = next_line_feed(tokens_.scratch.data(), end); at < end; at = next_line_feed(at + 1, end)) {
    while ((*words_)[word].data() < at) ++word;
    if (word > (line_ends_.empty() ? 0 : line_ends_.back())) line_ends_.push_back(word);
  }
}

void LineWords::read_lines(std::string_view text) {
  own_.clear();
  words_ = &own_;
  bytes_.clear();
  std::vector<size_t> ends;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    const char* const stop = next_line_feed(at, end);
    for (const std::string_view word : reader_.read({at, static_cast<size_t>(stop - at)})) {
      bytes_.append(word);
      ends.push_back(bytes_.size());
    }
    line_ends_.push_back(ends.size());
    at = stop + 1;
  }
  region_ = {bytes_.data(), bytes_.size()};
  size_t begin = 0;
  for (const size_t word_end : ends) {
    own_.emplace_back(bytes_.data() + begin, word_end - begin);
    begin = word_end;
  }
}

void LineWords::read_list(const Texts& texts, size_t text) {
  own_.clear();
  words_ = &own_;
  region_ = texts.padded ? Region::anywhere() : Region{};
  texts.for_each_token(text, [this](std::string_view token) {
    if (token == "\n") {
      line_ends_.push_back(own_.size());
    } else {
      own_.push_back(token);
    }
  });
}

void LineWords::stem() {
  size_t bytes = 0;
  for (const std::string_view word : *words_) bytes += word.size();
  if (stems_.size() < bytes + 16) stems_.resize(bytes + 16);
  char* to = stems_.data();
  for (size_t i = 0; i < words_->size(); ++i) {
    const std::string_view word = (*words_)[i];
    size_t length = word.size();
    if (length > 0) std::memcpy(to, word.data(), length);
    if (length >= shortest_stemmed && !is_number(word) && letters(word) >= shortest_stemmed) {
      length = porter_stem(to, length);
    }
    (*words_)[i] = {to, length};
    to += length;
  }
  region_ = {stems_.data(), stems_.size()};
}

}  // namespace bleuprint
