// General categories of code points, as far as a tokeniser asks for them.
#pragma once

#include <cstdint>

namespace bleuprint {

enum class Category : uint8_t { other, punctuation, symbol, number };

Category category_of(char32_t value);

}  // namespace bleuprint
