// The C interface over the stages: texts in, numbers out, and no exception across the border.
#include "c/bleuprint.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "c/exact_mean.hpp"
#include "c/metric.hpp"
#include "c/statistics.hpp"
#include "columns/lines.hpp"
#include "columns/segments.hpp"
#include "pool/pool.hpp"
#include "text/utf8.hpp"

using namespace bleuprint;

struct bleuprint_column {
  std::string bytes;
  Texts texts;
};

struct bleuprint_metric {
  Metric metric;
  std::string signatures[2];
};

struct bleuprint_tokens {
  std::vector<std::string> keep;
  std::vector<bleuprint_token> tokens;
};

struct bleuprint_rows {
  Metric metric;
  size_t segments = 0;
  std::vector<int64_t> rows;
};

namespace {

struct BadText : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Set without memory of its own: it has to tell that there is none.
thread_local char last_error[512] = "";

bleuprint_status fail(bleuprint_status status, const char* words) noexcept {
  std::strncpy(last_error, words, sizeof last_error - 1);
  last_error[sizeof last_error - 1] = '\0';
  // Cut between characters, and in one line.
  const char* const end = last_error + std::strlen(last_error);
  last_error[valid_until(last_error, end, end) - last_error] = '\0';
  for (char* letter = last_error; *letter != '\0'; ++letter) {
    if (static_cast<unsigned char>(*letter) < 0x20) *letter = ' ';
  }
  return status;
}

template <typename Work>
bleuprint_status guarded(Work work) noexcept {
  try {
    work();
    return BLEUPRINT_OK;
  } catch (const BadArgument& error) {
    return fail(BLEUPRINT_BAD_ARGUMENT, error.what());
  } catch (const BadText& error) {
    return fail(BLEUPRINT_BAD_TEXT, error.what());
  } catch (const Cancelled&) {
    return fail(BLEUPRINT_CANCELLED, "the work was cancelled");
  } catch (const std::bad_alloc&) {
    return fail(BLEUPRINT_NO_MEMORY, "there is not enough memory for these texts");
  } catch (const std::length_error& error) {
    return fail(BLEUPRINT_NO_MEMORY, error.what());
  } catch (const std::exception& error) {
    return fail(BLEUPRINT_FAULT, error.what());
  } catch (...) {
    return fail(BLEUPRINT_FAULT, "an unknown exception");
  }
}

template <typename Item>
const Item& require(const Item* item, const char* name) {
  if (item == nullptr) throw BadArgument(std::string(name) + " must not be NULL");
  return *item;
}

Progress progress_of(bleuprint_report report, void* context) {
  return [=](uint64_t done, uint64_t total) {
    if (report != nullptr && report(context, std::min(done, total), total) != 0) throw Cancelled{};
  };
}

std::string segment_name(size_t segment) { return "segment " + std::to_string(segment + 1); }

void check_utf8(const Texts& texts) {
  for (size_t segment = 0; segment < texts.segments(); ++segment) {
    for (size_t text = texts.first_text(segment); text < texts.last_text(segment); ++text) {
      const size_t place = invalid_utf8(texts.pieces[text], {});
      if (place == texts.pieces[text].size()) continue;
      throw BadText(segment_name(segment) + ": byte " + std::to_string(place + 1) +
                    " belongs to no UTF-8 sequence; save the file as UTF-8");
    }
  }
}

size_t require_text(const bleuprint_column& column, size_t segment, size_t text) {
  const Texts& texts = column.texts;
  if (segment >= texts.segments()) {
    throw BadArgument("there is no " + segment_name(segment) + ": the column has " + std::to_string(texts.segments()));
  }
  const size_t place = texts.first_text(segment) + text;
  if (place >= texts.last_text(segment)) {
    throw BadArgument(segment_name(segment) + " has no text at place " + std::to_string(text));
  }
  return place;
}

// ---- Tokens. ----

// What a token may have been in the text: entities that 13a resolves, quotation marks that NLTK turns round.
std::vector<std::string> forms_of(std::string_view token) {
  std::vector<std::string> forms = {std::string(token)};
  std::string escaped;
  for (const char letter : token) {
    switch (letter) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += letter;
    }
  }
  if (escaped != token) forms.push_back(escaped);
  if (token == "``" || token == "''") forms.emplace_back("\"");
  return forms;
}

