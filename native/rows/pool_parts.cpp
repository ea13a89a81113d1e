#include "rows/pool_parts.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <type_traits>

#include "tables/bits.hpp"
#include "tables/prefetch.hpp"

namespace bleuprint {
namespace {

constexpr size_t word_bits = 64;
constexpr size_t look_ahead = 16;
constexpr size_t block_texts = 1024;  // whose sums are added up alone, so that they do not depend on the threads

// Byte i is bit i of the index.
constexpr std::array<uint64_t, 256> make_spread() {
  std::array<uint64_t, 256> table{};
  for (size_t bits = 0; bits < table.size(); ++bits) {
    for (size_t place = 0; place < 8; ++place) {
      table[bits] |= static_cast<uint64_t>((bits >> place) & 1) << (8 * place);
    }
  }
  return table;
}
constexpr std::array<uint64_t, 256> spread = make_spread();

// How often each of 64 bits was set: plane i has bit i of all 64 numbers.
class Tally {
 public:
  void clear() { added_ = used_ = 0; }

  // Two words wait for each other at every plane, so that adding them and what is there is one step. Which planes have
  // a word waiting follows from how many were added.
  void add(uint64_t bits) {
    size_t i = 0;
    for (; (added_ >> i) & 1; ++i) bits = add_to_plane(i, waiting_[i], bits);
    if (i == used_) planes_[used_++] = 0;
    waiting_[i] = bits;
    ++added_;
  }

  // Adds the words that wait; to be called before the numbers are read.
  void finish() {
    uint64_t carry = 0;
    for (size_t i = 0; i < used_ || carry != 0; ++i) {
      if (i == used_) planes_[used_++] = 0;
      carry = add_to_plane(i, (added_ >> i) & 1 ? waiting_[i] : 0, carry);
    }
    added_ = 0;
  }

  // Eight of the numbers, those of bits 8 * byte and on, modulo 256 after a shift to the right.
  uint64_t eight(size_t byte, size_t shift = 0) const {
    uint64_t numbers = 0;
    for (size_t i = shift; i < std::min(used_, shift + 8); ++i) {
      numbers += spread[(planes_[i] >> (8 * byte)) & 255] << (i - shift);
    }
    return numbers;
  }

  // Adds the 64 numbers, times a factor, to `sums`.
  template <typename Number>
  void add_to(Number* sums, Number factor = 1) const {
    for (size_t shift = 0; shift < used_; shift += 8) {
      for (size_t byte = 0; byte < 8; ++byte) {
        const uint64_t numbers = eight(byte, shift);
        for (size_t i = 0; i < 8; ++i) {
          sums[8 * byte + i] += static_cast<Number>((numbers >> (8 * i)) & 255) * (factor << shift);
        }
      }
    }
  }

 private:
  uint64_t add_to_plane(size_t i, uint64_t one, uint64_t other) {
    const uint64_t either = one ^ other, carry = (one & other) | (planes_[i] & either);
    planes_[i] ^= either;
    return carry;
  }

  std::array<uint64_t, word_bits> planes_, waiting_;
  uint64_t added_ = 0;
  size_t used_ = 0;
};

// Calls body with the place of each bit that is set.
template <typename Body>
void for_bits(uint64_t word, const Body& body) {
  for (; word != 0; word &= word - 1) body(static_cast<size_t>(count_bits((word & (~word + 1)) - 1)));
}

// Makes byte j of word i byte i of word j.
void transpose(std::array<uint64_t, 8>* words) {
  const auto swap = [&](size_t distance, uint64_t low) {
    for (size_t i = 0; i < 8; ++i) {
      if (i & distance) continue;
      uint64_t &a = (*words)[i], &b = (*words)[i + distance];
      const uint64_t changed = ((a >> (8 * distance)) ^ b) & low;
      a ^= changed << (8 * distance);
      b ^= changed;
    }
  };
  swap(4, 0x00000000FFFFFFFFu);
  swap(2, 0x0000FFFF0000FFFFu);
  swap(1, 0x00FF00FF00FF00FFu);
}

// The parts that have an element in some text, and in two or more; of several words of parts.
template <size_t words>
struct Holders {
  std::array<uint64_t, words> once{};
  std::array<uint64_t, words> twice{};

