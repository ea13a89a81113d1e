// The module as Python imports it: columns, plans and the parts that the other files of this folder bind.
#include "python/binding.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>

#include "columns/segments.hpp"
#include "python/column.hpp"
#include "python/interpreter.hpp"
#include "python/plan.hpp"
#include "text/scripts.hpp"
#include "text/utf8.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

uint64_t process_seed() noexcept {
  static const uint64_t seed = [] {
    if (const char* const fixed = std::getenv("BLEUPRINT_HASH_SEED")) return uint64_t{std::strtoull(fixed, nullptr, 0)};
    std::random_device device;
    return uint64_t{device()} << 32 ^ device();
  }();
  return seed;
}

void require_ids(const Array<uint32_t>& ids, size_t kinds) {
  for (size_t i = 0; i < ids.shape(0); ++i) {
    if (ids(i) >= kinds) throw nb::value_error("the ids must be below the number of kinds");
  }
}

void require_lists(const Array<uint32_t>& elements, const Array<uint64_t>& offsets, size_t lists, size_t limit) {
  if (offsets.shape(0) != lists + 1 || offsets(0) != 0 || offsets(lists) != elements.shape(0)) {
    throw nb::value_error("the offsets do not fit the elements");
  }
  for (size_t list = 0; list < lists; ++list) {
    if (offsets(list) > offsets(list + 1)) throw nb::value_error("the offsets must ascend");
  }
  for (size_t i = 0; i < elements.shape(0); ++i) {
    if (elements(i) >= limit) throw nb::value_error("the elements of a set must be below the limit");
  }
}

Tokenizer require_tokenizer(std::string_view name) {
  const Tokenizer tokenizer = find_tokenizer(name);
  if (tokenizer == nullptr) throw nb::value_error("no such tokenizer scheme");
  return tokenizer;
}

nb::object token_object(std::string_view token) {
  if (token.empty() || token.front() != '\xFF') return to_object(token);
  const std::string digits(token.substr(1));
  return owned(PyLong_FromString(digits.c_str(), nullptr, 16));
}

