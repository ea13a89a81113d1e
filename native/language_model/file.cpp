// A model as bytes, small and checked.
//
//   8 bytes    magic, the last one the version of the format
//   note       number of bytes, bytes
//   order      then the number of n-grams of each order
//   words      those after the three marks: number of bytes, bytes
//   levels     children of each n-gram below; their words as steps from one sibling's to the next; probabilities as
//              float32; back-offs as float32 but for the highest order
//   8 bytes    checksum of everything before
//
// Numbers are varints (seven bits a byte, low ones first), floats and the checksum are little-endian. What is read may
// be anything: sizes are checked against the bytes that are left before memory is taken for them.
#include <cstring>

#include "language_model/language_model.hpp"
#include "text/utf8.hpp"

namespace bleuprint {

namespace {

constexpr std::string_view magic{"bleulm\r\x01", 8};
constexpr uint32_t blank_bits = 0x7FC00000;

// FNV-1a. It finds damage: every change of a single byte gives another sum. It is no proof against intent.
uint64_t checksum(std::string_view bytes) {
  uint64_t sum = 0xCBF29CE484222325u;
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001B3u;
  return sum;
}

template <typename Word>
void append_fixed(std::string& out, Word word) {
  for (size_t i = 0; i < sizeof word; ++i) out += static_cast<char>(word >> (8 * i) & 0xFF);
}

void append_varint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7F) | 0x80);
  out += static_cast<char>(value);
}

void append_float(std::string& out, float value) {
  uint32_t bits = blank_bits;
  if (!std::isnan(value)) std::memcpy(&bits, &value, sizeof bits);
  append_fixed(out, bits);
}

class Bytes {
 public:
  explicit Bytes(std::string_view content) : rest_(content) {}

  size_t left() const { return rest_.size(); }

  std::string_view take(uint64_t count) {
    if (count > rest_.size()) throw ModelFault("it ends too early");
    const std::string_view taken = rest_.substr(0, static_cast<size_t>(count));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  template <typename Word>
  Word fixed() {
    const std::string_view bytes = take(sizeof(Word));
    Word word = 0;
    for (size_t i = 0; i < sizeof word; ++i) word |= static_cast<Word>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return word;
  }
  // At most `most`; one number has one spelling.
  uint64_t varint(uint64_t most) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1).front());
      value |= uint64_t{byte & 0x7Fu} << shift;
      if (byte >= 0x80) continue;
      if (value > most || (byte == 0 && shift > 0)) break;
      return value;
    }
    throw ModelFault("a number in it is out of range");
  }
  float log_value(bool may_be_blank, float most) {
    const uint32_t bits = fixed<uint32_t>();
    if (may_be_blank && bits == blank_bits) return NAN;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    if (!(value >= -largest_model_log && value <= most)) throw ModelFault("a probability in it is out of range");
    return value;
  }

 private:
  std::string_view rest_;
};

// A word is text, or a number that was given as a token: 0x and its digits, without leading zeros, as Python's hex().
bool is_word_text(std::string_view word) {
  if (!word.empty() && word.front() == '\xFF') {
    word.remove_prefix(word.substr(1, 1) == "-" ? 2 : 1);
    if (word.substr(0, 2) != "0x" || word.size() == 2) return false;
    const std::string_view digits = word.substr(2);
    return digits.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
           (digits.size() == 1 || digits.front() != '0');
  }
  for (const char *at = word.data(), *const end = at + word.size(); at < end;) {
    const Decoded decoded = decode(at, end);
    if (decoded.value >= 0xD800 && decoded.value <= 0xDFFF) return false;
    at += decoded.length;
  }
  return true;
}

Vocabulary read_words(Bytes& bytes, uint64_t count, uint64_t seed) {
  Vocabulary vocabulary(seed);
  for (const char* const mark : {"<unk>", "<s>", "</s>"}) vocabulary.intern(mark);
  for (uint64_t i = vocabulary.size(); i < count; ++i) {
    const std::string_view word = bytes.take(bytes.varint(bytes.left()));
    if (!is_word_text(word)) throw ModelFault("a word in it is no text");
    if (vocabulary.intern(word) != i) throw ModelFault("a word is in it twice");
  }
  return vocabulary;
}

