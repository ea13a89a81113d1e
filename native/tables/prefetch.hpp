// A hint where the next random read will be; nothing where the compiler has no such hint.
#pragma once

namespace bleuprint {

inline void prefetch(const void* address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

}  // namespace bleuprint
