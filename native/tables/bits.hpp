// How many bits of a word are set.
#pragma once

#include <cstdint>

namespace bleuprint {

// Without the processor's own instruction, which not all have, compilers call a function.
inline int count_bits(uint64_t word) noexcept {
  word -= (word >> 1) & 0x5555555555555555u;
  word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u);
  return static_cast<int>((((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u) >> 56);
}

}  // namespace bleuprint
