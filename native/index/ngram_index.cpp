#include "index/ngram_index.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "index/index_file.hpp"
#include "index/seen_counts.hpp"
#include "text/utf8.hpp"

namespace bleuprint {

namespace {

constexpr size_t poll_every = 1 << 12;
// Spans are looked for place by place while that takes so many comparisons, these for each word of the text and one for
// each place of its n-grams; if there are more places than that, to the end.
constexpr uint64_t cheap_comparisons = 1 << 12, comparisons_per_word = 8, most_places = 1 << 24;
const char* const damaged = "its checksum is wrong, so it was damaged or not written to the end";
const char* const inconsistent = "its numbers do not belong together";
const char* const no_text = "it has a word that is no valid UTF-8";

// For every word of a text the longest run of words from there on that stands in the stretches it was shown, and the
// first of the places where. A suffix automaton of the text from its end to its begin: its size, and the time of a
// stretch, are linear in the words (Blumer et al. 1985, The smallest automaton recognizing the subwords of a text).
class RunFinder {
 public:
  RunFinder(const std::vector<uint32_t>& words, const Run& run) : states_(1), of_word_(words.size()) {
    states_.reserve(2 * words.size() + 1);
    for (size_t i = words.size(); i-- > 0;) {
      if (i % poll_every == 0) run.poll();
      of_word_[i] = append(words[i]);
    }
  }

  // Stretches come from the last of the corpus to the first, each from its end to its begin.
  void begin_stretch() noexcept { state_ = length_ = 0; }
  void read(uint32_t word, uint64_t place) {
    auto found = states_[state_].next.find(word);
    while (word != 0 && found == states_[state_].next.end() && state_ != 0) {
      state_ = states_[state_].shorter;
      length_ = states_[state_].length;
      found = states_[state_].next.find(word);
    }
    if (word == 0 || found == states_[state_].next.end()) return begin_stretch();
    state_ = found->second;
    State& state = states_[state_];
    state.first = place;
    if (++length_ >= state.run.length) state.run = {static_cast<uint32_t>(length_), place};
  }

  // Whatever stands somewhere stands there with all that it begins with.
  void finish() {
    std::vector<size_t> order(states_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(),
              [&](size_t one, size_t other) { return states_[one].length > states_[other].length; });
    for (const size_t at : order) {
      const State& found = states_[at];
      State& shorter = states_[found.shorter];
      if (found.run.length == 0 || shorter.length == 0) continue;
      const bool is_whole = shorter.run.length == shorter.length;
      shorter.run = {static_cast<uint32_t>(shorter.length),
                     is_whole ? std::min(shorter.run.place, found.first) : found.first};
      shorter.first = std::min(shorter.first, found.first);
    }
    for (size_t at = order.size(); at-- > 0;) {
      State& state = states_[order[at]];
      if (state.run.length == 0) state.run = states_[state.shorter].run;
    }
  }

  SeenSpan run_from(size_t word) const noexcept { return states_[of_word_[word]].run; }

 private:
  struct State {
    size_t length = 0;   // of its longest run
    size_t shorter = 0;  // the state of the longest run that these begin with and that stands elsewhere, too
    std::map<uint32_t, size_t> next;
    SeenSpan run;                 // the longest of its runs that was seen
    uint64_t first = UINT64_MAX;  // where one of its runs was seen first
  };

  size_t append(uint32_t word) {
    const size_t added = states_.size();
    states_.emplace_back();
    states_[added].length = states_[last_].length + 1;
    size_t at = last_;
    last_ = added;
    for (; states_[at].next.emplace(word, added).second; at = states_[at].shorter) {
      if (at == 0) return added;
    }
    const size_t same = states_[at].next[word];
    if (states_[same].length == states_[at].length + 1) {
      states_[added].shorter = same;
      return added;
    }
    const size_t copy = states_.size();
    states_.push_back(states_[same]);
    states_[copy].length = states_[at].length + 1;
    states_[same].shorter = states_[added].shorter = copy;
    for (auto found = states_[at].next.find(word); found != states_[at].next.end() && found->second == same;
         found = states_[at].next.find(word)) {
      found->second = copy;
      if (at == 0) break;
      at = states_[at].shorter;
    }
    return added;
  }

