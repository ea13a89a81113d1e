#include "python/column.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <memory>

#include "python/binding.hpp"
#include "python/interpreter.hpp"
#include "tables/prefetch.hpp"

namespace nb = nanobind;

namespace bleuprint {

std::string type_of(nb::handle object) { return object.is_none() ? "None" : nb::type_name(object.type()).c_str(); }

namespace {

bool is_sequence(PyObject* object) { return PyList_Check(object) || PyTuple_Check(object); }

// A snapshot as a tuple: another thread may change the list while it is read.
nb::object snapshot(PyObject* object) {
  return owned(PyList_Check(object) ? PyList_AsTuple(object) : PySequence_Tuple(object));
}

class Filler {
 public:
  static constexpr Py_ssize_t ahead = 12, tokens_ahead = 6;
  static constexpr Py_ssize_t long_list = 1 << 12;  // tokens; others have their turn before as many are read

  Filler(Column& column, bool groups, bool tokenized) : column_(column), groups_(groups) {
    column.texts.tokenized = column.texts.padded = tokenized;
  }

  void fill(PyObject* items) {
    const Py_ssize_t size = PyTuple_Size(items);
    if (!column_.texts.tokenized) column_.keep(items);  // tokens are copied
    if (column_.texts.tokenized) {
      deep_ = groups_ && holds_lists(items, size);
      column_.texts.text_begins.reserve(static_cast<size_t>(size));
      column_.texts.text_ends.reserve(static_cast<size_t>(size));
    } else {
      column_.texts.pieces.reserve(static_cast<size_t>(size));
    }
    for (segment_ = 0; segment_ < size; ++segment_) {
      // The strings lie all over memory: fetching their heads ahead takes a tenth off this loop, which no thread
      // shares.
      if (segment_ + ahead < size) prefetch(PyTuple_GetItem(items, segment_ + ahead));
      PyObject* const item = PyTuple_GetItem(items, segment_);
      if (column_.texts.tokenized ? deep_ : groups_ && !PyUnicode_Check(item)) {
        add_group(item);
      } else {
        add_text(item, -1);
      }
      close_segment();
      count_piece();
    }
  }

 private:
  // A hundred million tokens take seconds to look at: every 65,536 of them, some 2 ms, others have their turn.
  void count_piece() {
    if (++pieces_ < next_breath_) return;
    next_breath_ = pieces_ + 0x10000;
    breathe();
  }

  // Token lists may be one reference or a list of references: the first token of all decides.
  static bool holds_lists(PyObject* items, Py_ssize_t size) {
    for (Py_ssize_t i = 0; i < size; ++i) {
      PyObject* const item = PyTuple_GetItem(items, i);
      if (!is_sequence(item)) continue;
      const nb::object inner = snapshot(item);
      if (PyTuple_Size(inner.ptr()) == 0) continue;
      const nb::handle first = PyTuple_GetItem(inner.ptr(), 0);
      return is_sequence(first.ptr()) || first.is_none();
    }
    return false;
  }

  void add_group(PyObject* group) {
    if (!is_sequence(group)) throw Fault{"type", segment_, -1, -1, type_of(group)};
    const nb::object items = snapshot(group);
    const Py_ssize_t size = PyTuple_Size(items.ptr());
    const size_t before = column_.texts.texts();
    for (Py_ssize_t i = 0; i < size; ++i) {
      PyObject* const item = PyTuple_GetItem(items.ptr(), i);
      if (item != Py_None) add_text(item, i);
      count_piece();
    }
    if (column_.texts.texts() == before) throw Fault{"empty", segment_, -1, -1, ""};
    if (!column_.texts.tokenized) column_.keep(items.ptr());
  }

  void add_text(PyObject* item, int64_t inner) {
    Texts& texts = column_.texts;
    if (!texts.tokenized) {
      texts.pieces.push_back(text_view(item, segment_, inner));
      return;
    }
    if (!is_sequence(item)) throw Fault{PyUnicode_Check(item) ? "string" : "type", segment_, inner, -1, type_of(item)};
#if defined(Py_GIL_DISABLED)
    constexpr bool in_place = false;
#else
    // A list of usual length is read where it is. Only the methods of a number that is no int can change it meanwhile,
    // so its size is looked at for every token.
    const bool in_place = PyList_CheckExact(item) && NB_LIST_GET_SIZE(item) < long_list;
#endif
    const nb::object tokens = in_place ? nb::borrow(item) : snapshot(item);
    const auto size = [&] { return in_place ? NB_LIST_GET_SIZE(item) : NB_TUPLE_GET_SIZE(tokens.ptr()); };
    const auto token_at = [&](Py_ssize_t i) {
      return in_place ? NB_LIST_GET_ITEM(item, i) : NB_TUPLE_GET_ITEM(tokens.ptr(), i);
    };
    for (Py_ssize_t i = 0; i < size(); ++i) {
      if (i + tokens_ahead < size()) prefetch(token_at(i + tokens_ahead));
      texts.token_lengths.push_back(copied_token(token_at(i), inner, i));
      if (!in_place) count_piece();
    }
    if (in_place) pieces_ += static_cast<uint64_t>(size());
    texts.end_text(column_.bytes.end_text());
  }

