// Weights counted of a corpus, and requests for rows that use them.
#include "pool/prior.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include "python/column.hpp"
#include "python/interpreter.hpp"
#include "python/plan.hpp"
#include "rows/cosine.hpp"
#include "rows/informed.hpp"
#include "rows/leave_out.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

class PyPrior {
 public:
  PyPrior(const Column& texts, std::string_view tokenizer, bool lowercase, size_t max_order, bool by_segment,
          unsigned threads)
      : reading_{require_tokenizer(tokenizer), lowercase} {
    const auto counting = by_segment ? Counting::segments : Counting::occurrences;
    const auto prior = std::make_shared<Prior>(max_order, counting, process_seed());
    const bool small = is_small_job(texts.texts.work());
    run_job(small, [&](Cancel cancel) { prior->fit(texts.texts, reading_, {small ? 1 : threads, cancel}); });
    prior_ = prior;
  }

  PyPrior(nb::bytes content, std::string_view tokenizer, bool lowercase, size_t max_order, bool by_segment)
      : reading_{require_tokenizer(tokenizer), lowercase} {
    const auto counting = by_segment ? Counting::segments : Counting::occurrences;
    const auto prior = std::make_shared<Prior>(max_order, counting, process_seed());
    const std::string_view bytes(content.c_str(), content.size());
    run_job(is_small_job(bytes.size()), [&](Cancel cancel) { prior->restore(bytes, {1, cancel}); });
    prior_ = prior;
  }

  size_t segments() const { return prior_->segments(); }

  nb::bytes content() const {
    const std::string bytes = prior_->content();
    return to_bytes(bytes);
  }

  Plan informed_plan() const {
    if (prior_->counting() != Counting::occurrences) throw nb::value_error("this prior has not counted occurrences");
    const auto make = [reading = reading_, prior = prior_](const Aligned& texts) {
      return informed_rows(texts, reading, prior, process_seed());
    };
    return Plan(informed_columns(prior_->max_order()), make, small_job,
                [reading = reading_, prior = prior_](const Aligned& texts, const Run& run, int64_t* sums) {
                  require_own(texts, *prior);
                  informed_without_each(texts, reading, *prior, process_seed(), run, sums);
                });
  }

  Plan cosine_plan(bool clipped, double sigma) const {
    if (prior_->counting() != Counting::segments) throw nb::value_error("this prior has not counted segments");
    const CosineOptions options{clipped, sigma};
    const auto make = [reading = reading_, prior = prior_, options](const Aligned& texts) {
      return cosine_rows(texts, reading, prior, options, process_seed());
    };
    return Plan(prior_->max_order(), make, small_job,
                [reading = reading_, prior = prior_, options](const Aligned& texts, const Run& run, int64_t* sums) {
                  require_own(texts, *prior);
                  cosines_without_each(texts, reading, *prior, options, process_seed(), run, sums);
                });
  }

 private:
  static void require_own(const Aligned& texts, const Prior& prior) {
    if (texts.references.segments() != prior.segments()) throw std::invalid_argument("the prior has other segments");
  }

  Reading reading_;
  std::shared_ptr<const Prior> prior_;
};

}  // namespace

void bind_prior(nb::module_& module) {
  nb::class_<PyPrior>(module, "Prior")
      .def(nb::init<const Column&, std::string_view, bool, size_t, bool, unsigned>(), "texts"_a, "tokenizer"_a,
           "lowercase"_a, "max_order"_a, "by_segment"_a, "threads"_a)
      .def(nb::init<nb::bytes, std::string_view, bool, size_t, bool>(), "content"_a, "tokenizer"_a, "lowercase"_a,
           "max_order"_a, "by_segment"_a)
      .def("__len__", &PyPrior::segments)
      .def("content", &PyPrior::content)
      .def("informed_plan", &PyPrior::informed_plan)
      .def("cosine_plan", &PyPrior::cosine_plan, "clipped"_a, "sigma"_a);
}

}  // namespace bleuprint
