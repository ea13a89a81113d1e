// What the files of the binding share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "columns/segments.hpp"
#include "python/objects.hpp"
#include "tokenizers/tokenize.hpp"

namespace bleuprint {

// Drawn once per process: which table slot a token falls in cannot be predicted from outside, and no result depends
// on it. The environment variable BLEUPRINT_HASH_SEED fixes it, for tests of just that.
uint64_t process_seed() noexcept;

// A job of this many bytes takes about a millisecond at most and keeps the interpreter lock.
constexpr size_t small_job = 1 << 16;
inline bool is_small_job(size_t bytes) noexcept { return bytes <= small_job; }

template <typename Value>
using Array = nanobind::ndarray<const Value, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

void require_ids(const Array<uint32_t>& ids, size_t kinds);
// List i of elements goes from offsets[i] to offsets[i + 1].
void require_lists(const Array<uint32_t>& elements, const Array<uint64_t>& offsets, size_t lists, size_t limit);
Tokenizer require_tokenizer(std::string_view name);
nanobind::object token_object(std::string_view token);  // a str, or an int for a token that was one

void bind_best_match(nanobind::module_& module);
void bind_characters(nanobind::module_& module);
void bind_changes(nanobind::module_& module);
void bind_clipped(nanobind::module_& module);
void bind_edits(nanobind::module_& module);
void bind_fragments(nanobind::module_& module);
void bind_language_model(nanobind::module_& module);
void bind_lines(nanobind::module_& module);
void bind_ngram_index(nanobind::module_& module);
void bind_ngram_matches(nanobind::module_& module);
void bind_pairwise(nanobind::module_& module);
void bind_pool(nanobind::module_& module);
void bind_prior(nanobind::module_& module);
void bind_resample(nanobind::module_& module);
void bind_swaps(nanobind::module_& module);
void bind_shifts(nanobind::module_& module);
void bind_similar_sets(nanobind::module_& module);
void bind_staged_match(nanobind::module_& module);
void bind_tables(nanobind::module_& module);

}  // namespace bleuprint
