// The mean of numbers from 0 on, rounded once, so that their order does not matter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace bleuprint {

class ExactMean {
 public:
  // A finite number that is not negative.
  void add(double value) noexcept;
  double sum() const noexcept { return rounded(1); }
  double mean() const noexcept { return count_ == 0 ? 0 : rounded(count_); }

 private:
  // The sum over a number of at most 32 bits.
  double rounded(uint64_t divisor) const noexcept;

  // The sum in units of 2^-1074, the smallest double; 32 bits to a limb, and room for 2^64 of the largest.
  static constexpr size_t size = 68;
  std::array<uint32_t, size> limbs_{};
  uint64_t count_ = 0;
};

}  // namespace bleuprint
