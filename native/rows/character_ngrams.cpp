#include "rows/character_ngrams.hpp"

#include <algorithm>
#include <stdexcept>

#include "text/utf8.hpp"

namespace bleuprint {

namespace {

constexpr uint32_t absent = SmallTable<uint64_t>::absent;
constexpr size_t code_points = 0x110000;

}  // namespace

void WideMatcher::decode_into(std::string_view text, std::vector<char32_t>& characters) const {
  characters.clear();
  const char* position = text.data();
  const char* const end = position + text.size();
  while (position < end) {
    const Decoded decoded = decode(position, end);
    position += decoded.length;
    if (keep_space_ || !is_space(decoded.value)) characters.push_back(decoded.value);
  }
  if (characters.size() >= ~uint32_t{0} / 4) throw std::length_error("a text has more than 2^30 characters");
}

void WideMatcher::begin(std::string_view text) { decode_into(text, text_); }

void WideMatcher::identify() {
  ids_.reset(std::min(text_.size(), code_points));
  grams_.clear();
  for (const char32_t value : text_) {
    poll(grams_.size());
    grams_.push_back({static_cast<uint32_t>(grams_.size()), ids_.insert(value, hash(value, seed_))});
  }
  other_grams_.clear();
  for (uint32_t place = 0; place < other_.size(); ++place) {
    poll(place);
    const uint32_t id = ids_.find(other_[place], hash(other_[place], seed_));
    if (id != absent) other_grams_.push_back({place, id});
  }
}

int64_t WideMatcher::clip() {
  left_.assign(ids_.size(), 0);
  met_.assign(ids_.size(), 0);
  for (const Gram gram : grams_) ++left_[gram.id];
  int64_t matches = 0;
  for (const Gram gram : other_grams_) {
    const bool has = left_[gram.id] > 0;
    left_[gram.id] -= has;
    met_[gram.id] = 1;
    matches += has;
  }
  return matches;
}

// Which n-grams survive is as good as random, so the loops write unconditionally and advance by a condition.
void WideMatcher::extend() {
  const auto alive = [this](size_t i) {
    const Gram gram = grams_[i], next = grams_[i + 1];
    return (next.place == gram.place + 1) & met_[gram.id] & met_[next.id];
  };
  const auto key_at = [](const std::vector<Gram>& grams, size_t i) {
    return uint64_t{grams[i].id} << 32 | grams[i + 1].id;
  };
  size_t kept = 0;
  for (size_t i = 0; i + 1 < grams_.size(); ++i) kept += alive(i);
  ids_.reset(kept);
  kept = 0;
  for (size_t i = 0; i + 1 < grams_.size(); ++i) {
    poll(i);
    if (!alive(i)) continue;
    const uint64_t key = key_at(grams_, i);
    grams_[kept++] = {grams_[i].place, ids_.insert(key, hash(key, seed_))};
  }
  grams_.resize(kept);
  kept = 0;
  for (size_t i = 0; i + 1 < other_grams_.size(); ++i) {
    poll(i);
    const Gram gram = other_grams_[i];
    if (other_grams_[i + 1].place != gram.place + 1) continue;
    const uint64_t key = key_at(other_grams_, i);
    const uint32_t id = ids_.find(key, hash(key, seed_));
    other_grams_[kept] = {gram.place, id};
    kept += id != absent;
  }
  other_grams_.resize(kept);
}

void WideMatcher::match(std::string_view other, int64_t* matches, int64_t* other_length) {
  decode_into(other, other_);
  *other_length = static_cast<int64_t>(other_.size());
  std::fill_n(matches, max_order_, 0);
  for (size_t order = 0; order < max_order_; ++order) {
    order == 0 ? identify() : extend();
    matches[order] = clip();
    if (matches[order] == 0) return;
  }
}

void CharacterMatcher::begin(std::string_view text) {
  text_ = text;
  is_narrow_ = narrow_.begin(text);
  if (!is_narrow_) wide_.begin(text);
}

int64_t CharacterMatcher::match(std::string_view other, int64_t* matches) {
  int64_t length = 0;
  if (is_narrow_ && narrow_.match(other, matches, &length)) return length;
  if (is_narrow_) {
    is_narrow_ = false;
    wide_.begin(text_);
  }
  wide_.match(other, matches, &length);
  return length;
}

}  // namespace bleuprint
