// The tokens of NLTK 3.10's NLTKWordTokenizer, in one scan instead of its 33 rewriting passes.
//
// Why one scan is exact: every pass only inserts spaces, drops or merges white space, or replaces a double
// quote (or an opening '') by a token of its own. No pass rejoins what another separated, so the result is
// the text cut at the union of the inserted spaces, and each decision below is taken on the original text
// because the spaces that earlier passes put next to a character are implied by that character. Only the
// second final-period pass has no counterpart: it matches only where the first has already put spaces around
// the period. What depends on the finished cuts (clitics, contractions, the final split) is decided per
// piece, a piece being what lies between two cuts.
#include <array>
#include <cstddef>
#include <string_view>

#include "text/regex_classes.hpp"
#include "text/utf8.hpp"
#include "tokenizers/nltk_pieces.hpp"
#include "tokenizers/tokenize.hpp"

namespace bleuprint {
namespace {

constexpr std::string_view opening_quote = "``";
constexpr std::string_view closing_quote = "''";

enum class ByteKind : unsigned char {
  plain,
  blank,
  information_separator,
  symbol,
  period,
  colon_or_comma,
  hyphen,
  backquote,
  double_quote,
  apostrophe,
  multibyte,
};

constexpr std::array<ByteKind, 256> make_byte_kinds() {
  std::array<ByteKind, 256> kinds{};
  for (const char byte : std::string_view("\t\n\v\f\r ")) {
    kinds[static_cast<unsigned char>(byte)] = ByteKind::blank;
  }
  for (const char byte : std::string_view("\x1c\x1d\x1e\x1f")) {
    kinds[static_cast<unsigned char>(byte)] = ByteKind::information_separator;
  }
  for (const char byte : std::string_view(";@#$%&?!*[](){}<>")) {
    kinds[static_cast<unsigned char>(byte)] = ByteKind::symbol;
  }
  kinds['.'] = ByteKind::period;
  kinds[':'] = kinds[','] = ByteKind::colon_or_comma;
  kinds['-'] = ByteKind::hyphen;
  kinds['`'] = ByteKind::backquote;
  kinds['"'] = ByteKind::double_quote;
  kinds['\''] = ByteKind::apostrophe;
  // The only lead bytes of non-ASCII white space, quotes and dashes.
  kinds[0xc2] = kinds[0xe1] = kinds[0xe2] = kinds[0xe3] = ByteKind::multibyte;
  return kinds;
}

constexpr std::array<ByteKind, 256> byte_kinds = make_byte_kinds();

ByteKind kind_of(char byte) { return byte_kinds[static_cast<unsigned char>(byte)]; }

bool is_opening_mark(char32_t value) {
  return value == U'\u00ab' || value == U'\u201c' || value == U'\u2018' || value == U'\u201e';
}

bool is_closing_mark(char32_t value) { return value == U'\u00bb' || value == U'\u201d' || value == U'\u2019'; }

bool is_long_dash(char32_t value) { return value >= U'\u2012' && value <= U'\u2015'; }

// `position` is past the first character of the text.
Decoded decode_before(const char* begin, const char* position, const char* end) {
  const char* start = position - 1;
  while (start != begin && position - start < 4 && (static_cast<unsigned char>(*start) & 0xc0) == 0x80) {
    --start;
  }
  const Decoded decoded = decode(start, end);
  if (start + decoded.length == position) return decoded;
  return {0xdc00u + static_cast<unsigned char>(position[-1]), 1};
}

bool regex_word_at(const char* position, const char* end) {
  return position != end && is_regex_word(decode(position, end).value);
}

class Scanner {
 public:
  Scanner(std::string_view text, Spans& spans)
      : begin_(text.data()),
        end_(text.data() + text.size()),
        final_period_(find_final_period()),
        text_has_doubled_letter_(has_doubled_letter(text)),
        piece_(begin_),
        position_(begin_),
        spans_(spans) {}

  void run() {
    while (skip_plain()) {
      switch (kind_of(*position_)) {
        case ByteKind::plain:
          break;
        case ByteKind::blank:
          cut_out({}, 1);
          break;
        case ByteKind::information_separator:
          piece_needs_split_ = true;
          ++position_;
          break;
        case ByteKind::symbol:
          cut_out(1);
          break;
        case ByteKind::period:
          scan_periods();
          break;
        case ByteKind::colon_or_comma:
          scan_colon_or_comma();
          break;
        case ByteKind::hyphen:
          scan_hyphens();
          break;
        case ByteKind::backquote:
          scan_backquotes();
          break;
        case ByteKind::double_quote:
          cut_out(position_ == begin_ || after_opener() ? opening_quote : closing_quote, 1);
          break;
        case ByteKind::apostrophe:
          scan_apostrophes();
          break;
        case ByteKind::multibyte:
          scan_multibyte();
          break;
      }
    }
    end_piece();
  }

 private:
  // ([^.])\.([])}>"'»”’ ]*+)\s*$ read from the end. A quote that opens is a `` by then and stops the match.
  const char* find_final_period() const {
    const char* tail = end_;
    while (tail != begin_) {
      const Decoded decoded = decode_before(begin_, tail, end_);
      if (!is_regex_space(decoded.value)) break;
      tail -= decoded.length;
    }
    while (tail != begin_) {
      const Decoded decoded = decode_before(begin_, tail, end_);
      const bool blank = decoded.value == U' ';
      const bool closing = decoded.value < 0x80 ? std::string_view("])}>\"'").find(tail[-1]) != std::string_view::npos
                                                : is_closing_mark(decoded.value);
      if (!blank && !closing) break;
      if (blank && tail != end_ && (*tail == '"' || byte_pair_at(tail, '\''))) return nullptr;
      tail -= decoded.length;
    }
    if (tail - begin_ < 2 || tail[-1] != '.' || tail[-2] == '.') return nullptr;
    return tail - 1;
  }

