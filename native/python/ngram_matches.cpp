#include "index/ngram_matches.hpp"

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <mutex>

#include "python/binding.hpp"
#include "python/column.hpp"
#include "python/interpreter.hpp"
#include "python/ngram_index.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

// The words of the texts are copied into it, so it outlives them; nothing changes it.
class PySought {
 public:
  PySought(const Column& column, std::string_view tokenizer, bool lowercase, size_t order, bool whole)
      : reading_{require_tokenizer(tokenizer), lowercase} {
    if (order < 1) throw nb::value_error("no such order");
    run_job(is_small_job(column.texts.work()), [&](Cancel cancel) {
      sought_ = std::make_unique<SoughtNgrams>(column.texts, reading_, order, whole, process_seed(), Run{1, cancel});
    });
  }
  PySought(const PySought&) = delete;

  const SoughtNgrams& get() const noexcept { return *sought_; }
  const Reading& reading() const noexcept { return reading_; }

 private:
  Reading reading_;
  std::unique_ptr<SoughtNgrams> sought_;
};

// Matches change with every call, so one thread uses them at a time.
struct PyMatches {
  explicit PyMatches(const PySought& sought) : ngrams(sought.get().size()) {}
  PyMatches(const PyMatches&) = delete;

  void require(const SoughtNgrams& sought) const {
    if (sought.size() != ngrams) throw nb::value_error("the matches are those of other n-grams");
  }

  size_t ngrams;
  NgramMatches matches;
  mutable std::mutex turn;
};

void add(PyMatches& matches, const PySought& sought, const Column& column, uint64_t file, uint64_t first,
         unsigned threads, size_t piece) {
  matches.require(sought.get());
  const bool small = is_small_job(column.texts.work());
  run_alone(matches.turn, small, [&](Cancel cancel) {
    add_matches(sought.get(), column.texts, sought.reading(), file, first, {small ? 1 : threads, cancel},
                &matches.matches, piece);
  });
}

// Words to be looked at: numbers of plug-ins have a byte before them that is no UTF-8.
nb::object shown(std::string_view words) {
  return owned(PyUnicode_DecodeUTF8(words.data(), static_cast<Py_ssize_t>(words.size()), "replace"));
}

// The files of the index are given by the first of their texts in it, and which text of the file that is.
void add_index(PyMatches& matches, const PySought& sought, const PyIndex& index, const nb::object& begins,
               const nb::object& firsts) {
  matches.require(sought.get());
  const auto starts = to_vector<uint64_t>(begins), numbers = to_vector<uint64_t>(firsts);
  if (starts.size() != numbers.size() || (starts.empty() ? index.get().layout().texts : starts[0]) != 0) {
    throw nb::value_error("these are not the files of the index");
  }
  if (sought.get().order() > index.get().layout().max_order) throw nb::value_error("the index has no such order");
  std::vector<IndexedFile> files;
  for (size_t i = 0; i < starts.size(); ++i) files.push_back({starts[i], numbers[i]});
  run_alone(matches.turn, false,
            [&](Cancel cancel) { add_index_matches(sought.get(), index.get(), files, {1, cancel}, &matches.matches); });
}

// The words of a sought text.
nb::object words(const PySought& sought, size_t text) {
  if (text >= sought.get().texts()) throw nb::index_error("there are not so many texts");
  const uint64_t begin = sought.get().text_begin(text);
  return make_list(static_cast<size_t>(sought.get().text_end(text) - begin),
                   [&](size_t i) { return shown(sought.get().word(begin + i)); });
}

void merge(PyMatches& matches, const PyMatches& other) {
  if (&matches == &other || matches.ngrams != other.ngrams) throw nb::value_error("the matches are those of others");
  run_alone(matches.turn, other.turn, false, [&](Cancel) { matches.matches.merge(other.matches); });
}

nb::bytes content(const PyMatches& matches) {
  std::string bytes;
  run_alone(matches.turn, false, [&](Cancel) { bytes = matches.matches.content(); });
  return to_bytes(bytes);
}

void parse(PyMatches& matches, nb::bytes content, size_t files) {
  const std::string_view bytes{static_cast<const char*>(content.data()), content.size()};
  run_alone(matches.turn, false, [&](Cancel) { matches.matches = NgramMatches::parse(bytes, matches.ngrams, files); });
}

// A row of four numbers for every sought text; see count_matches.
nb::bytes rows(const PyMatches& matches, const PySought& sought) {
  matches.require(sought.get());
  std::vector<int64_t> rows(4 * sought.get().texts());
  run_alone(matches.turn, false, [&](Cancel) { count_matches(sought.get(), matches.matches, rows.data()); });
  return to_bytes(rows.data(), rows.size() * sizeof(int64_t));
}

nb::tuple place_of(const MatchPlace& place) { return to_tuple(place.file, place.text, place.word); }