// `below` is how many n-grams the order below has, 0 for the first order.
ModelLevel read_level(Bytes& bytes, uint64_t below, uint64_t count, uint64_t words, bool highest) {
  const uint64_t each = below == 0 ? 0 : 1;
  if (below * each > bytes.left() || count * (4 + each + (highest ? 0 : 4)) > bytes.left() - below * each) {
    throw ModelFault("it announces more n-grams than it holds");
  }
  ModelLevel level;
  level.children.reserve(below);
  level.words.reserve(below == 0 ? 0 : count);
  level.probabilities.reserve(count);
  uint64_t sum = 0;
  for (uint64_t i = 0; i < below; ++i) {
    level.children.push_back(static_cast<uint32_t>(bytes.varint(words)));
    sum += level.children.back();
  }
  if (below != 0 && sum != count) throw ModelFault("its n-grams do not belong together");
  for (const uint32_t children : level.children) {
    uint64_t word = 0;
    for (uint32_t i = 0; i < children; ++i) {
      word += bytes.varint(words) + (i == 0 ? 0 : 1);
      if (word >= words) throw ModelFault("a word number in it is out of range");
      level.words.push_back(static_cast<uint32_t>(word));
    }
  }
  for (uint64_t i = 0; i < count; ++i) level.probabilities.push_back(bytes.log_value(below != 0, 0.0f));
  for (uint64_t i = 0; i < count && !highest; ++i) {
    level.backoffs.push_back(bytes.log_value(false, largest_model_log));
  }
  return level;
}

}  // namespace

std::string pack_model(const LanguageModel& model, std::string_view note, const Run& run) {
  std::string out(magic);
  append_varint(out, note.size());
  out += note;
  append_varint(out, model.order());
  for (size_t level = 0; level < model.order(); ++level) {
    append_varint(out, model.level_begin(level + 1) - model.level_begin(level));
  }
  for (uint32_t word = LanguageModel::end + 1; word < model.words(); ++word) {
    append_varint(out, model.vocabulary().text(word).size());
    out += model.vocabulary().text(word);
  }
  for (size_t level = 0; level < model.order(); ++level) {
    run.poll();
    const uint32_t begin = model.level_begin(level), end = model.level_begin(level + 1);
    const uint32_t below = level == 0 ? begin : model.level_begin(level - 1);
    for (uint32_t node = below; node < begin; ++node) {
      append_varint(out, model.first_child(node + 1) - model.first_child(node));
    }
    for (uint32_t node = below; node < begin; ++node) {
      uint32_t least = 0;
      for (uint32_t child = model.first_child(node); child < model.first_child(node + 1); ++child) {
        append_varint(out, model.node_word(child) - least);
        least = model.node_word(child) + 1;
      }
    }
    for (uint32_t node = begin; node < end; ++node) append_float(out, model.probability(node));
    for (uint32_t node = begin; node < end && end <= model.inner_nodes(); ++node) {
      append_float(out, model.backoff(node));
    }
  }
  append_fixed(out, checksum(out));
  return out;
}

Unpacked unpack_model(std::string_view content, uint64_t seed, const Run& run) {
  if (content.substr(0, 7) != magic.substr(0, 7)) throw ModelFault("it does not begin as a model does");
  if (content.size() < magic.size() + 8) throw ModelFault("it ends too early");
  if (content[7] != magic[7]) throw ModelFault("it has a version of the format that this program does not know");
  const std::string_view body = content.substr(0, content.size() - 8);
  if (Bytes(content.substr(body.size())).fixed<uint64_t>() != checksum(body)) {
    throw ModelFault("its checksum is wrong, so it was damaged on the way or not written to the end");
  }
  Bytes bytes(body.substr(magic.size()));
  std::string note(bytes.take(bytes.varint(bytes.left())));
  const uint64_t order = bytes.varint(largest_model_order);
  if (order == 0) throw ModelFault("it has no order");
  std::vector<uint64_t> counts;
  uint64_t total = 0;
  for (uint64_t i = 0; i < order; ++i) counts.push_back(bytes.varint(UINT32_MAX));
  for (const uint64_t count : counts) total += count;
  if (counts[0] < 3 || total >= UINT32_MAX) throw ModelFault("a number in it is out of range");
  if (counts[0] - 3 > bytes.left()) throw ModelFault("it announces more words than it holds");
  Vocabulary vocabulary = read_words(bytes, counts[0], seed);
  std::vector<ModelLevel> levels;
  for (size_t level = 0; level < order; ++level) {
    run.poll();
    levels.push_back(
        read_level(bytes, level == 0 ? 0 : counts[level - 1], counts[level], counts[0], level + 1 == order));
  }
  if (bytes.left() != 0) throw ModelFault("it holds more than a model");
  return {LanguageModel(std::move(vocabulary), levels, run), std::move(note)};
}

}  // namespace bleuprint
