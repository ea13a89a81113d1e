#include "language_model/language_model.hpp"

#include <algorithm>

#include "tables/prefetch.hpp"
#include "tables/vocabulary_key.hpp"

namespace bleuprint {

namespace {

constexpr uint32_t poll_every = 1 << 14;  // nodes

}  // namespace

LanguageModel::LanguageModel(Vocabulary vocabulary, const std::vector<ModelLevel>& levels, const Run& run)
    : vocabulary_(std::move(vocabulary)), level_begins_(1, 0) {
  uint64_t total = 0;
  for (const ModelLevel& level : levels) {
    total += level.probabilities.size();
    if (total >= absent) throw std::length_error("a model holds at most 2^32 - 2 n-grams");
    level_begins_.push_back(static_cast<uint32_t>(total));
  }
  words_.reserve(total - words());
  probabilities_.reserve(total);
  first_children_.reserve(inner_nodes() + size_t{1});
  uint32_t child = level_begins_[1];
  for (const ModelLevel& level : levels) {
    for (const uint32_t count : level.children) {
      first_children_.push_back(child);
      child += count;
    }
    words_.insert(words_.end(), level.words.begin(), level.words.end());
    probabilities_.insert(probabilities_.end(), level.probabilities.begin(), level.probabilities.end());
    backoffs_.insert(backoffs_.end(), level.backoffs.begin(), level.backoffs.end());
  }
  first_children_.push_back(child);
  index(run);
}

void LanguageModel::index(const Run& run) {
  // At most 2^32 slots, so that `start` can take 32 bits of a hash as a share of them.
  const uint64_t children = nodes() - words();
  slots_.resize(static_cast<size_t>(std::min<uint64_t>(children + children / 4 * 3 + 1, uint64_t{1} << 32)));
  // Slots are asked for some n-grams before they are written to, which lie anywhere.
  constexpr uint32_t ahead = 16;
  uint32_t starts[ahead] = {}, parents[ahead] = {};
  const auto write = [&](uint32_t node) {
    const uint32_t parent = parents[node % ahead], word = node_word(node);
    const Slot& slot = locate(starts[node % ahead], parent, word);
    slots_[static_cast<size_t>(&slot - slots_.data())] = {parent, word, node, probabilities_[node]};
  };
  const uint32_t first = words(), last = nodes();
  for (uint32_t node = first, parent = 0; node < last; ++node) {
    if (node % poll_every == 0) run.poll();
    if (node - first >= ahead) write(node - ahead);
    while (first_children_[parent + 1] <= node) ++parent;
    parents[node % ahead] = parent;
    starts[node % ahead] = start(parent, node_word(node));
    prefetch(&slots_[starts[node % ahead]]);
  }
  for (uint32_t node = last - std::min(ahead, last - first); node < last; ++node) write(node);
}

inline uint32_t LanguageModel::start(uint32_t parent, uint32_t word) const noexcept {
  const uint64_t key = uint64_t{parent} << 32 | word;
  return static_cast<uint32_t>((spread_hash(hash(key, vocabulary_.seed())) >> 32) * slots_.size() >> 32);
}

inline const LanguageModel::Slot& LanguageModel::locate(size_t at, uint32_t parent, uint32_t word) const noexcept {
  for (;; at = at + 1 == slots_.size() ? 0 : at + 1) {
    const Slot& slot = slots_[at];
    if (slot.node == 0 || (slot.parent == parent && slot.word == word)) return slot;
  }
}

LanguageModel::Context LanguageModel::empty_context() noexcept {
  Context context;
  context.fill(absent);
  return context;
}

LanguageModel::Context LanguageModel::sentence_begin() noexcept {
  Context context = empty_context();
  context[0] = begin;
  return context;
}

void LanguageModel::advance(Context& context, const uint32_t* words, size_t count, Step* steps,
                            Scratch& scratch) const {
  const size_t orders = order(), stride = count + 1;
  scratch.ngrams.resize(std::max(scratch.ngrams.size(), orders * stride));
  scratch.starts.resize(std::max(scratch.starts.size(), orders * stride));
  scratch.probabilities.resize(std::max(scratch.probabilities.size(), orders * count));
  uint32_t* const ngrams = scratch.ngrams.data();
  uint32_t* const starts = scratch.starts.data();
  float* const probabilities = scratch.probabilities.data();
  // Asks for the slot of the n-gram that the n-gram that ends before word i makes with it.
  const auto prepare = [&](uint32_t parent, size_t level, size_t i) {
    starts[level * stride + i] = start(parent, words[i]);
    prefetch(&slots_[starts[level * stride + i]]);
  };
  for (size_t level = 0; level < orders; ++level) {
    ngrams[level * stride] = context[level];
    if (level + 1 < orders && context[level] != absent && count > 0) prepare(context[level], level + 1, 0);
  }
  for (size_t i = 0; i < count; ++i) {
    ngrams[i + 1] = words[i];
    prefetch(&probabilities_[words[i]]);
    if (orders == 1) continue;
    prefetch(&backoffs_[words[i]]);
    if (i + 1 < count) prepare(words[i], 1, i + 1);
  }
  for (size_t level = 1; level < orders; ++level) {
    const uint32_t* const parents = ngrams + (level - 1) * stride;
    uint32_t* const found = ngrams + level * stride + 1;
    for (size_t i = 0; i < count; ++i) {
      found[i] = absent;
      if (parents[i] == absent) continue;
      const Slot& slot = locate(starts[level * stride + i], parents[i], words[i]);
      if (slot.node == 0) continue;
      found[i] = slot.node;
      probabilities[level * count + i] = slot.probability;
      if (level + 1 == orders) continue;
      prefetch(&backoffs_[slot.node]);
      if (i + 1 < count) prepare(slot.node, level + 1, i + 1);
    }
  }
  for (size_t i = 0; i < count; ++i) {
    double backoff = 0;
    size_t level = orders - 1;
    for (; level > 0; --level) {
      const uint32_t parent = ngrams[(level - 1) * stride + i];
      if (parent == absent) continue;
      const bool known = ngrams[level * stride + i + 1] != absent;
      if (known && !std::isnan(probabilities[level * count + i])) break;
      backoff += static_cast<double>(backoffs_[parent]);
    }
    // Words of the first level are never blank.
    const float own = level == 0 ? probabilities_[words[i]] : probabilities[level * count + i];
    steps[i] = {backoff + static_cast<double>(own), static_cast<uint32_t>(level + 1)};
  }
  for (size_t level = 0; level < orders; ++level) context[level] = ngrams[level * stride + count];
}

}  // namespace bleuprint
