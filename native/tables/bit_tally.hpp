// Sixty-four numbers at once: words of which each bit belongs to another number.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "tables/bits.hpp"

namespace bleuprint {

constexpr size_t word_bits = 64;

// Byte i is bit i of the index.
constexpr std::array<uint64_t, 256> make_spread() {
  std::array<uint64_t, 256> table{};
  for (size_t bits = 0; bits < table.size(); ++bits) {
    for (size_t place = 0; place < 8; ++place) {
      table[bits] |= static_cast<uint64_t>((bits >> place) & 1) << (8 * place);
    }
  }
  return table;
}
inline constexpr std::array<uint64_t, 256> spread = make_spread();

// How often each of 64 bits was set: plane i has bit i of all 64 numbers.
class BitTally {
 public:
  void clear() { added_ = used_ = 0; }

  // Two words wait for each other at every plane, so that adding them and what is there is one step. Which planes have
  // a word waiting follows from how many were added.
  void add(uint64_t bits) {
    size_t i = 0;
    for (; (added_ >> i) & 1; ++i) bits = add_to_plane(i, waiting_[i], bits);
    if (i == used_) planes_[used_++] = 0;
    waiting_[i] = bits;
    ++added_;
  }

  // Adds 64 numbers, given by their planes.
  void add(const uint64_t* planes, size_t count) {
    uint64_t carry = 0;
    for (size_t i = 0; i < count || carry != 0; ++i) {
      if (i == used_) planes_[used_++] = 0;
      carry = add_to_plane(i, i < count ? planes[i] : 0, carry);
    }
  }

  // Adds the words that wait; to be called before the numbers are read.
  void finish() {
    uint64_t carry = 0;
    for (size_t i = 0; i < used_ || carry != 0; ++i) {
      if (i == used_) planes_[used_++] = 0;
      carry = add_to_plane(i, (added_ >> i) & 1 ? waiting_[i] : 0, carry);
    }
    added_ = 0;
  }

  const uint64_t* planes() const { return planes_.data(); }
  size_t used() const { return used_; }

  // Eight of the numbers, those of bits 8 * byte and on, modulo 256 after a shift to the right.
  uint64_t eight(size_t byte, size_t shift = 0) const {
    uint64_t numbers = 0;
    for (size_t i = shift; i < std::min(used_, shift + 8); ++i) {
      numbers += spread[(planes_[i] >> (8 * byte)) & 255] << (i - shift);
    }
    return numbers;
  }

  // Adds the 64 numbers, times a factor, to `sums`.
  template <typename Number>
  void add_to(Number* sums, Number factor = 1) const {
    for (size_t shift = 0; shift < used_; shift += 8) {
      for (size_t byte = 0; byte < 8; ++byte) {
        const uint64_t numbers = eight(byte, shift);
        for (size_t i = 0; i < 8; ++i) {
          sums[8 * byte + i] += static_cast<Number>((numbers >> (8 * i)) & 255) * (factor << shift);
        }
      }
    }
  }

 private:
  uint64_t add_to_plane(size_t i, uint64_t one, uint64_t other) {
    const uint64_t either = one ^ other, carry = (one & other) | (planes_[i] & either);
    planes_[i] ^= either;
    return carry;
  }

  std::array<uint64_t, word_bits> planes_, waiting_;
  uint64_t added_ = 0;
  size_t used_ = 0;
};

// Calls body with the place of each bit that is set.
template <typename Body>
void for_bits(uint64_t word, const Body& body) {
  for (; word != 0; word &= word - 1) body(static_cast<size_t>(count_bits((word & (~word + 1)) - 1)));
}

}  // namespace bleuprint