namespace {

void copy_text(const Texts& from, size_t text, Texts& to) {
  if (!from.tokenized) {
    to.pieces.push_back(from.pieces[text]);
    return;
  }
  const auto lengths = from.token_lengths.begin();
  to.token_lengths.insert(to.token_lengths.end(), lengths + static_cast<std::ptrdiff_t>(from.first_token(text)),
                          lengths + static_cast<std::ptrdiff_t>(from.text_ends[text]));
  to.end_text(from.text_begins[text]);
}

// Every text of every segment as a segment of its own. This and the next view the texts of the whole column.
Column flattened(const Column& column) {
  Column flat;
  flat.texts = column.texts;
  flat.texts.segment_ends.clear();
  flat.texts.picks.clear();
  return flat;
}

// The first text of every segment as often as the other column has texts there.
Column repeated(const Column& column, const Column& other) {
  if (column.texts.segments() != other.texts.segments()) throw nb::value_error("the columns have different lengths");
  Column repeats;
  repeats.texts.tokenized = column.texts.tokenized;
  repeats.texts.padded = column.texts.padded;
  for (size_t i = 0; i < column.texts.segments(); ++i) {
    for (size_t text = other.texts.first_text(i); text < other.texts.last_text(i); ++text) {
      copy_text(column.texts, column.texts.first_text(i), repeats.texts);
    }
  }
  return repeats;
}

// The texts with these numbers, one to a segment.
Column picked(const Column& column, nb::ndarray<const uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> numbers) {
  Column picks;
  picks.texts = column.texts;
  picks.texts.segment_ends.clear();
  picks.texts.picks.assign(numbers.data(), numbers.data() + numbers.shape(0));
  for (const uint32_t number : picks.texts.picks) {
    if (number >= column.texts.texts()) throw nb::index_error("there are not so many texts");
  }
  if (picks.texts.picks.empty()) picks.texts = Texts{};
  return picks;
}

// The texts as the tokens that the scheme finds in them.
Column split(const Column& column, std::string_view tokenizer, bool lowercase) {
  Column tokens;
  Texts& texts = tokens.texts;
  texts.tokenized = texts.padded = true;
  texts.segment_ends = column.texts.segment_ends;
  Reader reader({require_tokenizer(tokenizer), lowercase});
  run_job(is_small_job(column.texts.work()), [&](Cancel cancel) {
    for (size_t text = 0; text < column.texts.texts(); ++text) {
      cancel.poll();
      for (const std::string_view token : reader.read(column.texts, text)) {
        texts.token_lengths.push_back(tokens.bytes.add(token));
      }
      texts.end_text(tokens.bytes.end_text());
    }
  });
  return tokens;
}

std::vector<size_t> sizes(const Column& column) {
  std::vector<size_t> counts;
  for (size_t i = 0; i < column.texts.segments(); ++i) {
    counts.push_back(column.texts.last_text(i) - column.texts.first_text(i));
  }
  return counts;
}

// Texts per segment if all segments have equally many, otherwise -1.
int64_t group_size(const Texts& texts) {
  const size_t segments = texts.segments();
  for (size_t i = 1; i < segments; ++i) {
    if (texts.last_text(i) - texts.first_text(i) != texts.last_text(0)) return -1;
  }
  return segments == 0 ? 1 : static_cast<int64_t>(texts.last_text(0));
}

nb::object text_object(const Texts& texts, size_t text) {
  if (!texts.tokenized) return to_object(texts.pieces[text]);
  nb::list tokens = empty_list();
  texts.for_each_token(text, [&tokens](std::string_view token) { tokens.append(token_object(token)); });
  return tokens;
}

nb::list unpack(const Column& column) {
  const Texts& texts = column.texts;
  return make_list(texts.segments(), [&](size_t i) {
    const size_t first = texts.first_text(i);
    return make_list(texts.last_text(i) - first, [&](size_t k) { return text_object(texts, first + k); });
  });
}

nb::list tokenize(nb::handle text, std::string_view tokenizer, bool lowercase) {
  Reader reader({require_tokenizer(tokenizer), lowercase});
  nb::list tokens = empty_list();
  for (const std::string_view token : reader.read(text_view(text, 0, -1))) tokens.append(to_object(token));
  return tokens;
}

// The letters by script, or None if all of them are Latin.
nb::object letters_object(const ScriptLetters& letters) {
  bool others = false;
  for (size_t i = 1; i < letters.size(); ++i) others = others || letters[i] != 0;
  if (!others) return nb::none();
  const nb::object counts = owned(PyTuple_New(static_cast<Py_ssize_t>(letters.size())));
  for (size_t i = 0; i < letters.size(); ++i) {
    PyTuple_SetItem(counts.ptr(), static_cast<Py_ssize_t>(i),
                    owned(PyLong_FromUnsignedLongLong(letters[i])).release().ptr());
  }
  return counts;
}

// Of so many bytes of so many texts, spread evenly over the column.
nb::object script_letters(const Column& column, size_t texts, size_t bytes) {
  ScriptLetters letters{};
  const Texts& all = column.texts;
  if (all.tokenized) return nb::none();
  const size_t count = all.picks.empty() ? all.pieces.size() : all.picks.size(), looked = std::min(texts, count);
  run_job(looked < count || is_small_job(all.work()), [&](Cancel cancel) {
    for (size_t i = 0; i < looked; ++i) {
      cancel.poll();
      const size_t place = looked == count ? i : i * (count / looked) + i * (count % looked) / looked;
      count_letters(all.pieces[all.picks.empty() ? place : all.picks[place]].substr(0, bytes), letters);
    }
  });
  return letters_object(letters);
}

nb::object script_letters_of_text(nb::handle text, size_t bytes) {
  ScriptLetters letters{};
  count_letters(text_view(text, 0, -1).substr(0, bytes), letters);
  return letters_object(letters);
}

std::vector<bool> flags(nb::bytes bytes) {
  const auto* const data = static_cast<const char*>(bytes.data());
  return std::vector<bool>(data, data + bytes.size());
}

std::vector<char32_t> code_points(nb::bytes utf32) {
  std::vector<char32_t> values(utf32.size() / sizeof(char32_t));
  std::memcpy(values.data(), utf32.data(), values.size() * sizeof(char32_t));
  return values;
}

// `alone` and `across` hold what a capital sigma becomes after each code point, without and with a cased
// letter before it: final after a cased one, and final across a case-ignorable one only if a letter stands
// before.
void adopt(nb::bytes word, nb::bytes alone, nb::bytes across, nb::bytes lower) {
  constexpr char32_t final_sigma = 0x3C2;
  Unicode tables{flags(word), {}, {}, code_points(lower)};
  const std::vector<char32_t> after = code_points(alone), beyond = code_points(across);
  for (size_t i = 0; i < after.size() && i < beyond.size(); ++i) {
    tables.cased.push_back(after[i] == final_sigma);
    tables.case_ignorable.push_back(after[i] != final_sigma && beyond[i] == final_sigma);
  }
  adopt_unicode(std::move(tables));
}

template <typename Id>
Column require_ids(nb::ndarray<const Id, nb::ndim<2>, nb::device::cpu> ids, size_t group,
                   std::optional<nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>> lengths,
                   std::optional<int64_t> pad) {
  if (group == 0 || ids.shape(0) % group != 0) throw nb::value_error("the rows do not divide into groups");
  if (lengths && lengths->shape(0) != ids.shape(0)) throw nb::value_error("every row needs a length");
  return column_from_ids(ids.data(), ids.shape(0), ids.shape(1), ids.stride(0), ids.stride(1), group,
                         lengths ? lengths->data() : nullptr, pad ? &*pad : nullptr);
}

template <typename Choice>
Choice require_choice(std::string_view name, std::initializer_list<std::pair<std::string_view, Choice>> choices) {
  for (const auto& [label, choice] : choices) {
    if (label == name) return choice;
  }
  throw nb::value_error("no such rule");
}

RowFormula require_geometric_formula(size_t counted_orders, const nb::object& given, std::string_view smoothing,
                                     double amount, bool effective, bool absent_is_zero, bool skip_zero,
                                     std::string_view zero_when) {
  auto weights = to_vector<double>(given);
  if (weights.empty() || weights.size() > counted_orders) throw nb::value_error("every weight needs a counted order");
  const auto smooth = require_choice<Smoothing>(smoothing, {{"none", Smoothing::none},
                                                            {"floor", Smoothing::floor},
                                                            {"add-k", Smoothing::add_k},
                                                            {"add-all", Smoothing::add_all},
                                                            {"exp", Smoothing::exp}});
  const auto zero =
      require_choice<ZeroWhen>(zero_when, {{"never", ZeroWhen::never},
                                           {"no-match", ZeroWhen::no_match},
                                           {"any-order-without-match", ZeroWhen::any_order_without_match}});
  return geometric_formula(
      {counted_orders, std::move(weights), smooth, amount, effective, absent_is_zero, skip_zero, zero});
}

using Reals = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The C library's functions, because they are the ones Python's math module calls: a score is then the same
// number whether it is computed for one segment or for a million. NumPy's own vary with the processor.
template <double (*function)(double)>
void apply(Reals values) {
  for (size_t i = 0; i < values.shape(0); ++i) values.data()[i] = function(values.data()[i]);
}

}  // namespace

}  // namespace bleuprint

