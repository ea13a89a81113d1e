// Marks a loop of which compilers make wider vectors where the processor has them; its numbers are the same everywhere.
#pragma once

#if defined(__GLIBC__) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define BLEUPRINT_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define BLEUPRINT_WIDE_VECTORS
#endif
