#include "../shuffle_tables.hpp"

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "../pool_fill.hpp"
#include "binding.hpp"
#include "column.hpp"
#include "interpreter.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {
namespace {

ShuffleRule require_rule(std::string_view name) {
  if (name == "top-two") return ShuffleRule::top_two;
  if (name == "sums") return ShuffleRule::sums;
  throw nb::value_error("no such rule");
}

std::string_view view(const nb::bytes& bytes) { return {static_cast<const char*>(bytes.data()), bytes.size()}; }
nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

void run(size_t work, const std::function<void(const Run&)>& job) {
  run_job(is_small_job(work), [&](const std::atomic<bool>& cancel) { job({1, &cancel}); });
}

TextBlock block_of_column(const Column& column, std::string_view tokenizer, bool lowercase, bool second_side) {
  const Reading reading{require_tokenizer(tokenizer), lowercase};
  Pool pool(process_seed());
  run(column.texts.work(), [&](const Run& how) { fill(pool, column.texts, reading, process_seed(), how); });
  return TextBlock(pool, second_side);
}

std::vector<nb::bytes> tables(const TextBlock& block, std::string_view rule, uint64_t seed, size_t buckets) {
  std::vector<std::string> found(buckets);
  const ShuffleRule chosen = require_rule(rule);
  run(block.tokens() * 8, [&](const Run& how) { block.tables(chosen, seed, &found, how); });
  std::vector<nb::bytes> all;
  for (const std::string& table : found) all.push_back(bytes_of(table));
  return all;
}

void take_answers(TextBlock& block, std::string_view rule, uint64_t seed, const std::vector<nb::bytes>& answers) {
  std::vector<std::string_view> views;
  for (const nb::bytes& answer : answers) views.push_back(view(answer));
  const ShuffleRule chosen = require_rule(rule);
  run(block.tokens() * 8, [&](const Run& how) { block.take_answers(chosen, seed, views, how); });
}

nb::bytes lengths(const TextBlock& block) {
  const std::vector<int64_t> wide(block.lengths().begin(), block.lengths().end());
  return nb::bytes(wide.data(), wide.size() * sizeof(int64_t));
}

nb::bytes matches(const TextBlock& block) {
  const std::vector<int64_t> wide(block.matches().begin(), block.matches().end());
  return nb::bytes(wide.data(), wide.size() * sizeof(int64_t));
}

}  // namespace

void bind_shuffle_tables(nb::module_& module) {
  nb::class_<TextBlock>(module, "TextBlock")
      .def(
          "__init__", [](TextBlock* self, const nb::bytes& packed) { new (self) TextBlock(view(packed)); }, "packed"_a)
      .def("packed", [](const TextBlock& block) { return bytes_of(block.packed()); })
      .def("__len__", [](const TextBlock& block) { return block.lengths().size(); })
      .def_prop_ro("order", &TextBlock::order)
      .def_prop_ro("candidates", &TextBlock::candidates)
      .def_prop_ro("fingerprint", &TextBlock::fingerprint)
      .def("lengths", &lengths)
      .def("matches", &matches)
      .def("tables", &tables, "rule"_a, "seed"_a, "buckets"_a)
      .def("take_answers", &take_answers, "rule"_a, "seed"_a, "answers"_a);
  module.def("block_of_column", &block_of_column, "column"_a, "tokenizer"_a, "lowercase"_a, "second_side"_a);
  nb::class_<MergedTable>(module, "MergedTable")
      .def(
          "__init__",
          [](MergedTable* self, std::string_view rule, uint64_t order) {
            new (self) MergedTable(require_rule(rule), order, process_seed());
          },
          "rule"_a, "order"_a)
      .def("__len__", &MergedTable::tables)
      .def(
          "add",
          [](MergedTable& merged, const nb::bytes& table) {
            run(table.size(), [&](const Run&) { merged.add(view(table)); });
          },
          "table"_a)
      .def(
          "answer", [](const MergedTable& merged, size_t table) { return bytes_of(merged.answer(table)); }, "table"_a)
      .def("counts", [](const MergedTable& merged) {
        return nb::bytes(merged.counts().data(), merged.counts().size() * sizeof(NgramCounts));
      });
}

}  // namespace bleuprint
