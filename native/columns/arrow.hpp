// Texts out of the Arrow C data interface (https://arrow.apache.org/docs/format/CDataInterface.html), uncopied.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "columns/segments.hpp"

namespace bleuprint {

// The two structures are the interface's own, member by member.
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowStream {
  int (*get_schema)(ArrowStream*, ArrowSchema*);
  int (*get_next)(ArrowStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowStream*);
  void (*release)(ArrowStream*);
  void* private_data;
};

struct ArrowTypeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct ArrowNullError {
  size_t segment;
};
struct ArrowEmptyError {
  size_t segment;
};

// What the array says lies outside of what it holds. Nobody checks an array that comes from a file or another library.
struct ArrowBoundsError {
  size_t segment;
  int64_t inner;  // position of the text inside the list, -1 outside of one
  std::string what;
};

struct ArrowEncodingError {
  size_t segment;
  int64_t inner;  // position of the text inside the list, -1 outside of one
  bool surrogate;
};

// Appends the texts of one array. A null text is an error in a flat column; in a column of lists, which only `groups`
// allow, it is skipped, and a list with no text left is an error. A flat column counts as one text per segment.
// A text that is no UTF-8 is an error: the interface promises it, but nobody checks. So is one outside of its buffer,
// as far as the interface tells the size: data of offsets end at the last offset, and views come with the sizes.
void append_arrow(const ArrowSchema& schema, const ArrowArray& array, bool groups, Texts& texts);

}  // namespace bleuprint
