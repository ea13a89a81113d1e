#include "segments.hpp"

#include <mutex>

#include "parallel.hpp"
#include "utf8.hpp"

namespace bleuprint {

size_t Texts::work() const noexcept {
  size_t sum = pieces.size();
  for (const std::string_view piece : pieces) sum += piece.size();
  return sum;
}

const Spans& Reader::read(std::string_view text) {
  if (reading_.lowercase) {
    lowercase(text, lowered_);
    text = lowered_;
  }
  region_ = {text.data(), text.size()};
  reading_.tokenizer(text, tokens_);
  return tokens_.spans;
}

const Spans& Reader::read(const Texts& texts, size_t text) {
  if (!texts.tokenized) return read(texts.pieces[text]);
  const size_t begin = text == 0 ? 0 : texts.text_ends[text - 1];
  tokens_.spans.clear();
  for (size_t i = begin; i < texts.text_ends[text]; ++i) tokens_.spans.push_back(texts.pieces[i]);
  if (reading_.lowercase) lowercase_tokens();
  return tokens_.spans;
}

void Reader::lowercase_tokens() {
  tokens_.scratch.clear();
  std::vector<size_t> ends;
  ends.reserve(tokens_.spans.size());
  for (const std::string_view token : tokens_.spans) {
    lowercase(token, lowered_);
    tokens_.scratch.append(lowered_);
    ends.push_back(tokens_.scratch.size());
  }
  size_t begin = 0;
  for (size_t i = 0; i < ends.size(); ++i) {
    tokens_.spans[i] = std::string_view(tokens_.scratch).substr(begin, ends[i] - begin);
    begin = ends[i];
  }
}

namespace {

constexpr size_t block = 256;  // segments a thread takes at a time: about half a millisecond of work

class Worker {
 public:
  Worker(const Texts& hypotheses, const Texts& references, const Reading& reading, const ClipOptions& options,
         uint64_t seed)
      : hypotheses_(hypotheses),
        references_(references),
        hypothesis_(reading),
        reference_(reading),
        counter_(options, seed) {}

  void count(size_t segment, int64_t* row) {
    const Spans& hypothesis = hypothesis_.read(hypotheses_, hypotheses_.first_text(segment));
    counter_.begin(hypothesis, hypothesis_.region());
    const size_t last = references_.last_text(segment);
    for (size_t text = references_.first_text(segment); text < last; ++text) {
      const Spans& reference = reference_.read(references_, text);
      counter_.add_reference(reference, reference_.region());
    }
    counter_.finish(row);
  }

 private:
  const Texts& hypotheses_;
  const Texts& references_;
  Reader hypothesis_;
  Reader reference_;
  ClippedCounter counter_;
};

}  // namespace

bool count_clipped(const Texts& hypotheses, const Texts& references, const Reading& reading, const ClipOptions& options,
                   uint64_t seed, size_t threads, bool sum, int64_t* rows, const std::atomic<bool>& cancel) {
  const size_t columns = clip_columns(options.max_order);
  std::mutex total_lock;
  return share_out(hypotheses.segments(), block, threads, cancel, [&]() {
    return [&, worker = Worker(hypotheses, references, reading, options, seed)](size_t begin, size_t end) mutable {
      if (!sum) {
        for (size_t i = begin; i < end; ++i) {
          if (cancel.load(std::memory_order_relaxed)) return;
          worker.count(i, rows + i * columns);
        }
        return;
      }
      std::vector<int64_t> total(columns, 0);
      for (size_t i = begin; i < end; ++i) {
        if (cancel.load(std::memory_order_relaxed)) return;
        worker.count(i, total.data());
      }
      const std::lock_guard<std::mutex> guard(total_lock);
      for (size_t i = 0; i < columns; ++i) rows[i] += total[i];
    };
  });
}

}  // namespace bleuprint