  void add(const std::array<uint64_t, words>& parts) {
    for (size_t i = 0; i < words; ++i) {
      twice[i] |= once[i] & parts[i];
      once[i] |= parts[i];
    }
  }
};

// The parts of a text.
template <size_t words>
std::array<uint64_t, words> parts_of(const uint64_t* members, size_t texts, size_t text) {
  std::array<uint64_t, words> parts;
  for (size_t i = 0; i < words; ++i) parts[i] = members[i * texts + text];
  return parts;
}

// Which parts have each element of one order.
template <size_t words>
std::vector<Holders<words>> holders_of(const NgramSets& sets, const uint64_t* members, const Run& run) {
  std::vector<Holders<words>> holders(sets.element_limit);
  const size_t listed = sets.elements.size(), texts = sets.sizes.size();
  for (size_t text = 0; text < texts; ++text) {
    if (text % block_texts == 0) run.poll();
    const auto parts = parts_of<words>(members, texts, text);
    for (uint64_t i = sets.offsets[text]; i < sets.offsets[text + 1]; ++i) {
      prefetch(&holders[sets.elements[std::min<size_t>(i + look_ahead, listed - 1)]]);
      holders[sets.elements[i]].add(parts);
    }
  }
  return holders;
}

// Calls job for all words of parts: four at a time, because the tables do not fit into the cache and each visit of a
// line then serves 256 parts; the rest one by one, which need less memory.
template <typename Job>
void for_words(size_t words, const Job& job) {
  size_t word = 0;
  for (; word + 4 <= words; word += 4) job(word, std::integral_constant<size_t, 4>{});
  for (; word < words; ++word) job(word, std::integral_constant<size_t, 1>{});
}

// For each of 64 parts, the sum of the numbers of its texts.
void add_weights(const std::vector<uint32_t>& texts_by_weight, const std::vector<uint32_t>& weights,
                 const uint64_t* members, uint64_t* sums) {
  Tally tally;
  for (size_t i = 0; i < texts_by_weight.size(); ++i) {
    const uint32_t text = texts_by_weight[i];
    tally.add(members[text]);
    if (i + 1 < texts_by_weight.size() && weights[texts_by_weight[i + 1]] == weights[text]) continue;
    tally.finish();
    tally.add_to<uint64_t>(sums, weights[text]);
    tally.clear();
  }
}

std::vector<uint32_t> order_by(const std::vector<uint32_t>& weights) {
  std::vector<uint32_t> texts(weights.size());
  std::iota(texts.begin(), texts.end(), 0u);
  std::stable_sort(texts.begin(), texts.end(), [&](uint32_t a, uint32_t b) { return weights[a] < weights[b]; });
  return texts;
}

// The length nearest to each text's own among the other texts of its part.
class NearestLengths {
 public:
  NearestLengths(const std::vector<uint32_t>& lengths, const uint64_t* members) {
    sorted_ = lengths;
    std::sort(sorted_.begin(), sorted_.end());
    sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
    holders_.resize(sorted_.size());
    for (size_t text = 0; text < lengths.size(); ++text) holders_[place_of(lengths[text])].add({members[text]});
  }

  size_t place_of(uint32_t length) const {
    return static_cast<size_t>(std::lower_bound(sorted_.begin(), sorted_.end(), length) - sorted_.begin());
  }
  // The parts in which another text has the length at this place too.
  uint64_t same(size_t place) const { return holders_[place].twice[0]; }

  // The shorter of two equally near; 0 where the part has no other text.
  uint32_t other_than(size_t place, uint64_t part) const {
    const uint32_t length = sorted_[place];
    size_t below = place, above = place + 1;
    while (below > 0 && !(holders_[below - 1].once[0] & part)) --below;
    while (above < sorted_.size() && !(holders_[above].once[0] & part)) ++above;
    if (below == 0) return above < sorted_.size() ? sorted_[above] : 0;
    if (above == sorted_.size() || length - sorted_[below - 1] <= sorted_[above] - length) return sorted_[below - 1];
    return sorted_[above];
  }

 private:
  std::vector<uint32_t> sorted_;
  std::vector<Holders<1>> holders_;
};

// A row as one number: its length, the nearest length, and the matches of each order, a byte each.
constexpr size_t byte_orders = 6;  // that fit into it
constexpr uint32_t byte_limit = 256;

// Values of rows. Short texts have few different rows, so most values are found and not computed.
class RowScorer {
 public:
  RowScorer(const std::vector<RowFormula>& formulas, size_t orders)
      : formulas_(formulas),
        orders_(orders),
        row_(2 + 2 * orders),
        width_(1 + formulas.size()),
        slots_(slots * width_) {}

  // Of a row in bytes, whose length is not 0.
  const double* operator()(uint64_t key) {
    const size_t slot = (key * 0x9E3779B97F4A7C15u) >> (word_bits - slot_bits);
    Slot* const found = slots_.data() + slot * width_;
    if (found->key == key) return &found[1].value;
    found->key = key;
    for (size_t order = 0; order < orders_; ++order) row_[2 + order] = (key >> (16 + 8 * order)) & 255;
    return compute(key & 255, (key >> 8) & 255, &found[1].value);
  }

  const double* operator()(uint32_t length, uint32_t nearest, const uint32_t* matches, size_t stride) {
    for (size_t order = 0; order < orders_; ++order) row_[2 + order] = matches[order * stride];
    slots_[0].key = 0;  // its values are overwritten
    return compute(length, nearest, &slots_[1].value);
  }

