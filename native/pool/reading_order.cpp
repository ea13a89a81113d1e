// What the texts show when they are read one after another: words in a moving window, stretches without repetition, and
// phrases that are repeated in a row. One pass each; nothing is kept per token.
#include <algorithm>
#include <stdexcept>

#include "pool/pool.hpp"
#include "tables/prefetch.hpp"

namespace bleuprint {
namespace {

constexpr uint64_t poll_every = uint64_t{1} << 16;  // tokens between two looks at the cancel flag
constexpr uint64_t look_ahead = 16;                 // tokens between a prefetch and its use

// Calls body(place, before) for each token of the part's texts, from either end, with their places there; `before` is
// one more than the place of the same word's previous occurrence, 0 where there is none. Returns how many there are.
template <typename Body>
uint64_t read_words(const Pool& pool, const Part& part, bool backward, const Run& run, const Body& body) {
  const uint64_t tokens = pool.tokens();
  const uint32_t* const ids = pool.ids();
  const auto word = [&](uint64_t place) { return ids[backward ? tokens - 1 - place : place]; };
  std::vector<uint64_t> last(pool.vocabulary().size(), 0);
  uint64_t read = 0;
  for (size_t i = 0; i < pool.texts(); ++i) {
    const size_t text = backward ? pool.texts() - 1 - i : i;
    if (!part.has(text)) continue;
    const uint64_t begin = backward ? tokens - pool.offsets()[text + 1] : pool.offsets()[text];
    const uint64_t end = begin + pool.length(text);
    for (uint64_t place = begin; place < end; ++place) {
      prefetch(&last[word(std::min(place + look_ahead, tokens - 1))]);
      uint64_t& before = last[word(place)];
      body(read, before);
      before = ++read;
      if (read % poll_every == 0) run.poll();
    }
  }
  return read;
}

// The loops of one text, and how many of its tokens are in one.
class LoopFinder {
 public:
  LoopFinder(uint32_t max_period, uint32_t times) : max_period_(max_period), times_(times) {}

  void find(uint32_t text, const uint32_t* ids, uint32_t length, std::vector<LoopSpan>* spans, int64_t* tokens,
            const Run& run) {
    const size_t first = spans->size();
    for (uint32_t period = 1; period <= max_period_ && uint64_t{period} * times_ <= length; ++period) {
      since_poll_ += length;
      if (since_poll_ >= poll_every) {
        run.poll();
        since_poll_ = 0;
      }
      uint32_t begin = 0;
      // One step beyond the text ends the last run.
      for (uint32_t at = period; at <= length; ++at) {
        if (at < length && ids[at] == ids[at - period]) continue;
        if (at - begin >= uint64_t{period} * times_) spans->push_back({text, begin, at, period});
        begin = at + 1 - period;
      }
    }
    *tokens = first == spans->size() ? 0 : covered(spans->data() + first, spans->data() + spans->size(), length);
  }

 private:
  // Spans of different periods overlap: +1 where one begins and -1 where it ends, and a token is in a loop where the
  // sum is positive.
  int64_t covered(const LoopSpan* begin, const LoopSpan* end, uint32_t length) {
    edges_.assign(size_t{length} + 1, 0);
    for (const LoopSpan* span = begin; span != end; ++span) {
      ++edges_[span->begin];
      --edges_[span->end];
    }
    int64_t tokens = 0, open = 0;
    for (uint32_t at = 0; at < length; ++at) tokens += (open += edges_[at]) > 0;
    return tokens;
  }

  uint32_t max_period_;
  uint32_t times_;
  uint64_t since_poll_ = 0;
  std::vector<int32_t> edges_;
};

}  // namespace

void window_types(const Pool& pool, const Part& part, uint64_t window, Windows* found, const Run& run) {
  if (window == 0) throw std::invalid_argument("a window has at least one token");
  uint64_t tokens = 0;
  for (size_t text = 0; text < pool.texts(); ++text) tokens += part.has(text) ? pool.length(text) : 0;
  *found = {tokens, std::min(window, tokens), 0};
  const uint64_t width = found->width, last_window = tokens - width;
  read_words(pool, part, false, run, [&](uint64_t place, uint64_t before) {
    // A word counts in the windows that begin after its previous occurrence and not after the word itself.
    const uint64_t first = std::max(before, place < width ? 0 : place - width + 1);
    const uint64_t end = std::min(place, last_window) + 1;
    if (first < end) found->different += end - first;
  });
}

void stretches(const Pool& pool, const Part& part, double threshold, bool backward, Stretches* found, const Run& run) {
  *found = {};
  uint64_t begin = 0;
  const uint64_t tokens = read_words(pool, part, backward, run, [&](uint64_t place, uint64_t before) {
    found->rest_different += before <= begin;
    ++found->rest_tokens;
    if (static_cast<double>(found->rest_different) / static_cast<double>(found->rest_tokens) > threshold) return;
    begin = place + 1;
    *found = {0, found->complete + 1, 0, 0};
  });
  found->tokens = tokens;
}

void loops(const Pool& pool, uint32_t max_period, uint32_t times, int64_t* looping_tokens, std::vector<LoopSpan>* spans,
           const Run& run) {
  LoopFinder finder(max_period, times);
  spans->clear();
  for (size_t text = 0; text < pool.texts(); ++text) {
    const uint32_t* const ids = pool.ids() + pool.offsets()[text];
    const auto length = static_cast<uint32_t>(pool.length(text));
    finder.find(static_cast<uint32_t>(text), ids, length, spans, looping_tokens + text, run);
  }
}

}  // namespace bleuprint