  std::vector<State> states_;  // 0 is that of no word
  std::vector<size_t> of_word_;
  size_t last_ = 0;
  size_t state_ = 0, length_ = 0;  // the longest run of the text that the stretch begins with, as far as it was read
};

}  // namespace

NgramIndex::NgramIndex(std::string_view content) : content_(content) {
  if (content.substr(0, 7) != index_magic.substr(0, 7)) throw IndexFault("it does not begin as an index does");
  if (content.size() < index_magic.size()) throw IndexFault("it ends too early");
  if (content[7] != index_magic[7]) throw IndexFault("it has a version of the format that this program does not know");
  constexpr uint64_t least = index_footer_numbers * 8;
  if (content.size() < index_magic.size() + 8 + least + index_tail ||
      content.substr(content.size() - 8) != index_magic) {
    throw IndexFault("it ends too early, so it was cut or not written to the end");
  }
  const uint64_t tail = content.size() - index_tail;
  const uint64_t footer_size = load_little(content.data() + tail);
  if (footer_size < least || footer_size > tail - index_magic.size()) throw IndexFault(inconsistent);
  const uint64_t footer = tail - footer_size;
  // The checksums stand right before the footer, one for each block before them.
  const uint64_t blocks = (footer - 1) / (index_block + 8) + 1;
  if (blocks * 8 > footer) throw IndexFault(inconsistent);
  const uint64_t sums = footer - blocks * 8;
  if ((sums + index_block - 1) / index_block != blocks) throw IndexFault(inconsistent);
  if (index_checksum(content.substr(sums, tail - sums), footer_size) != load_little(content.data() + tail + 8)) {
    throw IndexFault(damaged);
  }
  const char* const numbers = content.data() + footer;
  layout_ = {load_little(numbers), load_little(numbers + 8), load_little(numbers + 16), load_little(numbers + 24),
             load_little(numbers + 32)};
  const uint64_t note_size = load_little(numbers + 40);
  if (note_size != footer_size - least) throw IndexFault(inconsistent);
  note_ = content.substr(footer + least, note_size);
  if (layout_.max_order < 1 || layout_.max_order > largest_index_order || layout_.words >= UINT32_MAX ||
      layout_.tokens > sums || layout_.texts > sums || layout_.words > layout_.tokens) {
    throw IndexFault(inconsistent);
  }
  const std::vector<uint64_t> offsets = layout_.offsets(sums);
  if (offsets.back() != sums) throw IndexFault(inconsistent);
  std::copy(offsets.begin(), offsets.end(), offsets_);
  for (size_t i = 0; i < IndexLayout::sections; ++i) {
    widths_[i] = layout_.width(static_cast<IndexLayout::Section>(i));
    masks_[i] = widths_[i] == 8 ? UINT64_MAX : (uint64_t{1} << (8 * widths_[i])) - 1;
  }
  checked_ = std::make_unique<std::atomic<uint8_t>[]>(blocks);
  for (uint64_t i = 0; i < blocks; ++i) checked_[i].store(0, std::memory_order_relaxed);
}

void NgramIndex::check_block(uint64_t block) const {
  const uint64_t end = offsets_[IndexLayout::sections], begin = block * index_block;
  const std::string_view bytes = content_.substr(begin, std::min<uint64_t>(index_block, end - begin));
  if (index_checksum(bytes, block) != load_little(content_.data() + end + 8 * block)) throw IndexFault(damaged);
  checked_[block].store(1, std::memory_order_relaxed);
}

// Eight bytes are read, the footer being longer than that; only those of the number are checked and used.
uint64_t NgramIndex::load(IndexLayout::Section section, uint64_t item) const {
  const uint64_t at = offsets_[section] + item * widths_[section];
  check_bytes(at, widths_[section]);
  return load_little(content_.data() + at) & masks_[section];
}

uint64_t NgramIndex::position(uint64_t place) const {
  const uint64_t found = load(IndexLayout::positions, place);
  if (found >= layout_.array_size()) throw IndexFault(inconsistent);
  return found;
}

// Behind the end of the array there is nothing, as behind the end of a text.
uint32_t NgramIndex::token(uint64_t position) const {
  if (position >= layout_.array_size()) return 0;
  const uint64_t number = load(IndexLayout::token_numbers, position);
  if (number > layout_.words) throw IndexFault(inconsistent);
  return static_cast<uint32_t>(number);
}

uint64_t NgramIndex::text_end(uint64_t text) const {
  const uint64_t end = load(IndexLayout::text_ends, text);
  if (end >= layout_.array_size()) throw IndexFault(inconsistent);
  return end;
}

uint64_t NgramIndex::text_of(uint64_t position) const {
  uint64_t low = 0, high = layout_.texts;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (text_end(middle) < position) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low >= layout_.texts) throw IndexFault(inconsistent);
  return low;
}

