#include "c/metric.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "c/unicode.hpp"
#include "rows/best_match.hpp"
#include "rows/characters.hpp"
#include "rows/clipped.hpp"
#include "rows/edits.hpp"
#include "rows/row_values.hpp"
#include "rows/shifts.hpp"

namespace bleuprint {

namespace {

constexpr size_t highest_order = 16;

std::string joined(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

[[noreturn]] void refuse(const std::string& option, const std::string& allowed, const std::string& given) {
  throw BadArgument(option + " must be " + allowed + ", got '" + given + "'");
}

bool flag(const Options& options, const std::string& name) {
  const std::string& value = options.at(name);
  if (value != "yes" && value != "no") refuse(name, "yes or no", value);
  return value == "yes";
}

// A number without a sign, all of the text.
double number(const std::string& name, const std::string& text, const std::string& allowed) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool digits = !text.empty() && text.find_first_not_of("0123456789.e-") == std::string::npos;
  if (!digits || end != text.c_str() + text.size() || !std::isfinite(value) || value < 0) refuse(name, allowed, text);
  return value;
}

size_t order(const Options& options, const std::string& name, size_t smallest) {
  const std::string& text = options.at(name);
  size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < smallest || value > highest_order) {
    refuse(name, "an integer from " + std::to_string(smallest) + " to " + std::to_string(highest_order), text);
  }
  return value;
}

template <typename Choice>
Choice choose(const Options& options, const std::string& name,
              std::initializer_list<std::pair<std::string_view, Choice>> choices) {
  std::vector<std::string_view> names;
  for (const auto& [label, choice] : choices) {
    if (label == options.at(name)) return choice;
    names.push_back(label);
  }
  refuse(name, "one of " + joined(names), options.at(name));
}

// A double as signatures write it: the shortest text that reads back, with a point.
std::string written(double value) {
  char text[32];
  if (value < 1e15 && std::floor(value) == value) {
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
  }
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

struct Smooth {
  Smoothing method;
  double amount;
};

// Writes the amount into the option, as signatures have it.
Smooth smoothing(Options& options) {
  const std::string given = options.at("smoothing"), allowed = "none, floor(0.1), add-k(1), add-all(1) or exp";
  const size_t open = given.find('(');
  const bool has_amount = open != std::string::npos && given.back() == ')';
  const std::string method = given.substr(0, has_amount ? open : given.size());
  const auto amount = [&](double usual) {
    const double value =
        has_amount ? number("smoothing", given.substr(open + 1, given.size() - open - 2), allowed) : usual;
    options["smoothing"] = method + "(" + written(value) + ")";
    return value;
  };
  if (!has_amount && method == "none") return {Smoothing::none, 0};
  if (!has_amount && method == "exp") return {Smoothing::exp, 0};
  if (method == "add-k") return {Smoothing::add_k, amount(1)};
  if (method == "add-all") return {Smoothing::add_all, amount(1)};
  if (method != "floor") refuse("smoothing", allowed, given);
  const double floor = amount(0.1);
  if (floor > 1) refuse("smoothing", "floor with a value of at most 1", given);
  return {Smoothing::floor, floor};
}

Reading reading(const Options& options) {
  const bool lowercase = flag(options, "lowercase");
  return {require_tokenizer(options.at("tokenizer"), lowercase), lowercase};
}

std::vector<double> uniform(size_t orders, size_t used) {
  std::vector<double> weights(orders, 0.0);
  for (size_t i = 0; i < used; ++i) weights[i] = 1 / static_cast<double>(used);
  return weights;
}

void add_orders(std::vector<std::string>& values, const std::string& name, size_t orders) {
  for (size_t i = 1; i <= orders; ++i) values.push_back(name + "_" + std::to_string(i));
}

void make_bleu(Metric& metric) {
  Options& options = metric.options;
  const size_t orders = metric.max_order = order(options, "max_order", 1);
  const Smooth smooth = smoothing(options);
  metric.reading = reading(options);
  const auto absent = choose<int>(options, "absent_order", {{"undefined", 0}, {"one", 1}, {"zero", 2}});
  const auto length = choose<LengthRule>(options, "reference_length",
                                         {{"closest", LengthRule::closest},
                                          {"closest-first", LengthRule::closest_first},
                                          {"shortest", LengthRule::shortest}});
  const auto zero_when = choose<ZeroWhen>(options, "zero_when",
                                          {{"no-match", ZeroWhen::no_match},
                                           {"any-order-without-match", ZeroWhen::any_order_without_match},
                                           {"never", ZeroWhen::never}});
  const bool skip = choose<bool>(options, "zero_precision", {{"zero", false}, {"skip", true}});
  const auto effective = choose<int>(options, "effective_order", {{"auto", -1}, {"no", 0}, {"yes", 1}});
  const GeometricOptions formula{
      orders, uniform(orders, orders), smooth.method, smooth.amount, false, absent == 2, skip, zero_when};
  metric.values = {"score", "brevity_penalty"};
  add_orders(metric.values, "precision", orders);
  metric.columns = clip_columns(orders);
  metric.make = [read = metric.reading, clip = ClipOptions{orders, length, absent == 1 ? 1 : 0}](const Aligned& texts) {
    return clipped_rows(texts, read, clip, table_seed());
  };
  metric.formula = [formula, effective](const int64_t* row, bool sentence, double* values) {
    GeometricOptions used = formula;
    used.effective = effective < 0 ? sentence : effective == 1;
    geometric_formula(used).compute(row, values);
    const GeometricParts parts = geometric_parts(used, row);
    values[1] = parts.penalty;
    std::copy(parts.ratios.begin(), parts.ratios.end(), values + 2);
  };
}

void make_self_bleu(Metric& metric) {
  Options& options = metric.options;
  const size_t orders = metric.max_order = order(options, "max_order", 1);
  const Smooth smooth = smoothing(options);
  metric.reading = reading(options);
  metric.higher_is_better = false;
  metric.is_mean = metric.of_pool = true;
  metric.values = {"score"};
  add_orders(metric.values, "order", orders);
  metric.columns = clip_columns(orders);
  // As NLTK scores a text: a ratio of 0 is left out of the mean, unless nothing is smoothed.
  const bool skip = smooth.method != Smoothing::none;
  metric.formula = [orders, smooth, skip](const int64_t* row, bool, double* values) {
    for (size_t used = 1; used <= orders; ++used) {
      geometric_formula(
          {orders, uniform(orders, used), smooth.method, smooth.amount, false, false, skip, ZeroWhen::no_match})
          .compute(row, values + used);
    }
    values[0] = values[orders];
  };
}

void make_chrf(Metric& metric) {
  Options& options = metric.options;
  const size_t characters = order(options, "char_order", 0), words = order(options, "word_order", 0);
  if (characters + words == 0) refuse("char_order", "at least 1 if word_order is 0", "0");
  const double beta = number("beta", options.at("beta"), "a number from 0 to 1000");
  if (beta > 1000) refuse("beta", "a number from 0 to 1000", options.at("beta"));
  options["beta"] = written(beta);
  const bool lowercase = flag(options, "lowercase"), epsilon = flag(options, "eps_smoothing");
  if (lowercase) require_tokenizer("whitespace", true);
  const CharacterOptions counted{characters, words, lowercase, flag(options, "whitespace"), beta * beta, epsilon};
  const RowFormula formula = mean_f_formula({characters + words, beta * beta, epsilon});
  metric.values = {"score", "precision", "recall"};
  metric.columns = character_columns(counted);
  metric.make = [counted](const Aligned& texts) { return character_rows(texts, counted, table_seed()); };
  metric.formula = [formula](const int64_t* row, bool, double* values) { formula.compute(row, values); };
}

// A whole number over another, rounded once: a sum of lengths in base `length_base` has more digits than a double.
double exact_ratio(unsigned __int128 numerator, unsigned __int128 denominator) noexcept {
  if (numerator == 0) return 0;
  int exponent = 0;
  for (; denominator <= numerator >> 1; ++exponent) denominator <<= 1;
  for (; numerator < denominator; --exponent) numerator <<= 1;
  // The quotient is at least 1 and less than 2: 53 bits, one that says whether it is half, and whether there is a rest.
  uint64_t bits = 0;
  for (int i = 0; i < 54; ++i, numerator <<= 1) {
    bits = bits << 1 | (numerator >= denominator ? 1 : 0);
    if (numerator >= denominator) numerator -= denominator;
  }
  const uint64_t mantissa = bits >> 1;
  const bool up = (bits & 1) != 0 && (numerator != 0 || (mantissa & 1) != 0);
  return std::ldexp(static_cast<double>(mantissa + (up ? 1 : 0)), exponent - 52);
}

void make_ter(Metric& metric) {
  const Options& options = metric.options;
  const bool lowercase = flag(options, "lowercase");
  std::string reference = options.at("tokenizer");
  const Reading own{require_tokenizer(reference, lowercase), lowercase};
  // References are normalized twice, as sacrebleu does.
  if (reference.rfind("tercom-normalized", 0) == 0) reference += "-twice";
  const Reading others{require_tokenizer(reference, lowercase), lowercase};
  metric.higher_is_better = false;
  metric.values = {"score", "reference_length"};
  metric.columns = shift_columns;
  metric.make = [own, others](const Aligned& texts) { return shift_rows(texts, own, others, table_seed()); };
  metric.formula = [](const int64_t* row, bool, double* values) {
    const auto edits = static_cast<double>(row[0]), words = static_cast<double>(row[1]);
    if (row[2] == 0 && row[3] == 0) {
      values[0] = row[1] != 0 ? edits / words : row[0] > 0 ? 1.0 : 0.0;
      values[1] = words;
      return;
    }
    using Wide = unsigned __int128;
    constexpr Wide base = length_base, square = base * base;
    const Wide length =
        (static_cast<Wide>(row[1]) * base + static_cast<Wide>(row[2])) * base + static_cast<Wide>(row[3]);
    values[0] = exact_ratio(static_cast<Wide>(row[0]) * square, length);
    values[1] = exact_ratio(length, square);
  };
}

void make_rouge(Metric& metric) {
  const Options& options = metric.options;
  std::vector<Measure> measures;
  const std::string& types = options.at("types");
  for (size_t begin = 0; begin <= types.size();) {
    const size_t end = std::min(types.find('+', begin), types.size());
    const std::string type = types.substr(begin, end - begin);
    begin = end + 1;
    const bool ngrams = type.size() == 6 && type.rfind("rouge", 0) == 0 && type[5] >= '1' && type[5] <= '9';
    if (ngrams) {
      measures.push_back({Measure::Kind::ngrams, static_cast<size_t>(type[5] - '0')});
    } else if (type == "rougeL") {
      measures.push_back({Measure::Kind::subsequence, 0});
    } else if (type == "rougeLsum") {
      measures.push_back({Measure::Kind::lines, 0});
    } else {
      refuse("types", "rouge1 … rouge9, rougeL and rougeLsum, joined by +", types);
    }
    for (const std::string_view measure : {"", "_precision", "_recall"})
      metric.values.push_back(type + std::string(measure));
  }
  std::string scheme = options.at("tokenizer");
  const bool own = scheme == "rouge" || scheme == "unicode";
  if (own) scheme = scheme == "rouge" ? "ascii-words" : "unicode-words";
  const WordReading words{{require_tokenizer(scheme, !own), !own}, flag(options, "stemmer")};
  metric.is_mean = true;
  metric.columns = best_match_columns(measures.size());
  metric.make = [words, measures](const Aligned& texts) {
    return best_match_rows(texts, words, measures, table_seed());
  };
  const RowFormula formula = harmonic_formula(measures.size());
  metric.formula = [formula](const int64_t* row, bool, double* values) {
    formula.compute(row, values);
    // The value of a type is its F, which the core gives last.
    for (size_t i = 0; i < formula.values; i += 3) {
      const double precision = values[i], recall = values[i + 1];
      values[i] = values[i + 2];
      values[i + 1] = precision;
      values[i + 2] = recall;
    }
  };
}

using Rate = double (*)(double hits, double substitutions, double deletions, double insertions);

double error_rate(double hits, double substitutions, double deletions, double insertions) {
  const double words = hits + substitutions + deletions;
  return words == 0 ? insertions : (substitutions + deletions + insertions) / words;
}

double match_error_rate(double hits, double substitutions, double deletions, double insertions) {
  const double errors = substitutions + deletions + insertions;
  return errors == 0 ? 0.0 : errors / (hits + errors);
}

double preserved(double hits, double substitutions, double deletions, double insertions) {
  const double reference = hits + substitutions + deletions, output = hits + substitutions + insertions;
  if (reference + output == 0) return 1;
  return hits == 0 ? 0.0 : hits / reference * (hits / output);
}

void make_rate(Metric& metric, Rate rate, bool higher_is_better = false) {
  metric.higher_is_better = higher_is_better;
  metric.values = {"score"};
  metric.columns = edit_columns;
  metric.formula = [rate](const int64_t* row, bool, double* values) {
    values[0] = rate(static_cast<double>(row[0]), static_cast<double>(row[1]), static_cast<double>(row[2]),
                     static_cast<double>(row[3]));
  };
}

void make_word_rate(Metric& metric, Nearest nearest) {
  metric.make = [read = reading(metric.options), nearest](const Aligned& texts) {
    return token_edit_rows(texts, read, nearest, false, table_seed());
  };
}

void make_wer(Metric& metric) {
  make_rate(metric, error_rate);
  make_word_rate(metric, Nearest::per_reference);
}

void make_mer(Metric& metric) {
  make_rate(metric, match_error_rate);
  make_word_rate(metric, Nearest::per_alignment);
}

void make_wip(Metric& metric) {
  make_rate(metric, preserved, true);
  make_word_rate(metric, Nearest::information);
}

void make_wil(Metric& metric) {
  make_rate(metric, [](double hits, double substitutions, double deletions, double insertions) {
    return 1 - preserved(hits, substitutions, deletions, insertions);
  });
  make_word_rate(metric, Nearest::information);
}

void make_cer(Metric& metric) {
  make_rate(metric, error_rate);
  const bool lowercase = flag(metric.options, "lowercase");
  if (lowercase) require_tokenizer("whitespace", true);
  const auto space = choose<Space>(
      metric.options, "whitespace",
      {{"keep", Space::keep}, {"strip", Space::strip}, {"collapse", Space::collapse}, {"remove", Space::remove}});
  metric.make = [cleaning = Cleaning{lowercase, false, false, space}](const Aligned& texts) {
    return character_edit_rows(texts, cleaning, Nearest::per_reference, false, table_seed());
  };
}

struct Definition {
  std::string_view name;
  Options options;
  void (*make)(Metric&);
};

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = {
      {"bleu",
       {{"tokenizer", "13a"},
        {"lowercase", "no"},
        {"max_order", "4"},
        {"smoothing", "exp"},
        {"effective_order", "auto"},
        {"absent_order", "undefined"},
        {"reference_length", "closest"},
        {"zero_when", "no-match"},
        {"zero_precision", "zero"},
        {"context", "corpus"},
        {"weights", "auto"}},
       make_bleu},
      {"chrf",
       {{"char_order", "6"},
        {"word_order", "0"},
        {"beta", "2"},
        {"lowercase", "no"},
        {"whitespace", "no"},
        {"eps_smoothing", "no"}},
       make_chrf},
      {"ter", {{"tokenizer", "tercom"}, {"lowercase", "yes"}}, make_ter},
      {"rouge", {{"types", "rouge1+rouge2+rougeL+rougeLsum"}, {"tokenizer", "rouge"}, {"stemmer", "no"}}, make_rouge},
      {"wer", {{"tokenizer", "whitespace"}, {"lowercase", "no"}}, make_wer},
      {"mer", {{"tokenizer", "whitespace"}, {"lowercase", "no"}}, make_mer},
      {"wil", {{"tokenizer", "whitespace"}, {"lowercase", "no"}}, make_wil},
      {"wip", {{"tokenizer", "whitespace"}, {"lowercase", "no"}}, make_wip},
      {"cer", {{"lowercase", "no"}, {"whitespace", "strip"}}, make_cer},
      {"self-bleu",
       {{"tokenizer", "nltk"},
        {"lowercase", "no"},
        {"max_order", "5"},
        {"smoothing", "floor(0.1)"},
        {"sample", "auto"},
        {"seed", "auto"},
        {"weights", "auto"}},
       make_self_bleu},
  };
  return all;
}

// Options that have one value here, which signatures name.
bool is_fixed(const std::string& option) {
  return option == "context" || option == "weights" || option == "sample" || option == "seed";
}

}  // namespace

