// Arrow arrays of every layout against the texts they were made of, damaged ones against plain bounds, and resampled
// sums and judgements of swapped ones against plain loops.
#include <algorithm>
#include <cmath>

#include "columns/arrow.hpp"
#include "fuzz/input.hpp"
#include "rows/resample.hpp"
#include "rows/swaps.hpp"

using namespace bleuprint;
using namespace bleuprint::fuzz;

namespace {

constexpr Cancel never;

template <typename Item>
std::unique_ptr<Item[]> exact(const std::vector<Item>& items) {
  std::unique_ptr<Item[]> copy(new Item[items.size()]);
  std::copy(items.begin(), items.end(), copy.get());
  return copy;
}

// Whether these bytes are UTF-8: every character is decoded, and could neither be written shorter nor be half of one.
bool decodable(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
    if (length == 0 || i + length > text.size()) return false;
    uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
    for (size_t j = 1; j < length; ++j) {
      const auto byte = static_cast<unsigned char>(text[i + j]);
      if (byte >> 6 != 2) return false;
      code = code << 6 | (byte & 0x3Fu);
    }
    const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    i += length;
  }
  return true;
}

// Reads an array and compares; the first text that is no UTF-8 has to be refused by its place.
struct Place {
  size_t segment;
  int64_t inner;
};

void check_read(const ArrowSchema& schema, const ArrowArray& array, bool groups,
                const std::vector<std::string_view>& expected, const std::vector<Place>& places) {
  const auto wrong = std::find_if_not(expected.begin(), expected.end(), decodable);
  try {
    Texts read;
    append_arrow(schema, array, groups, read);
    require(wrong == expected.end() && read.pieces == expected, "texts of an array");
    require(read.segments() == static_cast<size_t>(array.length), "segments of an array");
  } catch (const ArrowEncodingError& error) {
    require(wrong != expected.end(), "only what is no UTF-8 is refused");
    const Place place = places[static_cast<size_t>(wrong - expected.begin())];
    require(error.segment == place.segment && error.inner == place.inner, "the first of them is named");
  }
}

// Texts from `offset` on, as an array without lists has them.
void check_plain(const ArrowSchema& schema, const ArrowArray& array, bool groups,
                 const std::vector<std::string_view>& texts) {
  const std::vector<std::string_view> expected(texts.begin() + array.offset, texts.end());
  std::vector<Place> places;
  for (size_t i = 0; i < expected.size(); ++i) places.push_back({i, -1});
  check_read(schema, array, groups, expected, places);
}

// One array of texts in one of the three layouts, with `offset` texts before it that do not count.
template <typename Offset>
void check_offsets(const std::vector<std::string_view>& texts, size_t offset, const char* format) {
  std::string bytes;
  std::vector<Offset> ends{0};
  for (const std::string_view text : texts) ends.push_back(static_cast<Offset>((bytes += text).size()));
  const auto offsets = exact(ends);
  const auto characters = exact(std::vector<char>(bytes.begin(), bytes.end()));
  const void* buffers[] = {nullptr, offsets.get(), characters.get()};
  const ArrowSchema schema{format, "", nullptr, 0, 0, nullptr, nullptr, nullptr, nullptr};
  const auto length = static_cast<int64_t>(texts.size() - offset);
  const ArrowArray array{length, 0, static_cast<int64_t>(offset), 3, 0, buffers, nullptr, nullptr, nullptr, nullptr};
  check_plain(schema, array, false, texts);
}

void check_views(const std::vector<std::string_view>& texts, size_t offset) {
  std::string bytes;
  std::vector<char> views;
  for (const std::string_view text : texts) {
    char view[16] = {};
    const auto length = static_cast<int32_t>(text.size()), at = static_cast<int32_t>(bytes.size());
    std::memcpy(view, &length, 4);
    if (text.size() <= 12) {
      if (!text.empty()) std::memcpy(view + 4, text.data(), text.size());
    } else {
      std::memcpy(view + 4, text.data(), 4);
      std::memcpy(view + 12, &at, 4);
      bytes += text;
    }
    views.insert(views.end(), view, view + 16);
  }
  const auto fields = exact(views);
  const auto characters = exact(std::vector<char>(bytes.begin(), bytes.end()));
  const auto sizes = exact(std::vector<int64_t>{static_cast<int64_t>(bytes.size())});
  const void* buffers[] = {nullptr, fields.get(), characters.get(), sizes.get()};
  const ArrowSchema schema{"vu", "", nullptr, 0, 0, nullptr, nullptr, nullptr, nullptr};
  const auto length = static_cast<int64_t>(texts.size() - offset);
  const ArrowArray array{length, 0, static_cast<int64_t>(offset), 4, 0, buffers, nullptr, nullptr, nullptr, nullptr};
  check_plain(schema, array, true, texts);
}

