#include "rows/ngrams.hpp"

#include <cstddef>
#include <cstdlib>
#include <stdexcept>

namespace bleuprint {

namespace {

void check_length(size_t tokens) {
  if (tokens >= ~uint32_t{0} / 4) throw std::length_error("a segment has more than 2^30 tokens");
}

uint64_t pair_key(uint32_t first, uint32_t last) noexcept { return uint64_t{first} << 32 | last; }

}  // namespace

void ClippedCounter::begin(const Spans& hypothesis, const Region& region) {
  check_length(hypothesis.size());
  length_ = static_cast<int64_t>(hypothesis.size());
  reference_lengths_.clear();
  tokens_.reset(hypothesis.size());
  if (by_place()) return begin_by_place(hypothesis, region);
  references_.clear();
  reference_ends_.clear();
  next_place_ = 0;
  hypothesis_.resize(hypothesis.size());
  available_.assign(hypothesis.size(), 0);
  for (uint32_t place = 0; place < hypothesis.size(); ++place) {
    poll(place);
    const TokenKey key = make_key(hypothesis[place], region, seed_);
    const uint32_t id = tokens_.insert(key, hash(key, seed_));
    hypothesis_[place] = {place, id};
    ++available_[id];
  }
}

void ClippedCounter::begin_by_place(const Spans& hypothesis, const Region& region) {
  std::fill_n(places_.begin(), hypothesis.size(), 0);
  std::fill_n(taken_.begin(), orders_by_place(), 0);
  uint64_t place = 1;
  for (const std::string_view token : hypothesis) {
    const TokenKey key = make_key(token, region, seed_);
    places_[tokens_.insert(key, hash(key, seed_))] |= place;
    place <<= 1;
  }
}

void ClippedCounter::add_reference_by_place(const Spans& reference, const Region& region) {
  const size_t count = reference.size(), orders = orders_by_place();
  reference_places_.resize(count + orders);
  for (size_t i = 0; i < count; ++i) {
    poll(i);
    const TokenKey key = make_key(reference[i], region, seed_);
    const uint32_t id = tokens_.find(key, hash(key, seed_));
    reference_places_[i] = places_[std::min<size_t>(id, most_places)];
  }
  std::fill_n(reference_places_.begin() + static_cast<std::ptrdiff_t>(count), orders, 0);
  std::array<uint64_t, most_places> taken{};
  constexpr size_t slice = size_t{1} << 16;
  for (size_t at = 0; at < count; at += slice) {
    poll(at);
    take_places(reference_places_.data() + at, std::min(slice, count - at), orders, taken.data());
  }
  for (size_t i = 0; i < orders; ++i) taken_[i] |= taken[i];
}

void ClippedCounter::add_reference(const Spans& reference, const Region& region) {
  reference_lengths_.push_back(static_cast<int64_t>(reference.size()));
  if (by_place()) return add_reference_by_place(reference, region);
  check_length(next_place_ + reference.size());
  size_t kept = references_.size();
  references_.resize(kept + reference.size());
  for (const std::string_view token : reference) {
    poll(next_place_);
    const TokenKey key = make_key(token, region, seed_);
    const uint32_t id = tokens_.find(key, hash(key, seed_));
    references_[kept] = {next_place_++, id};
    kept += id != SmallTable<TokenKey>::absent;
  }
  references_.resize(kept);
  reference_ends_.push_back(kept);
  ++next_place_;
}

int64_t ClippedCounter::clip_one_reference() {
  int64_t matches = 0;
  for (const Gram gram : references_) matches += ++best_[gram.id] <= available_[gram.id];
  return matches;
}

// A match is counted when an n-gram's count in one reference exceeds its count in every reference before it
// and the hypothesis still has an occurrence to match: summed, that is Σ min(hypothesis, max over
// references).
int64_t ClippedCounter::clip() {
  best_.assign(available_.size(), 0);
  if (reference_ends_.size() == 1) return clip_one_reference();
  seen_.assign(available_.size(), 0);
  int64_t matches = 0;
  size_t start = 0;
  for (const size_t end : reference_ends_) {
    for (size_t i = start; i < end; ++i) {
      const uint32_t id = references_[i].id;
      const uint32_t count = ++seen_[id];
      const bool higher = count > best_[id];
      best_[id] += higher;
      matches += higher && count <= available_[id];
    }
    for (size_t i = start; i < end; ++i) seen_[references_[i].id] = 0;
    start = end;
  }
  return matches;
}

// Both loops below write unconditionally and advance by a condition: which n-grams survive is as good as
// random, and a branch on it is mispredicted every third time.
void ClippedCounter::extend_hypothesis() {
  size_t kept = 0;
  candidates_.resize(std::max(candidates_.size(), hypothesis_.size()));
  for (size_t i = 0; i + 1 < hypothesis_.size(); ++i) {
    const Gram gram = hypothesis_[i], next = hypothesis_[i + 1];
    const uint32_t follows{next.place == gram.place + 1}, first{best_[gram.id] > 0}, second{best_[next.id] > 0};
    candidates_[kept] = {gram.place, pair_key(gram.id, next.id)};
    kept += follows & first & second;
  }
  pairs_.reset(kept);
  available_.assign(kept, 0);
  hypothesis_.resize(kept);
  for (size_t i = 0; i < kept; ++i) {
    poll(i);
    const uint32_t id = pairs_.insert(candidates_[i].key, hash(candidates_[i].key, seed_));
    hypothesis_[i] = {candidates_[i].place, id};
    ++available_[id];
  }
  available_.resize(pairs_.size());
}

void ClippedCounter::extend_references() {
  size_t kept = 0, start = 0;
  for (size_t& reference_end : reference_ends_) {
    const size_t end = reference_end;
    for (size_t i = start; i + 1 < end; ++i) {
      poll(i);
      const Gram gram = references_[i], next = references_[i + 1];
      if (next.place != gram.place + 1) continue;
      const uint64_t key = pair_key(gram.id, next.id);
      const uint32_t id = pairs_.find(key, hash(key, seed_));
      references_[kept] = {gram.place, id};
      kept += id != SmallTable<uint64_t>::absent;
    }
    start = end;
    reference_end = kept;
  }
  references_.resize(kept);
}

int64_t ClippedCounter::reference_length() const noexcept {
  int64_t best = -1;
  for (const int64_t candidate : reference_lengths_) {
    const int64_t distance = std::abs(candidate - length_), best_distance = std::abs(best - length_);
    const bool nearer = distance < best_distance ||
                        (distance == best_distance && options_.length_rule == LengthRule::closest && candidate < best);
    const bool better = options_.length_rule == LengthRule::shortest ? candidate < best : nearer;
    if (best < 0 || better) best = candidate;
  }
  return std::max<int64_t>(best, 0);
}

void ClippedCounter::finish(int64_t* row) {
  const auto orders = static_cast<int64_t>(options_.max_order);
  row[0] += length_;
  row[1] += reference_length();
  for (int64_t order = 1; order <= orders; ++order) {
    row[1 + orders + order] += std::max(options_.minimum_total, length_ - order + 1);
  }
  if (by_place()) {
    for (size_t i = 0; i < orders_by_place(); ++i) row[2 + i] += count_bits(taken_[i]);
    return;
  }
  for (int64_t order = 1; order <= orders; ++order) {
    if (order > 1) {
      extend_hypothesis();
      extend_references();
    }
    const int64_t matches = clip();
    if (matches == 0) return;
    row[1 + order] += matches;
  }
}

}  // namespace bleuprint
