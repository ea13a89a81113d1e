// Python objects of what the core has found, and the core's values of Python objects. Every object is checked: where
// memory ends, nanobind's own makers of lists and tuples write to address 0, those of strings and numbers raise a
// RuntimeError, and its vectors end the process. These raise Python's MemoryError.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bleuprint {

// A new reference, or the Python error that there is none: overridden methods and huge numbers may raise.
template <typename Object = nanobind::object>
Object owned(PyObject* object) {
  if (object == nullptr) throw nanobind::python_error();
  return nanobind::steal<Object>(object);
}

inline nanobind::str to_object(std::string_view text) {
  return owned<nanobind::str>(PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
}

inline nanobind::object to_object(nanobind::object object) { return object; }

template <typename Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>
nanobind::object to_object(Number number) {
  if constexpr (std::is_same_v<Number, bool>) {
    return nanobind::borrow(number ? Py_True : Py_False);
  } else if constexpr (std::is_floating_point_v<Number>) {
    return owned(PyFloat_FromDouble(number));
  } else if constexpr (std::is_signed_v<Number>) {
    return owned(PyLong_FromLongLong(number));
  } else {
    return owned(PyLong_FromUnsignedLongLong(number));
  }
}

inline nanobind::bytes to_bytes(const void* data, size_t size) {
  return owned<nanobind::bytes>(
      PyBytes_FromStringAndSize(static_cast<const char*>(data), static_cast<Py_ssize_t>(size)));
}
inline nanobind::bytes to_bytes(std::string_view bytes) { return to_bytes(bytes.data(), bytes.size()); }

template <typename... Values>
nanobind::tuple to_tuple(const Values&... values) {
  auto tuple = owned<nanobind::tuple>(PyTuple_New(sizeof...(Values)));
  Py_ssize_t at = 0;
  (PyTuple_SetItem(tuple.ptr(), at++, to_object(values).release().ptr()), ...);
  return tuple;
}

template <typename Class>
nanobind::object to_instance(Class value) {
  try {
    return nanobind::cast(std::move(value));
  } catch (const nanobind::cast_error&) {
    if (PyErr_Occurred() != nullptr) throw nanobind::python_error();
    throw;
  }
}

inline nanobind::list empty_list() { return owned<nanobind::list>(PyList_New(0)); }

// As many elements as `count`, each made from its number.
template <typename Make>
nanobind::list make_list(size_t count, const Make& make) {
  auto list = owned<nanobind::list>(PyList_New(static_cast<Py_ssize_t>(count)));
  for (size_t i = 0; i < count; ++i) {
    nanobind::object item = make(i);
    PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(i), item.release().ptr());
  }
  return list;
}

// The elements of a list or another sequence; texts are views of its strings.
template <typename Value>
std::vector<Value> to_vector(nanobind::handle sequence) {
  const auto items = owned(PySequence_Tuple(sequence.ptr()));
  std::vector<Value> values(static_cast<size_t>(PyTuple_Size(items.ptr())));
  for (size_t i = 0; i < values.size(); ++i) {
    const nanobind::handle item = PyTuple_GetItem(items.ptr(), static_cast<Py_ssize_t>(i));
    if (!nanobind::try_cast(item, values[i])) throw nanobind::type_error("the sequence has an element of another type");
  }
  return values;
}

// Sets a Python error with these arguments: in a translator of exceptions, which must not throw.
template <typename... Values>
void set_error(PyObject* type, const Values&... values) noexcept {
  try {
    PyErr_SetObject(type, to_tuple(values...).ptr());
  } catch (nanobind::python_error& error) {
    error.restore();
  }
}

}  // namespace bleuprint
