// A pool as bytes. A text is the number of its tokens, then a number for each of them: tokens are numbered in order of
// first appearance, and where one appears first, its bytes follow its number.
#include <stdexcept>

#include "columns/token_bytes.hpp"
#include "pool/pool.hpp"
#include "tables/packed_bytes.hpp"

namespace bleuprint {

namespace {

constexpr uint64_t poll_mask = (uint64_t{1} << 18) - 1;  // tokens: about a millisecond

}  // namespace

std::string Pool::content(const Run& run) const {
  ByteWriter writer;
  // Not the ids: where memory ran out while texts were added, the vocabulary has tokens of none.
  std::vector<uint32_t> numbers(vocabulary_.size(), Vocabulary::absent);
  uint32_t known = 0;
  for (size_t text = 0; text < texts(); ++text) {
    writer.number(length(text));
    for (uint64_t at = offsets_[text]; at < offsets_[text + 1]; ++at) {
      if ((at & poll_mask) == 0) run.poll();
      uint32_t& number = numbers[ids_[at]];
      const bool is_new = number == Vocabulary::absent;
      if (is_new) number = known++;
      writer.number(number);
      if (is_new) writer.bytes(vocabulary_.text(ids_[at]));
    }
  }
  return writer.take();
}

void Pool::add_content(std::string_view content, const Run& run) {
  ByteReader reader(content);
  std::vector<uint32_t> known;  // by number: the id
  while (!reader.done()) {
    const uint64_t count = reader.number(), begin = offsets_.back();
    require_room(1, reader.bounded(count));
    ids_.resize(begin + count);
    for (uint64_t at = begin; at < begin + count; ++at) {
      if ((at & poll_mask) == 0) run.poll();
      const uint64_t number = reader.number();
      if (number > known.size()) throw std::invalid_argument("the bytes name a token before it appears");
      if (number == known.size()) {
        const std::string_view token = reader.bytes();
        if (!is_token(token)) throw std::invalid_argument("the bytes hold a token that is neither UTF-8 nor a number");
        known.push_back(vocabulary_.intern(token));
      }
      ids_[at] = known[number];
    }
    offsets_.push_back(begin + count);
  }
}

}  // namespace bleuprint
