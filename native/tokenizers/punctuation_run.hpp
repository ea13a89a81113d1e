// What mteval's two punctuation rules do to a run of marks, in closed form.
#pragma once

#include <cstddef>

namespace bleuprint {

// The rules `([^0-9])([.,])` -> "\1 \2 " and `([.,])([^0-9])` -> " \1 \2", applied one after the other,
// consume text in pairs. For a run of k marks between `before` and `after` that works out as: the marks never
// stay together; the first sticks to a digit before it only if it stands alone between two digits; the last
// sticks to a digit after it exactly when no pair ended on it. The edge of a text that is not padded with
// blanks acts like a digit.
struct Glue {
  bool left;
  bool right;
};

inline Glue glue(bool digit_before, size_t run, bool digit_after) noexcept {
  return {digit_before && run == 1 && digit_after, digit_after && digit_before == (run % 2 == 1)};
}

}  // namespace bleuprint