uint64_t NgramIndex::word_end_offset(uint32_t number) const {
  return number == 0 ? 0 : load(IndexLayout::word_ends, number - 1);
}

std::string_view NgramIndex::word(uint32_t number) const {
  const uint64_t begin = word_end_offset(number - 1), end = word_end_offset(number);
  if (begin > end || end > layout_.word_bytes) throw IndexFault(inconsistent);
  if (begin == end) return {};
  check_bytes(offsets_[IndexLayout::word_text] + begin, end - begin);
  return content_.substr(offsets_[IndexLayout::word_text] + begin, end - begin);
}

uint32_t NgramIndex::find_word(std::string_view token) const {
  uint64_t low = 1, high = layout_.words + 1;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (word(static_cast<uint32_t>(middle)) < token) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low <= layout_.words && word(static_cast<uint32_t>(low)) == token ? static_cast<uint32_t>(low) : 0;
}

uint64_t NgramIndex::places_end(uint32_t number) const {
  const uint64_t end = number == 0 ? 0 : load(IndexLayout::word_places, number - 1);
  if (end > layout_.tokens) throw IndexFault(inconsistent);
  return end;
}

PlaceRange NgramIndex::places(uint32_t word) const {
  if (word == 0) return {};
  const PlaceRange range{places_end(word - 1), places_end(word)};
  if (range.begin > range.end) throw IndexFault(inconsistent);
  return range;
}

PlaceRange NgramIndex::extend(PlaceRange range, size_t length, uint32_t word) const {
  if (word == 0) return {};
  const auto following = [&](uint64_t place) { return token(position(place) + length); };
  uint64_t low = range.begin, high = range.end, above = range.end;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    const uint32_t found = following(middle);
    if (found < word) {
      low = middle + 1;
    } else {
      high = middle;
      if (found > word) above = middle;
    }
  }
  if (low == range.end || following(low) != word) return {};
  // Most n-grams have few places, so the end is looked for near the begin: steps double until they reach it.
  uint64_t inside = low;
  for (uint64_t step = 1; above - inside > step; step *= 2) {
    if (following(inside + step) != word) {
      above = inside + step;
      break;
    }
    inside += step;
  }
  while (above - inside > 1) {
    const uint64_t middle = inside + (above - inside) / 2;
    (following(middle) == word ? inside : above) = middle;
  }
  return {low, above};
}

PlaceRange NgramIndex::find(const uint32_t* words, size_t count) const {
  PlaceRange range = places(words[0]);
  for (size_t length = 1; length < count && range.size() > 0; ++length) range = extend(range, length, words[length]);
  return range;
}

void NgramIndex::seen_lengths(const uint32_t* words, size_t count, size_t most, uint32_t* lengths) const {
  for (size_t i = 0; i < count; ++i) {
    PlaceRange range = places(words[i]);
    size_t length = range.size() > 0 ? 1 : 0;
    while (length > 0 && length < most && i + length < count) {
      range = extend(range, length, words[i + length]);
      if (range.size() == 0) break;
      ++length;
    }
    lengths[i] = static_cast<uint32_t>(length);
  }
}

