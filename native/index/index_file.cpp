#include "index/index_file.hpp"

#include <algorithm>
#include <cerrno>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace bleuprint {

unsigned IndexLayout::width(Section section) const {
  switch (section) {
    case word_text:
      return 1;
    case word_ends:
      return bytes_for(word_bytes);
    case word_places:
      return bytes_for(tokens);
    case token_numbers:
      return bytes_for(words);
    default:
      return bytes_for(array_size());
  }
}

uint64_t IndexLayout::count(Section section) const {
  switch (section) {
    case word_text:
      return word_bytes;
    case word_ends:
    case word_places:
      return words;
    case text_ends:
      return texts;
    case token_numbers:
      return array_size();
    default:
      return tokens;
  }
}

std::vector<uint64_t> IndexLayout::offsets(uint64_t limit) const {
  std::vector<uint64_t> found{index_magic.size()};
  for (size_t i = 0; i < sections; ++i) {
    const auto section = static_cast<Section>(i);
    if (found.back() > limit || count(section) > (limit - found.back()) / width(section)) {
      throw IndexFault("it announces more than it holds");
    }
    found.push_back(found.back() + count(section) * width(section));
  }
  return found;
}

void IndexFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t taken = std::min(bytes.size(), buffer_size + 64 - buffer_.size());
    buffer_.append(bytes.substr(0, taken));
    bytes.remove_prefix(taken);
    if (buffer_.size() >= buffer_size) flush(false);
  }
}

void IndexFile::flush(bool all) {
  const size_t size = all ? buffer_.size() : buffer_.size() / index_block * index_block;
  for (size_t at = 0; at < size; at += index_block) {
    const std::string_view block(buffer_.data() + at, std::min<size_t>(index_block, size - at));
    checksums_.push_back(index_checksum(block, checksums_.size()));
  }
  write(buffer_.data(), size);
  buffer_.erase(0, size);
}

void IndexFile::write(const char* bytes, size_t size) const {
  while (size > 0) {
#ifdef _WIN32
    const auto written = _write(descriptor_, bytes, static_cast<unsigned>(std::min<size_t>(size, 1 << 30)));
#else
    const auto written = ::write(descriptor_, bytes, std::min<size_t>(size, 1 << 30));
#endif
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw FileFault(errno);
    bytes += written;
    size -= static_cast<size_t>(written);
  }
}

void IndexFile::finish(const IndexLayout& layout, std::string_view note) {
  flush(true);
  std::string end;
  const auto add = [&end](uint64_t number) {
    for (unsigned i = 0; i < 8; ++i) end += static_cast<char>(number >> (8 * i) & 0xFF);
  };
  for (const uint64_t sum : checksums_) add(sum);
  const size_t footer = end.size();
  for (const uint64_t number :
       {layout.max_order, layout.words, layout.word_bytes, layout.texts, layout.tokens, uint64_t{note.size()}}) {
    add(number);
  }
  end += note;
  const uint64_t footer_size = end.size() - footer;
  const uint64_t sum = index_checksum(end, footer_size);
  add(footer_size);
  add(sum);
  end += index_magic;
  write(end.data(), end.size());
}

}  // namespace bleuprint