// Lists of texts with nulls: a bit for each text and each list.
void check_lists(const std::vector<std::string_view>& texts, uint64_t nulls, size_t per_list) {
  std::string bytes;
  std::vector<int32_t> ends{0}, list_ends{0};
  for (const std::string_view text : texts) ends.push_back(static_cast<int32_t>((bytes += text).size()));
  const auto count = static_cast<int64_t>(texts.size());
  const auto lists = (count + static_cast<int64_t>(per_list) - 1) / static_cast<int64_t>(per_list);
  for (int64_t i = 1; i <= lists; ++i) {
    list_ends.push_back(static_cast<int32_t>(std::min(count, i * static_cast<int64_t>(per_list))));
  }
  std::vector<uint8_t> valid(texts.size() / 8 + 1);
  for (size_t i = 0; i < texts.size(); ++i) valid[i / 8] |= static_cast<uint8_t>(~nulls >> (i % 64) & 1) << (i % 8);
  const auto text_bits = exact(valid);
  const auto offsets = exact(ends);
  const auto list_offsets = exact(list_ends);
  const auto characters = exact(std::vector<char>(bytes.begin(), bytes.end()));
  const void* text_buffers[] = {text_bits.get(), offsets.get(), characters.get()};
  const void* list_buffers[] = {nullptr, list_offsets.get()};
  ArrowSchema child{"u", "", nullptr, 0, 0, nullptr, nullptr, nullptr, nullptr};
  ArrowArray items{count, -1, 0, 3, 0, text_buffers, nullptr, nullptr, nullptr, nullptr};
  ArrowSchema* children[] = {&child};
  ArrowArray* arrays[] = {&items};
  const ArrowSchema schema{"+l", "", nullptr, 0, 1, children, nullptr, nullptr, nullptr};
  const ArrowArray array{lists, 0, 0, 2, 1, list_buffers, arrays, nullptr, nullptr, nullptr};
  std::vector<std::string_view> expected;
  std::vector<Place> places;
  for (size_t i = 0; i < texts.size(); ++i) {
    if ((nulls >> (i % 64) & 1) != 0) continue;
    expected.push_back(texts[i]);
    places.push_back({i / per_list, static_cast<int64_t>(i % per_list)});
  }
  try {
    check_read(schema, array, true, expected, places);
  } catch (const ArrowEmptyError& error) {
    require(error.segment < static_cast<size_t>(lists), "the empty list is one of them");
  }
}

// A position near the bounds, or far away.
int64_t any_position(Input& input) {
  const size_t byte = input.number(255);
  if (byte >= 250) return static_cast<int32_t>(input.word());
  return static_cast<int64_t>(byte % 40) - 3;
}

// Reads an array of which some rows point outside. `inside` says so of each segment; texts are ASCII, so that bounds
// alone decide.
void check_bounds(const ArrowSchema& schema, const ArrowArray& array, const std::vector<bool>& inside) {
  const auto wrong = std::find(inside.begin(), inside.end(), false) - inside.begin();
  try {
    Texts read;
    append_arrow(schema, array, true, read);
    require(wrong == array.length, "what points outside is refused");
    size_t sum = 0;
    for (const std::string_view piece : read.pieces) {
      for (const char byte : piece) sum += static_cast<unsigned char>(byte);  // where a sanitizer looks
    }
    require(sum <= 127 * read.work(), "texts are those of the buffer");
  } catch (const ArrowBoundsError& error) {
    require(wrong < array.length && error.segment == static_cast<size_t>(wrong), "the first of them is named");
  } catch (const ArrowEmptyError& error) {
    require(static_cast<int64_t>(error.segment) <= wrong, "an empty list before them");
  }
}

