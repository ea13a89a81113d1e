#include "c/exact_mean.hpp"

#include <cmath>

namespace bleuprint {

void ExactMean::add(double value) noexcept {
  ++count_;
  if (value == 0) return;
  int exponent;
  const auto mantissa = static_cast<uint64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  // A number below the normal ones has zeros at the end of its mantissa, as many as its unit is below 2^-1074.
  int place = exponent - 53 + 1074;
  uint64_t bits = mantissa;
  if (place < 0) {
    bits >>= -place;
    place = 0;
  }
  size_t limb = static_cast<size_t>(place) / 32;
  const auto shift = static_cast<unsigned>(place) % 32;
  uint64_t carry = 0;
  const uint32_t parts[3] = {static_cast<uint32_t>(bits << shift), static_cast<uint32_t>(bits >> (32 - shift)),
                             shift == 0 ? 0 : static_cast<uint32_t>(bits >> 32 >> (32 - shift))};
  for (size_t i = 0; i < 3 || carry != 0; ++i, ++limb) {
    carry += uint64_t{limbs_[limb]} + (i < 3 ? parts[i] : 0);
    limbs_[limb] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
}

double ExactMean::rounded(uint64_t divisor) const noexcept {
  // Long division from the top.
  std::array<uint32_t, size> quotient{};
  uint64_t rest = 0;
  for (size_t i = size; i-- > 0;) {
    rest = rest << 32 | limbs_[i];
    quotient[i] = static_cast<uint32_t>(rest / divisor);
    rest %= divisor;
  }
  size_t top = size * 32;
  const auto bit = [&](size_t place) { return quotient[place / 32] >> (place % 32) & 1; };
  while (top > 0 && bit(top - 1) == 0) --top;
  if (top == 0) return 0;
  const size_t low = top > 53 ? top - 53 : 0;
  uint64_t mantissa = 0;
  for (size_t place = top; place-- > low;) mantissa = mantissa << 1 | bit(place);
  bool more = rest != 0;
  for (size_t place = 0; low > 0 && place + 1 < low && !more; ++place) more = bit(place) != 0;
  const bool half = low > 0 ? bit(low - 1) != 0 : 2 * rest >= divisor;
  if (low == 0) more = 2 * rest > divisor;
  if (half && (more || (mantissa & 1) != 0)) ++mantissa;
  return std::ldexp(static_cast<double>(mantissa), static_cast<int>(low) - 1074);
}

}  // namespace bleuprint
