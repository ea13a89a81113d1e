// Pools of texts and pairwise counts against maps.
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <stdexcept>

#include "fuzz/input.hpp"
#include "pool/fill.hpp"
#include "pool/ngram_holders.hpp"
#include "pool/similar_sets.hpp"
#include "pool/spilled_texts.hpp"
#include "rows/pairwise.hpp"

using namespace bleuprint;
using namespace bleuprint::fuzz;

namespace {

using Ids = std::vector<uint32_t>;
using Counts = std::map<Ids, int64_t>;

constexpr Cancel never;
constexpr Run once{1, never};
constexpr Run twice{2, never};

Ids ids_of(const Pool& pool, size_t text) {
  return Ids(pool.ids() + pool.offsets()[text], pool.ids() + pool.offsets()[text + 1]);
}

Counts counts_of(const Ids& ids, size_t order) {
  Counts counts;
  for (size_t i = 0; i + order <= ids.size(); ++i) ++counts[Ids(ids.begin() + i, ids.begin() + i + order)];
  return counts;
}

int64_t clipped(const Counts& counts, const Counts& limits) {
  int64_t matches = 0;
  for (const auto& [gram, count] : counts) {
    const auto found = limits.find(gram);
    if (found != limits.end()) matches += std::min(count, found->second);
  }
  return matches;
}

void raise(Counts& most, const Counts& counts) {
  for (const auto& [gram, count] : counts) most[gram] = std::max(most[gram], count);
}

void check_matches(const Pool& pool, size_t orders) {
  std::vector<uint32_t> matches(pool.texts() * orders), again(matches.size()), different(matches.size());
  leave_one_out(pool, orders, matches.data(), once);
  leave_one_out(pool, orders, again.data(), twice);
  require(matches == again, "threads change nothing");
  distinct_per_text(pool, orders, different.data(), once);
  for (size_t text = 0; text < pool.texts(); ++text) {
    for (size_t order = 1; order <= orders; ++order) {
      Counts most;
      for (size_t other = 0; other < pool.texts(); ++other) {
        if (other != text) raise(most, counts_of(ids_of(pool, other), order));
      }
      const Counts own = counts_of(ids_of(pool, text), order);
      require(int64_t{matches[text * orders + order - 1]} == clipped(own, most), "leave-one-out is that of maps");
      require(different[text * orders + order - 1] == own.size(), "different n-grams of a text");
    }
  }
}

// The same counts from a file, within so many bytes.
void check_spilled(const Pool& pool, size_t orders, uint64_t memory) {
  const size_t width = 2 + orders;
  std::vector<uint32_t> matches(pool.texts() * orders);
  std::vector<int64_t> lengths(pool.texts()), rows(pool.texts() * width);
  leave_one_out(pool, orders, matches.data(), once);
  leave_one_out_lengths(pool, lengths.data());
  std::FILE* const file = std::tmpfile();
  require(file != nullptr, "there is a temporary file");
  Pool taken(1), words(1);
  taken.append(pool);
  SpilledTexts first(fileno(file), memory);
  std::fclose(file);
  first.take(taken, once);
  require(taken.texts() == 0 && first.texts() == pool.texts(), "all texts are taken");
  std::FILE* const other = std::tmpfile();
  require(other != nullptr, "there is another");
  SpilledTexts texts(fileno(other), memory);
  std::fclose(other);
  texts.append(first, taken.vocabulary(), words, once);
  const auto found = texts.leave_one_out(words.vocabulary(), orders, memory, memory % 2 == 0 ? once : twice);
  const size_t half = pool.texts() / 2;
  found->read(half, rows.data(), once);
  found->read(pool.texts() - half, rows.data() + half * width, once);
  for (size_t text = 0; text < pool.texts(); ++text) {
    const int64_t* const row = rows.data() + text * width;
    require(row[0] == static_cast<int64_t>(pool.length(text)) && row[1] == lengths[text],
            "lengths are those in memory");
    for (size_t i = 0; i < orders; ++i) {
      require(row[2 + i] == int64_t{matches[text * orders + i]}, "matches are those in memory");
    }
  }
  std::vector<std::vector<FrequencyCount>> expected, counted;
  frequency_counts(pool, orders, &expected, once);
  texts.frequency_counts(words.vocabulary(), orders, memory, &counted, memory % 2 == 0 ? once : twice);
  for (size_t i = 0; i < orders; ++i) {
    const auto same = [](const FrequencyCount& a, const FrequencyCount& b) {
      return a.count == b.count && a.ngrams == b.ngrams;
    };
    require(std::equal(expected[i].begin(), expected[i].end(), counted[i].begin(), counted[i].end(), same),
            "frequencies are those in memory");
  }
}

void check_counts(const Pool& pool, size_t orders) {
  std::vector<std::vector<FrequencyCount>> frequency;
  frequency_counts(pool, orders, &frequency, once);
  for (size_t order = 1; order <= orders; ++order) {
    Counts all;
    for (size_t text = 0; text < pool.texts(); ++text) {
      for (const auto& [gram, count] : counts_of(ids_of(pool, text), order)) all[gram] += count;
    }
    std::map<uint64_t, uint64_t> expected;
    for (const auto& [gram, count] : all) ++expected[static_cast<uint64_t>(count)];
    for (const FrequencyCount& frequency : frequency[order - 1]) {
      require(expected[frequency.count] == frequency.ngrams, "frequencies are those of a map");
    }
    require(frequency[order - 1].size() == expected.size(), "all frequencies are listed");
    SharedNgrams shared;
    most_shared(pool, order, 5, &shared, once);
    for (const uint32_t token : shared.tokens) require(token < pool.vocabulary().size(), "tokens are of the pool");
  }
}

// Sets of n-grams against all pairs of std::set; the threshold is one of eight.
void check_similar_sets(const Pool& pool, size_t order, double threshold) {
  std::vector<std::set<Ids>> sets(pool.texts());
  std::map<Ids, int64_t> holders;
  for (size_t text = 0; text < pool.texts(); ++text) {
    for (const auto& [gram, count] : counts_of(ids_of(pool, text), order)) {
      sets[text].insert(gram);
      ++holders[gram];
    }
  }
  std::vector<int64_t> sums(pool.texts());
  other_texts(pool, order, sums.data(), once);
  NgramSets found, repeated;
  ngram_sets(pool, order, false, &found, once);
  ngram_sets(pool, order, true, &repeated, once);
  for (size_t text = 0; text < pool.texts(); ++text) {
    int64_t others = 0;
    for (const Ids& gram : sets[text]) others += holders[gram] - 1;
    require(sums[text] == others, "other texts are those of a map");
    require(found.sizes[text] == sets[text].size(), "a set has the n-grams of its text");
    const uint64_t length = pool.length(text);
    require(repeated.sizes[text] == (length < order ? 0 : length - order + 1), "repetitions count where they should");
  }
  std::vector<SimilarPair> pairs;
  const Sets all{found.elements.data(), found.offsets.data(), found.sizes.data(), sets.size(), found.element_limit};
  require(similar_sets(all, threshold, SIZE_MAX, &pairs, once), "joining ends");
  size_t next = 0;
  for (uint32_t one = 0; one < sets.size(); ++one) {
    for (uint32_t other = one + 1; other < sets.size(); ++other) {
      uint32_t shared = 0;
      for (const Ids& gram : sets[one]) shared += static_cast<uint32_t>(sets[other].count(gram));
      const double either = static_cast<double>(sets[one].size()) + sets[other].size() - shared;
      if (either == 0 || shared / either < threshold) continue;
      require(next < pairs.size() && pairs[next].first == one && pairs[next].second == other &&
                  pairs[next].shared == shared,
              "similar sets are those of all pairs");
      ++next;
    }
  }
  require(next == pairs.size(), "no other sets are similar");
}

// What is read in order, against loops over all spans.
void check_reading(const Pool& pool, uint32_t max_period, uint32_t times) {
  std::vector<int64_t> tokens(pool.texts());
  std::vector<LoopSpan> spans;
  loops(pool, max_period, times, tokens.data(), &spans, once);
  std::vector<std::set<uint32_t>> inside(pool.texts());
  for (const LoopSpan& span : spans) {
    const Ids ids = ids_of(pool, span.text);
    require(span.end <= ids.size() && span.end - span.begin >= span.period * times, "a loop is long enough");
    for (uint32_t at = span.begin; at < span.end; ++at) {
      require(at < span.begin + span.period || ids[at] == ids[at - span.period], "a loop repeats itself");
      inside[span.text].insert(at);
    }
  }
  for (size_t text = 0; text < pool.texts(); ++text) {
    require(static_cast<size_t>(tokens[text]) == inside[text].size(), "tokens in loops are counted once");
  }
  Stretches forward, backward;
  stretches(pool, {}, 0.72, false, &forward, once);
  stretches(pool, {}, 0.72, true, &backward, once);
  require(forward.rest_different <= forward.rest_tokens && forward.rest_tokens <= pool.tokens(), "the rest is a rest");
  require(forward.tokens == pool.tokens() && backward.tokens == pool.tokens(), "all texts are read");
  Windows windows;
  window_types(pool, {}, pool.tokens() + 1, &windows, once);
  std::set<uint32_t> words(pool.ids(), pool.ids() + pool.tokens());
  require(windows.width == pool.tokens() && windows.different == words.size(), "one window has all words");
}

// Parts of a pool, counted together, against pools of their texts.
void check_parts(const Pool& pool, size_t order, uint64_t seed) {
  std::vector<uint64_t> members(pool.texts());
  for (uint64_t& parts : members) parts = seed = seed * 0x9E3779B97F4A7C15u + 1;
  const NgramHolders holders(pool, order, twice);
  std::vector<PartCount> counts, others;
  holders.frequencies(members.data(), 1, &counts, twice);
  holders.other_texts(members.data(), 1, &others, twice);
  for (const size_t number : {size_t{0}, size_t{40}, size_t{63}}) {
    std::vector<size_t> texts;
    const Part part{members.data(), uint64_t{1} << number};
    for (size_t text = 0; text < pool.texts(); ++text) {
      if (part.has(text)) texts.push_back(text);
    }
    Pool alone(1);
    alone.add_from(pool, texts.data(), texts.size());
    std::vector<std::vector<FrequencyCount>> frequency;
    frequency_counts(alone, order, &frequency, once);
    std::map<uint64_t, uint64_t> expected, found;
    for (const FrequencyCount& one : frequency.back()) expected[one.count] = one.ngrams;
    for (const PartCount& one : counts) {
      if (one.part == number) found[one.value] = one.items;
    }
    require(found == expected, "frequencies of a part are those of its texts");
    std::vector<int64_t> sums(alone.texts());
    other_texts(alone, order, sums.data(), once);
    expected.clear();
    found.clear();
    for (const int64_t sum : sums) ++expected[static_cast<uint64_t>(sum)];
    for (const PartCount& one : others) {
      if (one.part == number) found[one.value] = one.items;
    }
    require(found == expected, "other texts of a part are those of its texts");
    Windows windows, windows_alone;
    window_types(pool, part, order, &windows, once);
    window_types(alone, {}, order, &windows_alone, once);
    require(windows.different == windows_alone.different, "windows of a part are those of its texts");
    Stretches read, read_alone;
    stretches(pool, part, 0.72, number == 0, &read, once);
    stretches(alone, {}, 0.72, number == 0, &read_alone, once);
    require(read.complete == read_alone.complete && read.rest_different == read_alone.rest_different,
            "stretches of a part are those of its texts");
  }
}

void check_content(const Pool& pool) {
  Pool again(2);
  try {
    again.add_content(pool.content(once), once);
  } catch (const std::invalid_argument&) {
    return;  // a token that is not UTF-8
  }
  require(again.content(once) == pool.content(once), "a restored pool is the pool");
  for (size_t text = 0; text < pool.texts(); ++text) {
    require(ids_of(again, text) == ids_of(pool, text), "a restored pool has the same ids");
  }
}

void check_cross(const Pool& queries, const Pool& references, size_t orders) {
  std::vector<uint32_t> matches(queries.texts() * orders);
  std::vector<int64_t> lengths(queries.texts());
  cross(queries, references, orders, matches.data(), once);
  cross_lengths(queries, references, lengths.data());
  leave_one_out_lengths(queries, lengths.data());
  Pool both(1);
  both.append(queries);
  both.append(references);
  const size_t first = queries.texts();
  for (size_t text = 0; text < first; ++text) {
    for (size_t order = 1; order <= orders; ++order) {
      Counts most;
      for (size_t i = first; i < both.texts(); ++i) raise(most, counts_of(ids_of(both, i), order));
      require(int64_t{matches[text * orders + order - 1]} == clipped(counts_of(ids_of(both, text), order), most),
              "crossing is that of maps");
    }
  }
  std::vector<PairedCount> counts;
  for (size_t order = 1; order <= orders; ++order) {
    counts.clear();
    paired_counts(queries, references, order, &counts, once);
  }
  std::vector<uint64_t> groups(both.texts());
  uint64_t group_count = 0;
  duplicates(both, groups.data(), &group_count, once);
  std::set<Ids> texts;
  for (size_t i = 0; i < both.texts(); ++i) texts.insert(ids_of(both, i));
  require(group_count == texts.size(), "equal texts are one group");
}

void check_mean(const Corpus& corpus, const Reading& reading, size_t orders) {
  const Texts& texts = corpus.hypotheses.texts;
  const Texts& others = corpus.references.texts;
  const size_t columns = 2 + 3 * orders;
  std::vector<int64_t> rows(texts.texts() * columns);
  const PairOptions options{reading, orders, 0, 5};
  count_against_mean(texts, others, options, 0, corpus.segments, 1, rows.data(), {});
  Pool pool(1);
  fill(pool, texts, reading, 1, once);
  fill(pool, others, reading, 1, once);
  for (size_t segment = 0; segment < corpus.segments; ++segment) {
    const size_t first = others.first_text(segment), last = others.last_text(segment);
    const auto count = static_cast<int64_t>(last - first);
    for (size_t order = 1; order <= orders; ++order) {
      Counts all;
      int64_t total = 0, matches = 0;
      for (size_t text = first; text < last; ++text) {
        for (const auto& [gram, times] : counts_of(ids_of(pool, texts.texts() + text), order)) {
          all[gram] += times;
          total += times;
        }
      }
      for (const auto& [gram, times] : counts_of(ids_of(pool, segment), order)) {
        const auto found = all.find(gram);
        if (found != all.end()) matches += std::min(count * times, found->second);
      }
      const int64_t* const row = rows.data() + segment * columns;
      require(row[1 + order] == matches, "matches with the mean are those of maps");
      require(row[1 + 2 * orders + order] == total, "n-grams of all references are those of maps");
    }
  }
}

void check_pairs(const Corpus& corpus, const Reading& reading, size_t orders) {
  const Texts& texts = corpus.hypotheses.texts;
  const Texts& others = corpus.references.texts;
  const auto pairs = [&](uint64_t seed) {
    const PairOptions options{reading, orders, 0, seed};
    TextIndex index(options);
    index.build(others, 0, others.texts(), never);
    std::vector<uint32_t> numbers(texts.texts() * index.size());
    DistinctRows rows;
    count_pairs(index, options, texts, 0, texts.texts(), 1, numbers.data(), rows, never);
    for (const uint32_t number : numbers) require(number < rows.rows, "every pair has a row");
    return std::make_pair(numbers, rows.columns);
  };
  require(pairs(1) == pairs(2), "pairs do not depend on the seed");
  size_t count = 0;
  for (size_t i = 0; i < corpus.segments; ++i) count += others.last_text(i) - others.first_text(i);
  std::vector<uint32_t> numbers(count);
  DistinctRows rows;
  count_group_pairs(texts, others, {reading, orders, 0, 3}, 0, corpus.segments, 1, numbers.data(), rows, never);
  for (const uint32_t number : numbers) require(number < rows.rows, "every pair of a group has a row");
  check_mean(corpus, reading, orders);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const Reading reading = reading_of(input);
  const size_t orders = 1 + input.number(5);
  const Corpus corpus = corpus_of(input);
  Pool pool(1), references(2);
  fill(pool, corpus.hypotheses.texts, reading, 1, once);
  fill(references, corpus.references.texts, reading, 2, once);
  check_matches(pool, orders);
  check_matches(references, orders);
  check_spilled(pool, orders, uint64_t{1} << (3 * orders));
  check_spilled(references, orders, 1);
  check_counts(references, orders);
  check_cross(pool, references, orders);
  check_similar_sets(pool, 1 + orders % 3, 0.125 * static_cast<double>(1 + orders % 8));
  check_reading(pool, 1 + orders % 4, 2 + orders % 2);
  check_content(pool);
  check_parts(pool, orders, size);
  check_pairs(corpus, reading, orders);
  return 0;
}
