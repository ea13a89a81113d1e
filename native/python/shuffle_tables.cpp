#include "pool/shuffle_tables.hpp"

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "pool/fill.hpp"
#include "python/binding.hpp"
#include "python/column.hpp"
#include "python/interpreter.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {
namespace {

ShuffleRule require_rule(std::string_view name) {
  if (name == "top-two") return ShuffleRule::top_two;
  if (name == "sums") return ShuffleRule::sums;
  if (name == "cross") return ShuffleRule::cross;
  throw nb::value_error("no such rule");
}

std::string_view view(const nb::bytes& bytes) { return {static_cast<const char*>(bytes.data()), bytes.size()}; }
nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

// Blocks and tables change, so that each has a lock.
struct PyBlock : TextBlock {
  using TextBlock::TextBlock;
  explicit PyBlock(TextBlock&& block) : TextBlock(std::move(block)) {}
  PyBlock(PyBlock&& other) noexcept : TextBlock(std::move(other)) {}
  mutable std::mutex turn;
};
struct PyTable : MergedTable {
  using MergedTable::MergedTable;
  mutable std::mutex turn;
};

template <typename Job>
void run(std::mutex& turn, size_t work, const Job& job) {
  run_alone(turn, is_small_job(work), [&](Cancel cancel) { job({1, cancel}); });
}
template <typename Locked, typename Get>
std::invoke_result_t<Get> read(const Locked& object, const Get& get) {
  std::invoke_result_t<Get> found{};
  run(object.turn, 0, [&](const Run&) { found = get(); });
  return found;
}
size_t work_of(const PyBlock& block) {
  return read(block, [&] { return block.tokens() * 8; });
}

PyBlock block_of_column(const Column& column, std::string_view tokenizer, bool lowercase, bool second_side) {
  const Reading reading{require_tokenizer(tokenizer), lowercase};
  Pool pool(process_seed());
  run_job(is_small_job(column.texts.work()),
          [&](Cancel cancel) { fill(pool, column.texts, reading, process_seed(), {1, cancel}); });
  return PyBlock(TextBlock(pool, second_side));
}

std::vector<nb::bytes> tables(const PyBlock& block, std::string_view rule, uint64_t seed, size_t buckets) {
  std::vector<std::string> found(buckets);
  const ShuffleRule chosen = require_rule(rule);
  run(block.turn, work_of(block), [&](const Run& how) { block.tables(chosen, seed, &found, how); });
  std::vector<nb::bytes> all;
  for (const std::string& table : found) all.push_back(bytes_of(table));
  return all;
}

void take_answers(PyBlock& block, std::string_view rule, uint64_t seed, const std::vector<nb::bytes>& answers) {
  std::vector<std::string_view> views;
  for (const nb::bytes& answer : answers) views.push_back(view(answer));
  const ShuffleRule chosen = require_rule(rule);
  run(block.turn, work_of(block), [&](const Run& how) { block.take_answers(chosen, seed, views, how); });
}

nb::bytes wide(const std::vector<int64_t>& values) { return nb::bytes(values.data(), values.size() * sizeof(int64_t)); }

nb::bytes lengths(const PyBlock& block) {
  return wide(read(block, [&] { return std::vector<int64_t>(block.lengths().begin(), block.lengths().end()); }));
}

nb::bytes matches(const PyBlock& block) {
  return wide(read(block, [&] { return std::vector<int64_t>(block.matches().begin(), block.matches().end()); }));
}

nb::bytes counts(const PyTable& merged) {
  const auto found = read(merged, [&] { return merged.counts(); });
  return nb::bytes(found.data(), found.size() * sizeof(NgramCounts));
}

}  // namespace

void bind_shuffle_tables(nb::module_& module) {
  nb::class_<PyBlock>(module, "TextBlock")
      .def(
          "__init__", [](PyBlock* self, const nb::bytes& packed) { new (self) PyBlock(view(packed)); }, "packed"_a)
      .def("packed", [](const PyBlock& block) { return bytes_of(read(block, [&] { return block.packed(); })); })
      .def("__len__", [](const PyBlock& block) { return read(block, [&] { return block.lengths().size(); }); })
      .def_prop_ro("order", [](const PyBlock& block) { return read(block, [&] { return block.order(); }); })
      .def_prop_ro("candidates", [](const PyBlock& block) { return read(block, [&] { return block.candidates(); }); })
      .def_prop_ro("fingerprint", [](const PyBlock& block) { return read(block, [&] { return block.fingerprint(); }); })
      .def("lengths", &lengths)
      .def("matches", &matches)
      .def("tables", &tables, "rule"_a, "seed"_a, "buckets"_a)
      .def("take_answers", &take_answers, "rule"_a, "seed"_a, "answers"_a);
  module.def("block_of_column", &block_of_column, "column"_a, "tokenizer"_a, "lowercase"_a, "second_side"_a);
  nb::class_<PyTable>(module, "MergedTable")
      .def(
          "__init__",
          [](PyTable* self, std::string_view rule, uint64_t order) {
            new (self) PyTable(require_rule(rule), order, process_seed());
          },
          "rule"_a, "order"_a)
      .def("__len__", [](const PyTable& merged) { return read(merged, [&] { return merged.tables(); }); })
      .def(
          "add",
          [](PyTable& merged, const nb::bytes& table) {
            run(merged.turn, table.size(), [&](const Run&) { merged.add(view(table)); });
          },
          "table"_a)
      .def(
          "answer",
          [](const PyTable& merged, size_t table) {
            return bytes_of(read(merged, [&] { return merged.answer(table); }));
          },
          "table"_a)
      .def("counts", &counts);
}

}  // namespace bleuprint
