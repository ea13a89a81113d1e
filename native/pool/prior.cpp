#include "pool/prior.hpp"

#include <algorithm>
#include <stdexcept>

#include "pool/fill.hpp"
#include "tables/packed_bytes.hpp"

namespace bleuprint {

namespace {

constexpr uint64_t poll_mask = (uint64_t{1} << 14) - 1;  // tokens: about a millisecond

}  // namespace

void Prior::visit(Tally& tally, uint64_t segment) const noexcept {
  tally.count += counting_ == Counting::occurrences || tally.last != segment + 1;
  tally.last = segment + 1;
}

uint32_t Prior::add_node(const Tally& tally) {
  if (counts_.size() >> 31 != 0) throw std::length_error("more than 2^31 different n-grams");
  counts_.push_back(tally.count);
  return static_cast<uint32_t>(counts_.size() - 1);
}

void Prior::fit(const Texts& texts, const Reading& reading, const Run& run) {
  fill(pool_, texts, reading, seed_, run);
  for (size_t segment = 0; segment < texts.segments(); ++segment) segment_ends_.push_back(texts.last_text(segment));
  count(run);
}

void Prior::restore(std::string_view content, const Run& run) {
  ByteReader reader(content);
  const uint64_t size = reader.word(), tokens = reader.word(), texts = reader.word(), segments = reader.word();
  std::vector<std::string_view> vocabulary(static_cast<size_t>(reader.bounded(size)));
  for (std::string_view& token : vocabulary) token = reader.bytes(reader.word());
  std::vector<uint32_t> ids;
  std::vector<uint64_t> begins;
  reader.numbers(tokens, &ids);
  reader.numbers(texts, &begins);
  reader.numbers(segments, &segment_ends_);
  const bool ordered = std::is_sorted(begins.begin(), begins.end()) && (texts == 0 ? tokens == 0 : begins[0] == 0) &&
                       std::is_sorted(segment_ends_.begin(), segment_ends_.end());
  const bool whole = reader.done() && (texts == 0 || begins.back() <= tokens) &&
                     (segments == 0 ? texts == 0 : segment_ends_.back() == texts);
  if (!ordered || !whole) throw std::invalid_argument("these bytes are no prior");
  std::vector<std::string_view> text;
  for (size_t i = 0; i < texts; ++i) {
    if ((i & poll_mask) == 0) run.poll();
    text.clear();
    for (uint64_t at = begins[i], end = i + 1 < texts ? begins[i + 1] : tokens; at < end; ++at) {
      if (ids[at] >= size) throw std::invalid_argument("these bytes are no prior");
      text.push_back(vocabulary[ids[at]]);
    }
    pool_.add(text.data(), text.size());
  }
  count(run);
}

void Prior::count(const Run& run) {
  count_tokens(run);
  for (size_t order = 2; order <= max_order_; ++order) {
    count_longer(order, run);
  }
  places_ = {};
  logs_.resize(known_logs);
  for (size_t i = 1; i < known_logs; ++i) logs_[i] = std::log(static_cast<double>(i));
  log_segments_ = log_of(std::max<uint64_t>(1, segments()));
}

void Prior::count_tokens(const Run& run) {
  std::vector<Tally> tallies(pool_.vocabulary().size());
  size_t text = 0;
  for (uint64_t segment = 0; segment < segments(); ++segment) {
    for (; text < segment_ends_[segment]; ++text) {
      for (uint64_t at = pool_.offsets()[text]; at < pool_.offsets()[text + 1]; ++at) {
        if ((at & poll_mask) == 0) run.poll();
        visit(tallies[pool_.ids()[at]], segment);
      }
    }
  }
  unigrams_.assign(tallies.size(), absent);
  for (size_t token = 0; token < tallies.size(); ++token) {
    if (tallies[token].count > 1) unigrams_[token] = add_node(tallies[token]);
  }
  first_longer_ = static_cast<uint32_t>(counts_.size());
  places_.resize(pool_.tokens());
  for (uint64_t at = 0; at < pool_.tokens(); ++at) places_[at] = unigrams_[pool_.ids()[at]];
}

void Prior::count_longer(size_t order, const Run& run) {
  GrowingTable<uint64_t> grams(seed_);
  std::vector<Tally> tallies;
  size_t text = 0;
  for (uint64_t segment = 0; segment < segments(); ++segment) {
    for (; text < segment_ends_[segment]; ++text) {
      const uint64_t end = pool_.offsets()[text + 1];
      for (uint64_t at = pool_.offsets()[text]; at < end; ++at) {
        if ((at & poll_mask) == 0) run.poll();
        if (places_[at] == absent) continue;
        if (at + order > end) {
          places_[at] = absent;
          continue;
        }
        places_[at] = grams.insert(key(places_[at], pool_.ids()[at + order - 1]));
        if (places_[at] == tallies.size()) tallies.emplace_back();
        visit(tallies[places_[at]], segment);
      }
    }
  }
  std::vector<uint32_t> kept(tallies.size(), absent);
  for (uint32_t gram = 0; gram < tallies.size(); ++gram) {
    if ((gram & poll_mask) == 0) run.poll();
    if (tallies[gram].count < 2) continue;
    kept[gram] = add_node(tallies[gram]);
    nodes_.insert(grams.key(gram));
  }
  for (uint32_t& place : places_) place = place == absent ? absent : kept[place];
}

std::string Prior::content() const {
  ByteWriter writer;
  const Vocabulary& vocabulary = pool_.vocabulary();
  writer.word(vocabulary.size());
  writer.word(pool_.tokens());
  writer.word(pool_.texts());
  writer.word(segments());
  for (uint32_t id = 0; id < vocabulary.size(); ++id) {
    writer.word(vocabulary.text(id).size());
    writer.raw(vocabulary.text(id));
  }
  writer.numbers(pool_.ids(), pool_.tokens());
  writer.numbers(pool_.offsets(), pool_.texts());
  writer.numbers(segment_ends_.data(), segment_ends_.size());
  return writer.take();
}

}  // namespace bleuprint