// Any offsets, entries, views and list offsets over buffers of their exact sizes.
void check_damaged(Input& input) {
  const size_t layout = input.number(3), rows = 1 + input.number(6);
  std::vector<int32_t> ends;
  for (size_t i = 0; i <= rows; ++i) ends.push_back(static_cast<int32_t>(any_position(input)));
  ends.back() = std::max(0, ends.back() % 64);  // the interface has no other size of the texts
  const auto inside = [](int64_t begin, int64_t end, int64_t size) {
    return 0 <= begin && begin <= end && end <= size;
  };
  std::vector<bool> good;
  for (size_t i = 0; i < rows; ++i) good.push_back(inside(ends[i], ends[i + 1], ends.back()));
  const auto offsets = exact(ends);
  const auto characters = exact(std::vector<char>(static_cast<size_t>(ends.back()), 'a'));
  const void* buffers[] = {nullptr, offsets.get(), characters.get()};
  ArrowSchema texts{"u", "", nullptr, 0, 0, nullptr, nullptr, nullptr, nullptr};
  ArrowArray values{static_cast<int64_t>(rows), 0, 0, 3, 0, buffers, nullptr, nullptr, nullptr, nullptr};
  if (layout == 0) return check_bounds(texts, values, good);
  const auto length = static_cast<int64_t>(1 + input.number(4));
  std::vector<bool> expected;
  if (layout == 1) {
    std::vector<int8_t> entries;
    for (int64_t i = 0; i < length; ++i) {
      entries.push_back(static_cast<int8_t>(any_position(input)));
      expected.push_back(entries.back() >= 0 && entries.back() < values.length &&
                         good[static_cast<size_t>(entries.back())]);
    }
    const auto kept = exact(entries);
    const void* indices[] = {nullptr, kept.get()};
    const ArrowSchema schema{"c", "", nullptr, 0, 0, nullptr, &texts, nullptr, nullptr};
    const ArrowArray array{length, 0, 0, 2, 0, indices, nullptr, &values, nullptr, nullptr};
    return check_bounds(schema, array, expected);
  }
  if (layout == 2) {
    std::vector<int32_t> views;
    for (int64_t i = 0; i < length; ++i) {
      const auto size = static_cast<int32_t>(any_position(input)), buffer = static_cast<int32_t>(any_position(input));
      const auto begin = static_cast<int32_t>(any_position(input));
      const bool inlined = size >= 0 && size <= 12;
      expected.push_back(inlined || (size > 0 && buffer == 0 && inside(begin, int64_t{begin} + size, ends.back())));
      views.insert(views.end(), {size, 0, inlined ? 0 : buffer, inlined ? 0 : begin});
    }
    const auto kept = exact(views);
    const auto sizes = exact(std::vector<int64_t>{ends.back()});
    const void* parts[] = {nullptr, kept.get(), characters.get(), sizes.get()};
    const ArrowSchema schema{"vu", "", nullptr, 0, 0, nullptr, nullptr, nullptr, nullptr};
    const ArrowArray array{length, 0, 0, 4, 0, parts, nullptr, nullptr, nullptr, nullptr};
    return check_bounds(schema, array, expected);
  }
  std::vector<int64_t> list_ends;
  for (int64_t i = 0; i <= length; ++i) list_ends.push_back(any_position(input));
  for (size_t i = 0; i + 1 < list_ends.size(); ++i) {
    bool whole = inside(list_ends[i], list_ends[i + 1], values.length);
    for (int64_t item = list_ends[i]; whole && item < list_ends[i + 1]; ++item) whole = good[static_cast<size_t>(item)];
    expected.push_back(whole);
  }
  const auto kept = exact(list_ends);
  const void* parts[] = {nullptr, kept.get()};
  ArrowSchema* children[] = {&texts};
  ArrowArray* arrays[] = {&values};
  const ArrowSchema schema{"+L", "", nullptr, 0, 1, children, nullptr, nullptr, nullptr};
  const ArrowArray array{length, 0, 0, 2, 1, parts, arrays, nullptr, nullptr, nullptr};
  check_bounds(schema, array, expected);
}

