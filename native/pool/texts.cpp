// What texts share as wholes: nearest lengths and exact duplicates.
#include <algorithm>
#include <array>

#include "pool/pool.hpp"
#include "tables/hashing.hpp"
#include "tables/prefetch.hpp"

namespace bleuprint {
namespace {

constexpr uint64_t poll_every = uint64_t{1} << 16;  // tokens
constexpr size_t look_ahead = 16;                   // texts between a prefetch and its use

// A histogram up to the longest text is never larger than the tokens it describes, so it stays linear.
std::vector<uint32_t> length_histogram(const Pool& pool, uint64_t longest) {
  std::vector<uint32_t> histogram(longest + 1, 0);
  for (size_t text = 0; text < pool.texts(); ++text) ++histogram[pool.length(text)];
  return histogram;
}

uint64_t longest_text(const Pool& pool) {
  uint64_t longest = 0;
  for (size_t text = 0; text < pool.texts(); ++text) longest = std::max(longest, pool.length(text));
  return longest;
}

void write_nearest(const Pool& pool, const std::vector<uint32_t>& nearest, int64_t* lengths) {
  for (size_t text = 0; text < pool.texts(); ++text) lengths[text] = nearest[pool.length(text)];
}

// The first text of each group of equal texts. Hashes only spare comparisons: equal means every id is equal.
class FirstTexts {
 public:
  explicit FirstTexts(const Pool& pool) : pool_(pool), pair_hash_(pool.vocabulary().seed()) {
    size_t slots = 16;
    while (slots < 2 * pool.texts()) slots *= 2;
    slots_.resize(slots);
  }

  uint64_t hash_of(size_t text) const {
    uint64_t hash = pool_.length(text);
    for (uint64_t p = pool_.offsets()[text]; p < pool_.offsets()[text + 1]; ++p) {
      hash = pair_hash_(static_cast<uint32_t>(hash >> 32), pool_.ids()[p]) + static_cast<uint32_t>(hash);
    }
    return hash;
  }

  void prefetch_slot(uint64_t hash) const { prefetch(&slots_[place_of(hash)]); }

  size_t find_or_add(size_t text, uint64_t hash) {
    const size_t mask = slots_.size() - 1;
    const auto tag = static_cast<uint32_t>(hash);
    size_t at = place_of(hash);
    for (; slots_[at].number != 0; at = (at + 1) & mask) {
      if (slots_[at].tag == tag && equal(slots_[at].number - 1, text)) return slots_[at].number - 1;
    }
    slots_[at] = {tag, static_cast<uint32_t>(text) + 1};
    return text;
  }

 private:
  struct Slot {
    uint32_t tag = 0;
    uint32_t number = 0;  // text + 1; 0 is a free slot
  };

  size_t place_of(uint64_t hash) const { return (hash >> 32 ^ hash) & (slots_.size() - 1); }

  bool equal(size_t one, size_t other) const {
    const uint32_t* ids = pool_.ids();
    const uint64_t* offsets = pool_.offsets();
    return std::equal(ids + offsets[one], ids + offsets[one + 1], ids + offsets[other], ids + offsets[other + 1]);
  }

  const Pool& pool_;
  PairHash pair_hash_;
  std::vector<Slot> slots_;
};

}  // namespace

std::vector<uint32_t> nearest_lengths(const std::vector<uint32_t>& texts_by_length, uint32_t needed_here) {
  constexpr uint32_t none = UINT32_MAX;
  std::vector<uint32_t> nearest(texts_by_length.size(), none);
  uint32_t shorter = none;
  for (size_t length = 0; length < texts_by_length.size(); ++length) {
    const uint32_t own = static_cast<uint32_t>(length);
    nearest[length] = texts_by_length[length] >= needed_here ? own : shorter;
    if (texts_by_length[length] > 0) shorter = own;
  }
  uint32_t longer = none;
  for (size_t length = texts_by_length.size(); length-- > 0;) {
    const uint32_t below = nearest[length];
    const bool longer_is_nearer = below == none || length - below > longer - length;
    if (longer != none && longer_is_nearer) nearest[length] = longer;
    if (texts_by_length[length] > 0) longer = static_cast<uint32_t>(length);
  }
  std::replace(nearest.begin(), nearest.end(), none, 0u);
  return nearest;
}

void leave_one_out_lengths(const Pool& pool, int64_t* lengths) {
  write_nearest(pool, nearest_lengths(length_histogram(pool, longest_text(pool)), 2), lengths);
}

void cross_lengths(const Pool& queries, const Pool& references, int64_t* lengths) {
  const uint64_t longest = std::max(longest_text(queries), longest_text(references));
  write_nearest(queries, nearest_lengths(length_histogram(references, longest), 1), lengths);
}

void duplicates(const Pool& pool, uint64_t* groups, uint64_t* group_count, const Run& run) {
  FirstTexts first_texts(pool);
  *group_count = 0;
  uint64_t since_poll = 0;
  std::array<uint64_t, look_ahead> hashes;  // of the texts ahead, so that their slots can be fetched
  for (size_t text = 0; text < std::min(look_ahead, pool.texts()); ++text) hashes[text] = first_texts.hash_of(text);
  for (size_t text = 0; text < pool.texts(); ++text) {
    const uint64_t hash = hashes[text % look_ahead];
    if (text + look_ahead < pool.texts()) {
      hashes[text % look_ahead] = first_texts.hash_of(text + look_ahead);
      first_texts.prefetch_slot(hashes[text % look_ahead]);
    }
    const size_t first = first_texts.find_or_add(text, hash);
    groups[text] = first == text ? (*group_count)++ : groups[first];
    since_poll += pool.length(text) + 1;
    if (since_poll < poll_every) continue;
    run.poll();
    since_poll = 0;
  }
}

}  // namespace bleuprint
