#include "index/ngram_matches.hpp"

#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "index/seen_counts.hpp"
#include "tables/packed_bytes.hpp"
#include "tables/vocabulary_key.hpp"

namespace bleuprint {

namespace {

constexpr size_t poll_every = 1 << 12;
constexpr size_t texts_at_once = 64;     // that a thread takes
constexpr size_t bits_per_trigram = 16;  // one in sixteen that no text holds is compared all the same

bool is_letter(char byte) noexcept { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }

}  // namespace

SoughtNgrams::SoughtNgrams(const Texts& texts, const Reading& reading, size_t order, bool whole, uint64_t seed,
                           const Run& run)
    : order_(order), whole_(whole), seed_(seed), words_(seed), slots_(64, absent) {
  Reader reader(reading, run.cancel);
  for (size_t text = 0; text < texts.texts(); ++text) {
    run.poll();
    const Spans& tokens = reader.read(texts, text);
    const size_t begin = ids_.size();
    if (begin + tokens.size() >= absent) throw std::length_error("the texts have more than 2^32 - 2 words");
    ids_.resize(begin + tokens.size());
    words_.intern(tokens.begin(), tokens.size(), ids_.data() + begin);
    text_ends_.push_back(ids_.size());
  }
  ngram_at_.assign(ids_.size(), absent);
  for (size_t text = 0; text < this->texts(); ++text) {
    run.poll();
    const size_t size = static_cast<size_t>(text_end(text) - text_begin(text));
    const size_t length = whole ? std::min(size, order) : order;
    if (length == 0) continue;
    for (uint64_t at = text_begin(text); at + length <= text_end(text); ++at) {
      ngram_at_[at] = insert(at, length);
    }
  }
  collect_trigrams(run);
  set_anchors(run);
}

void SoughtNgrams::set_anchors(const Run& run) {
  std::vector<uint64_t> counts(words_.size());
  for (const uint32_t id : ids_) ++counts[id];
  std::vector<uint32_t> anchors;
  for (Ngram& ngram : ngrams_) {
    if (ngram.length == order_) continue;
    run.poll();
    const uint32_t* const ids = ids_.data() + ngram.first;
    const uint32_t* const rarest = std::min_element(
        ids, ids + ngram.length, [&](uint32_t one, uint32_t other) { return counts[one] < counts[other]; });
    ngram.anchor = static_cast<uint32_t>(rarest - ids);
    anchored_.resize(words_.size());
    std::vector<Anchored>& of = anchored_[*rarest];
    const Anchored added{ngram.length, ngram.anchor};
    if (std::find(of.begin(), of.end(), added) == of.end()) of.push_back(added);
    anchors.push_back(*rarest);
  }
  size_t words = 64;
  for (anchor_shift_ = 64 - 12; words < anchors.size(); --anchor_shift_) words *= 2;
  anchor_bits_.assign(words, 0);
  for (const uint32_t anchor : anchors) {
    const uint64_t bit = hash_word(words_.text(anchor), Region{}) >> anchor_shift_;
    anchor_bits_[bit >> 6] |= uint64_t{1} << (bit & 63);
  }
}

void SoughtNgrams::collect_trigrams(const Run& run) {
  size_t words = 64;
  for (trigram_shift_ = 64 - 12; words * 64 < ids_.size() * bits_per_trigram; --trigram_shift_) words *= 2;
  trigrams_.assign(words, 0);
  for (size_t at = 2; at < ids_.size(); ++at) {  // those that cross the border of a text do no harm
    if (at % poll_every == 0) run.poll();
    const uint64_t bit = trigram_hash(ids_[at - 2], ids_[at - 1], ids_[at]) >> trigram_shift_;
    trigrams_[bit >> 6] |= uint64_t{1} << (bit & 63);
  }
}

uint64_t SoughtNgrams::trigram_hash(uint32_t first, uint32_t second, uint32_t third) const noexcept {
  return mix((uint64_t{first} << 32 | second) ^ seed_, third ^ 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
}

uint64_t SoughtNgrams::hash(const uint32_t* ids, size_t length) const noexcept {
  uint64_t hash = seed_ ^ length;
  for (size_t i = 0; i < length; ++i) hash = mix(hash ^ ids[i], 0x9E3779B97F4A7C15u);
  return spread_hash(hash);
}

// The slot of the n-gram, or the free one where it belongs.
size_t SoughtNgrams::locate(const uint32_t* ids, size_t length) const noexcept {
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash(ids, length) & mask;; at = (at + 1) & mask) {
    if (slots_[at] == absent) return at;
    const Ngram& found = ngrams_[slots_[at]];
    if (found.length == length && std::memcmp(ids_.data() + found.first, ids, length * sizeof *ids) == 0) return at;
  }
}

uint32_t SoughtNgrams::insert(uint64_t first, size_t length) {
  const uint32_t* const ids = ids_.data() + first;
  const size_t slot = locate(ids, length);
  if (slots_[slot] != absent) return slots_[slot];
  const auto number = static_cast<uint32_t>(ngrams_.size());
  ngrams_.push_back({first, static_cast<uint32_t>(length), 0});
  slots_[slot] = number;
  if (2 * ngrams_.size() > slots_.size()) {
    slots_.assign(2 * slots_.size(), absent);
    for (uint32_t ngram = 0; ngram < ngrams_.size(); ++ngram) {
      slots_[locate(ids_.data() + ngrams_[ngram].first, ngrams_[ngram].length)] = ngram;
    }
  }
  return number;
}

uint64_t SoughtNgrams::detours() const noexcept {
  uint64_t passed = 0;
  for (const Ngram& ngram : ngrams_) {
    const uint32_t* const ids = ids_.data() + ngram.first;
    passed += (locate(ids, ngram.length) - hash(ids, ngram.length)) & (slots_.size() - 1);
  }
  return passed;
}

void NgramMatches::merge(const NgramMatches& other) {
  for (const auto& [file, read] : other.files_) {
    if (files_.count(file) > 0) throw std::invalid_argument("a file was read twice");
  }
  files_.insert(other.files_.begin(), other.files_.end());
  for (const auto& [ngram, added] : other.matches_) {
    NgramMatch& match = matches_[ngram];
    match.texts += added.texts;
    if (match.places.empty() || added.places.front() < match.places.front()) {
      match.before = added.before;
      match.after = added.after;
    }
    match.places.insert(match.places.end(), added.places.begin(), added.places.end());
    std::sort(match.places.begin(), match.places.end());
    if (match.places.size() > most_match_places) match.places.resize(most_match_places);
  }
}

std::string NgramMatches::content() const {
  std::vector<uint32_t> ngrams;
  for (const auto& entry : matches_) ngrams.push_back(entry.first);
  std::sort(ngrams.begin(), ngrams.end());
  ByteWriter writer;
  writer.number(files_.size());
  for (const auto& [file, read] : files_) {
    writer.number(file);
    writer.number(read.texts);
    writer.bytes(read.stamp);
  }
  for (const uint32_t ngram : ngrams) {
    const NgramMatch& match = matches_.at(ngram);
    writer.number(ngram);
    writer.number(match.texts);
    for (const MatchPlace& place : match.places) {
      writer.number(place.file);
      writer.number(place.text);
      writer.number(place.word);
    }
    writer.bytes(match.before);
    writer.bytes(match.after);
  }
  return writer.take();
}

NgramMatches NgramMatches::parse(std::string_view content, size_t ngrams, size_t files) {
  NgramMatches all;
  ByteReader reader(content);
  for (uint64_t left = reader.bounded(reader.number()); left > 0; --left) {
    const uint64_t file = reader.number();
    ReadFile read{reader.number(), {}};
    read.stamp = reader.bytes();
    if (file >= files || !all.files_.emplace(file, std::move(read)).second) {
      throw std::invalid_argument("the bytes name a file that is none of them, or twice");
    }
  }
  for (uint64_t least = 0; !reader.done();) {
    const uint64_t ngram = reader.number();
    if (ngram < least || ngram >= ngrams) throw std::invalid_argument("the bytes name an n-gram that cannot follow");
    least = ngram + 1;
    NgramMatch& match = all.matches_[static_cast<uint32_t>(ngram)];
    match.texts = reader.number();
    if (match.texts == 0) throw std::invalid_argument("the bytes hold an n-gram without places");
    while (match.places.size() < std::min<uint64_t>(match.texts, most_match_places)) {
      const uint64_t file = reader.number(), text = reader.number(), word = reader.number();
      if (file >= files) throw std::invalid_argument("the bytes name a file that is none of them");
      if (!match.places.empty() && !(match.places.back() < MatchPlace{file, text, 0})) {
        throw std::invalid_argument("the bytes hold places that are not in order");
      }
      match.places.push_back({file, text, word});
    }
    match.before = reader.bytes();
    match.after = reader.bytes();
  }
  return all;
}

// Up to a blank between two ASCII letters: there no tokenizer joins words, and no letter's case depends on another's.
size_t NgramScanner::piece_size(std::string_view text) const noexcept {
  for (size_t at = std::max<size_t>(piece_, 1); at + 1 < text.size(); ++at) {
    const void* const found = std::memchr(text.data() + at, ' ', text.size() - 1 - at);
    if (found == nullptr) break;
    at = static_cast<size_t>(static_cast<const char*>(found) - text.data());
    if (is_letter(text[at - 1]) && is_letter(text[at + 1])) return at;
  }
  return text.size();
}

void NgramScanner::carry() {
  const size_t kept = std::min(words(), sought_.order() - 1 + words_around_match), gone = words() - kept;
  std::vector<std::string> last;
  for (size_t at = gone; at < words(); ++at) last.emplace_back(word(at));
  carried_.swap(last);
  ids_.erase(ids_.begin(), ids_.begin() + static_cast<std::ptrdiff_t>(gone));
  begin_ += gone;
}

std::string NgramScanner::join(size_t begin, size_t end) const {
  std::string joined;
  for (size_t at = begin; at < end; ++at) joined.append(at == begin ? "" : " ").append(word(at));
  return joined;
}

void NgramScanner::describe(uint64_t word, size_t length, std::string* before, std::string* after) const {
  const size_t at = static_cast<size_t>(word - begin_);
  if (before != nullptr) *before = join(at - std::min(at, words_around_match), at);
  *after = join(at + length, std::min(words(), at + length + words_around_match));
}

namespace {

struct LastMatch {
  uint32_t ngram = SoughtNgrams::absent;
  uint64_t word = 0;
  NgramMatch* described = nullptr;
};

}  // namespace

void add_matches(const SoughtNgrams& sought, const Texts& texts, const Reading& reading, uint64_t file, uint64_t first,
                 const Run& run, NgramMatches* matches, size_t piece) {
  const auto scan = [&](NgramScanner& scanner, size_t text, NgramMatches* found) {
    LastMatch last;
    scanner.scan(texts, text, [&](uint32_t ngram, uint64_t word) {
      NgramMatch& match = (*found)[ngram];
      const MatchPlace place{file, first + text, word};
      const size_t length = sought.length(ngram);
      const bool is_whole = length < sought.order();  // a text of its own, which no other n-gram goes on from
      const bool goes_on = !is_whole && last.ngram != SoughtNgrams::absent && last.word + 1 == word &&
                           sought.first_place(last.ngram) + 1 == sought.first_place(ngram);
      if (goes_on && last.described != nullptr) last.described->after.clear();
      const bool is_first = match.texts == 0;
      if (is_first || match.last.file != file || match.last.text != place.text) {
        match.last = place;
        ++match.texts;
        if (match.places.size() < most_match_places) match.places.push_back(place);
      }
      if (is_first) scanner.describe(word, length, goes_on ? nullptr : &match.before, &match.after);
      if (!is_whole) last = {ngram, word, is_first ? &match : nullptr};
    });
  };
  if (run.threads <= 1 || texts.texts() <= texts_at_once) {
    NgramScanner scanner(sought, reading, run.cancel, piece);
    for (size_t text = 0; text < texts.texts(); ++text) scan(scanner, text, matches);
    return;
  }
  std::vector<std::unique_ptr<NgramMatches>> parts;
  std::mutex turn;
  share_out(texts.texts(), texts_at_once, run.threads, run.cancel, [&] {
    const std::lock_guard<std::mutex> mine(turn);
    parts.push_back(std::make_unique<NgramMatches>());
    return [&, found = parts.back().get(),
            scanner = std::make_unique<NgramScanner>(sought, reading, run.cancel, piece)](size_t begin, size_t end) {
      for (size_t text = begin; text < end; ++text) scan(*scanner, text, found);
    };
  });
  for (const auto& part : parts) matches->merge(*part);
}

namespace {

std::string join_words(const NgramIndex& index, uint64_t begin, uint64_t end) {
  std::string joined;
  for (uint64_t at = begin; at < end; ++at) joined.append(at == begin ? "" : " ").append(index.word(index.token(at)));
  return joined;
}

}  // namespace

void add_index_matches(const SoughtNgrams& sought, const NgramIndex& index, const std::vector<IndexedFile>& files,
                       const Run& run, NgramMatches* matches) {
  constexpr uint32_t not_looked_up = UINT32_MAX;
  std::vector<uint32_t> numbers(sought.different_words(), not_looked_up), words;
  std::vector<uint64_t> positions;
  for (uint32_t ngram = 0; ngram < sought.size(); ++ngram) {
    run.poll();
    words.clear();
    for (uint64_t at = sought.first_place(ngram); words.size() < sought.length(ngram); ++at) {
      uint32_t& number = numbers[sought.id(at)];
      if (number == not_looked_up) number = index.find_word(sought.word(at));
      words.push_back(number);
    }
    const PlaceRange range = index.find(words.data(), words.size());
    if (range.size() == 0) continue;
    positions.clear();
    for (uint64_t place = range.begin; place < range.end; ++place) {
      if (place % poll_every == 0) run.poll();
      positions.push_back(index.position(place));
    }
    std::sort(positions.begin(), positions.end());
    NgramMatch& match = (*matches)[ngram];
    uint64_t begin = 0, end = 0;  // of the text that was counted last
    for (const uint64_t position : positions) {
      if (position < end) continue;
      const uint64_t text = index.text_of(position);
      begin = index.text_begin(text);
      end = index.text_end(text);
      if (match.texts++ == 0) {
        const uint64_t behind = position + words.size();
        match.before = join_words(index, position - std::min(position - begin, uint64_t{words_around_match}), position);
        match.after = join_words(index, behind, std::min(end, behind + words_around_match));
      }
      if (match.places.size() == most_match_places) continue;
      const auto after = std::upper_bound(files.begin(), files.end(), text,
                                          [](uint64_t one, const IndexedFile& file) { return one < file.begin; });
      const IndexedFile& file = *std::prev(after);
      const auto number = static_cast<uint64_t>(std::prev(after) - files.begin());
      match.places.push_back({number, file.first + text - file.begin, position - begin});
    }
  }
}

std::vector<MarkedWords> mark_matches(const SoughtNgrams& sought, const Texts& texts, const Reading& reading,
                                      const std::vector<bool>& wanted, const Run& run, size_t piece) {
  std::vector<MarkedWords> marked, found;
  NgramScanner scanner(sought, reading, run.cancel, piece);
  for (size_t text = 0; text < texts.texts(); ++text) {
    found.clear();
    scanner.scan(texts, text, [&](uint32_t ngram, uint64_t word) {
      if (!wanted[ngram]) return;
      const uint64_t end = word + sought.length(ngram);
      if (found.empty() || word < found.back().begin || word > found.back().end) {
        found.push_back({text, word, end, {ngram}});
      } else {
        found.back().end = std::max(found.back().end, end);
        found.back().ngrams.push_back(ngram);
      }
    });
    // Those of several lengths come one length after the other.
    std::sort(found.begin(), found.end(),
              [](const MarkedWords& one, const MarkedWords& other) { return one.begin < other.begin; });
    for (MarkedWords& part : found) {
      if (!marked.empty() && marked.back().text == text && part.begin <= marked.back().end) {
        MarkedWords& whole = marked.back();
        whole.end = std::max(whole.end, part.end);
        whole.ngrams.insert(whole.ngrams.end(), part.ngrams.begin(), part.ngrams.end());
      } else {
        marked.push_back(std::move(part));
      }
    }
  }
  return marked;
}

Evidence NgramMatches::evidence(const SoughtNgrams& sought, size_t text, uint64_t most_rare, size_t most_runs) const {
  Evidence evidence;
  std::map<std::tuple<uint64_t, uint64_t, uint64_t>, MatchedRun> going, before;  // by file, text, and first word
  const auto end_runs = [&](std::map<std::tuple<uint64_t, uint64_t, uint64_t>, MatchedRun>& ended) {
    for (auto& entry : ended) evidence.longest.push_back(std::move(entry.second));
    std::sort(evidence.longest.begin(), evidence.longest.end(), [](const MatchedRun& one, const MatchedRun& other) {
      return one.length != other.length ? one.length > other.length
                                        : std::tie(one.place, one.begin) < std::tie(other.place, other.begin);
    });
    if (evidence.longest.size() > most_runs) evidence.longest.resize(most_runs);
    ended.clear();
  };
  uint64_t rare_words = 0;  // of the run that ends here
  const uint64_t first = sought.text_begin(text);
  for (uint64_t at = first; at < sought.text_end(text); ++at, std::swap(going, before)) {
    const uint32_t ngram = sought.ngram_at(at);
    const NgramMatch* const match = find(ngram);
    const bool is_rare = match != nullptr && match->texts <= most_rare;
    rare_words = !is_rare ? 0 : rare_words == 0 ? sought.length(ngram) : rare_words + 1;
    evidence.rare += is_rare;
    evidence.longest_rare = std::max(evidence.longest_rare, rare_words);
    if (match != nullptr) evidence.begins.push_back(at - first);
    for (size_t i = 0; match != nullptr && i < match->places.size(); ++i) {
      const MatchPlace& place = match->places[i];
      // A run that began at this place less one goes on: the difference of the two places stays the same.
      const std::tuple<uint64_t, uint64_t, uint64_t> key{place.file, place.text, place.word - (at - first)};
      const auto found = before.find(key);
      MatchedRun run{at - first, 0, place, i == 0 ? match->before : "", ""};
      if (found != before.end()) {
        run = std::move(found->second);
        before.erase(found);
      }
      run.length = at - first - run.begin + sought.length(ngram);
      run.after = i == 0 ? match->after : "";
      going.emplace(key, std::move(run));
    }
    end_runs(before);
  }
  end_runs(before);
  return evidence;
}

void count_matches(const SoughtNgrams& sought, const NgramMatches& matches, int64_t* rows) {
  for (size_t text = 0; text < sought.texts(); ++text) {
    const uint64_t begin = sought.text_begin(text), end = sought.text_end(text);
    int64_t* const row = rows + 4 * text;
    row[0] = static_cast<int64_t>(end - begin);
    std::fill(row + 1, row + 4, 0);
    add_seen_counts(
        static_cast<size_t>(end - begin), sought.order(), sought.whole(),
        [&](size_t i) { return matches.find(sought.ngram_at(begin + i)) != nullptr; }, row + 1);
  }
}

}  // namespace bleuprint
