// Indexes of parts of a corpus to the index of the whole.
#include <algorithm>

#include "index/index_file.hpp"

namespace bleuprint {

namespace {

constexpr uint64_t poll_every = 1 << 14;
constexpr uint64_t ahead = 4;  // places whose words are asked for before their turn

struct PartWord {
  size_t part;
  uint32_t number;  // in the part
};

// Calls visit(word, number in the whole, where it occurs) for every word of any part, in order.
template <typename Visit>
void for_each_word(const std::vector<const NgramIndex*>& parts, const Run& run, Visit visit) {
  struct Head {
    std::string_view word;
    PartWord at;
  };
  // The least word is on top, of equal words that of the first part.
  const auto after = [](const Head& a, const Head& b) {
    const int order = a.word.compare(b.word);
    return order != 0 ? order > 0 : a.at.part > b.at.part;
  };
  std::vector<Head> heads;
  for (size_t part = 0; part < parts.size(); ++part) {
    if (parts[part]->layout().words > 0) heads.push_back({parts[part]->word(1), {part, 1}});
  }
  std::make_heap(heads.begin(), heads.end(), after);
  std::vector<PartWord> occurs;
  for (uint32_t number = 1; !heads.empty(); ++number) {
    if (number % poll_every == 0) run.poll();
    const std::string_view word = heads.front().word;
    occurs.clear();
    while (!heads.empty() && heads.front().word == word) {
      std::pop_heap(heads.begin(), heads.end(), after);
      const PartWord at = heads.back().at;
      heads.pop_back();
      occurs.push_back(at);
      if (at.number < parts[at.part]->layout().words) {
        const std::string_view next = parts[at.part]->word(at.number + 1);
        if (next <= word) throw IndexFault("its words are not in order");
        heads.push_back({next, {at.part, at.number + 1}});
        std::push_heap(heads.begin(), heads.end(), after);
      }
    }
    if (number == UINT32_MAX - 1) throw std::length_error("an index holds at most 2^32 - 2 different words");
    visit(word, number, occurs);
  }
}

// The places of one word in the parts that have it, merged by the words that follow.
class PlaceMerger {
 public:
  PlaceMerger(const std::vector<const NgramIndex*>& parts, const std::vector<std::vector<uint32_t>>& numbers,
              const std::vector<uint64_t>& bases, size_t max_order)
      : parts_(parts), numbers_(numbers), bases_(bases), following_(max_order - 1), keys_(parts.size() * following_) {}

  template <typename Take>
  void merge(const std::vector<PartWord>& occurs, const Run& run, Take take) {
    uint64_t taken = 0;
    const auto poll = [&] {
      if (++taken % poll_every == 0) run.poll();
    };
    if (occurs.size() == 1) {
      const size_t part = occurs[0].part;
      const PlaceRange range = parts_[part]->places(occurs[0].number);
      for (uint64_t place = range.begin; place < range.end; ++place, poll()) {
        take(parts_[part]->position(place) + bases_[part]);
      }
      return;
    }
    heads_.clear();
    for (const PartWord& at : occurs) {
      const PlaceRange range = parts_[at.part]->places(at.number);
      heads_.push_back({at.part, range.begin, range.end, 0, 0});
      read(heads_.back());
    }
    for (size_t i = heads_.size() / 2; i-- > 0;) sink(i);
    while (!heads_.empty()) {
      poll();
      Head& top = heads_.front();
      take(top.position + bases_[top.part]);
      if (++top.place == top.end) {
        top = heads_.back();
        heads_.pop_back();
      } else {
        read(top);
      }
      sink(0);
    }
  }

 private:
  struct Head {
    size_t part;
    uint64_t place, end, position;
    size_t known;  // words of the key that were looked up; most comparisons need one or two
  };

  void read(Head& head) const {
    const NgramIndex& part = *parts_[head.part];
    head.position = part.position(head.place);
    head.known = 0;
    if (head.place + ahead < head.end) part.prefetch_token(head.place + ahead);
  }

