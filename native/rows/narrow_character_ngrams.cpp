#include "rows/narrow_character_ngrams.hpp"

#include <cstring>

#include "parallel.hpp"
#include "tables/vocabulary_key.hpp"
#include "text/utf8.hpp"

#if defined(_MSC_VER)
#include <intrin.h>
#endif

namespace bleuprint {

namespace {

constexpr size_t padding = 8;

// How many of the first eight bytes two places share.
inline uint32_t shared_bytes(uint64_t first, uint64_t second) noexcept {
  const uint64_t difference = first ^ second;
  if (difference == 0) return 8;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return static_cast<uint32_t>(__builtin_ctzll(difference)) / 8;
#elif defined(_MSC_VER) && defined(_WIN64)
  unsigned long index;
  _BitScanForward64(&index, difference);
  return index / 8;
#else
  char bytes[8];
  std::memcpy(bytes, &difference, sizeof bytes);
  uint32_t shared = 0;
  while (bytes[shared] == 0) ++shared;
  return shared;
#endif
}

// Byte n-1 of entry `orders` is 1 if bit n-1 is set: eight counters in one addition.
constexpr std::array<uint64_t, 256> spread_bits() {
  std::array<uint64_t, 256> table{};
  for (size_t orders = 0; orders < 256; ++orders) {
    for (size_t bit = 0; bit < 8; ++bit) table[orders] |= uint64_t{orders >> bit & 1} << (8 * bit);
  }
  return table;
}
constexpr std::array<uint64_t, 256> spread = spread_bits();

inline uint32_t bucket_of(const uint8_t* place, size_t bits) noexcept {
  const uint32_t pair = place[0] | uint32_t{place[1]} << 8;
  return pair * 0x9E3779B1u >> (32 - bits);
}

inline uint64_t load(const uint8_t* place) noexcept { return load_word(reinterpret_cast<const char*>(place)); }

}  // namespace

void WideAlphabet::clear() noexcept {
  if (size_ > 0) values_.fill(0);
  size_ = 0;
}

size_t WideAlphabet::slot(char32_t value) const noexcept {
  size_t at = static_cast<uint32_t>(value) * factor_ >> 23;
  while (values_[at] != value && values_[at] != 0) at = (at + 1) % slots;
  return at;
}

bool WideAlphabet::insert(char32_t value, uint8_t* code) noexcept {
  const size_t at = slot(value);
  if (values_[at] == 0) {
    if (first_code + size_ > 0xFF) return false;
    values_[at] = value;
    codes_[at] = static_cast<uint8_t>(first_code + size_++);
  }
  *code = codes_[at];
  return true;
}

uint8_t WideAlphabet::find(char32_t value) const noexcept {
  const size_t at = slot(value);
  return values_[at] == 0 ? end_of_other : codes_[at];
}

NarrowMatcher::NarrowMatcher(size_t max_order, bool keep_space, uint64_t seed, Cancel cancel) noexcept
    : max_order_(max_order), cancel_(cancel), alphabet_(seed) {
  for (size_t byte = 0; byte < kept_.size(); ++byte) {
    kept_[byte] = keep_space || !is_ascii_space(static_cast<unsigned char>(byte));
  }
}

template <typename Encode>
bool NarrowMatcher::encode(std::string_view text, uint8_t end_code, std::vector<uint8_t>& codes, size_t* length,
                           Encode encode) const {
  if (codes.size() < text.size() + padding) codes.resize(text.size() + padding);
  const bool keep_space = kept_[' '];
  uint8_t* out = codes.data();
  const char* position = text.data();
  const char* const end = position + text.size();
  while (position < end) {
    const auto byte = static_cast<unsigned char>(*position);
    if (byte < 0x80) {
      *out = byte;
      out += kept_[byte];
      ++position;
      continue;
    }
    const Decoded decoded = decode_multibyte(position, end);
    position += decoded.length;
    if (!keep_space && is_wide_space(decoded.value)) continue;
    if (!encode(decoded.value, out)) return false;
    ++out;
  }
  std::memset(out, end_code, padding);
  *length = static_cast<size_t>(out - codes.data());
  return true;
}

bool NarrowMatcher::begin(std::string_view text) {
  if (max_order_ > largest_order || text.size() > longest_text) return false;
  alphabet_.clear();
  const auto insert = [this](char32_t value, uint8_t* code) { return alphabet_.insert(value, code); };
  if (!encode(text, WideAlphabet::end_of_text, text_, &length_, insert)) return false;
  counts_.fill(0);
  for (size_t place = 0; place < length_; ++place) ++counts_[text_[place]];
  if (max_order_ == 1) return true;
  first_.fill(0);
  if (next_.size() < length_ + 1) {
    next_.resize(length_ + 1);
    free_.resize(length_ + 1);
  }
  for (size_t place = 0; place + 1 < length_; ++place) {
    uint16_t& first = first_[bucket_of(text_.data() + place, bucket_bits)];
    next_[place + 1] = first;
    first = static_cast<uint16_t>(place + 1);
  }
  return true;
}

int64_t NarrowMatcher::match_single(size_t other_length) {
  left_ = counts_;
  int64_t matches = 0;
  for (size_t place = 0; place < other_length; ++place) {
    uint16_t& left = left_[other_[place]];
    const bool has = left > 0;
    left -= has;
    matches += has;
  }
  return matches;
}

bool NarrowMatcher::match_higher(size_t other_length, int64_t* matches) {
  const uint32_t higher = ((1u << max_order_) - 1) & ~1u;
  std::memset(free_.data(), static_cast<int>(higher), length_ + 1);
  auto steps = static_cast<int64_t>(steps_per_place * (length_ + other_length));
  uint64_t taken = 0;
  for (size_t place = 0; place + 1 < other_length; ++place) {
    const uint8_t* const other = other_.data() + place;
    const uint64_t word = load(other);
    uint32_t missing = higher;
    for (uint32_t at = first_[bucket_of(other, bucket_bits)]; at != 0; at = next_[at]) {
      const uint32_t shared = (1u << shared_bytes(word, load(text_.data() + at - 1))) - 1;
      const uint32_t orders = shared & missing & free_[at];
      free_[at] = static_cast<uint8_t>(free_[at] ^ orders);
      missing ^= orders;
      --steps;
    }
    if (steps < 0) return false;
    taken += spread[higher ^ missing];
    if (place % 255 == 254 || place + 2 == other_length) {  // before a byte overflows, and at the end
      for (size_t order = 2; order <= max_order_; ++order) matches[order - 1] += taken >> (8 * (order - 1)) & 0xFF;
      taken = 0;
      cancel_.poll();
    }
  }
  return true;
}

bool NarrowMatcher::match(std::string_view other, int64_t* matches, int64_t* other_length) {
  size_t length = 0;
  encode(other, WideAlphabet::end_of_other, other_, &length, [this](char32_t value, uint8_t* code) {
    *code = alphabet_.find(value);
    return true;
  });
  *other_length = static_cast<int64_t>(length);
  for (size_t order = 1; order < max_order_; ++order) matches[order] = 0;
  matches[0] = match_single(length);
  return max_order_ == 1 || match_higher(length, matches);
}

}  // namespace bleuprint
