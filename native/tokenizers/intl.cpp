// mteval-v14's international tokenisation as sacrebleu runs it: split on punctuation and symbols of any
// script.
#include "text/unicode_tables.hpp"
#include "text/utf8.hpp"
#include "tokenizers/punctuation_run.hpp"
#include "tokenizers/tokenize.hpp"

namespace bleuprint {

namespace {

class Scanner {
 public:
  Scanner(std::string_view text, Tokens& out)
      : position_(text.data()), end_(position_ + text.size()), start_(position_), out_(out) {}

  void scan() {
    bool number_before = true;  // the edge of the text: nothing is padded here, so "2004." keeps its full stop
    while (position_ < end_) {
      const Decoded decoded = decode(position_, end_);
      const Category category = category_of(decoded.value);
      if (category == Category::punctuation) {
        marks(decoded.length, number_before);
      } else if (category == Category::symbol) {
        flush();
        emit(decoded.length);
      } else if (is_space(decoded.value)) {
        flush();
        start_ = position_ += decoded.length;
      } else {
        position_ += decoded.length;
      }
      number_before = category == Category::number;
    }
    flush();
  }

 private:
  void flush() {
    if (position_ > start_) out_.spans.emplace_back(start_, position_ - start_);
  }

  void emit(size_t length) {
    out_.spans.emplace_back(position_, length);
    start_ = position_ += length;
  }

  void marks(size_t length, bool number_before) {
    const char* last = position_;
    size_t run = 1;
    bool number_after = true;
    for (const char* next = position_ + length; next < end_;) {
      const Decoded decoded = decode(next, end_);
      const Category category = category_of(decoded.value);
      if (category != Category::punctuation) {
        number_after = category == Category::number;
        break;
      }
      last = next;
      next += length = decoded.length;
      ++run;
    }
    const Glue glued = glue(number_before, run, number_after);
    if (!glued.left) {
      flush();
      while (position_ < last) emit(decode(position_, end_).length);
      start_ = position_;
    }
    if (glued.right) {
      position_ += length;
    } else {
      emit(length);
    }
  }

  const char* position_;
  const char* const end_;
  const char* start_;
  Tokens& out_;
};

}  // namespace

void tokenize_international(std::string_view text, Tokens& out) {
  out.spans.clear();
  Scanner(trim_right(text), out).scan();
}

}  // namespace bleuprint
