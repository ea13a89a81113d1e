// Python sequences and Arrow streams as columns of texts.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <vector>

#include "columns/arrow.hpp"
#include "columns/segments.hpp"
#include "columns/token_bytes.hpp"

namespace bleuprint {

// An input that cannot be scored. `kind` is one of the words that bleuprint.core.columns turns into an error.
struct Fault {
  const char* kind;
  int64_t segment;
  int64_t inner;  // position of the text inside the segment, -1 if it has none
  int64_t token;  // position of the token inside the text, -1 if it has none
  std::string type;
};

std::string type_of(nanobind::handle object);  // "None" for None

class Column {
 public:
  Texts texts;
  TokenBytes bytes;  // of tokens

  Column() = default;
  Column(const Column&) = delete;
  Column(Column&&) noexcept = default;
  ~Column();

  void keep(PyObject* owner);  // holds a new reference
  ArrowArray& keep_array();

 private:
  std::vector<PyObject*> owners_;
  std::vector<ArrowArray*> arrays_;
};

std::string_view encoded_view(nanobind::handle text, int64_t segment, int64_t inner, int64_t token);

inline std::string_view text_view(nanobind::handle text, int64_t segment, int64_t inner, int64_t token = -1) {
#if !defined(Py_LIMITED_API)
  // ASCII is its own UTF-8 and lies in the object: no call is needed to find it.
  PyObject* const object = text.ptr();
  if (PyUnicode_Check(object) && PyUnicode_IS_COMPACT_ASCII(object)) {
    return {static_cast<const char*>(PyUnicode_DATA(object)), static_cast<size_t>(PyUnicode_GET_LENGTH(object))};
  }
#endif
  return encoded_view(text, segment, inner, token);
}

Column column_from_sequence(nanobind::handle items, bool groups, bool tokenized);
// Rows of token ids, `group` of them to a segment. Ids equal to `pad` are left out; with `lengths` a row ends early.
template <typename Id>
Column column_from_ids(const Id* ids, size_t rows, size_t width, int64_t row_stride, int64_t stride, size_t group,
                       const int64_t* lengths, const int64_t* pad);
Column column_from_arrow_stream(nanobind::handle stream, bool groups);
Column column_from_arrow_array(nanobind::handle schema, nanobind::handle array, bool groups);
void register_faults(nanobind::module_& module);

// The references of one hypothesis: a string, or a list or tuple of strings and None.
template <typename Visit>
void for_each_reference(nanobind::handle references, Visit visit) {
  PyObject* const object = references.ptr();
  if (PyUnicode_Check(object)) return visit(text_view(references, 0, -1));
  const bool is_list = PyList_Check(object);
  if (!is_list && !PyTuple_Check(object)) throw Fault{"type", 0, -1, -1, type_of(references)};
  const Py_ssize_t size = is_list ? PyList_Size(object) : PyTuple_Size(object);
  bool any = false;
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject* const item = is_list ? PyList_GetItem(object, i) : PyTuple_GetItem(object, i);
    if (item == Py_None) continue;
    any = true;
    visit(text_view(item, 0, i));
  }
  if (!any) throw Fault{"empty", 0, -1, -1, ""};
}

}  // namespace bleuprint
