#include "columns/arrow.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "text/utf8.hpp"

namespace bleuprint {

namespace {

bool is_null(const ArrowArray& array, int64_t index) noexcept {
  const auto* const valid = static_cast<const uint8_t*>(array.n_buffers > 0 ? array.buffers[0] : nullptr);
  if (array.null_count == 0 || valid == nullptr) return false;
  const int64_t bit = array.offset + index;
  return (valid[bit / 8] >> (bit % 8) & 1) == 0;
}

// Thrown by what does not know the segment and caught by what does.
struct OutOfBounds {
  std::string what;
};

[[noreturn]] void out_of_bounds(const char* kind, int64_t begin, int64_t end, int64_t size) {
  throw OutOfBounds{std::string(kind) + " from " + std::to_string(begin) + " to " + std::to_string(end) + " of " +
                    std::to_string(size)};
}

// That an array has the buffers, the children and the positions its type needs. Buffers of no rows may be missing.
void check_layout(const ArrowArray& array, int64_t buffers, int64_t children, bool more_buffers = false) {
  if (array.length < 0 || array.offset < 0 || array.offset >= INT64_MAX / 16 - array.length) {
    throw OutOfBounds{"length " + std::to_string(array.length) + " at offset " + std::to_string(array.offset)};
  }
  if (array.n_buffers < buffers || (array.n_buffers > buffers && !more_buffers) || array.n_children != children) {
    throw OutOfBounds{std::to_string(array.n_buffers) + " buffers and " + std::to_string(array.n_children) +
                      " children"};
  }
  if (array.length > 0 && array.buffers[1] == nullptr) throw OutOfBounds{"no buffer for its rows"};
}

// Where a row of an array with offsets begins and ends; `size` is that of what the offsets point into.
template <typename Offset>
std::pair<int64_t, int64_t> range_at(const ArrowArray& array, int64_t index, int64_t size, const char* kind) {
  const auto* const offsets = static_cast<const Offset*>(array.buffers[1]) + array.offset + index;
  const int64_t begin = offsets[0], end = offsets[1];
  if ((begin < 0) | (end < begin) | (end > size)) out_of_bounds(kind, begin, end, size);
  return {begin, end};
}

std::string_view text_by_view(const ArrowArray& array, int64_t index) {
  const char* const view = static_cast<const char*>(array.buffers[1]) + 16 * (array.offset + index);
  int32_t fields[4];
  std::memcpy(fields, view, sizeof fields);
  const int32_t length = fields[0], buffer = fields[2], begin = fields[3];
  if (length >= 0 && length <= 12) return {view + 4, static_cast<size_t>(length)};
  const int64_t texts = array.n_buffers - 3;  // before them validity and views, after them their sizes
  if ((buffer < 0) | (buffer >= texts)) out_of_bounds("buffers", buffer, int64_t{buffer} + 1, texts);
  const auto* const sizes = static_cast<const int64_t*>(array.buffers[array.n_buffers - 1]);
  const int64_t end = int64_t{begin} + length, size = sizes == nullptr ? 0 : sizes[buffer];
  if ((begin < 0) | (end < begin) | (end > size)) out_of_bounds("bytes", begin, end, size);
  return {static_cast<const char*>(array.buffers[2 + buffer]) + begin, static_cast<size_t>(length)};
}

int64_t dictionary_index(const ArrowSchema& schema, const ArrowArray& array, int64_t index) {
  const int64_t at = array.offset + index;
  const void* const values = array.buffers[1];
  switch (schema.format[0]) {
    case 'c':
      return static_cast<const int8_t*>(values)[at];
    case 'C':
      return static_cast<const uint8_t*>(values)[at];
    case 's':
      return static_cast<const int16_t*>(values)[at];
    case 'S':
      return static_cast<const uint16_t*>(values)[at];
    case 'i':
      return static_cast<const int32_t*>(values)[at];
    case 'I':
      return static_cast<const uint32_t*>(values)[at];
    case 'l':
      return static_cast<const int64_t*>(values)[at];
    case 'L':
      return static_cast<int64_t>(static_cast<const uint64_t*>(values)[at]);
  }
  throw ArrowTypeError(std::string("dictionary index of Arrow format '") + schema.format + "'");
}

class TextColumn {
 public:
  TextColumn(const ArrowSchema& schema, const ArrowArray& array)
      : schema_(schema), array_(array), values_(schema.dictionary != nullptr ? array.dictionary : &array) {
    const std::string_view format = (schema.dictionary != nullptr ? *schema.dictionary : schema).format;
    if (format != "u" && format != "U" && format != "vu") {
      throw ArrowTypeError("Arrow format '" + std::string(format) + "'");
    }
    kind_ = format[0];
    if (schema.dictionary != nullptr) check_layout(array, 2, 0);
    if (values_ == nullptr) throw OutOfBounds{"no dictionary"};
    check_layout(*values_, 3, 0, kind_ == 'v');
    if (values_->length > 0 && kind_ == 'u') bytes_ = last_offset<int32_t>();
    if (values_->length > 0 && kind_ == 'U') bytes_ = last_offset<int64_t>();
  }

