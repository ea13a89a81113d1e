// Functions compiled twice, for processors with 256-bit vectors and for all others; the loader chooses.
#pragma once

#if defined(__GLIBC__) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define BLEUPRINT_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define BLEUPRINT_WIDE_VECTORS
#endif
