// How far look-ups go, for tests: in tables under a given seed, with keys crafted against one, and in shared readings.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "python/binding.hpp"
#include "python/column.hpp"
#include "rows/ngrams.hpp"
#include "tables/growing_table.hpp"
#include "tables/vocabulary.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

using Numbers = nb::ndarray<uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Of a vocabulary, of a growing table and of a small one, in this order.
std::vector<uint64_t> token_detours(const nb::object& given, uint64_t seed) {
  const auto tokens = to_vector<std::string_view>(given);
  Vocabulary vocabulary(seed);
  GrowingTable<TokenKey> growing(seed);
  SmallTable<TokenKey> small;
  small.reset(tokens.size());
  for (const std::string_view token : tokens) {
    const TokenKey key = make_key(token, Region{}, seed);
    vocabulary.intern(token);
    growing.insert(key);
    small.insert(key, hash(key, seed));
  }
  return {vocabulary.detours(), growing.detours(),
          small.detours([seed](const TokenKey& key) { return hash(key, seed); })};
}

// Of a growing table and of a small one.
std::vector<uint64_t> pair_detours(Numbers keys, uint64_t seed) {
  GrowingTable<uint64_t> growing(seed);
  SmallTable<uint64_t> small;
  small.reset(keys.shape(0));
  for (size_t i = 0; i < keys.shape(0); ++i) {
    growing.insert(keys.data()[i]);
    small.insert(keys.data()[i], hash(keys.data()[i], seed));
  }
  return {growing.detours(), small.detours([seed](uint64_t key) { return hash(key, seed); })};
}

// Of counters that read all texts of a column beside each other, one for each tokenizer.
uint64_t reading_detours(const Column& column, const nb::object& tokenizers) {
  const Texts& texts = column.texts;
  SharedReadings shared({});
  std::vector<Reader> readers;
  for (const std::string_view name : to_vector<std::string_view>(tokenizers)) {
    readers.emplace_back(Reading{require_tokenizer(name), false}, Cancel{}, &shared);
  }
  for (size_t segment = 0; segment < texts.segments(); ++segment) {
    shared.start_segment(segment);
    for (Reader& reader : readers) {
      for (size_t text = texts.first_text(segment); text < texts.last_text(segment); ++text) reader.read(texts, text);
    }
  }
  return shared.detours();
}

}  // namespace

void bind_tables(nb::module_& module) {
  module.def("token_detours", &token_detours, "tokens"_a, "seed"_a);
  module.def("pair_detours", &pair_detours, "keys"_a, "seed"_a);
  module.def("reading_detours", &reading_detours, "column"_a, "tokenizers"_a);
}

}  // namespace bleuprint