std::vector<SeenSpan> NgramIndex::seen_spans(const std::vector<uint32_t>& words, const Run& run,
                                             uint64_t* comparisons) const {
  const size_t count = words.size(), most = layout_.max_order;
  std::vector<SeenSpan> spans(count);
  std::vector<PlaceRange> ranges(count);
  for (size_t i = 0; i < count; ++i) {
    if (i % poll_every == 0) run.poll();
    PlaceRange range = places(words[i]);
    uint32_t length = 0;
    while (range.size() > 0) {
      ranges[i] = range;
      if (++length == most || i + length == count) break;
      range = extend(range, length, words[i + length]);
    }
    spans[i].length = length;
    if (length > 0) spans[i].place = position(ranges[i].begin);
  }
  // Longer runs: the places of their first max_order words are tried one by one, but only where the n-grams that
  // follow are all in the corpus and the run before does not settle it.
  std::vector<size_t> reach(count);  // where a run that begins here must end at the latest
  for (size_t i = count; i-- > 0;) {
    reach[i] = spans[i].length < most                         ? i + spans[i].length
               : i + 1 < count && spans[i + 1].length == most ? reach[i + 1]
                                                              : i + most;
  }
  std::unordered_map<uint64_t, uint64_t> different;
  for (size_t i = 0; i < count; ++i) {
    if (spans[i].length >= most) different.emplace(ranges[i].begin, ranges[i].size());
  }
  uint64_t places = 0, tried = 0;
  for (const auto& range : different) places += range.second;
  const uint64_t most_tried =
      places > most_places ? UINT64_MAX : cheap_comparisons + comparisons_per_word * count + places;
  // A run that was compared once goes on at the next word, one shorter: without this, texts that repeat themselves
  // would be compared over their whole length at every word.
  std::unordered_map<uint64_t, size_t> known, following;
  for (size_t i = 0; i < count; ++i, std::swap(known, following)) {
    following.clear();
    if (spans[i].length < most) continue;
    if (i > 0 && spans[i - 1].length > most) {
      spans[i] = {spans[i - 1].length - 1, spans[i - 1].place + 1};
      if (i + spans[i].length == reach[i]) continue;
    }
    for (uint64_t place = ranges[i].begin; place < ranges[i].end && i + spans[i].length < reach[i]; ++place) {
      if (tried > most_tried) break;
      if (++tried % poll_every == 0) run.poll();
      const uint64_t begin = position(place);
      const auto before = known.find(begin);
      size_t length = before == known.end() ? most : before->second;
      if (before == known.end()) {
        const size_t best = spans[i].length;  // a longer run has the next word, too
        if (begin + best >= layout_.array_size() || token(begin + best) != words[i + best]) continue;
        while (i + length < reach[i] && token(begin + length) == words[i + length]) ++length, ++tried;
      }
      if (length > most) following.emplace(begin + 1, length - 1);
      if (length > spans[i].length) spans[i] = {static_cast<uint32_t>(length), begin};
    }
    if (tried <= most_tried) continue;
    // The same words stand in the text or the corpus again and again: rather go through each place once.
    tried += find_long_runs(words, ranges, run, spans);
    break;
  }
  if (comparisons != nullptr) *comparisons += tried;
  return spans;
}

// Sets the spans of at least max_order words. The places of their n-grams, each once, make stretches of the corpus,
// which are read from their ends to their begins by the text's automaton. Returns how many words were read.
uint64_t NgramIndex::find_long_runs(const std::vector<uint32_t>& words, const std::vector<PlaceRange>& ranges,
                                    const Run& run, std::vector<SeenSpan>& spans) const {
  const size_t count = words.size(), most = layout_.max_order;
  std::vector<uint64_t> positions;
  std::unordered_set<uint64_t> taken;
  for (size_t i = 0; i < count; ++i) {
    if (spans[i].length < most || !taken.insert(ranges[i].begin).second) continue;
    for (uint64_t place = ranges[i].begin; place < ranges[i].end; ++place) {
      if (place % poll_every == 0) run.poll();
      positions.push_back(position(place));
    }
  }
  std::sort(positions.begin(), positions.end());
  RunFinder finder(words, run);
  uint64_t read = 0;
  for (size_t last = positions.size(); last > 0;) {
    const uint64_t end = positions[last - 1] + most;
    while (last > 1 && positions[last - 2] + most >= positions[last - 1]) --last;
    finder.begin_stretch();
    for (uint64_t at = end; at-- > positions[last - 1];) {
      if (++read % poll_every == 0) run.poll();
      finder.read(token(at), at);
    }
    --last;
  }
  finder.finish();
  for (size_t i = 0; i < count; ++i) {
    if (spans[i].length >= most) spans[i] = finder.run_from(i);
  }
  return read;
}

