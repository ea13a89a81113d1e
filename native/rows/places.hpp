// Clipped n-grams of a text of up to 64 words, whose places are the bits of one machine word.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tables/bits.hpp"

namespace bleuprint {

constexpr size_t most_places = 64;

template <size_t orders>
void take_places(const uint64_t* words, size_t count, uint64_t* taken) noexcept {
  uint64_t lowest[orders] = {};
  std::copy_n(taken, orders, lowest);
  for (size_t i = 0; i < count; ++i) {
    uint64_t begins = ~uint64_t{0};
    for (size_t n = 0; n < orders; ++n) {
      begins &= words[i + n] >> n;
      const uint64_t left = begins & ~lowest[n];
      lowest[n] |= left & (~left + 1);
    }
  }
  std::copy_n(lowest, orders, taken);
}

// Each of `words` has the places at which a word of another text stands in the text; `orders` - 1 zeros follow the last
// of them. An n-gram of the other text takes the lowest of its places that is left. Places of different n-grams differ,
// so afterwards taken[n - 1] has as many bits as n-grams match, clipped; it is the union over several other texts,
// since each of them begins with the lowest places. The orders are independent chains, which a processor computes side
// by side.
inline void take_places(const uint64_t* words, size_t count, size_t orders, uint64_t* taken) noexcept {
  switch (orders) {
    case 1:
      return take_places<1>(words, count, taken);
    case 2:
      return take_places<2>(words, count, taken);
    case 3:
      return take_places<3>(words, count, taken);
    case 4:
      return take_places<4>(words, count, taken);
    default:
      break;
  }
  for (size_t i = 0; i < count; ++i) {
    uint64_t begins = words[i];
    for (size_t n = 0; begins != 0; begins &= words[i + n] >> n) {
      const uint64_t left = begins & ~taken[n];
      taken[n] |= left & (~left + 1);
      if (++n == orders) break;
    }
  }
}

}  // namespace bleuprint
