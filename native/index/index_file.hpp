// The bytes of an index file.
//
//   8 bytes      magic, the last one the version of the format
//   sections     bytes of all words in order; where each word ends; where its places end; where each text ends; the
//                array of word numbers; the positions. Numbers are little-endian and as wide as the largest needs.
//   checksums    8 bytes for each block of 4096 bytes before
//   footer       max_order, words, bytes of words, texts, tokens, bytes of the note: 8 bytes each; the note
//   24 bytes     size of the footer, checksum of checksums and footer, magic again
//
// Everything that describes the file is at its end, so that it is written in one go and a file cut short has none.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "index/ngram_index.hpp"
#include "tables/paged_file.hpp"

namespace bleuprint {

constexpr std::string_view index_magic{"bleubpi\x01", 8};
constexpr uint64_t index_block = 4096;
constexpr uint64_t index_tail = 24;
constexpr uint64_t index_footer_numbers = 6;

inline uint64_t load_little(const char* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

// Every change inside of one 8-byte word gives another sum, because each step is reversible. It finds damage; it is no
// proof against intent, so what is read is checked again where it is used.
inline uint64_t index_checksum(std::string_view bytes, uint64_t seed) {
  uint64_t sum = seed * 0x9E3779B97F4A7C15u + bytes.size();
  const auto step = [&sum](uint64_t word) {
    sum = (sum ^ word) * 0xBF58476D1CE4E5B9u;
    sum ^= sum >> 29;
  };
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) step(load_little(bytes.data() + at));
  uint64_t rest = 0;
  for (size_t i = 0; at + i < bytes.size(); ++i) {
    rest |= uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  }
  step(rest);
  return sum;
}

inline unsigned bytes_for(uint64_t largest) {
  unsigned bytes = 1;
  while (bytes < 8 && largest >> (8 * bytes) != 0) ++bytes;
  return bytes;
}

// Writes the sections one after the other, and what follows from them at the end.
class IndexFile {
 public:
  explicit IndexFile(int descriptor) : descriptor_(descriptor) {
    buffer_.reserve(buffer_size + 64);
    append(index_magic);
  }

  void append(std::string_view bytes);
  void append_number(uint64_t value, unsigned width) {
    char bytes[8];
    for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<char>(value >> (8 * i) & 0xFF);
    buffer_.append(bytes, width);
    if (buffer_.size() >= buffer_size) flush(false);
  }
  void finish(const IndexLayout& layout, std::string_view note);

 private:
  static constexpr size_t buffer_size = 1 << 20;  // whole blocks

  void flush(bool all);
  void write(const char* bytes, size_t size) const;

  int descriptor_;
  std::string buffer_;
  std::vector<uint64_t> checksums_;
};

}  // namespace bleuprint
