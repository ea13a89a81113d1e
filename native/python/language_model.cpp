#include "language_model/language_model.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "language_model/rows.hpp"
#include "pool/fill.hpp"
#include "python/binding.hpp"
#include "python/column.hpp"
#include "python/interpreter.hpp"
#include "python/plan.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

using SharedModel = std::shared_ptr<const LanguageModel>;

// Plans outlive the object they were made from, so the model is shared.
class PyModel {
 public:
  explicit PyModel(SharedModel model) : model_(std::move(model)) {}

  const SharedModel& shared() const { return model_; }
  const LanguageModel& get() const { return *model_; }

 private:
  SharedModel model_;
};

void run(size_t work, const std::function<void(const Run&)>& job, unsigned threads = 1) {
  const bool small = is_small_job(work);
  run_job(small, [&](Cancel cancel) { job({small ? 1 : threads, cancel}); });
}

PyModel train(const Column& column, std::string_view tokenizer, bool lowercase, size_t order,
              const nb::object& least_counts, const nb::object& fixed, bool skip_marks, unsigned threads) {
  const auto prune = to_vector<uint64_t>(least_counts);
  const auto discounts = to_vector<double>(fixed);
  if (order < 1 || order > largest_model_order || prune.size() != order || prune[0] != 0 ||
      !std::is_sorted(prune.begin(), prune.end()) || (!discounts.empty() && discounts.size() != 3)) {
    throw nb::value_error("no such training");
  }
  const Reading reading{require_tokenizer(tokenizer), lowercase};
  const TrainingOptions options{order, prune, discounts, skip_marks};
  SharedModel model;
  run(
      column.texts.work() * order,
      [&](const Run& how) {
        Pool pool(process_seed());
        fill(pool, column.texts, reading, process_seed(), how);
        model = std::make_shared<const LanguageModel>(train_model(pool, options, process_seed(), how));
      },
      threads);
  return PyModel(std::move(model));
}

PyModel from_arpa(std::string_view content) {
  SharedModel model;
  run(content.size(),
      [&](const Run& how) { model = std::make_shared<const LanguageModel>(read_arpa(content, process_seed(), how)); });
  return PyModel(std::move(model));
}

nb::tuple unpack(std::string_view content) {
  SharedModel model;
  std::string note;
  run(content.size(), [&](const Run& how) {
    Unpacked unpacked = unpack_model(content, process_seed(), how);
    model = std::make_shared<const LanguageModel>(std::move(unpacked.model));
    note = std::move(unpacked.note);
  });
  return to_tuple(to_instance(PyModel(std::move(model))), to_bytes(note));
}

std::string_view view_of(const nb::bytes& bytes) { return {static_cast<const char*>(bytes.data()), bytes.size()}; }

nb::bytes pack(const PyModel& model, nb::bytes note) {
  std::string packed;
  run(size_t{model.get().nodes()} * 16, [&](const Run& how) { packed = pack_model(model.get(), view_of(note), how); });
  return to_bytes(packed);
}

nb::bytes to_arpa(const PyModel& model) {
  std::string text;
  run(size_t{model.get().nodes()} * 64, [&](const Run& how) { text = write_arpa(model.get(), how); });
  return to_bytes(text);
}

std::vector<uint32_t> counts(const PyModel& model) {
  std::vector<uint32_t> sizes;
  for (size_t level = 0; level < model.get().order(); ++level) {
    uint32_t size = 0;
    for (uint32_t node = model.get().level_begin(level); node < model.get().level_begin(level + 1); ++node) {
      size += model.get().blank(node) ? 0 : 1;
    }
    sizes.push_back(size);
  }
  return sizes;
}

nb::list vocabulary(const PyModel& model) {
  return make_list(model.get().words(), [&](size_t word) {
    return token_object(model.get().vocabulary().text(static_cast<uint32_t>(word)));
  });
}

// One tuple for each word of the first text: itself, log10 probability, length of the n-gram, whether it is unknown.
nb::list steps(const PyModel& model, const Column& column, std::string_view tokenizer, bool lowercase, bool from_begin,
               bool to_end) {
  Reader reader({require_tokenizer(tokenizer), lowercase});
  if (column.texts.texts() == 0) return empty_list();
  const Spans& tokens = reader.read(column.texts, 0);
  std::vector<uint32_t> words(tokens.size());
  model.get().find_words(tokens.begin(), tokens.size(), words.data());
  if (to_end) words.push_back(LanguageModel::end);
  std::vector<LanguageModel::Step> steps(words.size());
  LanguageModel::Context context = from_begin ? LanguageModel::sentence_begin() : LanguageModel::empty_context();
  LanguageModel::Scratch scratch;
  model.get().advance(context, words.data(), words.size(), steps.data(), scratch);
  return make_list(words.size(), [&](size_t i) {
    const nb::object token = token_object(i < tokens.size() ? tokens[i] : std::string_view("</s>"));
    return to_tuple(token, steps[i].log_probability, steps[i].length, words[i] == LanguageModel::unknown);
  });
}

Plan model_plan(const PyModel& model, std::string_view tokenizer, bool lowercase) {
  const Reading reading{require_tokenizer(tokenizer), lowercase};
  return {model_columns,
          [=, kept = model.shared()](const Aligned& texts) { return model_rows(texts, reading, *kept); }};
}

}  // namespace

void bind_language_model(nb::module_& module) {
  static PyObject* fault_type = PyErr_NewException("bleuprint.core._native.ModelFault", PyExc_ValueError, nullptr);
  if (fault_type == nullptr) throw nb::python_error();
  module.attr("ModelFault") = nb::borrow(fault_type);
  nb::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const ModelFault& fault) {
      set_error(fault_type, std::string_view(fault.what()), fault.line());
    }
  });
  module.attr("LOG_PROBABILITY_BITS") = log_probability_bits;
  module.attr("LARGEST_MODEL_ORDER") = largest_model_order;
  nb::class_<PyModel>(module, "LanguageModel")
      .def_prop_ro("order", [](const PyModel& model) { return model.get().order(); })
      .def_prop_ro("counts", &counts)
      .def_prop_ro("vocabulary", &vocabulary)
      .def("pack", &pack, "note"_a)
      .def("to_arpa", &to_arpa)
      .def("steps", &steps, "column"_a, "tokenizer"_a, "lowercase"_a, "from_begin"_a, "to_end"_a)
      .def("plan", &model_plan, "tokenizer"_a, "lowercase"_a);
  module.def("train_model", &train, "column"_a, "tokenizer"_a, "lowercase"_a, "order"_a, "prune"_a, "discounts"_a,
             "skip_marks"_a, "threads"_a);
  module.def("read_arpa", [](nb::bytes content) { return from_arpa(view_of(content)); }, "content"_a);
  module.def("unpack_model", [](nb::bytes content) { return unpack(view_of(content)); }, "content"_a);
}

}  // namespace bleuprint
