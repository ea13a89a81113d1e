#include "arrow.hpp"

#include <cstring>
#include <string_view>

#include "utf8.hpp"

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

  // Whether all texts from `begin` to before `end` are seen to be UTF-8 where they lie, one after the other; text by
  // text it takes longer.
  bool surely_valid(int64_t begin, int64_t end) const noexcept {
    const ArrowArray* values = &array_;
    if (schema_.dictionary != nullptr) {
      values = array_.dictionary;
      begin = 0, end = values->length;
    }
    if (format_ == "u") return valid_region<int32_t>(*values, begin, end);
    return format_ == "U" && valid_region<int64_t>(*values, begin, end);
  }

 private:
  template <typename Offset>
  static bool valid_region(const ArrowArray& array, int64_t begin, int64_t end) noexcept {
    if (begin >= end) return true;
    const auto* const offsets = static_cast<const Offset*>(array.buffers[1]) + array.offset;
    const auto* const data = static_cast<const char*>(array.buffers[2]);
    const char* const last = data + offsets[end];
    const char* const wide = skip_ascii(data + offsets[begin], last);
    if (wide >= last) return true;
    if (valid_until(wide, last, last) < last) return false;
    for (int64_t i = begin; i < end; ++i) {
      if (data + offsets[i] < last && (static_cast<unsigned char>(data[offsets[i]]) & 0xC0) == 0x80) return false;
    }
    return true;
  }

  const ArrowSchema& schema_;
  const ArrowArray& array_;
  std::string_view format_;
};

void check_encoding(std::string_view text, size_t segment, int64_t inner) {
  const char* const end = text.data() + text.size();
  const char* const wrong = valid_until(text.data(), end, end);
  if (wrong == end) return;
  const bool surrogate = end - wrong >= 3 && static_cast<unsigned char>(wrong[0]) == 0xED &&
                         static_cast<unsigned char>(wrong[1]) >= 0xA0 && static_cast<unsigned char>(wrong[1]) <= 0xBF;
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
  const bool valid = array.length == 0 || column.surely_valid(offsets[0], offsets[array.length]);
  for (int64_t i = 0; i < array.length; ++i) {
    const size_t before = texts.pieces.size();
    if (!is_null(array, i)) {
      for (Offset item = offsets[i]; item < offsets[i + 1]; ++item) {
        if (column.null(item)) continue;
        const std::string_view text = column.text(item);
        if (!valid) check_encoding(text, texts.segments(), item - offsets[i]);
        texts.pieces.push_back(text);
      }
    }
    if (texts.pieces.size() == before) throw ArrowEmptyError{texts.segments()};
    texts.segment_ends.push_back(texts.pieces.size());
  }
}

}  // namespace

void append_arrow(const ArrowSchema& schema, const ArrowArray& array, bool groups, Texts& texts) {
  const std::string_view format = schema.format;
  if (groups && format == "+l") return append_lists<int32_t>(schema, array, texts);
  if (groups && format == "+L") return append_lists<int64_t>(schema, array, texts);
  const TextColumn column(schema, array);
  texts.pieces.reserve(texts.pieces.size() + static_cast<size_t>(array.length));
  const bool valid = column.surely_valid(0, array.length);
  for (int64_t i = 0; i < array.length; ++i) {
    if (column.null(i)) throw ArrowNullError{texts.segments()};
    const std::string_view text = column.text(i);
    if (!valid) check_encoding(text, texts.segments(), -1);
    texts.pieces.push_back(text);
  }
}

}  // namespace bleuprint
