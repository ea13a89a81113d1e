// Blocks of a text file as columns: a line ends at a line feed and nowhere else.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "parallel.hpp"

namespace bleuprint {

// Where the first byte stands that belongs to no UTF-8 sequence; the size of the block if there is none. Throws
// Cancelled if the flag is raised on the way, as the next does.
size_t invalid_utf8(std::string_view block, Cancel cancel);

// Appends the lines of the block. The carriage return before a line feed belongs to the ending; what follows the last
// line feed is a line too, unless there is nothing.
void split_lines(std::string_view block, std::vector<std::string_view>& lines, Cancel cancel);

}  // namespace bleuprint
