#include "pool/fill.hpp"

#include <deque>

namespace bleuprint {

void fill(Pool& pool, const Texts& texts, const Reading& reading, uint64_t seed, const Run& run) {
  const size_t count = texts.texts(), shards = std::max<size_t>(1, std::min<size_t>(run.threads, count / 1024));
  std::deque<Pool> parts;
  for (size_t i = 0; i < shards; ++i) parts.emplace_back(seed);
  run_workers(shards, [&](size_t shard) {
    Reader reader(reading);
    for (size_t text = count * shard / shards; text < count * (shard + 1) / shards; ++text) {
      run.poll();
      const Spans& tokens = reader.read(texts, text);
      parts[shard].add(tokens.begin(), tokens.size());
    }
  });
  if (pool.texts() == 0 && pool.vocabulary().size() == 0) {
    pool = std::move(parts.front());
    parts.pop_front();
  }
  size_t texts_added = 0, tokens_added = 0;
  for (const Pool& part : parts) {
    texts_added += part.texts();
    tokens_added += part.tokens();
  }
  pool.reserve(texts_added, tokens_added);
  for (; !parts.empty(); parts.pop_front()) pool.append(parts.front());
  if (shards > 1) give_memory_back();
}

}  // namespace bleuprint
