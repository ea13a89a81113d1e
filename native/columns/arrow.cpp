#include "columns/arrow.hpp"

#include <cstring>
#include <string_view>

#include "text/utf8.hpp"

namespace bleuprint {

namespace {

bool is_null(const ArrowArray& array, int64_t index) noexcept {
  const auto* const valid = static_cast<const uint8_t*>(array.n_buffers > 0 ? array.buffers[0] : nullptr);
  if (array.null_count == 0 || valid == nullptr) return false;
  const int64_t bit = array.offset + index;
  return (valid[bit / 8] >> (bit % 8) & 1) == 0;
}

template <typename Offset>
std::string_view text_by_offsets(const ArrowArray& array, int64_t index) noexcept {
  const auto* const offsets = static_cast<const Offset*>(array.buffers[1]) + array.offset + index;
  return {static_cast<const char*>(array.buffers[2]) + offsets[0], static_cast<size_t>(offsets[1] - offsets[0])};
}

std::string_view text_by_view(const ArrowArray& array, int64_t index) noexcept {
  const char* const view = static_cast<const char*>(array.buffers[1]) + 16 * (array.offset + index);
  int32_t fields[4];
  std::memcpy(fields, view, sizeof fields);
  const auto length = static_cast<size_t>(fields[0]);
  if (length <= 12) return {view + 4, length};
  return {static_cast<const char*>(array.buffers[2 + fields[2]]) + fields[3], length};
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
  TextColumn(const ArrowSchema& schema, const ArrowArray& array) : schema_(schema), array_(array) {
    const ArrowSchema& values = schema.dictionary != nullptr ? *schema.dictionary : schema;
    format_ = values.format;
    if (format_ != "u" && format_ != "U" && format_ != "vu") {
      throw ArrowTypeError("Arrow format '" + std::string(format_) + "'");
    }
  }

  bool null(int64_t index) const {
    if (is_null(array_, index)) return true;
    return schema_.dictionary != nullptr && is_null(*array_.dictionary, dictionary_index(schema_, array_, index));
  }

  std::string_view text(int64_t index) const {
    const ArrowArray* values = &array_;
    if (schema_.dictionary != nullptr) {
      index = dictionary_index(schema_, array_, index);
      values = array_.dictionary;
    }
    if (format_ == "u") return text_by_offsets<int32_t>(*values, index);
    if (format_ == "U") return text_by_offsets<int64_t>(*values, index);
    return text_by_view(*values, index);
  }

 private:
  const ArrowSchema& schema_;
  const ArrowArray& array_;
  std::string_view format_;
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

void start_groups(Texts& texts) {
  if (!texts.segment_ends.empty()) return;
  for (size_t i = 1; i <= texts.texts(); ++i) texts.segment_ends.push_back(i);
}

template <typename Offset>
void append_lists(const ArrowSchema& schema, const ArrowArray& array, Texts& texts) {
  const TextColumn column(*schema.children[0], *array.children[0]);
  const auto* const offsets = static_cast<const Offset*>(array.buffers[1]) + array.offset;
  start_groups(texts);
  const size_t first = texts.pieces.size(), segments = texts.segments();
  const auto for_each = [&](int64_t i, const auto& visit) {
    if (is_null(array, i)) return;
    for (Offset item = offsets[i]; item < offsets[i + 1]; ++item) {
      if (!column.null(item)) visit(item);
    }
  };
  for (int64_t i = 0; i < array.length; ++i) {
    const size_t before = texts.pieces.size();
    for_each(i, [&](Offset item) { texts.pieces.push_back(column.text(item)); });
    if (texts.pieces.size() == before) throw ArrowEmptyError{texts.segments()};
    texts.segment_ends.push_back(texts.pieces.size());
  }
  size_t ahead = first_undecodable(texts.pieces, first) - first;
  if (first + ahead == texts.pieces.size()) return;
  for (int64_t i = 0; i < array.length; ++i) {
    for_each(i, [&](Offset item) {
      if (ahead-- == 0) refuse(column.text(item), segments + static_cast<size_t>(i), item - offsets[i]);
    });
  }
}

}  // namespace

void append_arrow(const ArrowSchema& schema, const ArrowArray& array, bool groups, Texts& texts) {
  const std::string_view format = schema.format;
  if (groups && format == "+l") return append_lists<int32_t>(schema, array, texts);
  if (groups && format == "+L") return append_lists<int64_t>(schema, array, texts);
  const TextColumn column(schema, array);
  const size_t first = texts.pieces.size(), segments = texts.segments();
  texts.pieces.reserve(first + static_cast<size_t>(array.length));
  for (int64_t i = 0; i < array.length; ++i) {
    if (column.null(i)) throw ArrowNullError{texts.segments()};
    texts.pieces.push_back(column.text(i));
  }
  const size_t wrong = first_undecodable(texts.pieces, first);
  if (wrong < texts.pieces.size()) refuse(texts.pieces[wrong], segments + (wrong - first), -1);
}

}  // namespace bleuprint
