#include "parallel.hpp"

#include <cstdlib>
#include <exception>
#include <thread>
#include <vector>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace bleuprint {

// volatile, here and below: a compiler may drop what nobody reads.
void make_exception_state() noexcept { [[maybe_unused]] const volatile int count = std::uncaught_exceptions(); }

bool may_throw() noexcept {
  // A piece of every small size, all given back: glibc keeps them for this thread, so that no other can take them
  // before its state is made of one of them.
  constexpr size_t sizes = 32, step = 16;
  void* pieces[sizes];
  size_t made = 0;
  for (; made < sizes; ++made) {
    pieces[made] = std::malloc(step * (made + 1));
    if (pieces[made] == nullptr) break;
    *static_cast<volatile char*>(pieces[made]) = 0;
  }
  for (size_t i = 0; i < made; ++i) std::free(pieces[i]);
  if (made < sizes) return false;
  make_exception_state();
  return true;
}

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
  std::vector<char> left(workers, true);  // not vector<bool>: each thread writes its own
  std::vector<std::thread> threads;
  threads.reserve(workers - 1);
  try {
    for (size_t worker = 1; worker < workers; ++worker) {
      threads.emplace_back([&, worker] {
        if (!may_throw()) return;
        left[worker] = false;
        guarded(worker);
      });
    }
  } catch (const std::exception&) {
    // No more threads, or no memory for them: those that started, and this one, do the work.
  }
  left[0] = false;
  guarded(0);
  for (std::thread& thread : threads) thread.join();
  for (size_t worker = 0; worker < workers; ++worker) {
    if (left[worker]) guarded(worker);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

void give_memory_back() noexcept {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace bleuprint
