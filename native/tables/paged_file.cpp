#include "tables/paged_file.hpp"

#include <cerrno>
#include <cstring>

#ifdef _WIN32
#include <io.h>
#include <stdio.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

namespace bleuprint {
namespace {

// How many bytes were moved, as POSIX has it; -1 for an error.
int64_t move(int descriptor, uint8_t* bytes, size_t size, uint64_t offset, bool writing, std::mutex& changing) {
#ifdef _WIN32
  const std::lock_guard<std::mutex> alone(changing);  // a file has one place there
  if (_lseeki64(descriptor, static_cast<int64_t>(offset), SEEK_SET) < 0) return -1;
  const auto count = static_cast<unsigned>(size);
  return writing ? _write(descriptor, bytes, count) : _read(descriptor, bytes, count);
#else
  static_cast<void>(changing);
  const auto place = static_cast<off_t>(offset);
  return writing ? ::pwrite(descriptor, bytes, size, place) : ::pread(descriptor, bytes, size, place);
#endif
}

}  // namespace

#ifdef _WIN32
PagedFile::PagedFile(int descriptor, size_t page_bytes) : descriptor_(_dup(descriptor)), page_bytes_(page_bytes) {
#else
PagedFile::PagedFile(int descriptor, size_t page_bytes)
    : descriptor_(fcntl(descriptor, F_DUPFD_CLOEXEC, 0)), page_bytes_(page_bytes) {
#endif
  if (descriptor_ < 0) throw FileFault(errno);
}

PagedFile::~PagedFile() {
#ifdef _WIN32
  _close(descriptor_);
#else
  ::close(descriptor_);
#endif
}

uint32_t PagedFile::take_page() {
  const std::lock_guard<std::mutex> alone(changing_);
  if (free_.empty()) {
    if (pages_ == UINT32_MAX) throw FileFault(EFBIG);
    if (free_.capacity() <= pages_) free_.reserve(2 * size_t{pages_} + 64);  // so that giving back needs no memory
    return pages_++;
  }
  const uint32_t page = free_.back();
  free_.pop_back();
  return page;
}

void PagedFile::give_back(const std::vector<uint32_t>& pages) noexcept {
  const std::lock_guard<std::mutex> alone(changing_);
  free_.insert(free_.end(), pages.rbegin(), pages.rend());
}

void PagedFile::write(uint32_t page, const uint8_t* bytes, size_t size) const {
  uint64_t offset = uint64_t{page} * page_bytes_;
  while (size > 0) {
    const int64_t moved = move(descriptor_, const_cast<uint8_t*>(bytes), size, offset, true, changing_);
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) throw FileFault(errno);
    bytes += moved;
    offset += static_cast<uint64_t>(moved);
    size -= static_cast<size_t>(moved);
  }
}

// The last page of a file may be shorter than others, but has what it was written with.
void PagedFile::read(uint32_t page, uint8_t* bytes) const {
  const uint64_t offset = uint64_t{page} * page_bytes_;
  size_t done = 0;
  while (done < page_bytes_) {
    const int64_t moved = move(descriptor_, bytes + done, page_bytes_ - done, offset + done, false, changing_);
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) throw FileFault(errno);
    if (moved == 0) break;
    done += static_cast<size_t>(moved);
  }
  uint32_t used = 0;
  if (done >= PagedFile::header) std::memcpy(&used, bytes, PagedFile::header);
  if (used <= PagedFile::header || used > done) throw FileFault(EIO);
}

void NumberWriter::next_page() {
  flush();
  bytes_.resize(pages_.file().page_bytes());
  pages_.add();
  used_ = PagedFile::header;
}

void NumberWriter::flush() {
  if (used_ <= PagedFile::header) return;
  const auto used = static_cast<uint32_t>(used_);
  std::memcpy(bytes_.data(), &used, PagedFile::header);
  pages_.file().write(pages_[pages_.size() - 1], bytes_.data(), used_);
}

Pages NumberWriter::finish() {
  flush();
  std::vector<uint8_t>().swap(bytes_);
  used_ = 0;
  return std::move(pages_);
}

void NumberReader::next_page() {
  if (next_ == pages_->size()) throw std::logic_error("more numbers are read than were written");
  bytes_.resize(pages_->file().page_bytes());
  pages_->file().read((*pages_)[next_++], bytes_.data());
  uint32_t used;
  std::memcpy(&used, bytes_.data(), PagedFile::header);
  at_ = PagedFile::header;
  end_ = used;
}

}  // namespace bleuprint
