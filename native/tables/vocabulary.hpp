// Exact interning of byte strings: equal bytes get equal ids, and nothing else does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace bleuprint {

// Ids are dense and in order of first appearance, so they do not depend on the seed. The seed only keeps an
// author of texts from choosing tokens that all land in one place of the table.
class Vocabulary {
 public:
  static constexpr uint32_t absent = UINT32_MAX;

  explicit Vocabulary(uint64_t seed);

  // Throws std::length_error at 2^32 - 1 different tokens.
  uint32_t intern(std::string_view token);

  // Writes one id per token. Hashes and prefetches ahead: 1.4x faster than one by one at 80k different
  // tokens, 1.9x at 1.5M.
  void intern(const std::string_view* tokens, size_t count, uint32_t* ids);

  // absent where the token was never interned.
  uint32_t find(std::string_view token) const;
  void find(const std::string_view* tokens, size_t count, uint32_t* ids) const;  // one by one it takes twice as long

  // Valid for the life of the vocabulary, also across later interning.
  std::string_view text(uint32_t id) const { return texts_[id]; }

  // How many slots a look-up of every token passes by, all together: what crafted tokens would raise.
  uint64_t detours() const;

  size_t size() const { return texts_.size(); }
  uint64_t bytes() const;  // that it takes in memory
  uint64_t seed() const { return seed_; }

 private:
  // Up to 16 bytes stand in the slot itself as two words: with `kind` (the length, or long_kind) they are the
  // token. Longer tokens keep their hash and length there and are compared with the arena.
  struct Slot {
    uint64_t low = 0;
    uint64_t high = 0;
    uint32_t kind = 0;
    uint32_t number = 0;  // id + 1; 0 is a free slot
  };
  struct Probe {
    Slot slot;
    uint64_t hash;
  };

  Probe prepare(std::string_view token) const;
  template <typename Look>
  void ahead(const std::string_view* tokens, size_t count, Look look) const;
  uint64_t hash_words(uint64_t low, uint64_t high, uint64_t extra) const;
  const Slot* locate(const Probe& probe, std::string_view token) const;
  uint32_t intern_prepared(const Probe& probe, std::string_view token);
  void grow();
  std::string_view keep(std::string_view token);

  uint64_t seed_;
  uint64_t keys_[7];
  std::vector<Slot> slots_;
  unsigned shift_;
  std::vector<std::string_view> texts_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;
  size_t free_bytes_ = 0;
  uint64_t kept_bytes_ = 0;
};

}  // namespace bleuprint
