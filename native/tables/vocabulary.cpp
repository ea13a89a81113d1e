#include "tables/vocabulary.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "tables/hashing.hpp"
#include "tables/prefetch.hpp"

namespace bleuprint {
namespace {

constexpr uint32_t long_kind = 17;
constexpr size_t first_slots = 1024;
constexpr size_t block_bytes = size_t{1} << 18;
constexpr size_t look_ahead = 16;

template <typename Word>
uint64_t load(const char* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

}  // namespace

Vocabulary::Vocabulary(uint64_t seed) : seed_(seed), slots_(first_slots), shift_(54) {
  for (uint64_t& key : keys_) key = next_key(&seed);
  keys_[6] |= 1;
}

uint64_t Vocabulary::hash_words(uint64_t low, uint64_t high, uint64_t extra) const {
  uint64_t sum = (keys_[0] + (low & UINT32_MAX)) * (keys_[1] + (low >> 32));
  sum += (keys_[2] + (high & UINT32_MAX)) * (keys_[3] + (high >> 32));
  return finish_hash(sum + keys_[4] * extra + keys_[5], keys_[6]);
}

// The overlapping loads reach every byte, and for one length they are reversible, so words and length
// together identify a short token exactly, NUL bytes included.
Vocabulary::Probe Vocabulary::prepare(std::string_view token) const {
  const char* bytes = token.data();
  const size_t length = token.size();
  Probe probe{};
  Slot& slot = probe.slot;
  slot.kind = static_cast<uint32_t>(std::min<size_t>(length, long_kind));
  if (length > 16) {
    uint64_t hash = length;
    for (size_t at = 0; at + 16 < length; at += 16) {
      hash = hash_words(load<uint64_t>(bytes + at), load<uint64_t>(bytes + at + 8), hash);
    }
    hash = hash_words(load<uint64_t>(bytes + length - 16), load<uint64_t>(bytes + length - 8), hash);
    slot.low = probe.hash = hash;
    slot.high = length;
    return probe;
  }
  if (length >= 8) {
    slot.low = load<uint64_t>(bytes);
    slot.high = load<uint64_t>(bytes + length - 8);
  } else if (length >= 4) {
    slot.low = load<uint32_t>(bytes) | load<uint32_t>(bytes + length - 4) << 32;
  } else if (length > 0) {
    slot.low = load<uint8_t>(bytes) | load<uint8_t>(bytes + length / 2) << 8 | load<uint8_t>(bytes + length - 1) << 16;
  }
  probe.hash = hash_words(slot.low, slot.high, length);
  return probe;
}

// The slot that holds the token, or the free slot where it belongs.
const Vocabulary::Slot* Vocabulary::locate(const Probe& probe, std::string_view token) const {
  const size_t mask = slots_.size() - 1;
  for (size_t at = probe.hash >> shift_;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.number == 0) return &slot;
    if (slot.low != probe.slot.low || slot.high != probe.slot.high || slot.kind != probe.slot.kind) continue;
    if (slot.kind != long_kind || texts_[slot.number - 1] == token) return &slot;
  }
}

uint32_t Vocabulary::intern_prepared(const Probe& probe, std::string_view token) {
  const Slot* found = locate(probe, token);
  if (found->number != 0) return found->number - 1;
  if (texts_.size() >= absent) throw std::length_error("a vocabulary holds at most 2^32 - 1 different tokens");
  if (2 * (texts_.size() + 1) > slots_.size()) {
    grow();
    found = locate(probe, token);
  }
  texts_.push_back(keep(token));
  Slot& slot = slots_[static_cast<size_t>(found - slots_.data())];
  slot = probe.slot;
  slot.number = static_cast<uint32_t>(texts_.size());
  return slot.number - 1;
}

uint32_t Vocabulary::intern(std::string_view token) { return intern_prepared(prepare(token), token); }

// Slots are asked for some tokens ahead, so that memory answers while others are looked up.
template <typename Look>
void Vocabulary::ahead(const std::string_view* tokens, size_t count, Look look) const {
  Probe probes[look_ahead];
  for (size_t begin = 0; begin < count; begin += look_ahead) {
    const size_t size = std::min(look_ahead, count - begin);
    for (size_t i = 0; i < size; ++i) {
      probes[i] = prepare(tokens[begin + i]);
      prefetch(&slots_[probes[i].hash >> shift_]);
    }
    for (size_t i = 0; i < size; ++i) look(probes[i], begin + i);
  }
}

void Vocabulary::intern(const std::string_view* tokens, size_t count, uint32_t* ids) {
  ahead(tokens, count, [&](const Probe& probe, size_t i) { ids[i] = intern_prepared(probe, tokens[i]); });
}

void Vocabulary::find(const std::string_view* tokens, size_t count, uint32_t* ids) const {
  ahead(tokens, count, [&](const Probe& probe, size_t i) {
    const Slot* const slot = locate(probe, tokens[i]);
    ids[i] = slot->number == 0 ? absent : slot->number - 1;
  });
}

uint32_t Vocabulary::find(std::string_view token) const {
  const Slot* slot = locate(prepare(token), token);
  return slot->number == 0 ? absent : slot->number - 1;
}

uint64_t Vocabulary::detours() const {
  uint64_t passed = 0;
  for (const std::string_view token : texts_) {
    const Probe probe = prepare(token);
    const size_t found = static_cast<size_t>(locate(probe, token) - slots_.data());
    passed += (found - (probe.hash >> shift_)) & (slots_.size() - 1);
  }
  return passed;
}

uint64_t Vocabulary::bytes() const {
  return slots_.capacity() * sizeof(Slot) + texts_.capacity() * sizeof(std::string_view) + kept_bytes_;
}

void Vocabulary::grow() {
  std::vector<Slot> larger(slots_.size() * 2);
  const unsigned shift = shift_ - 1;
  const size_t mask = larger.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.number == 0) continue;
    const uint64_t hash = slot.kind == long_kind ? slot.low : hash_words(slot.low, slot.high, slot.kind);
    size_t at = hash >> shift;
    while (larger[at].number != 0) at = (at + 1) & mask;
    larger[at] = slot;
  }
  slots_.swap(larger);
  shift_ = shift;
}

std::string_view Vocabulary::keep(std::string_view token) {
  if (token.empty()) return {};
  if (token.size() > free_bytes_) {
    const size_t bytes = std::max(token.size(), block_bytes);
    blocks_.push_back(nullptr);
    blocks_.back().reset(new char[bytes]);
    free_ = blocks_.back().get();
    free_bytes_ = bytes;
    kept_bytes_ += bytes;
  }
  char* copy = free_;
  std::memcpy(copy, token.data(), token.size());
  free_ += token.size();
  free_bytes_ -= token.size();
  return {copy, token.size()};
}

}  // namespace bleuprint
