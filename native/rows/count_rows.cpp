#include "rows/count_rows.hpp"

#include <algorithm>
#include <mutex>

#include "parallel.hpp"

namespace bleuprint {

namespace {

constexpr size_t block = 256;  // segments a thread takes at a time: about half a millisecond of work
constexpr size_t ahead = 2;    // segments whose texts are asked for before they are counted: a tenth of the time

}  // namespace

void count_rows(const Aligned& texts, size_t columns, const MakeRowCounter& make, size_t threads, bool sum,
                int64_t* rows, Cancel cancel) {
  std::mutex total_lock;
  share_out(texts.hypotheses.segments(), block, threads, cancel, [&]() {
    return [&, counter = make(), total = std::vector<int64_t>(columns)](size_t begin, size_t end) mutable {
      std::fill(total.begin(), total.end(), 0);
      for (size_t i = begin; i < end; ++i) {
        cancel.poll();
        texts.hypotheses.prefetch_segment(i + ahead);
        texts.references.prefetch_segment(i + ahead);
        counter->count(i, sum ? total.data() : rows + i * columns);
      }
      if (!sum) return;
      const std::lock_guard<std::mutex> guard(total_lock);
      for (size_t i = 0; i < columns; ++i) rows[i] += total[i];
    };
  });
}

void count_together(size_t segments, const std::vector<RowsJob>& jobs, size_t threads, Cancel cancel) {
  share_out(segments, block, threads, cancel, [&]() {
    auto shared = std::make_unique<SharedReadings>(cancel);
    std::vector<std::unique_ptr<RowCounter>> counters;
    counters.reserve(jobs.size());
    for (const RowsJob& job : jobs) counters.push_back(job.make(cancel, shared.get()));
    return [&, shared = std::move(shared), counters = std::move(counters)](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        cancel.poll();
        shared->start_segment(i);
        for (size_t job = 0; job < jobs.size(); ++job) {
          counters[job]->count(i, jobs[job].rows + i * jobs[job].columns);
        }
      }
    };
  });
}

}  // namespace bleuprint