  // Copies a token and returns its length. Integers are tokens too: the ids of a subword model.
  uint32_t copied_token(PyObject* token, int64_t inner, int64_t position) {
    if (PyUnicode_Check(token)) return copied_text(token, inner, position);
    if (PyLong_CheckExact(token)) {
      int overflow = 0;
      const long long value = PyLong_AsLongLongAndOverflow(token, &overflow);
      if (overflow == 0) return column_.bytes.add_number(static_cast<int64_t>(value));
    }
    return copied_number(token, inner, position);
  }

  uint32_t copied_text(PyObject* token, int64_t inner, int64_t position) {
    const std::string_view text = text_view(token, segment_, inner, position);
    // ASCII lies behind the head of its object, other text elsewhere.
    constexpr uintptr_t longest_head = 64;
    const uintptr_t head = reinterpret_cast<uintptr_t>(text.data()) - reinterpret_cast<uintptr_t>(token);
    return column_.bytes.add(text, head <= longest_head);
  }

  uint32_t copied_number(PyObject* token, int64_t inner, int64_t position) {
    TokenBytes& bytes = column_.bytes;
    const nb::object kept = nb::borrow(token);
    if (!PyIndex_Check(token) || PyBool_Check(token)) throw Fault{"token", segment_, inner, position, type_of(token)};
    nb::object number = nb::borrow(token);
    if (!PyLong_CheckExact(token)) number = nb::steal(PyNumber_Index(token));
    if (!number.is_valid()) {
      // An array of several numbers has the method of an integer and refuses when it is called.
      if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
      PyErr_Clear();
      throw Fault{"token", segment_, inner, position, type_of(token)};
    }
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow == 0) return bytes.add_number(static_cast<int64_t>(value));
    // Base 16: decimal digits take quadratic time, so the interpreter refuses to write more than 4,300 of them.
    return bytes.add_number(text_view(owned(PyNumber_ToBase(number.ptr(), 16)), segment_, inner, position));
  }

  void close_segment() {
    std::vector<uint64_t>& ends = column_.texts.segment_ends;
    const size_t texts = column_.texts.texts(), done = static_cast<size_t>(segment_) + 1;
    if (!ends.empty()) {
      ends.push_back(texts);
    } else if (texts != done) {
      for (size_t i = 1; i < done; ++i) ends.push_back(i);
      ends.push_back(texts);
    }
  }

  Column& column_;
  bool groups_;
  bool deep_ = false;
  int64_t segment_ = 0;
  uint64_t pieces_ = 0;
  uint64_t next_breath_ = 0x10000;
};

struct StreamGuard {
  ArrowStream* stream;
  ~StreamGuard() {
    if (stream->release != nullptr) stream->release(stream);
  }
};

struct SchemaGuard {
  ArrowSchema schema{};
  ~SchemaGuard() {
    if (schema.release != nullptr) schema.release(&schema);
  }
};

void check(ArrowStream& stream, int code) {
  if (code == 0) return;
  const char* const message = stream.get_last_error(&stream);
  throw std::runtime_error(std::string("the Arrow stream failed: ") + (message != nullptr ? message : "no message"));
}

template <typename Struct>
Struct* opened(PyObject* capsule, const char* name) {
  auto* const content = static_cast<Struct*>(PyCapsule_GetPointer(capsule, name));
  if (content == nullptr) throw nb::python_error();
  return content;
}

void append(const ArrowSchema& schema, const ArrowArray& array, bool groups, Column& column) {
  try {
    append_arrow(schema, array, groups, column.texts);
  } catch (const ArrowNullError& error) {
    throw Fault{"type", static_cast<int64_t>(error.segment), -1, -1, "None"};
  } catch (const ArrowEmptyError& error) {
    throw Fault{"empty", static_cast<int64_t>(error.segment), -1, -1, ""};
  } catch (const ArrowBoundsError& error) {
    throw Fault{"bounds", static_cast<int64_t>(error.segment), error.inner, -1, error.what};
  } catch (const ArrowEncodingError& error) {
    const char* const kind = error.surrogate ? "surrogate" : "bytes";
    throw Fault{kind, static_cast<int64_t>(error.segment), error.inner, -1, "str"};
  } catch (const ArrowTypeError& error) {
    throw Fault{"arrow", 0, -1, -1, error.what()};
  }
}

}  // namespace

