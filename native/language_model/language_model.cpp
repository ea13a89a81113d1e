#include "language_model/language_model.hpp"

#include <algorithm>

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
  link(run);
}

uint32_t LanguageModel::find_child(uint32_t context, uint32_t word) const {
  const uint32_t* const words = words_.data() - this->words();
  uint32_t low = first_children_[context], count = first_children_[context + 1] - low;
  if (count == 0) return absent;
  while (count > 1) {
    const uint32_t half = count / 2;
    low = words[low + half] <= word ? low + half : low;
    count -= half;
  }
  return words[low] == word ? low : absent;
}

bool LanguageModel::leads_on(uint32_t node) const {
  return node < inner_nodes() && (first_children_[node] != first_children_[node + 1] || backoffs_[node] != 0.0f);
}

// A suffix of an n-gram is one word longer than a suffix of its parent, so the parents' fallbacks lead to it.
void LanguageModel::link(const Run& run) {
  fallbacks_.assign(nodes(), no_context);
  for (uint32_t parent = 0; parent < inner_nodes(); ++parent) {
    if (parent % poll_every == 0 && run.cancelled()) throw Cancelled{};
    for (uint32_t node = first_children_[parent]; node < first_children_[parent + 1]; ++node) {
      const uint32_t word = node_word(node);
      uint32_t suffix = absent;
      for (uint32_t context = fallbacks_[parent]; suffix == absent; context = fallbacks_[context]) {
        if (context == no_context) {
          suffix = word;
          break;
        }
        suffix = find_child(context, word);
      }
      fallbacks_[node] = as_context(suffix);
    }
  }
}

LanguageModel::Found LanguageModel::find(uint32_t* context, uint32_t word) const {
  double sum = 0;
  uint32_t longest = absent;
  for (uint32_t from = *context;; from = fallbacks_[from]) {
    const uint32_t node = from == no_context ? word : find_child(from, word);
    if (node != absent) {
      if (longest == absent) longest = node;
      if (!blank(node)) {
        *context = as_context(longest);
        return {sum + static_cast<double>(probabilities_[node]), node};
      }
    }
    sum += static_cast<double>(backoffs_[from]);  // words of the first level are never blank
  }
}

LanguageModel::Step LanguageModel::advance(uint32_t* context, uint32_t word) const {
  const Found found = find(context, word);
  const auto level = std::upper_bound(level_begins_.begin(), level_begins_.end(), found.node);
  return {found.log_probability, static_cast<uint32_t>(level - level_begins_.begin())};
}

double LanguageModel::log_probability(uint32_t* context, uint32_t word) const {
  return find(context, word).log_probability;
}

}  // namespace bleuprint