 private:
  static constexpr size_t slot_bits = 13, slots = size_t{1} << slot_bits;

  // A key, followed by a value for each formula; 0 is no key.
  union Slot {
    uint64_t key = 0;
    double value;
  };

  const double* compute(int64_t length, int64_t nearest, double* values) {
    row_[0] = length;
    row_[1] = nearest;
    for (size_t order = 0; order < orders_; ++order) {
      // As NLTK has it: an order that a text is too short for has one n-gram.
      row_[2 + orders_ + order] = std::max<int64_t>(1, length - static_cast<int64_t>(order));
    }
    for (size_t i = 0; i < formulas_.size(); ++i) formulas_[i].compute(row_.data(), values + i);
    return values;
  }

  const std::vector<RowFormula>& formulas_;
  size_t orders_;
  std::vector<int64_t> row_;
  size_t width_;
  std::vector<Slot> slots_;
};

// Scores texts against the others of their parts, for 64 parts at a time.
class TextScorer {
 public:
  TextScorer(const std::vector<RowFormula>& formulas, size_t orders)
      : formulas_(formulas.size()), orders_(orders), score_(formulas, orders), matches_(orders * word_bits) {}

  // Adds the values of a text to those of each part that has it; tallies[order] has its matches.
  void add(const Tally* tallies, uint32_t length, uint64_t parts, const NearestLengths& lengths, double* sums) {
    const size_t place = lengths.place_of(length);
    const uint64_t alone = parts & ~lengths.same(place);  // no other text of these parts has its length
    if (length == 0 || length >= byte_limit || orders_ > byte_orders) {
      add_numbers(tallies, lengths, place, length, parts, alone, sums);
    } else {
      add_bytes(tallies, lengths, place, length, parts, alone, sums);
    }
  }

 private:
  void add_bytes(const Tally* tallies, const NearestLengths& lengths, size_t place, uint32_t length, uint64_t parts,
                 uint64_t alone, double* sums) {
    std::array<uint64_t, word_bits> rows;
    for (size_t byte = 0; byte < 8; ++byte) {
      std::array<uint64_t, 8> eight{length * 0x0101010101010101u, length * 0x0101010101010101u};
      for (size_t order = 0; order < orders_; ++order) eight[2 + order] = tallies[order].eight(byte);
      transpose(&eight);
      std::copy(eight.begin(), eight.end(), rows.begin() + 8 * byte);
    }
    for_bits(parts & ~alone, [&](size_t part) { add_values(score_(rows[part]), sums + part * formulas_); });
    for_bits(alone, [&](size_t part) {
      const uint32_t nearest = lengths.other_than(place, uint64_t{1} << part);
      for (size_t order = 0; order < orders_; ++order) {
        matches_[order] = static_cast<uint32_t>((rows[part] >> (16 + 8 * order)) & 255);
      }
      add_values(score_(length, nearest, matches_.data(), 1), sums + part * formulas_);
    });
  }

  void add_numbers(const Tally* tallies, const NearestLengths& lengths, size_t place, uint32_t length, uint64_t parts,
                   uint64_t alone, double* sums) {
    std::fill(matches_.begin(), matches_.end(), 0u);
    for (size_t order = 0; order < orders_; ++order) tallies[order].add_to(&matches_[order * word_bits]);
    for_bits(parts, [&](size_t part) {
      const uint64_t bit = uint64_t{1} << part;
      const uint32_t nearest = alone & bit ? lengths.other_than(place, bit) : length;
      add_values(score_(length, nearest, &matches_[part], word_bits), sums + part * formulas_);
    });
  }

  void add_values(const double* values, double* sums) const {
    for (size_t i = 0; i < formulas_; ++i) sums[i] += values[i];
  }