  uint32_t word(Head& head, size_t place) {
    uint32_t* const key = keys_.data() + head.part * following_;
    while (head.known <= place) {
      key[head.known] = numbers_[head.part][parts_[head.part]->token(head.position + 1 + head.known)];
      ++head.known;
    }
    return key[place];
  }

  // Equal n-grams stand in the order of their places, and those of an earlier part come first.
  bool before(Head& a, Head& b) {
    for (size_t i = 0; i < following_; ++i) {
      const uint32_t first = word(a, i), second = word(b, i);
      if (first != second) return first < second;
      if (first == 0) break;
    }
    return a.part < b.part;
  }

  // Puts a head that has changed where it belongs among those below it.
  void sink(size_t at) {
    for (;;) {
      size_t child = 2 * at + 1;
      if (child >= heads_.size()) return;
      if (child + 1 < heads_.size() && before(heads_[child + 1], heads_[child])) ++child;
      if (!before(heads_[child], heads_[at])) return;
      std::swap(heads_[at], heads_[child]);
      at = child;
    }
  }

  const std::vector<const NgramIndex*>& parts_;
  const std::vector<std::vector<uint32_t>>& numbers_;
  const std::vector<uint64_t>& bases_;
  size_t following_;
  std::vector<uint32_t> keys_;
  std::vector<Head> heads_;
};

}  // namespace

void merge_indexes(const std::vector<const NgramIndex*>& parts, int descriptor, std::string_view note, const Run& run) {
  IndexLayout layout;
  std::vector<std::vector<uint32_t>> numbers;  // in the whole, by part and number there
  std::vector<uint64_t> bases;                 // where the array of each part begins in that of the whole
  for (const NgramIndex* const part : parts) {
    layout.max_order = part->layout().max_order;
    bases.push_back(layout.array_size());
    layout.texts += part->layout().texts;
    layout.tokens += part->layout().tokens;
    numbers.emplace_back(part->layout().words + 1, 0);
  }
  for_each_word(parts, run, [&](std::string_view word, uint32_t number, const std::vector<PartWord>& occurs) {
    layout.words = number;
    layout.word_bytes += word.size();
    for (const PartWord& at : occurs) numbers[at.part][at.number] = number;
  });

  IndexFile file(descriptor);
  for_each_word(parts, run, [&](std::string_view word, uint32_t, const std::vector<PartWord>&) { file.append(word); });
  uint64_t end = 0;
  for_each_word(parts, run, [&](std::string_view word, uint32_t, const std::vector<PartWord>&) {
    file.append_number(end += word.size(), layout.width(IndexLayout::word_ends));
  });
  end = 0;
  for_each_word(parts, run, [&](std::string_view, uint32_t, const std::vector<PartWord>& occurs) {
    for (const PartWord& at : occurs) end += parts[at.part]->places(at.number).size();
    file.append_number(end, layout.width(IndexLayout::word_places));
  });
  if (end != layout.tokens) throw IndexFault("its numbers do not belong together");
  for (size_t part = 0; part < parts.size(); ++part) {
    for (uint64_t text = 0; text < parts[part]->layout().texts; ++text) {
      if (text % poll_every == 0) run.poll();
      file.append_number(parts[part]->text_end(text) + bases[part], layout.width(IndexLayout::text_ends));
    }
  }
  const unsigned number_width = layout.width(IndexLayout::token_numbers);
  for (size_t part = 0; part < parts.size(); ++part) {
    for (uint64_t at = 0; at < parts[part]->layout().array_size(); ++at) {
      if (at % poll_every == 0) run.poll();
      file.append_number(numbers[part][parts[part]->token(at)], number_width);
    }
  }
  const unsigned position_width = layout.width(IndexLayout::positions);
  PlaceMerger merger(parts, numbers, bases, layout.max_order);
  for_each_word(parts, run, [&](std::string_view, uint32_t, const std::vector<PartWord>& occurs) {
    merger.merge(occurs, run, [&](uint64_t position) { file.append_number(position, position_width); });
  });
  file.finish(layout, note);
}

}  // namespace bleuprint
