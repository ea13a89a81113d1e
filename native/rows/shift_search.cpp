#include "rows/shift_search.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "parallel.hpp"

namespace bleuprint {

void ShiftSearch::begin(const Spans& reference, const Region& region) {
  table_.reset(reference.size());
  reference_.clear();
  for (const std::string_view token : reference) {
    const TokenKey key = make_key(token, region, seed_);
    reference_.push_back(1 + table_.insert(key, hash(key, seed_)));
  }
  kinds_ = table_.size();
  occurrences_.begin(reference_, kinds_);
}

int64_t ShiftSearch::edits(const Spans& hypothesis, const Region& region, int64_t enough) {
  if (reference_.empty()) return static_cast<int64_t>(hypothesis.size());
  hypothesis_.clear();
  for (const std::string_view token : hypothesis) {
    const TokenKey key = make_key(token, region, seed_);
    hypothesis_.push_back(1 + table_.find(key, hash(key, seed_)));  // 1 + absent is 0
  }
  return search(enough, nullptr);
}

void ShiftSearch::begin(const std::vector<uint32_t>& reference) {
  for (const uint32_t number : numbers_) known_[number] = absent_word;
  numbers_ = reference;
  reference_.clear();
  kinds_ = 0;
  for (const uint32_t number : numbers_) {
    if (number >= known_.size()) known_.resize(std::max(number + size_t{1}, 2 * known_.size()), absent_word);
    if (known_[number] == absent_word) known_[number] = static_cast<WordId>(++kinds_);
    reference_.push_back(known_[number]);
  }
  occurrences_.begin(reference_, kinds_);
}

int64_t ShiftSearch::edits(const std::vector<uint32_t>& hypothesis, int64_t enough) {
  if (reference_.empty()) return static_cast<int64_t>(hypothesis.size());
  hypothesis_.clear();
  for (const uint32_t number : hypothesis) {
    hypothesis_.push_back(number < known_.size() ? known_[number] : absent_word);
  }
  return search(enough, nullptr);
}

ShiftPath ShiftSearch::path(const uint32_t* hypothesis, size_t hypothesis_size, const uint32_t* reference,
                            size_t reference_size, size_t kinds) {
  if (reference_size == 0) return {{}, std::string(hypothesis_size, 'i')};
  kinds_ = kinds;
  left_.assign(kinds, 0);
  reference_.clear();
  for (size_t i = 0; i < reference_size; ++i) {
    left_[reference[i]] = 1;
    reference_.push_back(1 + reference[i]);
  }
  hypothesis_.clear();
  for (size_t i = 0; i < hypothesis_size; ++i) {
    hypothesis_.push_back(left_[hypothesis[i]] != 0 ? 1 + hypothesis[i] : absent_word);
  }
  occurrences_.begin(reference_, kinds);
  std::string steps;
  search(std::numeric_limits<int64_t>::max(), &steps);
  return {moves_, std::move(steps)};
}

// No move changes which words there are, so those that only one side has must be edited.
int64_t ShiftSearch::least_edits() {
  left_.resize(std::max(left_.size(), kinds_ + 1));
  for (const WordId word : hypothesis_) left_[word] = occurrences_.count(word);
  size_t shared = 0;
  for (const WordId word : hypothesis_) {
    if (left_[word] == 0) continue;
    --left_[word];
    ++shared;
  }
  return static_cast<int64_t>(std::max(hypothesis_.size(), reference_.size()) - shared);
}

int64_t ShiftSearch::search(int64_t enough, std::string* steps) {
  moves_.clear();
  const int64_t least = least_edits();
  if (least >= enough) return least;
  beam_ = Beam(hypothesis_.size(), reference_.size());
  if (beam_.narrow()) {
    narrow_.begin(beam_, occurrences_);
    return search(narrow_, least, enough, steps);
  }
  wide_.begin(beam_, reference_);
  return search(wide_, least, enough, steps);
}

template <typename Matrix>
int64_t ShiftSearch::search(Matrix& matrix, int64_t least, int64_t enough, std::string* steps) {
  const auto moves = [this] { return static_cast<int64_t>(moves_.size()); };
  checked_ = 0;
  matrix.fill(hypothesis_, 0);
  while (matrix.distance() > least && moves() + least < enough) {
    poll();
    align(matrix);
    if (!collect()) break;
    const Shift* const best = choose(matrix, least);
    if (best == nullptr) break;
    const Swap swap = best->swap(hypothesis_.size());
    const auto begin = hypothesis_.begin();
    std::rotate(begin + swap.first, begin + swap.middle, begin + swap.last);
    matrix.fill(hypothesis_, swap.first);
    moves_.push_back(*best);
  }
  if (steps != nullptr) {
    constexpr char letters[] = {'=', 's', 'd', 'i'};  // as Edit has them
    walk_back(matrix, [&](Edit edit, size_t, size_t) { steps->push_back(letters[static_cast<size_t>(edit)]); });
    std::reverse(steps->begin(), steps->end());
  }
  return moves() + matrix.distance();
}

// Calls visit(edit, row, column) for the cells of the cheapest path, from the last to the first.
template <typename Matrix, typename Visit>
void ShiftSearch::walk_back(const Matrix& matrix, Visit visit) const {
  size_t row = hypothesis_.size(), column = reference_.size();
  while (row > 0 || column > 0) {
    const bool equal = row > 0 && column > 0 && hypothesis_[row - 1] == reference_[column - 1];
    const Edit edit = row == 0 ? Edit::insert : matrix.edit(row, column, equal);
    visit(edit, row, column);
    if (edit != Edit::remove) --column;
    if (edit != Edit::insert) --row;
  }
}

template <typename Matrix>
void ShiftSearch::align(const Matrix& matrix) {
  hypothesis_error_.assign(hypothesis_.size(), false);
  reference_error_.assign(reference_.size(), false);
  aligned_.resize(reference_.size());
  walk_back(matrix, [this](Edit edit, size_t row, size_t column) {
    if (edit != Edit::remove) aligned_[column - 1] = row;
    if (edit != Edit::remove && edit != Edit::none) reference_error_[column - 1] = true;
    if (edit == Edit::remove || edit == Edit::substitute) hypothesis_error_[row - 1] = true;
  });
}

// The candidates of one move. Once all searches of this pair have seen too many the search ends without the move, so
// there is no need to try any of them: false.
bool ShiftSearch::collect() {
  for (std::vector<Shift>& candidates : candidates_) candidates.clear();
  for (size_t start = 0; start < hypothesis_.size(); ++start) {
    if (start % 4096 == 4095) poll();
    const size_t* const last = occurrences_.last(hypothesis_[start]);
    const size_t* place = occurrences_.first(hypothesis_[start]);
    if (start > farthest_move) place = std::lower_bound(place, last, start - farthest_move);
    for (; place < last && *place <= start + farthest_move; ++place) {
      if (!collect_at(start, *place)) return false;
    }
  }
  return true;
}

// Runs of equal words that begin here and there, if both are in error and they are not aligned with each other; each
// may go before or after every partner of the reference's run.
bool ShiftSearch::collect_at(size_t start, size_t reference_start) {
  const size_t longest = std::min({longest_move, hypothesis_.size() - start, reference_.size() - reference_start});
  const size_t first_target = reference_start == 0 ? 0 : aligned_[reference_start - 1];
  const size_t partner = aligned_[reference_start];  // counted from 1
  bool hypothesis_wrong = false, reference_wrong = false;
  for (size_t length = 1; length <= longest; ++length) {
    const size_t end = start + length - 1, reference_end = reference_start + length - 1;
    if (hypothesis_[end] != reference_[reference_end]) break;
    hypothesis_wrong |= hypothesis_error_[end] != 0;
    reference_wrong |= reference_error_[reference_end] != 0;
    if (!hypothesis_wrong || !reference_wrong || (partner > start && partner <= start + length)) continue;
    std::vector<Shift>& candidates = candidates_[length - 1];
    candidates.push_back({start, length, first_target});
    size_t previous = first_target;
    for (size_t at = reference_start; at <= reference_end; ++at) {
      if (aligned_[at] == previous) continue;
      previous = aligned_[at];
      candidates.push_back({start, length, previous});
      ++checked_;
    }
    if (++checked_ >= most_candidates) return false;
  }
  return true;
}

Swap Shift::swap(size_t words) const noexcept {
  if (target < start) return {target, start, start + length};
  if (target > start + length) return {start, start + length, target};
  return {start, start + length, std::min(words, target + length)};
}

// The highest gain, then the longest run, the first one, the first target: candidates of one length stand in that order
// because partners do not cross.
template <typename Matrix>
const Shift* ShiftSearch::choose(Matrix& matrix, int64_t least) {
  const Shift* best = nullptr;
  int64_t best_gain = 0;
  const int64_t most = matrix.distance() - least;
  const bool exact = beam_.narrow() && matrix.distance() <= beam_.surely_exact();
  for (size_t length = longest_move; length > 0; --length) {
    for (const Shift& candidate : candidates_[length - 1]) {
      const Swap swap = candidate.swap(hypothesis_.size());
      // To move words is to delete and insert the shorter half, two edits for each: no move can gain more.
      const auto shorter = static_cast<int64_t>(std::min(swap.middle - swap.first, swap.last - swap.middle));
      if (std::min(most, exact || shorter == 0 ? 2 * shorter : most) <= best_gain) continue;
      poll();
      const int64_t gain = matrix.distance() - matrix.distance_after(hypothesis_, swap);
      if (gain <= best_gain) continue;
      best = &candidate;
      best_gain = gain;
    }
  }
  return best;
}

void ShiftSearch::poll() const { cancel_.poll(); }

}  // namespace bleuprint