NB_MODULE(_native, module) {
  using namespace bleuprint;
  // Its classes belong to the interpreter that loaded it first; another one would get a module without them.
  static std::atomic<bool> loaded{false};
  if (loaded.exchange(true)) {
    throw nb::import_error(
        "bleuprint's compiled core is already loaded in this process, and it can be loaded only once: "
        "not by a second interpreter (a subinterpreter), and not again after it was removed from sys.modules. "
        "Use threads or processes");
  }
  module.doc() = "Counting kernels of bleuprint; imported by bleuprint.core alone.";
#ifdef NDEBUG
  // What other packages hold at exit (pandas keeps the classes registered with it) must not talk to our users.
  nb::set_leak_warnings(false);
#endif
  register_faults(module);
  nb::class_<Column>(module, "Column")
      .def("__len__", [](const Column& column) { return column.texts.segments(); })
      .def_prop_ro("texts", [](const Column& column) { return column.texts.texts(); })
      .def("__repr__",
           [](const Column& column) {
             const std::size_t segments = column.texts.segments(), texts = column.texts.texts();
             const std::string kind = column.texts.tokenized ? "lists of tokens" : "texts";
             const std::string in = texts == segments ? "" : " in " + std::to_string(segments) + " segments";
             return "<Column of " + std::to_string(texts) + " " + kind + in + ">";
           })
      .def_prop_ro("group_size", [](const Column& column) { return group_size(column.texts); })
      .def("unpack", &unpack)
      .def("flattened", &flattened, nb::keep_alive<0, 1>())
      .def("repeated", &repeated, "other"_a, nb::keep_alive<0, 1>())
      .def("picked", &picked, "numbers"_a, nb::keep_alive<0, 1>())
      .def("split", &split, "tokenizer"_a, "lowercase"_a)
      .def("sizes", &sizes)
      .def("__getstate__", [](const Column& column) { return to_tuple(unpack(column), column.texts.tokenized); })
      .def("__setstate__",
           [](Column& column, const nb::tuple& state) {
             new (&column)
                 Column(column_from_sequence(nb::object(state[0]), true, nb::cast<bool>(nb::object(state[1]))));
           })
      .def_prop_ro("tokenized", [](const Column& column) { return column.texts.tokenized; });
  module.def("column_from_sequence", &column_from_sequence, "items"_a, "groups"_a, "tokenized"_a);
  module.def("column_from_ids", &require_ids<int32_t>, "ids"_a.noconvert(), "group"_a, "lengths"_a.none(),
             "pad"_a.none());
  module.def("column_from_ids", &require_ids<int64_t>, "ids"_a.noconvert(), "group"_a, "lengths"_a.none(),
             "pad"_a.none());
  module.def("script_letters", &script_letters, "column"_a, "texts"_a, "bytes"_a);
  module.def("script_letters_of_text", &script_letters_of_text, "text"_a, "bytes"_a);
  module.def("column_from_arrow_stream", &column_from_arrow_stream, "stream"_a, "groups"_a);
  module.def("column_from_arrow_array", &column_from_arrow_array, "schema"_a, "array"_a, "groups"_a);
  nb::class_<Plan>(module, "Plan")
      .def("pair", &Plan::pair, "hypothesis"_a.none(), "references"_a.none())
      .def("total", &Plan::total, "hypotheses"_a, "references"_a, "sources"_a.none(), "threads"_a)
      .def("rows", &Plan::rows, "hypotheses"_a, "references"_a, "sources"_a.none(), "threads"_a, "out"_a)
      .def("sums_without_each", &Plan::sums_without_each, "hypotheses"_a, "references"_a, "threads"_a, "out"_a);
  nb::class_<RowFormula>(module, "RowFormula");
  module.def("geometric_formula", &require_geometric_formula, "counted_orders"_a, "weights"_a, "smoothing"_a,
             "amount"_a, "effective"_a, "absent_is_zero"_a, "skip_zero"_a, "zero_when"_a);
  module.def("harmonic_formula", &harmonic_formula, "triples"_a);
  module.def(
      "mean_f_formula",
      [](size_t orders, double recall_factor, bool mean_of_scores) {
        if (orders == 0) throw nb::value_error("there are no orders");
        return mean_f_formula({orders, recall_factor, mean_of_scores});
      },
      "orders"_a, "recall_factor"_a, "mean_of_scores"_a);
  nb::class_<PairScorer>(module, "PairScorer")
      .def(
          "__init__",
          [](PairScorer* self, const Plan& plan, const RowFormula* formula) {
            new (self) PairScorer(plan, formula != nullptr ? *formula : RowFormula{});
          },
          "plan"_a, "formula"_a.none(), nb::keep_alive<1, 2>())
      .def("score", &PairScorer::score, "hypothesis"_a.none(), "references"_a.none())
      .def("records", &PairScorer::records, "names"_a, "kind"_a, "beyond_ascii"_a, "hypothesis"_a.none(),
           "references"_a.none());
  module.def("rows_together", &rows_together, "items"_a, "threads"_a);
  bind_tables(module);
  bind_best_match(module);
  bind_characters(module);
  bind_changes(module);
  bind_clipped(module);
  bind_edits(module);
  bind_fragments(module);
  bind_language_model(module);
  bind_lines(module);
  bind_ngram_index(module);
  bind_ngram_matches(module);
  bind_pairwise(module);
  bind_pool(module);
  bind_prior(module);
  bind_resample(module);
  bind_swaps(module);
  bind_shifts(module);
  bind_similar_sets(module);
  bind_staged_match(module);
  nb::list names = empty_list(), with_unicode = empty_list();
  for (const Scheme& scheme : schemes()) {
    const nb::str name = to_object(scheme.name);
    names.append(name);
    if (scheme.needs_unicode) with_unicode.append(name);
  }
  module.attr("SCHEMES") = nb::tuple(names);
  module.attr("UNICODE_SCHEMES") = nb::tuple(with_unicode);
  module.def("tokenize", &tokenize, "text"_a.none(), "tokenizer"_a, "lowercase"_a);
  module.def("adopt_unicode", &adopt, "word"_a, "alone"_a, "across"_a, "lower"_a);
  module.def("unicode_adopted", &unicode_adopted);
  module.def("log_in_place", &apply<std::log>, "values"_a);
  module.def("exp_in_place", &apply<std::exp>, "values"_a);
  module.def("prepare_exit", &prepare_exit);
  module.def("after_fork", &after_fork);
}
