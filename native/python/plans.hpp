// What the bindings of all kernels share.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string_view>

#include "tokenize.hpp"

namespace bleuprint {

// Drawn once per process: which table slot a token falls in cannot be predicted from outside, and no result
// depends on it.
extern const uint64_t seed;

// Below this many bytes a call takes about a millisecond at most and keeps the lock.
constexpr size_t small_job = 1 << 16;

Tokenizer require_tokenizer(std::string_view name);

void bind_pairwise(nanobind::module_& module);

}  // namespace bleuprint
