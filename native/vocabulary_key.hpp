// A token as machine words: equal keys are equal bytes, so comparing words decides identity exactly.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace bleuprint {

inline uint64_t load(const char* from, size_t bytes) noexcept {
  uint64_t word = 0;
  std::memcpy(&word, from, bytes);
  return word;
}

inline uint64_t mix(uint64_t a, uint64_t b) noexcept {
#if defined(__SIZEOF_INT128__)
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
#else
  const uint64_t low = (a & 0xFFFFFFFFu) * (b | 1), high = (a >> 32) * (b | 1);
  uint64_t mixed = low ^ (high << 32 | high >> 32);
  mixed ^= mixed >> 29;
  mixed *= 0xBF58476D1CE4E5B9u;
  return mixed ^ mixed >> 32;
#endif
}

// Up to 16 bytes the two words hold the whole token (overlapping loads lose nothing once the length is known);
// above that they are two hashes and the bytes are compared as well.
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

inline TokenKey make_key(std::string_view token, uint64_t seed) noexcept {
  const char* const bytes = token.data();
  const size_t length = token.size();
  if (length <= 16) {
    if (length >= 8) return {load(bytes, 8), load(bytes + length - 8, 8), bytes, length};
    if (length >= 4) return {load(bytes, 4), load(bytes + length - 4, 4), bytes, length};
    if (length == 0) return {0, 0, bytes, 0};
    const auto byte = [bytes](size_t at) { return static_cast<uint64_t>(static_cast<unsigned char>(bytes[at])); };
    return {byte(0) | byte(length / 2) << 8 | byte(length - 1) << 16, 0, bytes, length};
  }
  uint64_t low = seed, high = ~seed;
  for (size_t at = 0; at + 16 <= length; at += 16) {
    low = mix(low ^ load(bytes + at, 8), 0x9E3779B97F4A7C15u);
    high = mix(high ^ load(bytes + at + 8, 8), 0xC2B2AE3D27D4EB4Fu);
  }
  return {mix(low ^ load(bytes + length - 16, 8), seed | 1), mix(high ^ load(bytes + length - 8, 8), seed | 1), bytes,
          length};
}

inline uint64_t hash(const TokenKey& key, uint64_t seed) noexcept {
  return mix(key.low ^ seed ^ key.length, key.high ^ 0x9E3779B97F4A7C15u ^ (seed << 32 | seed >> 32));
}

}  // namespace bleuprint
