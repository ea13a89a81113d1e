#include "columns/lines.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "parallel.hpp"
#include "text/utf8.hpp"

namespace bleuprint {

namespace {

constexpr size_t stride = 1 << 20;  // bytes between two looks at the flag

}  // namespace

size_t invalid_utf8(std::string_view block, Cancel cancel) {
  const char* const begin = block.data();
  const char* const end = begin + block.size();
  for (const char* position = begin; position < end;) {
    cancel.poll();
    const char* const edge = position + std::min<size_t>(stride, end - position);
    position = valid_until(position, edge, end);
    if (position < edge) return static_cast<size_t>(position - begin);
  }
  return block.size();
}

void split_lines(std::string_view block, std::vector<std::string_view>& lines, Cancel cancel) {
  const char* line = block.data();
  const char* const end = line + block.size();
  // Counted first: a vector that grows takes twice the memory, and a block of line feeds has one line per byte.
  lines.reserve(lines.size() + static_cast<size_t>(std::count(line, end, '\n')) + 1);
  for (const char* position = line; position < end;) {
    cancel.poll();
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
