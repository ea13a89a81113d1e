// Items shared out among threads that live for one call: nothing is left behind for a fork to inherit.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace bleuprint {

// Whether a new thread may throw. The C++ runtime makes a thread's exception state at its first use, and the process
// is aborted if there is no memory for it; a thread that cannot have a heap of its own has none (glibc does not fall
// back to another's). So a new thread asks here, before its work takes memory, and leaves the work to others if not.
inline bool may_throw() noexcept {
  void* const probe = std::malloc(4096);
  if (probe == nullptr) return false;
  *static_cast<volatile char*>(probe) = 0;  // volatile, here and below: a compiler may drop what nobody reads
  std::free(probe);
  [[maybe_unused]] const volatile int count = std::uncaught_exceptions();
  return true;
}

// Calls `make()` once per thread for a worker, then `worker(begin, end)` for blocks of items until none is left or
// `cancel` is raised. The first exception of any worker is thrown here after all have stopped.
template <typename Make>
bool share_out(size_t items, size_t block, size_t threads, const std::atomic<bool>& cancel, Make make) {
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  std::mutex failure_lock;
  const auto work = [&]() {
    try {
      auto worker = make();
      while (!cancel.load(std::memory_order_relaxed) && !failed.load(std::memory_order_relaxed)) {
        const size_t begin = next.fetch_add(block);
        if (begin >= items) break;
        worker(begin, std::min(items, begin + block));
      }
    } catch (...) {
      const std::lock_guard<std::mutex> guard(failure_lock);
      if (!failure) failure = std::current_exception();
      failed.store(true);
    }
  };
  std::vector<std::thread> helpers;
  const size_t wanted = std::min(threads, (items + block - 1) / block);
  try {
    helpers.reserve(wanted);
    for (size_t i = 1; i < wanted; ++i) {
      helpers.emplace_back([&] {
        if (may_throw()) work();
      });
    }
  } catch (const std::exception&) {
    // No more threads, or no memory for them: those that started, and this one, do the work.
  }
  work();
  for (std::thread& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
  return !cancel.load();
}

}  // namespace bleuprint
