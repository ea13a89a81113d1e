// Long native work beside a living interpreter: signals answered, exit and fork survived.
#pragma once

#include <functional>
#include <mutex>

#include "parallel.hpp"

namespace bleuprint {

using Job = std::function<void(Cancel cancel)>;

// Runs the job. A small one runs here and now; any other runs with the interpreter lock released while this
// thread looks for signals; if one raises (Ctrl-C), the job is cancelled and the Python error is thrown
// in place of Cancelled.
void run_job(bool small, const Job& job);

// The same over an object that changes, or over two: one job at a time. Nobody waits for their turn with the
// interpreter lock held.
void run_alone(std::mutex& turn, bool small, const Job& job);
void run_alone(std::mutex& turn, std::mutex& other, bool small, const Job& job);

// Lets signals and other threads in for a moment. For long loops that read Python objects and so hold the lock;
// throws the Python error if a signal raises.
void breathe();

// Registered with atexit: cancels the jobs of daemon threads and waits until none can touch the interpreter
// again.
void prepare_exit();

// Registered with os.register_at_fork: the child has only the thread that forked.
void after_fork();

}  // namespace bleuprint
