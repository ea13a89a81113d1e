#include "pool/count_product.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "tables/prefetch.hpp"

namespace bleuprint {
namespace {

constexpr uint64_t look_ahead = 16;             // elements between a prefetch and its use
constexpr size_t poll_every = size_t{1} << 12;  // texts

using Lanes = std::array<double, lanes>;

// Calls body(text, sums) for each element of each text.
template <typename Body>
void visit(const Bags& bags, std::vector<Lanes>* sums, const Run& run, const Body& body) {
  const uint64_t all = bags.offsets[bags.count];
  for (size_t text = 0; text < bags.count; ++text) {
    if (text % poll_every == 0) run.poll();
    for (uint64_t i = bags.offsets[text]; i < bags.offsets[text + 1]; ++i) {
      prefetch(&(*sums)[bags.elements[std::min(i + look_ahead, all - 1)]]);
      body(text, &(*sums)[bags.elements[i]]);
    }
  }
}

}  // namespace

void count_product(const Bags& bags, const double* vectors, double* products, const Run& run) {
  std::vector<Lanes> sums(bags.element_limit, Lanes{});
  std::fill_n(products, bags.count * lanes, 0.0);
  visit(bags, &sums, run, [&](size_t text, Lanes* sum) {
    for (size_t lane = 0; lane < lanes; ++lane) (*sum)[lane] += vectors[text * lanes + lane];
  });
  visit(bags, &sums, run, [&](size_t text, const Lanes* sum) {
    for (size_t lane = 0; lane < lanes; ++lane) products[text * lanes + lane] += (*sum)[lane];
  });
}

}  // namespace bleuprint
