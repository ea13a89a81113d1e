// A text with what does not count taken out of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bleuprint {

enum class Space : uint8_t {
  keep,
  strip,     // none at either end
  collapse,  // none at either end, one blank for every run
  remove,
};

struct Cleaning {
  bool lowercase = false;
  bool without_punctuation = false;  // category P, and the symbols of ASCII
  bool without_numbers = false;      // category N
  Space space = Space::keep;
};

// Marks and numbers go first, so that a blank that stood before one is at the end if nothing follows.
class Cleaner {
 public:
  explicit Cleaner(const Cleaning& cleaning) : cleaning_(cleaning) {}

  // Lives until the next call.
  std::string_view clean(std::string_view text);

 private:
  void sift(std::string_view text);

  Cleaning cleaning_;
  std::string lowered_;
  std::string sifted_;
};

}  // namespace bleuprint