uint64_t table_seed() {
  static const uint64_t seed = [] {
    std::random_device device;
    return uint64_t{device()} << 32 ^ device();
  }();
  return seed;
}

Tokenizer require_tokenizer(std::string_view name, bool lowercase) {
  const Tokenizer tokenizer = find_tokenizer(name);
  std::vector<std::string_view> names;
  bool needs_unicode = lowercase;
  for (const Scheme& scheme : schemes()) {
    names.push_back(scheme.name);
    needs_unicode = needs_unicode || (scheme.name == name && scheme.needs_unicode);
  }
  if (tokenizer == nullptr) refuse("tokenizer", "one of " + joined(names), std::string(name));
  if (needs_unicode && !unicode_adopted()) adopt_unicode(built_in_unicode());
  return tokenizer;
}

std::string Metric::signature(bool sentence) const {
  std::string text = name + ".1";
  for (const auto& [option, value] : options) {
    const bool resolved = option == "effective_order" && value == "auto";
    text.append("|").append(option).append(":").append(resolved ? (sentence ? "yes" : "no") : value);
  }
  return text;
}

Metric make_metric(std::string_view description) {
  description = description.substr(0, description.find('#'));  // what follows are facts about a score
  Metric metric;
  const size_t bar = std::min(description.find('|'), description.size());
  std::string_view name = description.substr(0, bar);
  if (name.size() > 2 && name.substr(name.size() - 2) == ".1") name.remove_suffix(2);
  std::vector<std::string_view> names;
  for (const Definition& definition : definitions()) {
    names.push_back(definition.name);
    if (definition.name != name) continue;
    metric.name = name;
    metric.options = definition.options;
    for (size_t begin = bar; begin < description.size();) {
      const size_t end = std::min(description.find('|', ++begin), description.size());
      const std::string field(description.substr(begin, end - begin));
      begin = end;
      const size_t colon = field.find(':');
      const std::string option = field.substr(0, colon);
      const auto found = metric.options.find(option);
      if (colon == std::string::npos || found == metric.options.end()) {
        std::vector<std::string_view> known;
        for (const auto& [other, value] : metric.options) {
          if (!is_fixed(other)) known.push_back(other);
        }
        refuse("an option of " + metric.name, "option:value with one of " + joined(known), field);
      }
      const std::string value = field.substr(colon + 1);
      if (is_fixed(option) && value != found->second) refuse(option, found->second, value);
      found->second = value;
    }
    definition.make(metric);
    return metric;
  }
  refuse("the metric", "one of " + joined(names), std::string(name));
}

}  // namespace bleuprint
