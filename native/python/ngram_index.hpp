// An index of n-grams as Python holds it.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string_view>

#include "index/ngram_index.hpp"

namespace bleuprint {

// The bytes of a Python object, held as long as the index is: a mapping cannot be closed meanwhile.
class HeldBytes {
 public:
  explicit HeldBytes(nanobind::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nanobind::python_error();
  }
  HeldBytes(const HeldBytes&) = delete;
  ~HeldBytes() { PyBuffer_Release(&view_); }  // only Python objects own indexes, so the interpreter lock is held
  std::string_view get() const { return {static_cast<const char*>(view_.buf), static_cast<size_t>(view_.len)}; }

 private:
  Py_buffer view_;
};

struct HeldIndex {
  explicit HeldIndex(nanobind::handle object) : bytes(object), index(bytes.get()) {}
  HeldBytes bytes;
  NgramIndex index;
};

// Plans outlive the object they were made from, so the index is shared.
class PyIndex {
 public:
  explicit PyIndex(nanobind::handle object) : held_(std::make_shared<const HeldIndex>(object)) {}
  const std::shared_ptr<const HeldIndex>& shared() const { return held_; }
  const NgramIndex& get() const { return held_->index; }

 private:
  std::shared_ptr<const HeldIndex> held_;
};

}  // namespace bleuprint
