#include "lines.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "parallel.hpp"
#include "utf8.hpp"

namespace bleuprint {

namespace {

constexpr size_t stride = 1 << 20;  // bytes between two looks at the flag

void look(const std::atomic<bool>& cancel) {
  if (cancel.load(std::memory_order_relaxed)) throw Cancelled{};
}

const char* skip_ascii(const char* position, const char* end) noexcept {
  constexpr uint64_t high_bits = 0x8080808080808080;
  for (uint64_t word; end - position >= 8; position += 8) {
    std::memcpy(&word, position, 8);
    if ((word & high_bits) != 0) break;
  }
  while (position < end && static_cast<unsigned char>(*position) < 0x80) ++position;
  return position;
}

bool is_invalid(const Decoded& decoded) noexcept { return decoded.value >= 0xDC80 && decoded.value <= 0xDCFF; }

}  // namespace

size_t invalid_utf8(std::string_view block, const std::atomic<bool>& cancel) {
  const char* const begin = block.data();
  const char* const end = begin + block.size();
  for (const char* position = begin; position < end;) {
    look(cancel);
    // A sequence may reach over the edge of a stride: only the start of each is bound by it.
    for (const char* const edge = position + std::min<size_t>(stride, end - position); position < edge;) {
      position = skip_ascii(position, edge);
      while (position < edge && static_cast<unsigned char>(*position) >= 0x80) {
        const Decoded decoded = decode_multibyte(position, end);
        if (is_invalid(decoded)) return static_cast<size_t>(position - begin);
        position += decoded.length;
      }
    }
  }
  return block.size();
}

void split_lines(std::string_view block, std::vector<std::string_view>& lines, const std::atomic<bool>& cancel) {
  const char* line = block.data();
  const char* const end = line + block.size();
  // Counted first: a vector that grows takes twice the memory, and a block of line feeds has one line per byte.
  lines.reserve(lines.size() + static_cast<size_t>(std::count(line, end, '\n')) + 1);
  for (const char* position = line; position < end;) {
    look(cancel);
    for (const char* const edge = position + std::min<size_t>(stride, end - position); position < edge;) {
      const void* const found = std::memchr(position, '\n', static_cast<size_t>(edge - position));
      if (found == nullptr) {
        position = edge;
        break;
      }
      position = static_cast<const char*>(found);
      const bool carriage_return = position > line && position[-1] == '\r';
      lines.emplace_back(line, static_cast<size_t>(position - line) - (carriage_return ? 1 : 0));
      line = ++position;
    }
  }
  if (line < end) lines.emplace_back(line, static_cast<size_t>(end - line));
}

}  // namespace bleuprint
