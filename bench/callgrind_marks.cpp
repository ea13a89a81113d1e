// Preloaded by `python -m bench.instructions`: counts between two calls, and makes the count independent of the clock.
// A thread does its work at once, in the thread that starts it. Otherwise the count would contain how often one thread
// waited for another, and where each of them found memory.
#include <dlfcn.h>
#include <pthread.h>
#include <valgrind/callgrind.h>

namespace {

bool at_once = false;
char done_at_once;  // its address stands for a thread that has ended

pthread_t no_thread() { return reinterpret_cast<pthread_t>(&done_at_once); }

template <typename Function>
Function next(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

void run_threads_at_once() { at_once = true; }

void start_counting() {
  CALLGRIND_ZERO_STATS;
  CALLGRIND_START_INSTRUMENTATION;
}

void stop_counting() {
  CALLGRIND_STOP_INSTRUMENTATION;
  CALLGRIND_DUMP_STATS;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* argument) noexcept {
  if (!at_once) return next(pthread_create, "pthread_create")(thread, attributes, work, argument);
  work(argument);
  *thread = no_thread();
  return 0;
}

int pthread_join(pthread_t thread, void** result) {
  return thread == no_thread() ? 0 : next(pthread_join, "pthread_join")(thread, result);
}

int pthread_detach(pthread_t thread) noexcept {
  return thread == no_thread() ? 0 : next(pthread_detach, "pthread_detach")(thread);
}

}  // extern "C"
