#include "columns/segments.hpp"

#include <algorithm>

#include "tables/prefetch.hpp"
#include "text/utf8.hpp"

namespace bleuprint {

size_t Texts::work() const noexcept {
  size_t sum = pieces.size() + token_lengths.size();
  for (const std::string_view piece : pieces) sum += piece.size();
  for (const uint32_t length : token_lengths) sum += length;
  // Texts that are picked are about as long as all of them are.
  return picks.empty() ? sum : sum / std::max<size_t>(1, texts()) * picks.size();
}

// Strings lie all over memory, and the processor reads ahead only within one.
void Texts::prefetch_segment(size_t segment) const noexcept {
  constexpr size_t line = 64, most = 4 * line;
  if (tokenized || segment >= segments() || first_text(segment) >= pieces.size()) return;
  const std::string_view text = pieces[first_text(segment)];
  for (size_t at = 0; at < std::min(text.size(), most); at += line) prefetch(text.data() + at);
}

const Spans& Reader::read(std::string_view text) {
  if (reading_.lowercase) {
    lowercase(text, lowered_);
    text = lowered_;
  }
  reading_.tokenizer(text, tokens_);
  // A tokenizer that rewrites the text first cuts the tokens from what it wrote.
  const std::string& written = tokens_.scratch;
  const auto begin = reinterpret_cast<uintptr_t>(written.data());
  const bool is_written =
      !tokens_.spans.empty() && reinterpret_cast<uintptr_t>(tokens_.spans[0].data()) - begin < written.size();
  region_ = is_written ? Region{written.data(), written.size()} : Region{text.data(), text.size()};
  return tokens_.spans;
}

const Spans& Reader::read(const Texts& texts, size_t text) {
  if (shared_ == nullptr && picked_from_ == &texts && picked_ == text) return tokens_.spans;
  picked_from_ = nullptr;  // in case reading throws
  const Spans& tokens = shared_ != nullptr ? shared_->read(shelf_of(texts), text, region_) : read_text(texts, text);
  if (!texts.picks.empty()) {
    picked_from_ = &texts;
    picked_ = text;
  }
  return tokens;
}

const Spans& Reader::read_text(const Texts& texts, size_t text) {
  if (!texts.tokenized) return read(texts.pieces[text]);
  tokens_.spans.clear();
  region_ = texts.padded ? Region::anywhere() : Region{};
  texts.for_each_token(text, [this](std::string_view token) { tokens_.spans.push_back(token); });
  if (reading_.lowercase) lowercase_tokens();
  return tokens_.spans;
}

void Reader::lowercase_tokens() {
  tokens_.scratch.clear();
  std::vector<size_t> ends;
  ends.reserve(tokens_.spans.size());
  for (const std::string_view token : tokens_.spans) {
    lowercase(token, lowered_);
    tokens_.scratch.append(lowered_);
    ends.push_back(tokens_.scratch.size());
  }
  size_t begin = 0;
  for (size_t i = 0; i < ends.size(); ++i) {
    tokens_.spans[i] = std::string_view(tokens_.scratch).substr(begin, ends[i] - begin);
    begin = ends[i];
  }
  region_ = {tokens_.scratch.data(), tokens_.scratch.size()};
}

Shelf& Reader::shelf_of(const Texts& texts) {
  for (Shelf* const shelf : shelves_) {
    if (shelf->texts == &texts) return *shelf;
  }
  shelves_.push_back(&shared_->shelf_of(reading_, texts));
  return *shelves_.back();
}

Shelf& SharedReadings::shelf_of(const Reading& reading, const Texts& texts) {
  for (const std::unique_ptr<Shelf>& shelf : shelves_) {
    if (shelf->texts == &texts && shelf->reading.tokenizer == reading.tokenizer &&
        shelf->reading.lowercase == reading.lowercase) {
      return *shelf;
    }
    ++detours_;
  }
  shelves_.push_back(std::make_unique<Shelf>(Shelf{&texts, reading, {}}));
  return *shelves_.back();
}

// By place, not by search: a segment may have a hundred thousand references.
const Spans& SharedReadings::read(Shelf& shelf, size_t text, Region& region) {
  constexpr size_t none = SIZE_MAX;
  const size_t place = text - shelf.texts->first_text(segment_);
  while (shelf.entries.size() <= place) {
    shelf.entries.push_back(
        std::make_unique<Shelf::Entry>(Shelf::Entry{none, Reader(shelf.reading, cancel_), nullptr}));
  }
  Shelf::Entry& entry = *shelf.entries[place];
  if (entry.text != text) {
    entry.text = none;  // in case reading throws
    entry.tokens = &entry.reader.read(*shelf.texts, text);
    entry.text = text;
  }
  region = entry.reader.region();
  return *entry.tokens;
}

}  // namespace bleuprint