  // False for a null.
  bool find(int64_t index, std::string_view& text) const {
    if (is_null(array_, index)) return false;
    if (schema_.dictionary != nullptr) {
      index = dictionary_index(schema_, array_, index);
      if ((index < 0) | (index >= values_->length)) {
        throw OutOfBounds{"entry " + std::to_string(index) + " of a dictionary of " + std::to_string(values_->length)};
      }
      if (is_null(*values_, index)) return false;
    }
    text = kind_ == 'v' ? text_by_view(*values_, index)
                        : text_at(kind_ == 'u' ? range_at<int32_t>(*values_, index, bytes_, "bytes")
                                               : range_at<int64_t>(*values_, index, bytes_, "bytes"));
    return true;
  }

 private:
  template <typename Offset>
  int64_t last_offset() const {
    const int64_t last = static_cast<const Offset*>(values_->buffers[1])[values_->offset + values_->length];
    if (last > 0 && values_->buffers[2] == nullptr) throw OutOfBounds{"no buffer for its texts"};
    return last;
  }

  std::string_view text_at(std::pair<int64_t, int64_t> range) const noexcept {
    return {static_cast<const char*>(values_->buffers[2]) + range.first,
            static_cast<size_t>(range.second - range.first)};
  }

  const ArrowSchema& schema_;
  const ArrowArray& array_;
  const ArrowArray* values_;
  char kind_;  // the format's first character
  int64_t bytes_ = 0;
};

using Pieces = std::vector<std::string_view>;

const char* wrong_byte(std::string_view text) noexcept {
  const char* const end = text.data() + text.size();
  const char* const wrong = valid_until(text.data(), end, end);
  return wrong == end ? nullptr : wrong;
}

// Whether texts that lie one after the other, from `begin` to before `end`, are UTF-8 each.
bool all_valid(const Pieces& texts, size_t begin, size_t end, std::string_view together) noexcept {
  const char* const stop = together.data() + together.size();
  const char* const wide = skip_ascii(together.data(), stop);
  if (wide == stop) return true;
  if (valid_until(wide, stop, stop) != stop) return false;
  for (size_t i = begin; i < end; ++i) {
    if (!texts[i].empty() && (static_cast<unsigned char>(texts[i][0]) & 0xC0) == 0x80) return false;
  }
  return true;
}

// The first text from `begin` on that is no UTF-8, or none. Columns hold texts one after the other, and a megabyte is
// looked at sooner than its texts are.
size_t first_undecodable(const Pieces& texts, size_t begin) noexcept {
  while (begin < texts.size()) {
    std::string_view together = texts[begin];
    size_t end = begin + 1;
    for (; end < texts.size() && texts[end].data() == together.data() + together.size(); ++end) {
      together = {together.data(), together.size() + texts[end].size()};
    }
    if (!all_valid(texts, begin, end, together)) {
      for (; begin < end; ++begin) {
        if (wrong_byte(texts[begin]) != nullptr) return begin;
      }
    }
    begin = end;
  }
  return begin;
}

[[noreturn]] void refuse(std::string_view text, size_t segment, int64_t inner) {
  const char* const wrong = wrong_byte(text);
  const bool surrogate = text.data() + text.size() - wrong >= 3 && static_cast<unsigned char>(wrong[0]) == 0xED &&
                         (static_cast<unsigned char>(wrong[1]) & 0xE0) == 0xA0;
  throw ArrowEncodingError{segment, inner, surrogate};
}

// Of the text that is read, for errors.
struct Position {
  size_t segment;
  int64_t inner;
};

void start_groups(Texts& texts) {
  if (!texts.segment_ends.empty()) return;
  for (size_t i = 1; i <= texts.texts(); ++i) texts.segment_ends.push_back(i);
}

template <typename Offset>
void append_lists(const ArrowSchema& schema, const ArrowArray& array, Texts& texts, Position& position) {
  check_layout(array, 2, 1);
  const ArrowArray& items = *array.children[0];
  const TextColumn column(*schema.children[0], items);
  start_groups(texts);
  const size_t first = texts.pieces.size(), segments = texts.segments();
  const auto for_each = [&](int64_t i, const auto& visit) {
    position = {segments + static_cast<size_t>(i), -1};
    if (is_null(array, i)) return;
    const auto [begin, end] = range_at<Offset>(array, i, items.length, "items");
    std::string_view text;
    for (int64_t item = begin; item < end; ++item) {
      position.inner = item - begin;
      if (column.find(item, text)) visit(text);
    }
  };
  for (int64_t i = 0; i < array.length; ++i) {
    const size_t before = texts.pieces.size();
    for_each(i, [&](std::string_view text) { texts.pieces.push_back(text); });
    if (texts.pieces.size() == before) throw ArrowEmptyError{texts.segments()};
    texts.segment_ends.push_back(texts.pieces.size());
  }
  size_t ahead = first_undecodable(texts.pieces, first) - first;
  if (first + ahead == texts.pieces.size()) return;
  for (int64_t i = 0; i < array.length; ++i) {
    for_each(i, [&](std::string_view text) {
      if (ahead-- == 0) refuse(text, position.segment, position.inner);
    });
  }
}

void append_texts(const ArrowSchema& schema, const ArrowArray& array, Texts& texts, Position& position) {
  const TextColumn column(schema, array);
  const size_t first = texts.pieces.size(), segments = texts.segments();
  const size_t needed = first + static_cast<size_t>(array.length);
  // At least doubled: a stream may have a hundred thousand short arrays, and each would move all texts before it.
  if (texts.pieces.capacity() < needed) texts.pieces.reserve(first == 0 ? needed : std::max(needed, 2 * first));
  std::string_view text;
  for (int64_t i = 0; i < array.length; ++i) {
    position.segment = segments + static_cast<size_t>(i);
    if (!column.find(i, text)) throw ArrowNullError{position.segment};
    texts.pieces.push_back(text);
  }
  const size_t wrong = first_undecodable(texts.pieces, first);
  if (wrong < texts.pieces.size()) refuse(texts.pieces[wrong], segments + (wrong - first), -1);
}

}  // namespace

void append_arrow(const ArrowSchema& schema, const ArrowArray& array, bool groups, Texts& texts) {
  const std::string_view format = schema.format;
  Position position{texts.segments(), -1};
  try {
    if (groups && format == "+l") return append_lists<int32_t>(schema, array, texts, position);
    if (groups && format == "+L") return append_lists<int64_t>(schema, array, texts, position);
    append_texts(schema, array, texts, position);
  } catch (const OutOfBounds& error) {
    throw ArrowBoundsError{position.segment, position.inner, error.what};
  }
}

}  // namespace bleuprint
