// Threads that live for one call: nothing is left behind for a fork to inherit or an exit to trip over.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>

namespace bleuprint {

// Thrown where work is given up because it was cancelled.
struct Cancelled {};

// What cancels a call, raised by another thread. Work polls it every now and then, and what Cancelled leaves behind is
// unfinished. One that was made of no flag is never raised.
class Cancel {
 public:
  Cancel() = default;
  Cancel(const std::atomic<bool>& flag) : flag_(&flag) {}
  void poll() const {
    if (flag_ != nullptr && flag_->load(std::memory_order_relaxed)) throw Cancelled{};
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

// How a call may run.
struct Run {
  unsigned threads = 1;
  Cancel cancel;

  void poll() const { cancel.poll(); }
};

// Makes the exception state of this thread, if it has none. The C++ runtime makes it at its first use, and the process
// is aborted if there is no memory for it: so it is made at a thread's first call, not when memory has run out.
void make_exception_state() noexcept;

// Whether a new thread may throw; its exception state is made then. A thread that cannot have a heap of its own has no
// memory (glibc does not fall back to another's): it leaves the work to others.
bool may_throw() noexcept;

// Calls work(0) .. work(workers - 1) at the same time and returns when all have; the first exception, by worker
// number, is thrown again here. Where no thread can be started the caller does its share itself.
void run_workers(size_t workers, const std::function<void(size_t)>& work);

// Hands freed memory back to the system after work in several threads. What a thread has allocated goes back to the
// heap of that thread, and glibc keeps it there: 40 MB after a million texts.
void give_memory_back() noexcept;

// Calls `make()` once per thread for a worker, then `worker(begin, end)` for blocks of items until none is left or one
// worker has failed. Throws Cancelled.
template <typename Make>
void share_out(size_t items, size_t block, size_t threads, Cancel cancel, Make make) {
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};
  run_workers(std::min(threads, (items + block - 1) / block), [&](size_t) {
    try {
      auto worker = make();
      while (!failed.load(std::memory_order_relaxed)) {
        cancel.poll();
        const size_t begin = next.fetch_add(block);
        if (begin >= items) break;
        worker(begin, std::min(items, begin + block));
      }
    } catch (...) {
      failed.store(true);
      throw;
    }
  });
}

}  // namespace bleuprint
