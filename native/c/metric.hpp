// Metrics by a line of text: what they count, and the numbers that follow from rows and their sums.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rows/count_rows.hpp"

namespace bleuprint {

// What a caller passed and what is allowed, in words.
struct BadArgument : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

using Options = std::map<std::string, std::string>;  // sorted, as in signatures

struct Metric {
  std::string name;
  Options options;
  std::vector<std::string> values;  // what each number of `formula` is called; the first is the score
  bool higher_is_better = true;
  bool is_mean = false;  // a score of several segments is the mean of theirs
  bool of_pool = false;  // every text is scored against all others
  size_t columns = 0;    // of a row
  size_t max_order = 0;  // of n-grams of tokens, whose matches can be shown
  Reading reading{nullptr, false};
  std::function<std::unique_ptr<RowCounter>(const Aligned&)> make;
  // The values of a row, or of a sum of rows, as of a single segment or of a corpus.
  std::function<void(const int64_t* row, bool sentence, double* values)> formula;

  std::string signature(bool sentence) const;
};

// "NAME|option:value|…", with the version of a signature or without.
Metric make_metric(std::string_view description);

Tokenizer require_tokenizer(std::string_view name, bool lowercase);

// For the tables that keep n-grams apart; another one for every process.
uint64_t table_seed();

}  // namespace bleuprint
