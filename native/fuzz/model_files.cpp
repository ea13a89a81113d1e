// Language models read from any bytes: ARPA, and the packed format behind a checksum that the target mends. Counts of a
// corpus and pools of texts read from any bytes.
#include <stdexcept>

#include "columns/token_bytes.hpp"
#include "fuzz/input.hpp"
#include "language_model/rows.hpp"
#include "pool/prior.hpp"

using namespace bleuprint;
using namespace bleuprint::fuzz;

namespace {

constexpr Cancel never;
constexpr Run once{1, never};

void use(const LanguageModel& model) {
  const std::string packed = pack_model(model, "n", once);
  require(pack_model(unpack_model(packed, 2, once).model, "n", once) == packed, "packing is reversible");
  const std::string arpa = write_arpa(model, once);
  const std::string_view tokens[] = {"a", "b", "a", "the", "zzz", "<s>"};
  uint32_t words[7] = {};
  model.find_words(tokens, 6, words);
  words[6] = LanguageModel::end;
  LanguageModel::Context context = LanguageModel::sentence_begin(), one_by_one = context;
  LanguageModel::Scratch scratch;
  LanguageModel::Step steps[7] = {};
  model.advance(context, words, 7, steps, scratch);
  for (size_t i = 0; i < 7; ++i) {
    LanguageModel::Step step{};
    model.advance(one_by_one, words + i, 1, &step, scratch);
    require(step.length == steps[i].length && step.length <= model.order(), "no n-gram is longer than the order");
    require(step.log_probability == steps[i].log_probability, "words may come one by one");
  }
  require(context == one_by_one, "the context is that of the last word");
}

// The last eight bytes become the sum of those before, or no input would ever get past it.
std::string with_checksum(std::string bytes) {
  uint64_t sum = 0xCBF29CE484222325u;
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001B3u;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(sum >> (8 * i) & 0xFF);
  return bytes;
}

void check_prior(std::string_view bytes) {
  Prior prior(3, Counting::segments, 1), again(3, Counting::segments, 2);
  prior.restore(bytes, once);
  const std::string content = prior.content();
  again.restore(content, once);
  require(again.content() == content, "a restored prior is the prior");
}

void check_pool(std::string_view bytes) {
  Pool pool(1), again(2);
  pool.add_content(bytes, once);
  for (uint32_t id = 0; id < pool.vocabulary().size(); ++id) {
    require(is_token(pool.vocabulary().text(id)), "a token is UTF-8 or a number");
  }
  const std::string content = pool.content(once);
  again.add_content(content, once);
  require(again.content(once) == content, "a restored pool is the pool");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const size_t kind = input.number(4);
  Column kept;
  try {
    if (kind == 4) {
      check_pool(kept.keep(input.rest()));
    } else if (kind == 3) {
      check_prior(kept.keep(input.rest()));
    } else if (kind == 0) {
      use(read_arpa(kept.keep(input.rest()), 1, once));
    } else {
      std::string bytes("bleulm\r\x01", 8);
      bytes += input.rest();
      use(unpack_model(kept.keep(kind == 1 ? with_checksum(bytes) : bytes), 1, once).model);
    }
  } catch (const ModelFault&) {
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