// Where each token stands in the text, one after the other; a token that does not stand there has no place.
void find_places(std::string_view text, bleuprint_tokens& found) {
  constexpr size_t near = 4096;  // bytes that a tokenizer may drop at once; more would make the search quadratic
  std::string lowered;
  // Letters whose lower case has another length move what follows them: then only equal bytes are found.
  lowercase(text, lowered);
  const std::string_view lower = lowered.size() == text.size() ? std::string_view(lowered) : text;
  size_t at = 0;
  for (bleuprint_token& token : found.tokens) {
    size_t best = std::string_view::npos, length = 0;
    for (const std::string_view haystack : {text, lower}) {
      for (const std::string& form : forms_of({token.bytes, token.length})) {
        const size_t place = haystack.substr(0, std::min(haystack.size(), at + near + form.size())).find(form, at);
        if (!form.empty() && place < best) best = place, length = form.size();
      }
    }
    if (best == std::string_view::npos) continue;
    token.begin = best;
    token.end = at = best + length;
  }
}

void keep_tokens(std::string_view text, const Reading& reading, bleuprint_tokens& found) {
  Reader reader(reading);
  for (const std::string_view token : reader.read(text)) found.keep.emplace_back(token);
  for (const std::string& token : found.keep) found.tokens.push_back({token.data(), token.size(), 0, 0, 0});
  find_places(text, found);
}

using Gram = std::vector<std::string_view>;

std::vector<std::string> tokens_of(std::string_view text, const Reading& reading) {
  Reader reader(reading);
  std::vector<std::string> tokens;
  for (const std::string_view token : reader.read(text)) tokens.emplace_back(token);
  return tokens;
}

std::map<Gram, size_t> count_grams(const std::vector<std::string>& tokens, size_t order) {
  std::map<Gram, size_t> counts;
  for (size_t i = 0; i + order <= tokens.size(); ++i) {
    ++counts[Gram(tokens.begin() + static_cast<ptrdiff_t>(i), tokens.begin() + static_cast<ptrdiff_t>(i + order))];
  }
  return counts;
}

// Marks each token with the longest matched n-gram around it. An n-gram matches as often as any one of the others has
// it; of equal ones those inside a longer match come first.
void mark_matches(const std::vector<std::string>& tokens, const std::vector<std::vector<std::string>>& others,
                  size_t orders, std::vector<bleuprint_token>& marked) {
  std::vector<char> longer(tokens.size() + 1, false);
  for (size_t order = orders; order >= 1; --order) {
    std::map<Gram, size_t> left;
    for (const std::vector<std::string>& other : others) {
      for (const auto& [gram, count] : count_grams(other, order)) left[gram] = std::max(left[gram], count);
    }
    std::vector<char> matched(tokens.size() + 1, false);
    for (const bool inside : {true, false}) {
      for (size_t i = 0; i + order <= tokens.size(); ++i) {
        if ((longer[i] || (i > 0 && longer[i - 1])) != inside) continue;
        const auto begin = tokens.begin() + static_cast<ptrdiff_t>(i);
        const auto found = left.find(Gram(begin, begin + static_cast<ptrdiff_t>(order)));
        if (found == left.end() || found->second == 0) continue;
        --found->second;
        matched[i] = true;
        for (size_t k = i; k < i + order; ++k) marked[k].match = std::max(marked[k].match, order);
      }
    }
    longer = matched;
  }
}

// ---- Rows. ----

constexpr size_t between_reports = 64;  // segments

void count(const Metric& metric, const Texts& outputs, const Texts& references, const Progress& progress,
           std::vector<int64_t>& rows) {
  const size_t segments = outputs.segments();
  rows.resize(segments * metric.columns);
  const std::unique_ptr<RowCounter> counter = metric.make({outputs, references, nullptr});
  for (size_t i = 0; i < segments; ++i) {
    if (i % between_reports == 0) progress(i, segments);
    counter->count(i, rows.data() + i * metric.columns);
  }
  progress(segments, segments);
}

void count_pool(const Metric& metric, const Texts& texts, const Progress& progress, std::vector<int64_t>& rows) {
  const size_t count = texts.texts(), orders = metric.max_order;
  if (count < 2) throw BadArgument(metric.name + " needs at least 2 texts, got " + std::to_string(count));
  Pool pool(table_seed());
  Reader reader(metric.reading);
  for (size_t i = 0; i < count; ++i) {
    if (i % between_reports == 0) progress(i, 2 * count);
    const Spans& tokens = reader.read(texts.pieces[i]);
    pool.add(tokens.begin(), tokens.size());
  }
  progress(count, 2 * count);
  std::vector<uint32_t> matches(count * orders);
  std::vector<int64_t> lengths(count);
  leave_one_out(pool, orders, matches.data(), {});
  leave_one_out_lengths(pool, lengths.data());
  for (size_t i = 0; i < count; ++i) {
    const auto length = static_cast<int64_t>(pool.length(i));
    rows.insert(rows.end(), {length, lengths[i]});
    for (size_t k = 0; k < orders; ++k) rows.push_back(matches[i * orders + k]);
    for (size_t k = 0; k < orders; ++k) rows.push_back(std::max<int64_t>(1, length - static_cast<int64_t>(k)));
  }
  progress(2 * count, 2 * count);
}

