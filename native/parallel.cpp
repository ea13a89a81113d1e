#include "parallel.hpp"

#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace bleuprint {

void run_workers(size_t workers, const std::function<void(size_t)>& work) {
  if (workers <= 1) {
    if (workers == 1) work(0);
    return;
  }
  std::vector<std::exception_ptr> failures(workers);
  const auto guarded = [&](size_t worker) {
    try {
      work(worker);
    } catch (...) {
      failures[worker] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(workers - 1);
  size_t started = 1;
  try {
    for (; started < workers; ++started) threads.emplace_back(guarded, started);
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  guarded(0);
  for (size_t worker = started; worker < workers; ++worker) guarded(worker);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace bleuprint
