// Numbers and strings as bytes for another process of the same build, read back with every bound checked.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bleuprint {

class ByteWriter {
 public:
  void word(uint64_t value) { raw(&value, sizeof value); }

  // Seven bits a byte, the lowest first: counts are small.
  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }

  void bytes(std::string_view value) {
    number(value.size());
    raw(value.data(), value.size());
  }

  template <typename Item>
  void array(const std::vector<Item>& items) {
    word(items.size());
    raw(items.data(), items.size() * sizeof(Item));
  }

  std::string take() { return std::move(bytes_); }

 private:
  void raw(const void* from, size_t size) { bytes_.append(static_cast<const char*>(from), size); }

  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  bool done() const { return rest_.empty(); }

  uint64_t word() {
    uint64_t value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }

  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(*take(1));
      value |= uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
    throw std::invalid_argument("the bytes hold a number of more than 64 bits");
  }

  std::string_view bytes() { return bytes(number()); }
  std::string_view bytes(uint64_t size) { return {take(size), static_cast<size_t>(size)}; }

  template <typename Item>
  void array(std::vector<Item>* items) {
    numbers(word(), items);
  }

  // As many as are asked for, one after another.
  template <typename Item>
  void numbers(uint64_t count, std::vector<Item>* items) {
    if (count > rest_.size() / sizeof(Item)) throw std::invalid_argument("the bytes end too early");
    items->resize(static_cast<size_t>(count));
    const char* const from = take(count * sizeof(Item));
    if (count > 0) std::memcpy(items->data(), from, static_cast<size_t>(count) * sizeof(Item));
  }

  // A number of things that take a byte at least.
  uint64_t bounded(uint64_t count) const {
    if (count > rest_.size()) throw std::invalid_argument("the bytes end too early");
    return count;
  }

 private:
  const char* take(uint64_t size) {
    if (size > rest_.size()) throw std::invalid_argument("the bytes end too early");
    const char* const from = rest_.data();
    rest_.remove_prefix(static_cast<size_t>(size));
    return from;
  }

  std::string_view rest_;
};

}  // namespace bleuprint