void score_all(const bleuprint_rows& rows, double* values) {
  const Metric& metric = rows.metric;
  if (!metric.is_mean) {
    std::vector<int64_t> sum(metric.columns);
    for (size_t i = 0; i < rows.rows.size(); ++i) sum[i % metric.columns] += rows.rows[i];
    metric.formula(sum.data(), false, values);
    return;
  }
  std::vector<ExactMean> means(metric.values.size());
  std::vector<double> own(metric.values.size());
  for (size_t at = 0; at < rows.rows.size(); at += metric.columns) {
    metric.formula(rows.rows.data() + at, true, own.data());
    for (size_t i = 0; i < own.size(); ++i) means[i].add(own[i]);
  }
  // A pool divides the sum after it was rounded, as the package does.
  for (size_t i = 0; i < means.size(); ++i) {
    values[i] = metric.of_pool ? means[i].sum() / static_cast<double>(rows.segments) : means[i].mean();
  }
}

std::vector<double> scores_of(const bleuprint_rows& rows, bool sentence) {
  std::vector<double> values(rows.metric.values.size()), scores(rows.segments);
  for (size_t i = 0; i < rows.segments; ++i) {
    rows.metric.formula(rows.rows.data() + i * rows.metric.columns, sentence, values.data());
    scores[i] = values[0];
  }
  return scores;
}

// What a comparison samples: rows as they are, or for a mean the score of each with a 1, which counts them.
class Sampled {
 public:
  explicit Sampled(const bleuprint_rows& rows) : values_(rows.metric.values.size()) {
    const Metric& metric = rows.metric;
    score_all(rows, values_.data());
    sample.value = values_[0];
    sample.count = rows.segments;
    sample.alone = scores_of(rows, false);  // as the corpus score of a single segment
    if (metric.is_mean) {
      for (const double score : sample.alone) reals_.insert(reals_.end(), {score, 1.0});
      sample.columns = 2;
      sample.reals = reals_.data();
      sample.of_reals = [](const double* sum) { return sum[0] / std::max(sum[1], 1.0); };
    } else {
      sample.columns = metric.columns;
      sample.integers = rows.rows.data();
      sample.of_integers = [this, &metric](const int64_t* sum) {
        metric.formula(sum, false, values_.data());
        return values_[0];
      };
    }
  }
  Sampled(const Sampled&) = delete;

  Sample sample;

 private:
  std::vector<double> values_, reals_;
};

bleuprint_interval plain(const Interval& interval) {
  return {interval.value, interval.low, interval.high, interval.mean, interval.method};
}

}  // namespace

