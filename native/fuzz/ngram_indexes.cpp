// N-gram indexes: any bytes, bytes behind valid checksums, and indexes of texts against plain loops and merged parts.
#include <algorithm>
#include <cstdio>

#include "columns/lines.hpp"
#include "fuzz/input.hpp"
#include "index/index_file.hpp"

using namespace bleuprint;
using namespace bleuprint::fuzz;

namespace {

constexpr Cancel never;
constexpr Run once{1, never};

// What a job writes to a file.
std::string written(const std::function<void(int)>& job) {
  std::FILE* const file = std::tmpfile();
  if (file == nullptr) std::abort();
  job(fileno(file));
  std::string content;
  std::rewind(file);
  char buffer[4096];
  for (size_t size; (size = std::fread(buffer, 1, sizeof buffer, file)) > 0;) content.append(buffer, size);
  std::fclose(file);
  return content;
}

void use(std::string_view content) {
  const NgramIndex index(content);
  const IndexLayout& layout = index.layout();
  const auto words = static_cast<uint32_t>(layout.words);
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < 12; ++i) numbers.push_back(words == 0 ? 0 : (i * 7 + 1) % (words + 1));
  if (words > 0) index.find_word(index.word(words));
  index.seen_spans(numbers, once);
  index.find(numbers.data(), std::min<size_t>(layout.max_order, 3));
  for (uint64_t at = 0; at < std::min<uint64_t>(layout.tokens, 8); ++at) index.text_of(index.position(at));
  index.verify(once);
}

void try_to_use(std::string_view content) {
  try {
    use(content);
  } catch (const IndexFault&) {
  }
}

// Any sections of the sizes that a layout announces, with the checksums of a good file.
void check_sections(Input& input) {
  IndexLayout layout;
  layout.max_order = 1 + input.number(5);
  layout.words = input.number(8);
  layout.word_bytes = input.number(20);
  layout.texts = input.number(6);
  layout.tokens = input.number(30);
  std::string bytes(input.rest());
  bytes.resize(static_cast<size_t>(layout.offsets(1 << 20).back() - index_magic.size()));
  const std::string content = written([&](int descriptor) {
    IndexFile file(descriptor);
    file.append(bytes);
    file.finish(layout, "{}");
  });
  try_to_use(content);
  Column kept;
  const std::string_view one = kept.keep(content);
  try {
    const NgramIndex index(one);
    written([&](int descriptor) { merge_indexes({&index, &index}, descriptor, "{}", once); });
  } catch (const IndexFault&) {
  }
}

// The words of a span stand at its place, and a longer run from there on stands nowhere (only of short texts).
void check_spans(const NgramIndex& index, const std::vector<uint32_t>& words) {
  const std::vector<SeenSpan> spans = index.seen_spans(words, once);
  const uint64_t size = index.layout().array_size();
  for (size_t i = 0; i < words.size(); ++i) {
    for (size_t at = 0; at < spans[i].length; ++at) {
      require(index.token(spans[i].place + at) == words[i + at], "a span stands at its place");
    }
    require(i == 0 || spans[i].length + 1 >= spans[i - 1].length, "a span goes on at its second word");
    for (uint64_t begin = 0; begin < size && words.size() < 200; ++begin) {
      size_t length = 0;
      while (i + length < words.size() && index.token(begin + length) == words[i + length]) ++length;
      require(length <= spans[i].length, "no longer run stands anywhere");
    }
  }
}

void check_texts(Input& input) {
  const Reading reading = reading_of(input);
  const size_t max_order = 1 + input.number(4), cut = input.number(4);
  Column kept;
  Texts texts;
  for (std::string_view all = input.rest(); !all.empty();) {
    const size_t end = std::min(all.find('\x01'), all.size());
    const std::string_view text = all.substr(0, end);
    // Other texts never come this far, and an index that holds their words is refused as forged.
    texts.pieces.push_back(kept.keep(text.substr(0, invalid_utf8(text, never))));
    all.remove_prefix(std::min(all.size(), end + 1));
  }
  const auto build = [&](size_t begin, size_t end) {
    Texts part;
    part.pieces.assign(texts.pieces.begin() + static_cast<std::ptrdiff_t>(begin),
                       texts.pieces.begin() + static_cast<std::ptrdiff_t>(end));
    IndexBuilder builder(max_order, 7);
    require(builder.add(part, 0, reading, UINT64_MAX, once) == part.pieces.size(), "all texts are added");
    return written([&](int descriptor) { builder.write(descriptor, "n", once); });
  };
  const size_t middle = std::min(cut, texts.pieces.size());
  const std::string whole = build(0, texts.pieces.size());
  const std::string first = build(0, middle), second = build(middle, texts.pieces.size());
  const NgramIndex index(whole), left(first), right(second);
  index.verify(once);
  const std::string merged = written([&](int descriptor) { merge_indexes({&left, &right}, descriptor, "n", once); });
  require(merged == whole, "merged parts are the whole");
  std::vector<uint32_t> all;
  for (uint64_t at = index.layout().array_size(); at-- > 0;) {
    if (const uint32_t word = index.token(at); word != 0) all.push_back(word);
  }
  check_spans(index, all);
  const std::vector<uint32_t> once_more = all;
  all.insert(all.end(), once_more.begin(), once_more.end());
  check_spans(index, std::vector<uint32_t>(all.rbegin(), all.rend()));
  // Every n-gram of the texts is found as often as it stands there.
  Reader reader(reading);
  WordNumbers numbers(index, 9);
  std::vector<std::vector<uint32_t>> corpus;
  for (const std::string_view text : texts.pieces) corpus.push_back(numbers.of(reader.read(text)));
  for (const std::vector<uint32_t>& text : corpus) {
    for (size_t begin = 0; begin < std::min<size_t>(text.size(), 8); ++begin) {
      const size_t size = std::min(max_order, text.size() - begin);
      uint64_t count = 0;
      for (const std::vector<uint32_t>& other : corpus) {
        for (size_t at = 0; at + size <= other.size(); ++at) {
          count += std::equal(text.begin() + static_cast<std::ptrdiff_t>(begin),
                              text.begin() + static_cast<std::ptrdiff_t>(begin + size),
                              other.begin() + static_cast<std::ptrdiff_t>(at));
        }
      }
      require(index.find(text.data() + begin, size).size() == count, "counts are those of a plain loop");
    }
    const std::vector<SeenSpan> spans = index.seen_spans(text, once);
    require(text.empty() || spans[0].length == text.size(), "a text of the corpus is seen as a whole");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 2000) return 0;
  Input input(data, size);
  Column kept;
  switch (input.number(2)) {
    case 0:
      try_to_use(kept.keep(input.rest()));
      break;
    case 1:
      check_sections(input);
      break;
    default:
      check_texts(input);
  }
  return 0;
}