Column::~Column() {
  for (PyObject* owner : owners_) Py_DECREF(owner);
  for (ArrowArray* array : arrays_) {
    if (array->release != nullptr) array->release(array);
    delete array;
  }
}

void Column::keep(PyObject* owner) {
  owners_.push_back(owner);
  Py_INCREF(owner);
}

ArrowArray& Column::keep_array() {
  auto owned = std::make_unique<ArrowArray>();
  arrays_.push_back(owned.get());
  return *owned.release();
}

std::string_view encoded_view(nb::handle text, int64_t segment, int64_t inner, int64_t token) {
  if (!PyUnicode_Check(text.ptr())) throw Fault{"type", segment, inner, token, type_of(text.ptr())};
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) {
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw nb::python_error();
    PyErr_Clear();
    throw Fault{"surrogate", segment, inner, token, "str"};
  }
  return {bytes, static_cast<size_t>(size)};
}

Column column_from_sequence(nb::handle items, bool groups, bool tokenized) {
  Column column;
  const nb::object all = snapshot(items.ptr());
  Filler(column, groups, tokenized).fill(all.ptr());
  return column;
}

template <typename Id>
Column column_from_ids(const Id* ids, size_t rows, size_t width, int64_t row_stride, int64_t stride, size_t group,
                       const int64_t* lengths, const int64_t* pad) {
  Column column;
  constexpr int64_t rows_ahead = 4;
  Texts& texts = column.texts;
  texts.tokenized = texts.padded = true;
  texts.text_begins.reserve(rows);
  texts.text_ends.reserve(rows);
  for (size_t row = 0; row < rows; ++row) {
    const size_t end = lengths == nullptr ? width : std::min(width, static_cast<size_t>(lengths[row]));
    const Id* id = ids + static_cast<int64_t>(row) * row_stride;
    // A row that ends early leaves a gap to the next one, which the processor does not read ahead over.
    if (row + static_cast<size_t>(rows_ahead) < rows) {
      const auto* const next = reinterpret_cast<const char*>(id + rows_ahead * row_stride);
      for (size_t line = 0; line < 4; ++line) prefetch(next + 64 * line);
    }
    for (size_t i = 0; i < end; ++i, id += stride) {
      const auto number = static_cast<int64_t>(*id);
      if (pad == nullptr || number != *pad) texts.token_lengths.push_back(column.bytes.add_number(number));
    }
    texts.end_text(column.bytes.end_text());
    if ((row & 0xFFF) == 0) breathe();
  }
  for (size_t end = group; group != 1 && end <= rows; end += group) texts.segment_ends.push_back(end);
  return column;
}

template Column column_from_ids<int32_t>(const int32_t*, size_t, size_t, int64_t, int64_t, size_t, const int64_t*,
                                         const int64_t*);
template Column column_from_ids<int64_t>(const int64_t*, size_t, size_t, int64_t, int64_t, size_t, const int64_t*,
                                         const int64_t*);

Column column_from_arrow_stream(nb::handle capsule, bool groups) {
  ArrowStream* const stream = opened<ArrowStream>(capsule.ptr(), "arrow_array_stream");
  const StreamGuard stream_guard{stream};
  SchemaGuard guard;
  check(*stream, stream->get_schema(stream, &guard.schema));
  Column column;
  for (;;) {
    ArrowArray& array = column.keep_array();
    check(*stream, stream->get_next(stream, &array));
    if (array.release == nullptr) return column;
    append(guard.schema, array, groups, column);
  }
}

Column column_from_arrow_array(nb::handle schema_capsule, nb::handle array_capsule, bool groups) {
  const ArrowSchema* const schema = opened<ArrowSchema>(schema_capsule.ptr(), "arrow_schema");
  ArrowArray* const array = opened<ArrowArray>(array_capsule.ptr(), "arrow_array");
  Column column;
  ArrowArray& kept = column.keep_array();
  std::swap(kept, *array);  // moved, as the interface asks: the capsule is left with nothing to release
  append(*schema, kept, groups, column);
  return column;
}

void register_faults(nb::module_& module) {
  static PyObject* fault_type = PyErr_NewException("bleuprint.core._native.Fault", PyExc_ValueError, nullptr);
  if (fault_type == nullptr) throw nb::python_error();
  module.attr("Fault") = nb::borrow(fault_type);
  nb::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const Fault& fault) {
      set_error(fault_type, std::string_view(fault.kind), fault.segment, fault.inner, fault.token,
                std::string_view(fault.type));
    }
  });
}

}  // namespace bleuprint