extern "C" {

int bleuprint_interface(void) { return BLEUPRINT_INTERFACE; }

const char* bleuprint_error(void) { return last_error; }

bleuprint_status bleuprint_column_new(const char* bytes, const size_t* text_ends, size_t texts,
                                      const size_t* segment_ends, size_t segments, bleuprint_column** column) {
  return guarded([&] {
    require(column, "column");
    if (texts > 0) require(text_ends, "text_ends");
    auto made = std::make_unique<bleuprint_column>();
    const size_t size = texts == 0 ? 0 : text_ends[texts - 1];
    for (size_t i = 0, begin = 0; i < texts; begin = text_ends[i++]) {
      if (text_ends[i] < begin || text_ends[i] > size) throw BadArgument("text_ends must not descend");
    }
    if (size > 0) made->bytes.assign(&require(bytes, "bytes"), size);
    for (size_t i = 0, begin = 0; i < texts; begin = text_ends[i++]) {
      made->texts.pieces.emplace_back(made->bytes.data() + begin, text_ends[i] - begin);
    }
    if (segment_ends != nullptr) {
      for (size_t i = 0, begin = 0; i < segments; begin = segment_ends[i++]) {
        if (segment_ends[i] <= begin || segment_ends[i] > texts) {
          throw BadArgument(segment_name(i) + " must have at least one text, and segment_ends must ascend to " +
                            std::to_string(texts));
        }
        made->texts.segment_ends.push_back(segment_ends[i]);
      }
      if (segments == 0 ? texts != 0 : segment_ends[segments - 1] != texts) {
        throw BadArgument("segment_ends must end at " + std::to_string(texts) + ", the number of texts");
      }
    } else if (segments != texts) {
      throw BadArgument("without segment_ends there are as many segments as texts, " + std::to_string(texts) +
                        ", got " + std::to_string(segments));
    }
    check_utf8(made->texts);
    *column = made.release();
  });
}

bleuprint_status bleuprint_column_lines(const char* bytes, size_t length, bleuprint_column** column) {
  return guarded([&] {
    require(column, "column");
    auto made = std::make_unique<bleuprint_column>();
    if (length > 0) made->bytes.assign(&require(bytes, "bytes"), length);
    split_lines(made->bytes, made->texts.pieces, {});
    check_utf8(made->texts);
    *column = made.release();
  });
}

size_t bleuprint_column_segments(const bleuprint_column* column) {
  return column == nullptr ? 0 : column->texts.segments();
}

bleuprint_status bleuprint_column_text(const bleuprint_column* column, size_t segment, size_t text, const char** bytes,
                                       size_t* length) {
  return guarded([&] {
    require(bytes, "bytes");
    require(length, "length");
    const std::string_view found = column->texts.pieces[require_text(require(column, "column"), segment, text)];
    *bytes = found.data();
    *length = found.size();
  });
}

void bleuprint_column_free(bleuprint_column* column) { delete column; }

bleuprint_status bleuprint_metric_new(const char* description, bleuprint_metric** metric) {
  return guarded([&] {
    require(metric, "metric");
    auto made = std::make_unique<bleuprint_metric>();
    made->metric = make_metric(&require(description, "description"));
    for (const bool sentence : {false, true}) made->signatures[sentence] = made->metric.signature(sentence);
    *metric = made.release();
  });
}

const char* bleuprint_metric_signature(const bleuprint_metric* metric, int sentence) {
  return metric == nullptr ? "" : metric->signatures[sentence != 0].c_str();
}

size_t bleuprint_metric_values(const bleuprint_metric* metric) {
  return metric == nullptr ? 0 : metric->metric.values.size();
}

const char* bleuprint_metric_value_name(const bleuprint_metric* metric, size_t value) {
  return value < bleuprint_metric_values(metric) ? metric->metric.values[value].c_str() : nullptr;
}

int bleuprint_metric_higher_is_better(const bleuprint_metric* metric) {
  return metric != nullptr && metric->metric.higher_is_better ? 1 : 0;
}

void bleuprint_metric_free(bleuprint_metric* metric) { delete metric; }

bleuprint_status bleuprint_tokenize(const char* tokenizer, int lowercase, const char* bytes, size_t length,
                                    bleuprint_tokens** tokens) {
  return guarded([&] {
    require(tokens, "tokens");
    const Reading reading{require_tokenizer(&require(tokenizer, "tokenizer"), lowercase != 0), lowercase != 0};
    const std::string_view text(length > 0 ? &require(bytes, "bytes") : "", length);
    Texts texts;
    texts.pieces.push_back(text);
    check_utf8(texts);
    auto found = std::make_unique<bleuprint_tokens>();
    keep_tokens(text, reading, *found);
    *tokens = found.release();
  });
}

bleuprint_status bleuprint_matches(const bleuprint_metric* metric, const bleuprint_column* outputs,
                                   const bleuprint_column* references, size_t segment, size_t text,
                                   bleuprint_tokens** tokens) {
  return guarded([&] {
    require(tokens, "tokens");
    const Metric& used = require(metric, "metric").metric;
    if (used.max_order == 0 || used.of_pool) throw BadArgument("matches are shown of bleu, not of " + used.name);
    const Texts& own = require(outputs, "outputs").texts;
    const Texts& others = require(references, "references").texts;
    require_text(*outputs, segment, 0);
    const size_t place = require_text(*references, segment, text == 0 ? 0 : text - 1);
    const std::string_view output = own.pieces[own.first_text(segment)];
    const std::string_view shown = text == 0 ? output : others.pieces[place];
    std::vector<std::vector<std::string>> against;
    if (text > 0) against.push_back(tokens_of(output, used.reading));
    for (size_t i = others.first_text(segment); text == 0 && i < others.last_text(segment); ++i) {
      against.push_back(tokens_of(others.pieces[i], used.reading));
    }
    auto found = std::make_unique<bleuprint_tokens>();
    keep_tokens(shown, used.reading, *found);
    mark_matches(found->keep, against, used.max_order, found->tokens);
    *tokens = found.release();
  });
}

const bleuprint_token* bleuprint_tokens_data(const bleuprint_tokens* tokens, size_t* count) {
  if (count != nullptr) *count = tokens == nullptr ? 0 : tokens->tokens.size();
  return tokens == nullptr ? nullptr : tokens->tokens.data();
}

void bleuprint_tokens_free(bleuprint_tokens* tokens) { delete tokens; }

bleuprint_status bleuprint_rows_new(const bleuprint_metric* metric, const bleuprint_column* outputs,
                                    const bleuprint_column* references, bleuprint_report report, void* context,
                                    bleuprint_rows** rows) {
  return guarded([&] {
    require(rows, "rows");
    auto made = std::make_unique<bleuprint_rows>();
    made->metric = require(metric, "metric").metric;
    const Texts& own = require(outputs, "outputs").texts;
    made->segments = own.segments();
    if (made->segments == 0) throw BadArgument("there are no segments; pass at least one");
    if (made->metric.of_pool) {
      if (references != nullptr) throw BadArgument(made->metric.name + " has no references; pass NULL");
      if (own.texts() != made->segments) throw BadArgument("outputs must have one text in each segment");
      count_pool(made->metric, own, progress_of(report, context), made->rows);
    } else {
      const Texts& others = require(references, "references").texts;
      if (others.segments() != made->segments) {
        throw BadArgument("outputs and references must have as many segments, got " + std::to_string(made->segments) +
                          " and " + std::to_string(others.segments()));
      }
      count(made->metric, own, others, progress_of(report, context), made->rows);
    }
    *rows = made.release();
  });
}

const int64_t* bleuprint_rows_data(const bleuprint_rows* rows, size_t* segments, size_t* columns) {
  if (segments != nullptr) *segments = rows == nullptr ? 0 : rows->segments;
  if (columns != nullptr) *columns = rows == nullptr ? 0 : rows->metric.columns;
  return rows == nullptr ? nullptr : rows->rows.data();
}

bleuprint_status bleuprint_score(const bleuprint_rows* rows, double* values) {
  return guarded([&] {
    require(values, "values");
    score_all(require(rows, "rows"), values);
  });
}

bleuprint_status bleuprint_segment_scores(const bleuprint_rows* rows, double* scores) {
  return guarded([&] {
    require(scores, "scores");
    const std::vector<double> found = scores_of(require(rows, "rows"), true);
    std::copy(found.begin(), found.end(), scores);
  });
}

void bleuprint_rows_free(bleuprint_rows* rows) { delete rows; }

bleuprint_status bleuprint_compare(const bleuprint_rows* const* systems, size_t count,
                                   const bleuprint_settings* settings, bleuprint_report report, void* context,
                                   bleuprint_interval* intervals, bleuprint_pair* pairs) {
  return guarded([&] {
    require(intervals, "intervals");
    const bleuprint_settings& used = require(settings, "settings");
    if (!(used.alpha >= 1e-15 && used.alpha < 1)) throw BadArgument("alpha must be from 1e-15 to below 1");
    if (count == 0) throw BadArgument("there are no systems; pass at least one");
    if (count > 1) require(pairs, "pairs");
    require(systems, "systems");
    std::vector<std::unique_ptr<Sampled>> sampled;
    std::vector<Sample> samples;
    for (size_t i = 0; i < count; ++i) {
      const bleuprint_rows& rows = require(systems[i], "a system");
      const bleuprint_rows& first = *systems[0];
      if (rows.metric.of_pool) throw BadArgument("the texts of a pool depend on each other, and cannot be drawn alone");
      if (rows.metric.signature(false) != first.metric.signature(false) || rows.segments != first.segments) {
        throw BadArgument("system " + std::to_string(i + 1) +
                          " was counted with other options or other segments than the first");
      }
      sampled.push_back(std::make_unique<Sampled>(rows));
      samples.push_back(sampled.back()->sample);
    }
    const Compared found =
        compare(samples, {used.alpha, used.resamples, used.swaps, used.seed}, progress_of(report, context));
    std::transform(found.intervals.begin(), found.intervals.end(), intervals, plain);
    for (size_t i = 0; i < found.pairs.size(); ++i) {
      const Pair& pair = found.pairs[i];
      pairs[i] = {plain(pair.difference), pair.standard_error, pair.level, pair.p_value,
                  pair.corrected,         pair.test,           pair.trials};
    }
  });
}

}  // extern "C"
