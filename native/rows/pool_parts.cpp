#include "rows/pool_parts.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <type_traits>

#include "tables/bit_tally.hpp"
#include "tables/prefetch.hpp"

namespace bleuprint {
namespace {

constexpr size_t look_ahead = 16;
constexpr size_t block_texts = 1024;  // whose sums are added up alone, so that they do not depend on the threads

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
  void add(const BitTally* tallies, uint32_t length, uint64_t parts, const NearestLengths& lengths, double* sums) {
    const size_t place = lengths.place_of(length);
    const uint64_t alone = parts & ~lengths.same(place);  // no other text of these parts has its length
    if (length == 0 || length >= byte_limit || orders_ > byte_orders) {
      add_numbers(tallies, lengths, place, length, parts, alone, sums);
    } else {
      add_bytes(tallies, lengths, place, length, parts, alone, sums);
    }
  }

 private:
  void add_bytes(const BitTally* tallies, const NearestLengths& lengths, size_t place, uint32_t length, uint64_t parts,
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

  void add_numbers(const BitTally* tallies, const NearestLengths& lengths, size_t place, uint32_t length,
                   uint64_t parts, uint64_t alone, double* sums) {
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

PoolParts::PoolParts(const Pool& pool, size_t max_order, const Run& run) {
  if (pool.texts() >= UINT32_MAX) throw std::length_error("too many texts");
  orders_.resize(max_order);
  // The longest n-grams first: they take longest.
  const auto threads = static_cast<unsigned>(std::max<size_t>(1, run.threads / std::max<size_t>(1, max_order)));
  share_out(max_order, 1, run.threads, run.cancel, [&] {
    return [&](size_t place, size_t) {
      const size_t order = max_order - place;
      ngram_sets(pool, order, true, &orders_[order - 1], {threads, run.cancel});
    };
  });
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
      return [&, scorer = TextScorer(formulas, orders), tallies = std::vector<BitTally>(at_once * orders)](
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
            BitTally* const matches = tallies.data() + lane * orders;
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
    BitTally tally;
    for (size_t text = 0; text < texts(); ++text) tally.add(members[word * texts() + text]);
    tally.finish();
    tally.add_to(sizes.data());
    for (size_t i = 0; i < values; ++i) {
      const uint64_t size = std::max<uint64_t>(1, sizes[i / formulas.size()]);
      means[word * values + i] /= static_cast<double>(size);
    }
  }
}

}  // namespace bleuprint