void NgramIndex::verify(const Run& run) const {
  const uint64_t blocks = (offsets_[IndexLayout::sections] + index_block - 1) / index_block;
  for (uint64_t block = 0; block < blocks; ++block) {
    if (block % poll_every == 0) run.poll();
    check_block(block);
  }
  uint64_t before = 0;
  for (uint64_t number = 1; number <= layout_.words; ++number) {
    if (number % poll_every == 0) run.poll();
    const auto id = static_cast<uint32_t>(number);
    if ((number > 1 && word(id - 1) >= word(id)) || places(id).size() == 0) throw IndexFault(inconsistent);
    const std::string_view text = word(id).substr(word(id).substr(0, 1) == "\xFF" ? 1 : 0);  // before a number
    const char* const end = text.data() + text.size();
    if (valid_until(text.data(), end, end) != end) throw IndexFault(no_text);
    before = places_end(id);
  }
  if (before != layout_.tokens ||
      (layout_.words > 0 && word_end_offset(static_cast<uint32_t>(layout_.words)) != layout_.word_bytes)) {
    throw IndexFault(inconsistent);
  }
  for (uint64_t text = 0; text < layout_.texts; ++text) {
    if (text % poll_every == 0) run.poll();
    if (text_end(text) < text_begin(text) || token(text_end(text)) != 0) throw IndexFault(inconsistent);
  }
  if (layout_.texts > 0 && text_end(layout_.texts - 1) + 1 != layout_.array_size()) throw IndexFault(inconsistent);
  for (uint32_t number = 1; number <= layout_.words; ++number) {
    const PlaceRange range = places(number);
    for (uint64_t place = range.begin; place < range.end; ++place) {
      if (place % poll_every == 0) run.poll();
      if (token(position(place)) != number) throw IndexFault(inconsistent);
    }
  }
}

const std::vector<uint32_t>& WordNumbers::of(const Spans& tokens) {
  numbers_.resize(tokens.size());
  words_.intern(tokens.begin(), tokens.size(), numbers_.data());
  while (known_.size() < words_.size()) {
    known_.push_back(index_.find_word(words_.text(static_cast<uint32_t>(known_.size()))));
  }
  for (uint32_t& number : numbers_) number = known_[number];
  return numbers_;
}

namespace {

class SeenRows : public RowCounter {
 public:
  SeenRows(const Aligned& texts, const Reading& reading, const NgramIndex& index, const std::vector<size_t>& orders,
           bool whole, uint64_t seed)
      : texts_(texts.hypotheses),
        cancel_(texts.cancel),
        reader_(reading, texts.cancel, texts.shared),
        index_(index),
        orders_(orders),
        whole_(whole),
        most_(*std::max_element(orders.begin(), orders.end())),
        numbers_(index, seed) {}

  void count(size_t segment, int64_t* row) override {
    const std::vector<uint32_t>& words = numbers_.of(reader_.read(texts_, texts_.first_text(segment)));
    const size_t size = words.size();
    lengths_.resize(size);
    for (size_t begin = 0; begin < size; begin += poll_every) {
      cancel_.poll();
      // The words behind a part are read as well, so that no n-gram is cut.
      const size_t end = std::min(size, begin + poll_every), last = std::min(size, end + most_);
      part_.resize(last - begin);
      index_.seen_lengths(words.data() + begin, last - begin, most_, part_.data());
      std::copy(part_.begin(), part_.begin() + static_cast<std::ptrdiff_t>(end - begin),
                lengths_.begin() + static_cast<std::ptrdiff_t>(begin));
    }
    row[0] += static_cast<int64_t>(size);
    for (size_t k = 0; k < orders_.size(); ++k) {
      const size_t least = whole_ ? std::min(size, orders_[k]) : orders_[k];
      add_seen_counts(size, orders_[k], whole_, [&](size_t i) { return lengths_[i] >= least; }, row + 1 + 3 * k);
    }
  }

 private:
  const Texts& texts_;
  Cancel cancel_;
  Reader reader_;
  const NgramIndex& index_;
  std::vector<size_t> orders_;
  bool whole_;
  size_t most_;
  WordNumbers numbers_;
  std::vector<uint32_t> lengths_, part_;
};

}  // namespace

std::unique_ptr<RowCounter> seen_rows(const Aligned& texts, const Reading& reading, const NgramIndex& index,
                                      const std::vector<size_t>& orders, bool whole, uint64_t seed) {
  return std::make_unique<SeenRows>(texts, reading, index, orders, whole, seed);
}

}  // namespace bleuprint
