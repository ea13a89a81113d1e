// Counting over the segments of aligned columns, with threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "columns/segments.hpp"
#include "parallel.hpp"

namespace bleuprint {

// Counts one segment at a time and adds what it finds to a row. One per thread: it keeps scratch memory.
class RowCounter {
 public:
  virtual ~RowCounter() = default;
  virtual void count(size_t segment, int64_t* row) = 0;
};

using MakeRowCounter = std::function<std::unique_ptr<RowCounter>()>;

// The aligned columns of a corpus; sources may be missing.
struct Aligned {
  const Texts& hypotheses;
  const Texts& references;
  const Texts* sources;
  Cancel cancel = {};                // a counter that sees it raised throws Cancelled
  SharedReadings* shared = nullptr;  // for counters that run beside others
};

// Counts every segment of the texts. With `sum` all rows are added into one; otherwise `rows` holds one zeroed row per
// segment.
void count_rows(const Aligned& texts, size_t columns, const MakeRowCounter& make, size_t threads, bool sum,
                int64_t* rows, Cancel cancel);

// One kind of row among several that are counted in one pass.
struct RowsJob {
  std::function<std::unique_ptr<RowCounter>(Cancel cancel, SharedReadings* shared)> make;
  size_t columns;
  int64_t* rows;  // one zeroed row per segment
};

// Counts every segment once for each job; texts that jobs read alike are taken apart once.
void count_together(size_t segments, const std::vector<RowsJob>& jobs, size_t threads, Cancel cancel);

}  // namespace bleuprint
