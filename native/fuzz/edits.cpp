// Matches in stages with a table of synonyms made of any bytes, subsequences and alignments of ids.
#include <algorithm>
#include <stdexcept>

#include "fuzz/input.hpp"
#include "rows/alignment.hpp"
#include "rows/edit_stripes.hpp"
#include "rows/staged_match.hpp"
#include "rows/subsequence.hpp"

using namespace bleuprint;
using namespace bleuprint::fuzz;

namespace {

constexpr size_t kinds = 8;

std::vector<uint32_t> ids_of(std::string_view bytes) {
  std::vector<uint32_t> ids;
  for (const char byte : bytes) ids.push_back(static_cast<unsigned char>(byte) % kinds);
  return ids;
}

void check_ids(const std::vector<uint32_t>& columns, const std::vector<uint32_t>& rows, size_t stored) {
  std::vector<int64_t> common(columns.size() + 1, 0), distance(columns.size() + 1);
  for (size_t j = 0; j <= columns.size(); ++j) distance[j] = static_cast<int64_t>(j);
  for (const uint32_t row : rows) {
    int64_t before = 0, cheaper = distance[0]++;
    for (size_t j = 1; j <= columns.size(); ++j) {
      const bool equal = columns[j - 1] == row;
      const int64_t longest = equal ? before + 1 : std::max(common[j], common[j - 1]);
      before = common[j];
      common[j] = longest;
      const int64_t edits = std::min({cheaper + !equal, distance[j] + 1, distance[j - 1] + 1});
      cheaper = distance[j];
      distance[j] = edits;
    }
  }
  Subsequence subsequence({}, stored);
  subsequence.set_columns(columns.data(), columns.size(), kinds);
  require(static_cast<int64_t>(subsequence.length(rows.data(), rows.size())) == common.back(), "the plain subsequence");
  std::vector<uint8_t> marks(rows.size(), 0);
  subsequence.mark(rows.data(), rows.size(), marks.data());
  require(std::count(marks.begin(), marks.end(), 1) == common.back(), "as many marks as the subsequence is long");
  Aligner aligner;
  const auto n = columns.size(), m = rows.size();
  require(aligner.distance(columns.data(), n, rows.data(), m, kinds) == distance.back(), "the plain distance");
  require(aligner.common(columns.data(), n, rows.data(), m, kinds) == common.back(), "the plain common length");
  const Operations found = aligner.align(columns.data(), n, rows.data(), m, kinds);
  require(found.substitutions + found.deletions + found.insertions == distance.back(), "the alignment is a shortest");
  require(found.hits + found.substitutions + found.deletions == static_cast<int64_t>(n), "all columns are aligned");
  require(found.hits + found.substitutions + found.insertions == static_cast<int64_t>(m), "all rows are aligned");
  const std::string path = aligner.path(columns.data(), n, rows.data(), m, kinds);
  size_t column = 0, row = 0;
  for (const char step : path) {
    const bool in_columns = step != 'i', in_rows = step != 'd';
    require(column + in_columns <= n && row + in_rows <= m, "a path stays inside");
    if (in_columns && in_rows) require((columns[column] == rows[row]) == (step == '='), "a path hits what is equal");
    column += in_columns;
    row += in_rows;
  }
  require(column == n && row == m, "a path leads to the end");
  require(std::count(path.begin(), path.end(), '=') == found.hits &&
              std::count(path.begin(), path.end(), 's') == found.substitutions,
          "a path has the operations that are counted");
}

// Stripes with bands of all widths: what they find, and that what is left out never makes a distance too small.
void check_stripes(const std::vector<uint32_t>& columns, const std::vector<uint32_t>& rows, size_t asked) {
  const size_t n = columns.size(), m = rows.size(), least = n < m ? m - n : n - m;
  if (n == 0 || m == 0) return;
  std::vector<int64_t> distance(n + 1);
  for (size_t j = 0; j <= n; ++j) distance[j] = static_cast<int64_t>(j);
  EditStripes stripes({});
  for (const uint32_t row : rows) {
    int64_t cheaper = distance[0]++;
    for (size_t j = 1; j <= n; ++j) {
      const int64_t edits = std::min({cheaper + (columns[j - 1] != row), distance[j] + 1, distance[j - 1] + 1});
      cheaper = distance[j];
      distance[j] = edits;
    }
  }
  const size_t most = std::max(least, asked);
  const EditsFound found = stripes.measure(columns.data(), n, rows.data(), m, kinds, most, asked % 2 == 0);
  if (found.reached < n) {
    require(found.edits > static_cast<int64_t>(most) && found.edits <= distance.back(), "given up with reason");
  } else {
    require(found.edits >= distance.back(), "never too little");
    require(found.edits == distance.back() || distance.back() > static_cast<int64_t>(most), "exact in the band");
  }
  require(stripes.measure(columns.data(), n, rows.data(), m, kinds, n + m, false).edits == distance.back(), "exact");
  int64_t sum = static_cast<int64_t>(m);
  size_t at = 0;
  for (const EditWord& word : stripes.last_row()) {
    for (size_t bit = 0; bit < 64 && at < n; ++bit) {
      sum += static_cast<int64_t>(word.up >> bit & 1) - static_cast<int64_t>(word.down >> bit & 1);
      require(sum == distance[++at], "the last row");
    }
  }
}

std::vector<uint32_t> repeated(const std::vector<uint32_t>& ids, size_t times) {
  std::vector<uint32_t> all;
  for (; times > 0; --times) all.insert(all.end(), ids.begin(), ids.end());
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const size_t kind = input.number(2);
  if (kind == 0) {
    const size_t stored = 1 + input.number(200);
    const size_t times = 1 + input.number(20), asked = input.number(100);
    const std::vector<uint32_t> columns = ids_of(input.next_column()), rows = ids_of(input.rest());
    check_ids(columns, rows, stored);
    // The plain table of 2,000 by 2,000 cells takes ten milliseconds.
    const size_t longest = std::max<size_t>(1, std::max(columns.size(), rows.size()));
    const size_t fitting = std::min(times, 1 + 2000 / longest);
    check_stripes(repeated(columns, fitting), repeated(rows, fitting), asked);
    return 0;
  }
  const Reading reading = reading_of(input);
  const bool exact = input.flag(), stem = input.flag(), lowered = input.flag();
  std::shared_ptr<const Synonyms> synonyms;
  Column table;
  const std::string_view bytes = table.keep(input.next_column());
  if (kind == 2) {
    try {
      synonyms = std::make_shared<Synonyms>(bytes, 3);
    } catch (const std::invalid_argument&) {
    }
  }
  const Corpus corpus = corpus_of(input);
  rows_of(corpus, staged_match_columns, [&](const Aligned& texts, uint64_t seed) {
    return staged_match_rows(texts, reading, {exact, stem, synonyms, lowered}, {0.9, 3.0, 0.5}, seed);
  });
  return 0;
}