template <typename Value>
void check_sums(Input& input, bool small) {
  const size_t columns = 1 + input.number(7), trials = 1 + input.number(3);
  std::vector<Value> rows;
  const uint64_t seed = input.word();
  const std::string_view bytes = input.rest();
  for (size_t i = 0; i + 8 <= bytes.size(); i += small ? 1 : 8) {
    int64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    rows.push_back(static_cast<Value>(small ? word % 1000 : word / 4096));  // sums of all rows stay within the type
  }
  rows.resize(rows.size() / columns * columns);
  const size_t segments = rows.size() / columns;
  if (segments == 0) return;
  const auto kept = exact(rows);
  const RowSums<Value> sums(kept.get(), segments, columns);
  std::vector<Value> drawn(trials * columns), again(drawn.size()), expected(drawn.size());
  sums.drawn(seed, 3, 3 + trials, 1, drawn.data(), never);
  sums.drawn(seed, 3, 3 + trials, 2, again.data(), never);
  require(drawn == again, "draws do not depend on threads");
  std::vector<uint32_t> indices(trials * segments), coins((trials * segments + 31) / 32);
  for (size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<uint32_t>((seed + i * 2654435761u) % segments);
  for (size_t i = 0; i < coins.size(); ++i) coins[i] = static_cast<uint32_t>((seed ^ i) * 2654435761u);
  sums.drawn_at(exact(indices).get(), trials, 1, drawn.data(), never);
  for (size_t i = 0; i < indices.size(); ++i) {
    for (size_t c = 0; c < columns; ++c) expected[i / segments * columns + c] += rows[indices[i] * columns + c];
  }
  if (std::is_integral_v<Value>) require(drawn == expected, "draws are sums of rows");
  sums.chosen(seed, 3, 3 + trials, 1, drawn.data(), never);
  sums.chosen(seed, 3, 3 + trials, 2, again.data(), never);
  require(drawn == again, "coins do not depend on threads");
  sums.chosen_by(exact(coins).get(), trials, 1, drawn.data(), never);
  std::fill(expected.begin(), expected.end(), Value{0});
  for (size_t i = 0; i < trials * segments; ++i) {
    if ((coins[i / 32] >> (i % 32) & 1) == 0) continue;
    for (size_t c = 0; c < columns; ++c) expected[i / segments * columns + c] += rows[i % segments * columns + c];
  }
  if (std::is_integral_v<Value>) require(drawn == expected, "coins choose rows");
}

void check_bounded(Input& input) {
  const auto bound = static_cast<uint32_t>(input.word());
  if (bound == 0) return;
  std::vector<uint32_t> words(input.rest().size() / 4);
  if (!words.empty()) std::memcpy(words.data(), input.rest().data(), 4 * words.size());
  const size_t count = bounded(words.data(), words.size(), bound, words.data());
  require(count <= words.size(), "no more numbers than words");
  for (size_t i = 0; i < count; ++i) require(words[i] < bound, "numbers are below the bound");
}

void check_swaps(Input& input) {
  const size_t columns = 1 + input.number(7), trials = 1 + input.number(255) * 3;
  const std::string_view bytes = input.rest();
  if (bytes.empty()) return;
  size_t at = 0;
  const auto next = [&] { return static_cast<double>(static_cast<signed char>(bytes[at++ % bytes.size()])); };
  SwappedPair pair{{}, next(), next()};
  for (size_t c = 0; c < columns; ++c) pair.columns.push_back({nullptr, nullptr, next(), next(), next(), next()});
  std::vector<double> values(2 * columns * trials);
  std::generate(values.begin(), values.end(), next);
  const auto kept = exact(values);
  for (size_t c = 0; c < columns; ++c) {
    pair.columns[c].first = kept.get() + c * trials;
    pair.columns[c].second = kept.get() + (columns + c) * trials;
  }
  int64_t as_far = 0;
  const std::vector<PairTrial> unknown = judge_swaps({pair}, trials, &as_far, never);
  std::vector<PairTrial> left;
  for (size_t i = 0; i < trials; ++i) {
    double sum = 0, error = 0;
    bool outside = false;
    for (const SwappedColumn& column : pair.columns) {
      const double distance = column.first[i] - column.second[i] - column.centre;
      outside = outside || std::abs(distance) > column.width;
      sum += column.slope * distance;
      error += column.error * std::abs(distance);
    }
    if (!outside && std::abs(sum) + error < pair.below) continue;
    if (!outside && std::abs(sum) - error > pair.above) {
      --as_far;
    } else {
      left.push_back(i);
    }
  }
  require(as_far == 0 && unknown == left, "swaps are judged one by one");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const size_t kind = input.number(8);
  if (kind == 3) return check_sums<int64_t>(input, true), 0;
  if (kind == 4) return check_sums<int64_t>(input, false), 0;
  if (kind == 5) return check_sums<double>(input, false), 0;
  if (kind == 6) return check_bounded(input), 0;
  if (kind == 7) return check_damaged(input), 0;
  if (kind == 8) return check_swaps(input), 0;
  const uint64_t nulls = kind == 2 ? input.word() : 0;
  const size_t number = input.number(7);
  const std::vector<std::string_view> texts = split(input.rest(), '\x01');
  const size_t offset = std::min(number, texts.size());
  if (kind == 0) {
    check_offsets<int32_t>(texts, offset, "u");
    check_offsets<int64_t>(texts, offset, "U");
  } else if (kind == 1) {
    check_views(texts, offset);
  } else {
    check_lists(texts, nulls, number + 1);
  }
  return 0;
}
