// Texts to an index, in memory.
#include <algorithm>
#include <numeric>

#include "index/index_file.hpp"

namespace bleuprint {

namespace {

constexpr uint64_t bytes_per_word = 200;  // of the vocabulary while it grows, and of its order
struct Record {
  uint64_t key;
  uint32_t position;
  bool operator<(const Record& other) const { return key != other.key ? key < other.key : position < other.position; }
};

// Sorts positions by the words that follow, some words of a position at a time: those stand in a key beside it, so
// that sorting reads memory in order.
class SuffixSorter {
 public:
  SuffixSorter(const uint32_t* array, size_t max_order, uint64_t words, uint32_t* positions, Record* records)
      : array_(array), max_order_(max_order), positions_(positions), records_(records) {
    bits_ = 1;
    while (words >> bits_ != 0) ++bits_;
    words_per_key_ = 64 / bits_;
  }

  // The positions from `begin` to `end` have `depth` words in common.
  void sort(size_t begin, size_t end, size_t depth) const {
    if (end - begin < 2 || depth >= max_order_) return;
    const size_t taken = std::min<size_t>(words_per_key_, max_order_ - depth);
    for (size_t i = begin; i < end; ++i) records_[i] = {key(positions_[i] + depth, taken), positions_[i]};
    std::sort(records_ + begin, records_ + end);
    for (size_t i = begin; i < end; ++i) positions_[i] = records_[i].position;
    for (size_t i = begin; i < end;) {
      size_t next = i + 1;
      while (next < end && records_[next].key == records_[i].key) ++next;
      // A key that ends in 0 has reached the end of the text, and these positions stand in order.
      if ((records_[i].key & ((uint64_t{1} << bits_) - 1)) != 0) sort(i, next, depth + taken);
      i = next;
    }
  }

 private:
  uint64_t key(size_t at, size_t count) const {
    uint64_t found = 0;
    bool ended = false;
    for (size_t i = 0; i < count; ++i) {
      const uint64_t word = ended ? 0 : array_[at + i];
      ended = ended || word == 0;
      found = found << bits_ | word;
    }
    return found;
  }

  const uint32_t* array_;
  size_t max_order_;
  uint32_t* positions_;
  Record* records_;
  unsigned bits_;
  size_t words_per_key_;
};

}  // namespace

size_t IndexBuilder::add(const Texts& texts, size_t first, const Reading& reading, uint64_t memory, const Run& run) {
  Reader reader(reading, run.cancel);
  for (size_t text = first; text < texts.texts(); ++text) {
    run.poll();
    if (text_ends_.size() > 0 && (collecting() > memory || sorting() > memory)) return text;
    const Spans& tokens = reader.read(texts, text);
    const size_t begin = array_.size(), known = vocabulary_.size();
    if (begin + tokens.size() + 1 >= UINT32_MAX) {
      if (begin == 0) throw std::length_error("a text has 2^32 words or more");
      return text;
    }
    // Growing by halves instead of doubling keeps within the estimate of `collecting`.
    const size_t needed = begin + tokens.size() + 1;
    if (needed > array_.capacity()) array_.reserve(std::max(needed, array_.capacity() + array_.capacity() / 2));
    array_.resize(needed, 0);
    vocabulary_.intern(tokens.begin(), tokens.size(), array_.data() + begin);
    for (size_t i = begin; i + 1 < needed; ++i) ++array_[i];
    for (size_t word = known; word < vocabulary_.size(); ++word) {
      word_bytes_ += vocabulary_.text(static_cast<uint32_t>(word)).size();
    }
    text_ends_.push_back(needed - 1);
  }
  return texts.texts();
}

// An array that grows by half is there twice for a moment.
uint64_t IndexBuilder::collecting() const {
  return array_.capacity() * 4 * 5 / 3 + text_ends_.capacity() * 8 * 3 / 2 + vocabulary_.size() * bytes_per_word +
         word_bytes_;
}

uint64_t IndexBuilder::sorting() const {
  return array_.capacity() * 4 + array_.size() * (4 + sizeof(Record)) + text_ends_.capacity() * 8 +
         (vocabulary_.size() + 1) * 16;
}

void IndexBuilder::write(int descriptor, std::string_view note, const Run& run) {
  const auto words = static_cast<uint32_t>(vocabulary_.size());
  IndexLayout layout;
  layout.max_order = max_order_;
  layout.words = words;
  layout.word_bytes = word_bytes_;
  layout.texts = text_ends_.size();
  layout.tokens = array_.size() - text_ends_.size();
  IndexFile file(descriptor);
  {
    std::vector<uint32_t> order(words), numbers(size_t{words} + 1, 0);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](uint32_t a, uint32_t b) { return vocabulary_.text(a) < vocabulary_.text(b); });
    uint64_t end = 0;
    for (uint32_t i = 0; i < words; ++i) {
      file.append(vocabulary_.text(order[i]));
      numbers[size_t{order[i]} + 1] = i + 1;
    }
    for (uint32_t i = 0; i < words; ++i) {
      end += vocabulary_.text(order[i]).size();
      file.append_number(end, layout.width(IndexLayout::word_ends));
    }
    for (uint32_t& word : array_) word = numbers[word];
  }
  vocabulary_ = Vocabulary(seed_);
  word_bytes_ = 0;

  std::vector<uint64_t> places(size_t{words} + 2, 0);  // of word i: from places[i] to places[i + 1]
  for (const uint32_t word : array_) ++places[size_t{word} + 1];
  places[1] = 0;  // the ends of texts have no place
  for (size_t i = 1; i < places.size(); ++i) places[i] += places[i - 1];
  for (size_t i = 2; i < places.size(); ++i) {
    file.append_number(places[i], layout.width(IndexLayout::word_places));
  }
  for (const uint64_t end : text_ends_) file.append_number(end, layout.width(IndexLayout::text_ends));
  const unsigned number_width = layout.width(IndexLayout::token_numbers);
  for (const uint32_t word : array_) file.append_number(word, number_width);

  std::vector<uint32_t> positions(layout.tokens);
  for (size_t i = 0; i < array_.size(); ++i) {
    if (array_[i] != 0) positions[places[array_[i]]++] = static_cast<uint32_t>(i);
  }
  std::unique_ptr<Record[]> records(new Record[layout.tokens]);
  const SuffixSorter sorter(array_.data(), max_order_, words, positions.data(), records.get());
  // Filling has moved the begin of every word to its end, which is the begin of the next.
  share_out(words, 64, run.threads, run.cancel, [&] {
    return [&](size_t begin, size_t end) {
      for (size_t word = begin + 1; word <= end; ++word) {
        run.poll();
        sorter.sort(word == 1 ? 0 : places[word - 1], places[word], 1);
      }
    };
  });
  records.reset();
  const unsigned position_width = layout.width(IndexLayout::positions);
  for (const uint32_t position : positions) file.append_number(position, position_width);
  file.finish(layout, note);
  array_ = {};
  text_ends_ = {};
}

}  // namespace bleuprint
