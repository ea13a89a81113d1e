// What the fuzz targets share: options and texts out of arbitrary bytes, and a check that ends the run.
//
// The first bytes of an input choose options. What follows are texts: the byte 1 ends one, the byte 2 ends a column.
// Every text has an allocation of its own size, so that a sanitizer sees a read of one byte too many.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parallel.hpp"
#include "rows/count_rows.hpp"
#include "text/utf8.hpp"

namespace bleuprint::fuzz {

inline void require(bool holds, const char* law) {
  if (holds) return;
  std::fprintf(stderr, "broken law: %s\n", law);
  std::abort();
}

class Input {
 public:
  Input(const uint8_t* data, size_t size) : data_(reinterpret_cast<const char*>(data)), size_(size) {}

  // 0 .. limit, limit below 256; 0 where the bytes are used up.
  size_t number(size_t limit) {
    if (size_ == 0) return 0;
    const auto byte = static_cast<unsigned char>(*data_);
    ++data_;
    --size_;
    return byte % (limit + 1);
  }
  bool flag() { return number(1) == 1; }
  uint64_t word() {
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | number(255);
    return value;
  }
  std::string_view rest() const { return {data_, size_}; }

  // Up to the byte 2 or the end.
  std::string_view next_column() {
    const std::string_view all = rest();
    const size_t end = std::min(all.find('\x02'), all.size());
    const size_t used = std::min(all.size(), end + 1);
    data_ += used;
    size_ -= used;
    return all.substr(0, end);
  }

 private:
  const char* data_;
  size_t size_;
};

inline std::vector<std::string_view> split(std::string_view bytes, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t end = bytes.find(separator);
    parts.push_back(bytes.substr(0, end));
    if (end == std::string_view::npos) return parts;
    bytes.remove_prefix(end + 1);
  }
}

// Texts with their bytes.
struct Column {
  Texts texts;
  std::vector<std::unique_ptr<char[]>> owned;

  std::string_view keep(std::string_view bytes) {
    owned.emplace_back(new char[bytes.size()]);
    if (!bytes.empty()) std::memcpy(owned.back().get(), bytes.data(), bytes.size());
    return {owned.back().get(), bytes.size()};
  }
};

// `segments` segments out of as many texts as there are: the last segment takes what is left, missing texts are empty.
inline Column column_of(std::string_view bytes, size_t segments, size_t per_segment, bool tokenized) {
  const std::vector<std::string_view> parts = split(bytes, '\x01');
  Column column;
  column.texts.tokenized = tokenized;
  for (size_t i = 0; i < segments * per_segment; ++i) {
    const std::string_view part = i < parts.size() ? parts[i] : std::string_view{};
    if (!tokenized) {
      column.texts.pieces.push_back(column.keep(part));
    } else {
      std::string bytes;
      for (const std::string_view token : part.empty() ? std::vector<std::string_view>{} : split(part, ' ')) {
        bytes.append(token);
        column.texts.token_lengths.push_back(static_cast<uint32_t>(token.size()));
      }
      column.texts.end_text(column.keep(bytes).data());
    }
    if (per_segment != 1 && (i + 1) % per_segment == 0) column.texts.segment_ends.push_back(i + 1);
  }
  return column;
}

struct Corpus {
  Column hypotheses, references, sources;
  size_t segments = 0;

  Aligned aligned(Cancel cancel = {}) const { return {hypotheses.texts, references.texts, &sources.texts, cancel}; }
};

inline Corpus corpus_of(Input& input, bool tokens_allowed = true) {
  Corpus corpus;
  corpus.segments = 1 + input.number(3);
  const size_t references = 1 + input.number(2);
  const size_t shape = input.number(3);
  const bool tokenized = tokens_allowed && shape == 3;
  corpus.hypotheses = column_of(input.next_column(), corpus.segments, 1, tokenized);
  corpus.references = column_of(input.next_column(), corpus.segments, references, tokenized);
  corpus.sources = column_of(input.rest(), corpus.segments, 1, tokenized);
  return corpus;
}

// All schemes, and one of those of tercom that read twice.
inline std::vector<std::string_view> scheme_names() {
  std::vector<std::string_view> names = {"tercom-normalized-no-punct-asian-twice"};
  for (const Scheme& scheme : schemes()) names.push_back(scheme.name);
  return names;
}

inline Reading reading_of(Input& input) {
  static const std::vector<std::string_view> names = scheme_names();
  const Tokenizer tokenizer = find_tokenizer(names[input.number(names.size() - 1)]);
  require(tokenizer != nullptr, "every scheme has a tokenizer");
  return {tokenizer, input.flag()};
}

using MakeSeeded = std::function<std::unique_ptr<RowCounter>(const Aligned&, uint64_t seed)>;

// The rows, which neither the seed nor counting them all together in two threads may change.
inline std::vector<int64_t> rows_of(const Corpus& corpus, size_t columns, const MakeSeeded& make) {
  const auto count = [&](uint64_t seed, size_t threads, bool sum) {
    std::vector<int64_t> rows(sum ? columns : corpus.segments * columns, 0);
    count_rows(corpus.aligned(), columns, [&] { return make(corpus.aligned(), seed); }, threads, sum, rows.data(), {});
    return rows;
  };
  const std::vector<int64_t> rows = count(0, 1, false);
  require(rows == count(0x9E3779B97F4A7C15u, 1, false), "rows do not depend on the seed");
  std::vector<int64_t> sums(columns, 0);
  for (size_t i = 0; i < rows.size(); ++i) sums[i % columns] += rows[i];
  require(sums == count(7, 1, true), "rows add up");
  return rows;
}

// Classes of the running interpreter are not to be had here: ASCII, Latin-1, Greek and Cyrillic are near enough.
inline void adopt_small_unicode() {
  constexpr size_t all = 0x110000;
  Unicode tables{std::vector<bool>(all), std::vector<bool>(all), std::vector<bool>(all), std::vector<char32_t>(all)};
  for (char32_t c = 0; c < all; ++c) {
    const bool upper = (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7) || (c >= 0x391 && c <= 0x3A9) ||
                       (c >= 0x410 && c <= 0x42F);
    const bool lower =
        (c >= 'a' && c <= 'z') || (c >= 0xDF && c <= 0xFF) || (c >= 0x3B1 && c <= 0x3C9) || (c >= 0x430 && c <= 0x44F);
    tables.lower[c] = upper ? c + 0x20 : c == 0x2126 ? 0x3C9 : c == 0x1E9E ? 0xDF : c;
    tables.cased[c] = upper || lower;
    tables.case_ignorable[c] = c == '\'' || c == '.' || (c >= 0x300 && c <= 0x36F);
    tables.word[c] = upper || lower || (c >= '0' && c <= '9') || c == '_' || c >= 0x530;
  }
  adopt_unicode(std::move(tables));
}

}  // namespace bleuprint::fuzz

// Once per process, before the first input.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  bleuprint::fuzz::adopt_small_unicode();
  return 0;
}
