// Word characters and the case map for programs without Python, which brings its own.
#pragma once

#include "text/utf8.hpp"

namespace bleuprint {

Unicode built_in_unicode();

}  // namespace bleuprint
