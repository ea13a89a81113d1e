// Columns out of blocks of text files, and columns out of columns.
#include "columns/lines.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "parallel.hpp"
#include "python/binding.hpp"
#include "python/column.hpp"
#include "python/interpreter.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

std::string_view view(const nb::bytes& block) { return {static_cast<const char*>(block.data()), block.size()}; }

int64_t invalid_position(const nb::bytes& block) {
  size_t position = 0;
  run_job(is_small_job(block.size()), [&](Cancel cancel) { position = invalid_utf8(view(block), cancel); });
  return position == block.size() ? -1 : static_cast<int64_t>(position);
}

Column line_column(const nb::bytes& block) {
  Column column;
  column.keep(block.ptr());
  run_job(is_small_job(block.size()), [&](Cancel cancel) { split_lines(view(block), column.texts.pieces, cancel); });
  return column;
}

const Column& plain(nb::handle object) {
  const Column& column = nb::cast<const Column&>(object);
  if (column.texts.tokenized) throw nb::value_error("the column is tokenized");
  return column;
}

// Segments begin .. end - 1 of a column.
Column part(nb::handle object, size_t begin, size_t end) {
  const Texts& texts = plain(object).texts;
  if (begin > end || end > texts.segments()) throw nb::index_error("the column has no such part");
  Column result;
  result.keep(object.ptr());
  const size_t first = begin == end ? 0 : texts.first_text(begin), last = begin == end ? 0 : texts.last_text(end - 1);
  result.texts.pieces.assign(texts.pieces.begin() + first, texts.pieces.begin() + last);
  if (texts.segment_ends.empty()) return result;
  for (size_t i = begin; i < end; ++i) result.texts.segment_ends.push_back(texts.segment_ends[i] - first);
  return result;
}

// The texts of all columns, segment by segment.
Column side_by_side(const nb::list& objects) {
  Column result;
  std::vector<const Texts*> all;
  for (const nb::handle object : objects) {
    all.push_back(&plain(object).texts);
    result.keep(object.ptr());
    if (all.back()->segments() != all.front()->segments()) throw nb::value_error("the columns have different lengths");
  }
  const size_t segments = all.empty() ? 0 : all.front()->segments();
  for (size_t i = 0; i < segments; ++i) {
    for (const Texts* const texts : all) {
      const auto begin = texts->pieces.begin();
      result.texts.pieces.insert(result.texts.pieces.end(), begin + texts->first_text(i), begin + texts->last_text(i));
    }
    result.texts.segment_ends.push_back(result.texts.pieces.size());
  }
  return result;
}

nb::list strings(nb::handle object) {
  const auto& pieces = plain(object).texts.pieces;
  return make_list(pieces.size(), [&](size_t i) { return to_object(pieces[i]); });
}

}  // namespace

void bind_lines(nb::module_& module) {
  module.def("invalid_utf8", &invalid_position, "block"_a);
  module.def("line_column", &line_column, "block"_a);
  module.def("part_of_column", &part, "column"_a, "begin"_a, "end"_a);
  module.def("columns_side_by_side", &side_by_side, "columns"_a);
  module.def("column_strings", &strings, "column"_a);
}

}  // namespace bleuprint