  // Advances to the next byte that needs a decision; false at the end.
  bool skip_plain() {
    const char* position = position_;
    while (position != end_ && kind_of(*position) == ByteKind::plain) ++position;
    position_ = position;
    return position != end_;
  }

  bool byte_pair_at(const char* position, char byte) const {
    return end_ - position >= 2 && position[0] == byte && position[1] == byte;
  }

  const char* end_of_run(char byte) const {
    const char* position = position_;
    while (position != end_ && *position == byte) ++position;
    return position;
  }

  void end_piece() {
    if (piece_ == position_) return;
    const std::string_view piece = between(piece_, position_);
    if (piece_needs_split_ || (text_has_doubled_letter_ && has_doubled_letter(piece))) {
      split_nltk_piece(piece, piece.back() == '\'' && cut_before_clitics(), spans_);
    } else {
      spans_.push_back(piece);
    }
    piece_needs_split_ = false;
  }

  // Whether NLTK makes the cut at the position before ([^'])' looks for a space: brackets, stars, hyphens,
  // closing quotes, the end and white space other than a space get theirs after it.
  bool cut_before_clitics() const {
    if (position_ == end_) return false;
    if (std::string_view("*[](){}<>-\"").find(*position_) != std::string_view::npos) return false;
    const char32_t value = decode(position_, end_).value;
    return value == U' ' || (!is_regex_space(value) && !is_closing_mark(value));
  }

  void cut() {
    end_piece();
    piece_ = position_;
  }

  // Cuts around the next `length` bytes and puts `token`, unless empty, in their place.
  void cut_out(std::string_view token, size_t length) {
    end_piece();
    if (!token.empty()) spans_.push_back(token);
    piece_ = position_ += length;
  }

  void cut_out(size_t length) { cut_out({position_, length}, length); }

  void scan_periods() {
    const char* const run_end = end_of_run('.');
    const auto length = static_cast<size_t>(run_end - position_);
    if (length >= 2 || position_ == final_period_) {
      cut_out(length);
    } else {
      ++position_;
    }
  }

  // ([:,])([^\d]) takes the next character with it, so a colon or comma right after a cut one stays where it
  // is, unless ([:,])$ frees it.
  void scan_colon_or_comma() {
    const char* const next = position_ + 1;
    const bool last = next == end_ || (next + 1 == end_ && *next == '\n');
    if (last || (position_ != taken_ && !is_regex_decimal(decode(next, end_).value))) {
      if (position_ != taken_) taken_ = next;
      cut_out(1);
    } else {
      ++position_;
    }
  }

  void scan_hyphens() {
    if (byte_pair_at(position_, '-')) {
      cut_out(2);
    } else {
      ++position_;
    }
  }

  void scan_backquotes() { cut_out(byte_pair_at(position_, '`') ? 2 : 1); }

  // Whether the position follows a space or bracket that opens a quote, or a character that NLTK pads with
  // spaces before it looks for such quotes.
  bool after_opener() const {
    if (position_ == begin_) return false;
    if (position_[-1] == '"') return position_ - 1 == begin_;
    if (std::string_view(" ([{<`").find(position_[-1]) != std::string_view::npos) return true;
    return is_opening_mark(decode_before(begin_, position_, end_).value);
  }

  void scan_apostrophes() {
    const char* const run_end = end_of_run('\'');
    if (run_end - position_ >= 2 && after_opener()) cut_out(opening_quote, 2);
    while (run_end - position_ >= 2) cut_out(2);
    if (position_ == run_end) return;
    const bool opens = starts_quotation();
    piece_needs_split_ = true;
    ++position_;
    if (opens) cut();
  }

  // (?i)(?<!\w)'(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)
  bool starts_quotation() const {
    const char* const next = position_ + 1;
    if (!regex_word_at(next, end_)) return false;
    if (position_ != begin_ && is_regex_word(decode_before(begin_, position_, end_).value)) return false;
    for (const std::string_view clitic : {"re", "ve", "ll", "m", "t", "s", "d", "n"}) {
      const char* const after = skip_ignoring_case(next, end_, clitic);
      if (after && !regex_word_at(after, end_)) return false;
    }
    return true;
  }

  void scan_multibyte() {
    const Decoded decoded = decode(position_, end_);
    if (is_opening_mark(decoded.value) || is_closing_mark(decoded.value) || is_long_dash(decoded.value)) {
      cut_out(decoded.length);
    } else if (is_regex_space(decoded.value)) {
      cut_out({}, decoded.length);
    } else {
      position_ += decoded.length;
    }
  }

  const char* const begin_;
  const char* const end_;
  const char* const final_period_;
  const bool text_has_doubled_letter_;
  const char* piece_;
  const char* position_;
  const char* taken_ = nullptr;
  bool piece_needs_split_ = false;
  Spans& spans_;
};

}  // namespace

void tokenize_nltk(std::string_view text, Tokens& out) {
  out.spans.clear();
  if (!text.empty()) Scanner(text, out.spans).run();
}

}  // namespace bleuprint
