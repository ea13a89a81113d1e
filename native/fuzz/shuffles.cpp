// Blocks of texts and merged tables: arbitrary bytes are refused or taken, honest ones give what a pool gives.
#include <algorithm>

#include "fuzz/input.hpp"
#include "pool/fill.hpp"
#include "pool/shuffle_tables.hpp"

using namespace bleuprint;
using namespace bleuprint::fuzz;

namespace {

constexpr Cancel never;
constexpr Run once{1, never};

// A block that came over the wire goes through an order.
void use(TextBlock& block, ShuffleRule rule, size_t buckets, std::string_view answer) {
  block.candidates();
  block.fingerprint();
  require(TextBlock(block.packed()).packed() == block.packed(), "packing is reversible");
  std::vector<std::string> tables(buckets);
  block.tables(rule, 11, &tables, once);
  std::vector<std::string> answers;
  for (const std::string& table : tables) {
    MergedTable merged(rule, block.order() + 1, 12);
    if (block.order() + 1 != 0) merged.add(table);
    answers.push_back(merged.tables() == 0 ? std::string(answer) : merged.answer(0));
  }
  std::vector<std::string_view> views(answers.begin(), answers.end());
  if (!answer.empty()) views[0] = answer;
  block.take_answers(rule, 11, views, once);
}

void check_bytes(Input& input) {
  const auto rule = static_cast<ShuffleRule>(input.number(2));
  const size_t buckets = 1 + input.number(3);
  Column kept;
  const std::string_view answer = kept.keep(input.next_column());
  const std::string_view bytes = kept.keep(input.rest());
  for (const uint64_t order : {1, 2}) {
    try {
      MergedTable merged(rule, order, 5);
      merged.add(bytes);
      merged.add(bytes);
      merged.answer(1);
    } catch (const std::invalid_argument&) {
    }
  }
  try {
    TextBlock block(bytes);
    for (int i = 0; i < 2; ++i) use(block, rule, buckets, answer);
  } catch (const std::invalid_argument&) {
  }
}

// Two blocks merged order by order against one pool of both.
void check_merge(Input& input) {
  const Reading reading = reading_of(input);
  const size_t orders = 1 + input.number(3), buckets = 1 + input.number(3);
  const Corpus corpus = corpus_of(input);
  Pool one(1), two(2), both(3);
  for (Pool* const pool : {&one, &both}) fill(*pool, corpus.hypotheses.texts, reading, 1, once);
  for (Pool* const pool : {&two, &both}) fill(*pool, corpus.references.texts, reading, 1, once);
  std::vector<TextBlock> blocks{TextBlock(one, false), TextBlock(two, true)};
  const auto rule = ShuffleRule::top_two;
  for (size_t order = 1; order <= orders; ++order) {
    std::vector<std::vector<std::string>> tables(2, std::vector<std::string>(buckets));
    std::vector<std::vector<std::string>> answers(2);
    for (size_t i = 0; i < 2; ++i) blocks[i].tables(rule, order, &tables[i], once);
    for (size_t bucket = 0; bucket < buckets; ++bucket) {
      MergedTable merged(rule, order, 100 + bucket);
      for (size_t i = 0; i < 2; ++i) merged.add(tables[i][bucket]);
      for (size_t i = 0; i < 2; ++i) answers[i].push_back(merged.answer(i));
    }
    for (size_t i = 0; i < 2; ++i) {
      blocks[i].take_answers(rule, order, {answers[i].begin(), answers[i].end()}, once);
    }
  }
  std::vector<uint32_t> matches(both.texts() * orders);
  leave_one_out(both, orders, matches.data(), once);
  std::vector<uint32_t> found(blocks[0].matches().begin(), blocks[0].matches().end());
  found.insert(found.end(), blocks[1].matches().begin(), blocks[1].matches().end());
  require(found == matches, "blocks say what a pool says");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  input.flag() ? check_merge(input) : check_bytes(input);
  return 0;
}