  size_t formulas_;
  size_t orders_;
  RowScorer score_;
  std::vector<uint32_t> matches_;
};

}  // namespace

PoolParts::PoolParts(const Pool& pool, size_t max_order, bool repeats_count, const Run& run) {
  if (pool.texts() >= UINT32_MAX) throw std::length_error("too many texts");
  orders_.resize(max_order);
  for (size_t order = 1; order <= max_order; ++order) {
    ngram_sets(pool, order, repeats_count, &orders_[order - 1], run);
  }
  for (size_t text = 0; text < pool.texts(); ++text) lengths_.push_back(static_cast<uint32_t>(pool.length(text)));
}

void PoolParts::leave_one_out(const uint64_t* members, size_t words, const std::vector<RowFormula>& formulas,
                              double* means, const Run& run) const {
  const size_t orders = orders_.size(), values = word_bits * formulas.size();
  const size_t blocks = (texts() + block_texts - 1) / block_texts;
  for_words(words, [&](size_t word, auto lanes) {
    constexpr size_t at_once = decltype(lanes)::value;
    const uint64_t* const parts = members + word * texts();
    std::vector<std::vector<Holders<at_once>>> holders(orders);
    share_out(orders, 1, run.threads, run.cancel, [&] {
      return
          [&](size_t order, size_t) { holders[order] = holders_of<at_once>(orders_[order], parts, {1, run.cancel}); };
    });
    std::vector<NearestLengths> nearest;
    for (size_t lane = 0; lane < at_once; ++lane) nearest.emplace_back(lengths_, parts + lane * texts());
    std::vector<double> block_sums(blocks * at_once * values);
    share_out(texts(), block_texts, run.threads, run.cancel, [&] {
      return [&, scorer = TextScorer(formulas, orders), tallies = std::vector<Tally>(at_once * orders)](
                 size_t begin, size_t end) mutable {
        double* const out = block_sums.data() + begin / block_texts * at_once * values;
        for (size_t text = begin; text < end; ++text) {
          for (size_t order = 0; order < orders; ++order) {
            const NgramSets& sets = orders_[order];
            const Holders<at_once>* const found = holders[order].data();
            for (size_t lane = 0; lane < at_once; ++lane) tallies[lane * orders + order].clear();
            for (uint64_t i = sets.offsets[text]; i < sets.offsets[text + 1]; ++i) {
              prefetch(found + sets.elements[std::min<size_t>(i + look_ahead, sets.elements.size() - 1)]);
              const auto& twice = found[sets.elements[i]].twice;
              for (size_t lane = 0; lane < at_once; ++lane) tallies[lane * orders + order].add(twice[lane]);
            }
          }
          for (size_t lane = 0; lane < at_once; ++lane) {
            Tally* const matches = tallies.data() + lane * orders;
            for (size_t order = 0; order < orders; ++order) matches[order].finish();
            scorer.add(matches, lengths_[text], parts[lane * texts() + text], nearest[lane], out + lane * values);
          }
        }
      };
    });
    double* const word_sums = means + word * values;
    std::fill_n(word_sums, at_once * values, 0.0);
    for (size_t block = 0; block < blocks; ++block) {
      for (size_t i = 0; i < at_once * values; ++i) word_sums[i] += block_sums[block * at_once * values + i];
    }
  });
  for (size_t word = 0; word < words; ++word) {
    std::array<uint64_t, word_bits> sizes{};
    Tally tally;
    for (size_t text = 0; text < texts(); ++text) tally.add(members[word * texts() + text]);
    tally.finish();
    tally.add_to(sizes.data());
    for (size_t i = 0; i < values; ++i) {
      const uint64_t size = std::max<uint64_t>(1, sizes[i / formulas.size()]);
      means[word * values + i] /= static_cast<double>(size);
    }
  }
}

void PoolParts::distinct(const uint64_t* members, size_t words, uint64_t* different, uint64_t* totals,
                         const Run& run) const {
  const size_t orders = orders_.size();
  const std::vector<uint32_t> by_length = order_by(lengths_);
  share_out(orders, 1, run.threads, run.cancel, [&] {
    return [&](size_t order, size_t) {
      const NgramSets& sets = orders_[order];
      // N-grams that one text alone has are only counted there.
      std::vector<uint32_t> alone(texts()), ngrams(texts());
      for (size_t text = 0; text < texts(); ++text) {
        alone[text] = sets.sizes[text] - static_cast<uint32_t>(sets.offsets[text + 1] - sets.offsets[text]);
        ngrams[text] = lengths_[text] > order ? lengths_[text] - static_cast<uint32_t>(order) : 0;
      }
      const std::vector<uint32_t> by_alone = order_by(alone);
      for_words(words, [&](size_t word, auto lanes) {
        constexpr size_t at_once = decltype(lanes)::value;
        const uint64_t* const parts = members + word * texts();
        std::array<Tally, at_once> tallies;
        for (const auto& holders : holders_of<at_once>(sets, parts, {1, run.cancel})) {
          for (size_t lane = 0; lane < at_once; ++lane) tallies[lane].add(holders.once[lane]);
        }
        for (size_t lane = 0; lane < at_once; ++lane) {
          std::array<uint64_t, word_bits> found{}, all{};
          tallies[lane].finish();
          tallies[lane].add_to(found.data());
          add_weights(by_alone, alone, parts + lane * texts(), found.data());
          add_weights(by_length, ngrams, parts + lane * texts(), all.data());
          for (size_t part = 0; part < word_bits; ++part) {
            const size_t at = ((word + lane) * word_bits + part) * orders + order;
            different[at] = found[part];
            totals[at] = all[part];
          }
        }
      });
    };
  });
}

}  // namespace bleuprint
