#include "rows/equal.hpp"

#include <vector>

namespace bleuprint {

namespace {

class EqualRows : public RowCounter {
 public:
  EqualRows(const Aligned& texts, const Cleaning& cleaning, bool inside)
      : texts_(texts), hypothesis_(cleaning), reference_(cleaning), inside_(inside) {}

  void count(size_t segment, int64_t* row) override {
    const std::string_view text = hypothesis_.clean(texts_.hypotheses.pieces[texts_.hypotheses.first_text(segment)]);
    const size_t last = texts_.references.last_text(segment);
    bool found = false;
    for (size_t other = texts_.references.first_text(segment); other < last && !found; ++other) {
      const std::string_view reference = reference_.clean(texts_.references.pieces[other]);
      found = inside_ ? holds(text, reference) : text == reference;
    }
    row[0] += found ? 1 : 0;
    row[1] += 1;
  }

 private:
  // Knuth, Morris and Pratt (1977): linear whatever the texts are.
  bool holds(std::string_view text, std::string_view wanted) {
    if (wanted.size() > text.size()) return false;
    borders_.assign(wanted.size() + 1, 0);
    for (size_t i = 1, length = 0; i < wanted.size(); ++i) {
      while (length > 0 && wanted[i] != wanted[length]) length = borders_[length];
      if (wanted[i] == wanted[length]) ++length;
      borders_[i + 1] = length;
    }
    size_t length = 0;
    for (size_t i = 0; i < text.size() && length < wanted.size(); ++i) {
      while (length > 0 && text[i] != wanted[length]) length = borders_[length];
      if (text[i] == wanted[length]) ++length;
    }
    return length == wanted.size();
  }

  Aligned texts_;
  Cleaner hypothesis_;
  Cleaner reference_;
  bool inside_;
  std::vector<size_t> borders_;  // per length of a beginning of the text: its longest end that is a beginning too
};

}  // namespace

std::unique_ptr<RowCounter> equal_rows(const Aligned& texts, const Cleaning& cleaning, bool inside) {
  return std::make_unique<EqualRows>(texts, cleaning, inside);
}

}  // namespace bleuprint
