// Sequences of numbers in one temporary file: what grows beyond memory.
//
// A sequence is a list of pages, written and read from first to last; the pages of one that is gone are used again.
// Nothing is read that the same process has not written, so the file needs no format and no name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace bleuprint {

// A file cannot be written or read; the code is that of errno.
class FileFault : public std::runtime_error {
 public:
  explicit FileFault(int code) : std::runtime_error("cannot write or read a file"), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

class PagedFile {
 public:
  static constexpr size_t header = 4;          // bytes of a page that say how many it has
  static constexpr size_t longest_number = 5;  // bytes

  // The file is open for writing and reading; whoever opened it may close it.
  PagedFile(int descriptor, size_t page_bytes);
  PagedFile(const PagedFile&) = delete;
  ~PagedFile();

  size_t page_bytes() const { return page_bytes_; }

  // From any thread.
  uint32_t take_page();
  void give_back(const std::vector<uint32_t>& pages) noexcept;

  // Each page has one writer.
  void write(uint32_t page, const uint8_t* bytes, size_t size) const;
  void read(uint32_t page, uint8_t* bytes) const;

 private:
  int descriptor_;
  size_t page_bytes_;
  uint32_t pages_ = 0;
  std::vector<uint32_t> free_;
  mutable std::mutex changing_;
};

// The pages of a sequence, which it gives back at its end.
class Pages {
 public:
  explicit Pages(PagedFile& file) : file_(&file) {}
  Pages(Pages&& other) noexcept : file_(other.file_), numbers_(std::exchange(other.numbers_, {})) {}
  Pages& operator=(Pages&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(numbers_, other.numbers_);
    return *this;
  }
  ~Pages() { file_->give_back(numbers_); }

  PagedFile& file() const { return *file_; }
  size_t size() const { return numbers_.size(); }
  uint32_t operator[](size_t i) const { return numbers_[i]; }
  uint32_t add() {
    if (numbers_.size() == numbers_.capacity()) numbers_.reserve(2 * numbers_.size() + 1);  // or a page would be lost
    numbers_.push_back(file_->take_page());
    return numbers_.back();
  }

 private:
  PagedFile* file_;
  std::vector<uint32_t> numbers_;
};

class NumberWriter {
 public:
  explicit NumberWriter(PagedFile& file) : pages_(file) {}

  void write(uint32_t number) {
    if (used_ + PagedFile::longest_number > bytes_.size()) next_page();
    for (; number >= 128; number >>= 7) bytes_[used_++] = static_cast<uint8_t>(number | 128);
    bytes_[used_++] = static_cast<uint8_t>(number);
  }
  // Puts everything so far into the file; writing may go on.
  void flush();
  Pages finish();

  const Pages& pages() const { return pages_; }

 private:
  void next_page();

  Pages pages_;
  std::vector<uint8_t> bytes_;  // of the last page
  size_t used_ = 0;
};

// Reads no more numbers than were written.
class NumberReader {
 public:
  explicit NumberReader(const Pages& pages) : pages_(&pages) {}

  uint32_t read() {
    if (at_ == end_) next_page();
    uint32_t number = bytes_[at_++];
    if (number < 128) return number;
    number &= 127;
    for (unsigned shift = 7;; shift += 7) {
      const uint32_t more = bytes_[at_++];
      number |= (more & 127) << shift;
      if (more < 128) return number;
    }
  }

 private:
  void next_page();

  const Pages* pages_;
  size_t next_ = 0;
  std::vector<uint8_t> bytes_;
  size_t at_ = 0;
  size_t end_ = 0;
};

}  // namespace bleuprint
