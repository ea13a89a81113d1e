// What a language model says about the texts of a column.
#pragma once

#include "language_model/language_model.hpp"
#include "rows/count_rows.hpp"

namespace bleuprint {

// Log-probabilities stand in rows as whole multiples of 2^-28 of log10: sums are exact, and every word is within
// 2^-29 (1.9e-9) of its value.
constexpr int log_probability_bits = 28;

// Row layout: log-probability of all words and the end of the text, how many these are, how many of them are unknown
// to the model, log-probability of the unknown ones alone.
constexpr size_t model_columns = 4;
std::unique_ptr<RowCounter> model_rows(const Aligned& texts, const Reading& reading, const LanguageModel& model);

}  // namespace bleuprint
