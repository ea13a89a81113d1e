// Seeded hashing for tables whose keys are always compared in full: a hash picks a place, never an identity.
#pragma once

#include <cstdint>

namespace bleuprint {

// splitmix64: turns one seed into as many independent-looking keys as a hash needs.
inline uint64_t next_key(uint64_t* state) {
  *state += 0x9E3779B97F4A7C15u;
  uint64_t key = *state;
  key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9u;
  key = (key ^ (key >> 27)) * 0x94D049BB133111EBu;
  return key ^ (key >> 31);
}

// Dense ids give the products below long arithmetic progressions, which linear probing punishes; one
// xor-shift and one more product break them up. The best bits are the highest.
inline uint64_t finish_hash(uint64_t sum, uint64_t odd_key) { return (sum ^ (sum >> 32)) * odd_key; }

// The product of two keyed 32-bit halves is a universal hash (Lemire and Kaser 2014, "Multilinear-HM"):
// without the seed nobody can name pairs that collide. One 64-bit product, so it needs no 128-bit arithmetic.
class PairHash {
 public:
  explicit PairHash(uint64_t seed)
      : first_key_(next_key(&seed)), second_key_(next_key(&seed)), odd_key_(next_key(&seed) | 1) {}

  uint64_t operator()(uint32_t first, uint32_t second) const {
    return finish_hash((first_key_ + first) * (second_key_ + second), odd_key_);
  }

 private:
  uint64_t first_key_;
  uint64_t second_key_;
  uint64_t odd_key_;
};

}  // namespace bleuprint
