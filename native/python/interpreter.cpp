#include "python/interpreter.hpp"

#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "parallel.hpp"

namespace nb = nanobind;

namespace bleuprint {

namespace {

constexpr auto signal_interval = std::chrono::milliseconds(50);

std::atomic<bool> exiting{false};
std::thread::id exiting_thread;  // may still score in exit handlers of its own
std::atomic<int> outside{0};     // threads that run without the interpreter lock
std::atomic<int> reentering{0};  // threads that have decided to take it back

bool must_stay_out() { return exiting.load() && std::this_thread::get_id() != exiting_thread; }

// Taking the lock back while the interpreter is being torn down ends the thread by force on Python < 3.14,
// which C++ frames do not survive. So a thread that comes back after prepare_exit() sleeps instead, and
// prepare_exit() lets in those that had already decided.
void take_back(PyThreadState* state) {
  reentering.fetch_add(1);
  if (must_stay_out()) {
    reentering.fetch_sub(1);
    outside.fetch_sub(1);
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
  outside.fetch_sub(1);
  PyEval_RestoreThread(state);
  reentering.fetch_sub(1);
}

PyThreadState* let_go() {
  PyThreadState* const state = PyEval_SaveThread();
  outside.fetch_add(1);
  return state;
}

struct Progress {
  std::mutex lock;
  std::condition_variable changed;
  bool done = false;
  bool begun = false;
  std::exception_ptr failure;
};

void run_and_report(const Job& job, Cancel cancel, Progress& progress) {
  std::exception_ptr failure;
  try {
    job(cancel);
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard<std::mutex> guard(progress.lock);
  progress.failure = failure;
  progress.begun = true;
  progress.done = true;
  progress.changed.notify_all();
}

void give_up(Progress& progress) {
  const std::lock_guard<std::mutex> guard(progress.lock);
  progress.done = true;
  progress.changed.notify_all();
}

bool wait_a_little(Progress& progress) {
  std::unique_lock<std::mutex> guard(progress.lock);
  progress.changed.wait_for(guard, signal_interval, [&] { return progress.done; });
  return progress.done;
}

}  // namespace

void run_job(bool small, const Job& job) {
  make_exception_state();
  std::atomic<bool> cancel{false};
  if (small) return job(cancel);
  Progress progress;
  bool interrupted = false;
  PyThreadState* state = let_go();
  std::thread worker;
  try {
    worker = std::thread([&] { may_throw() ? run_and_report(job, cancel, progress) : give_up(progress); });
  } catch (const std::exception&) {
    give_up(progress);
  }
  while (!wait_a_little(progress)) {
    if (must_stay_out()) cancel.store(true);
    if (cancel.load()) continue;
    take_back(state);
    interrupted = PyErr_CheckSignals() != 0;
    state = let_go();
    if (interrupted) cancel.store(true);
  }
  if (worker.joinable()) worker.join();
  if (!progress.begun) run_and_report(job, cancel, progress);  // no thread to be had: signals wait for the end
  take_back(state);
  if (interrupted) throw nb::python_error();
  if (progress.failure) std::rethrow_exception(progress.failure);
}

void run_alone(std::mutex& turn, bool small, const Job& job) {
  if (small) {
    const std::unique_lock<std::mutex> mine(turn, std::try_to_lock);
    if (mine.owns_lock()) return run_job(true, job);
  }
  run_job(false, [&](Cancel cancel) {
    const std::lock_guard<std::mutex> mine(turn);
    job(cancel);
  });
}

void run_alone(std::mutex& turn, std::mutex& other, bool small, const Job& job) {
  if (&turn == &other) return run_alone(turn, small, job);
  if (small && std::try_lock(turn, other) == -1) {
    const std::scoped_lock both(std::adopt_lock, turn, other);
    return run_job(true, job);
  }
  run_job(false, [&](Cancel cancel) {
    const std::scoped_lock both(turn, other);
    job(cancel);
  });
}

void breathe() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  take_back(let_go());
}

void prepare_exit() {
  exiting_thread = std::this_thread::get_id();
  PyThreadState* const state = PyEval_SaveThread();
  exiting.store(true);
  for (int waited = 0; waited < 2000 && (outside.load() > 0 || reentering.load() > 0); ++waited) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  PyEval_RestoreThread(state);
}

void after_fork() {
  exiting.store(false);
  outside.store(0);
  reentering.store(0);
}

}  // namespace bleuprint
