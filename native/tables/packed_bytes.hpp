// Numbers and strings as bytes for another process, read back with every bound checked. Numbers are little-endian on
// every machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bleuprint {

// Turns numbers of this machine into little-endian ones, or back.
template <typename Number>
void swap_to_little([[maybe_unused]] Number* numbers, [[maybe_unused]] size_t count) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  for (size_t i = 0; i < count; ++i) {
    char bytes[sizeof(Number)];
    std::memcpy(bytes, numbers + i, sizeof bytes);
    std::reverse(bytes, bytes + sizeof bytes);
    std::memcpy(numbers + i, bytes, sizeof bytes);
  }
#endif
}

class ByteWriter {
 public:
  void word(uint64_t value) { numbers(&value, 1); }

  // Seven bits a byte, the lowest first: counts are small.
  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }

  void bytes(std::string_view value) {
    number(value.size());
    raw(value);
  }

  void raw(std::string_view value) { bytes_.append(value); }

  template <typename Number>
  void numbers(const Number* from, size_t count) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t i = 0; i < count; ++i) {
      Number number = from[i];
      swap_to_little(&number, 1);
      raw({reinterpret_cast<const char*>(&number), sizeof number});
    }
#else
    raw({reinterpret_cast<const char*>(from), count * sizeof(Number)});
#endif
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  bool done() const { return rest_.empty(); }

  uint64_t word() {
    uint64_t value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    swap_to_little(&value, 1);
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

  // As many as are asked for, one after another.
  template <typename Item>
  void numbers(uint64_t count, std::vector<Item>* items) {
    if (count > rest_.size() / sizeof(Item)) throw std::invalid_argument("the bytes end too early");
    items->resize(static_cast<size_t>(count));
    const char* const from = take(count * sizeof(Item));
    if (count > 0) std::memcpy(items->data(), from, static_cast<size_t>(count) * sizeof(Item));
    swap_to_little(items->data(), items->size());
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
