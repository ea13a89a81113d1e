#include "ngrams.hpp"

#include <algorithm>
#include <stdexcept>

namespace bleuprint {

namespace {

void check_length(size_t tokens) {
  if (tokens >= ~uint32_t{0} / 4) throw std::length_error("a text has more than 2^30 tokens");
}

uint64_t pair_key(uint32_t first, uint32_t last) noexcept { return uint64_t{first} << 32 | last; }

}  // namespace

void ClippedCounter::begin(const std::vector<std::string_view>& hypothesis) {
  check_length(hypothesis.size());
  references_.clear();
  reference_ends_.clear();
  reference_lengths_.clear();
  tokens_.reset(hypothesis.size());
  hypothesis_.resize(hypothesis.size());
  available_.assign(hypothesis.size(), 0);
  for (size_t i = 0; i < hypothesis.size(); ++i) {
    const TokenKey key = make_key(hypothesis[i], seed_);
    const uint32_t id = tokens_.insert(key, hash(key, seed_));
    hypothesis_[i] = id;
    ++available_[id];
  }
  live_ = hypothesis.size();
}

void ClippedCounter::add_reference(const std::vector<std::string_view>& reference) {
  check_length(references_.size() + reference.size());
  reference_lengths_.push_back(static_cast<int64_t>(reference.size()));
  for (const std::string_view token : reference) {
    const TokenKey key = make_key(token, seed_);
    references_.push_back(tokens_.find(key, hash(key, seed_)));
  }
  references_.push_back(absent);
  reference_ends_.push_back(static_cast<uint32_t>(references_.size()));
}

// A match is counted when an n-gram's count in one reference exceeds its count in every reference before it and the
// hypothesis still has an occurrence to match: summed, that is Σ min(hypothesis, max over references).
int64_t ClippedCounter::clip_references() {
  int64_t matches = 0;
  size_t start = 0;
  for (const uint32_t end : reference_ends_) {
    for (size_t i = start; i < end; ++i) {
      const uint32_t id = references_[i];
      if (id == absent) continue;
      const uint32_t count = ++seen_[id];
      const bool higher = count > best_[id];
      best_[id] += higher;
      matches += higher && count <= available_[id];
    }
    if (reference_ends_.size() > 1) {
      for (size_t i = start; i < end; ++i) {
        if (references_[i] != absent) seen_[references_[i]] = 0;
      }
    }
    start = end;
  }
  return matches;
}

void ClippedCounter::extend_hypothesis() {
  const size_t length = hypothesis_.size();
  for (uint32_t& id : hypothesis_) {
    if (id != absent && best_[id] == 0) id = absent;
  }
  pairs_.reset(live_);
  live_ = 0;
  if (length == 0) return;
  available_.clear();
  for (size_t i = 0; i + 1 < length; ++i) {
    if (hypothesis_[i] == absent || hypothesis_[i + 1] == absent) {
      hypothesis_[i] = absent;
      continue;
    }
    const uint64_t key = pair_key(hypothesis_[i], hypothesis_[i + 1]);
    const uint32_t id = pairs_.insert(key, mix(key ^ seed_, 0x9E3779B97F4A7C15u));
    if (id == available_.size()) available_.push_back(0);
    ++available_[id];
    hypothesis_[i] = id;
    ++live_;
  }
  hypothesis_.pop_back();
}

void ClippedCounter::extend_references() {
  for (size_t i = 0; i + 1 < references_.size(); ++i) {
    if (references_[i] == absent || references_[i + 1] == absent) {
      references_[i] = absent;
      continue;
    }
    const uint64_t key = pair_key(references_[i], references_[i + 1]);
    references_[i] = pairs_.find(key, mix(key ^ seed_, 0x9E3779B97F4A7C15u));
  }
}

int64_t ClippedCounter::reference_length() const noexcept {
  const auto length = static_cast<int64_t>(hypothesis_.size());
  int64_t best = -1;
  for (const int64_t candidate : reference_lengths_) {
    const int64_t distance = std::abs(candidate - length), best_distance = std::abs(best - length);
    const bool nearer = distance < best_distance ||
                        (distance == best_distance && options_.length_rule == LengthRule::closest && candidate < best);
    const bool better = options_.length_rule == LengthRule::shortest ? candidate < best : nearer;
    if (best < 0 || better) best = candidate;
  }
  return std::max<int64_t>(best, 0);
}

void ClippedCounter::finish(int64_t* row) {
  const auto length = static_cast<int64_t>(hypothesis_.size());
  const auto orders = static_cast<int64_t>(options_.max_order);
  row[0] += length;
  row[1] += reference_length();
  for (int64_t order = 1; order <= orders; ++order) {
    row[1 + orders + order] += std::max(options_.minimum_total, length - order + 1);
  }
  for (int64_t order = 1; order <= orders; ++order) {
    if (order > 1) {
      extend_hypothesis();
      if (live_ == 0) return;
      extend_references();
    }
    seen_.assign(available_.size(), 0);
    best_.assign(available_.size(), 0);
    const int64_t matches = clip_references();
    if (matches == 0) return;
    row[1 + order] += matches;
  }
}

}  // namespace bleuprint