// Of a sought text: how many of its n-grams are rare, and the words of the longest run of those; a list of the n-grams
// that were found, each with its number, its first word, in how many texts of the stream it stands and its first
// places; a list of the longest runs, each with its first word, its length, its place, its words and those around it
// there.
nb::tuple of_text(const PyMatches& matches, const PySought& sought, size_t text, uint64_t most_rare, size_t most_runs) {
  matches.require(sought.get());
  if (text >= sought.get().texts()) throw nb::index_error("there are not so many texts");
  const std::lock_guard<std::mutex> mine(matches.turn);  // held for a moment
  const Evidence evidence = matches.matches.evidence(sought.get(), text, most_rare, most_runs);
  const uint64_t begin = sought.get().text_begin(text);
  const nb::object found = make_list(evidence.begins.size(), [&](size_t i) {
    const uint32_t ngram = sought.get().ngram_at(begin + evidence.begins[i]);
    const NgramMatch& match = *matches.matches.find(ngram);
    const nb::object places = make_list(match.places.size(), [&](size_t at) { return place_of(match.places[at]); });
    return to_tuple(ngram, evidence.begins[i], match.texts, places);
  });
  const nb::object longest = make_list(evidence.longest.size(), [&](size_t i) {
    const MatchedRun& run = evidence.longest[i];
    std::string words;
    for (uint64_t at = run.begin; at < run.begin + run.length; ++at) {
      words.append(at == run.begin ? "" : " ").append(sought.get().word(begin + at));
    }
    return to_tuple(run.begin, run.length, nb::object(place_of(run.place)), shown(words), shown(run.before),
                    shown(run.after));
  });
  return to_tuple(evidence.rare, evidence.longest_rare, found, longest);
}

nb::dict files(const PyMatches& matches) {
  const std::lock_guard<std::mutex> mine(matches.turn);
  auto all = owned<nb::dict>(PyDict_New());
  for (const auto& [file, read] : matches.matches.files()) {
    all[to_object(file)] = to_tuple(read.texts, nb::object(to_bytes(read.stamp)));
  }
  return all;
}

void finish_file(PyMatches& matches, uint64_t file, uint64_t texts, nb::bytes stamp) {
  const std::lock_guard<std::mutex> mine(matches.turn);
  matches.matches.finish_file(file, {texts, std::string(static_cast<const char*>(stamp.data()), stamp.size())});
}

// (text, first word, word after the last, n-grams) of the stretches that the wanted n-grams cover.
nb::list marked(const PySought& sought, const Column& column, const nb::object& ngrams) {
  std::vector<bool> wanted(sought.get().size(), false);
  for (const auto ngram : to_vector<size_t>(ngrams)) {
    if (ngram >= wanted.size()) throw nb::index_error("there are not so many n-grams");
    wanted[ngram] = true;
  }
  std::vector<MarkedWords> found;
  run_job(is_small_job(column.texts.work()), [&](Cancel cancel) {
    found = mark_matches(sought.get(), column.texts, sought.reading(), wanted, {1, cancel});
  });
  return make_list(found.size(), [&](size_t i) {
    const auto& held = found[i].ngrams;
    nb::object numbers = make_list(held.size(), [&](size_t place) { return to_object(held[place]); });
    return to_tuple(found[i].text, found[i].begin, found[i].end, std::move(numbers));
  });
}

}  // namespace

void bind_ngram_matches(nb::module_& module) {
  nb::class_<PySought>(module, "SoughtNgrams")
      .def(nb::init<const Column&, std::string_view, bool, size_t, bool>(), "column"_a, "tokenizer"_a, "lowercase"_a,
           "order"_a, "whole"_a)
      .def("__len__", [](const PySought& sought) { return sought.get().size(); })
      .def("detours", [](const PySought& sought) { return sought.get().detours(); })
      .def("words", &words, "text"_a)
      .def("mark", &marked, "column"_a, "ngrams"_a);
  nb::class_<PyMatches>(module, "NgramMatches")
      .def(nb::init<const PySought&>(), "sought"_a)
      .def("add", &add, "sought"_a, "column"_a, "file"_a, "first"_a, "threads"_a = 1,
           "piece"_a = NgramScanner::usual_piece)
      .def("add_index", &add_index, "sought"_a, "index"_a, "begins"_a, "firsts"_a)
      .def("merge", &merge, "other"_a)
      .def("content", &content)
      .def("parse", &parse, "content"_a, "files"_a)
      .def("rows", &rows, "sought"_a)
      .def("of_text", &of_text, "sought"_a, "text"_a, "most_rare"_a, "most_runs"_a)
      .def("files", &files)
      .def("finish_file", &finish_file, "file"_a, "texts"_a, "stamp"_a);
}

}  // namespace bleuprint
