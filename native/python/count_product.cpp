// Products with the matrix of counts, as Python sees them: arrays in, an array filled.
#include "pool/count_product.hpp"

#include "python/binding.hpp"
#include "python/interpreter.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace bleuprint {

namespace {

template <typename Value>
using Rows = nb::ndarray<Value, nb::shape<-1, lanes>, nb::c_contig, nb::device::cpu>;

void multiply(Array<uint32_t> elements, Array<uint64_t> offsets, size_t element_limit, Rows<const double> vectors,
              Rows<double> products) {
  const size_t texts = vectors.shape(0);
  if (products.shape(0) != texts) throw nb::value_error("the products do not fit the texts");
  require_lists(elements, offsets, texts, element_limit);
  const Bags bags{elements.data(), offsets.data(), texts, element_limit};
  run_job(is_small_job(elements.shape(0) * 8),
          [&](Cancel cancel) { count_product(bags, vectors.data(), products.data(), {1, cancel}); });
}

}  // namespace

void bind_count_product(nb::module_& module) {
  module.def("count_product", &multiply, "elements"_a, "offsets"_a, "element_limit"_a, "vectors"_a, "products"_a);
  module.attr("product_lanes") = lanes;
}

}  // namespace bleuprint
