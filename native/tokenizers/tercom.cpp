// The tokens of tercom's Normalizer as sacrebleu runs it: its rules one after another, each over the text that the
// one before it made, because most of them see the blanks that others put in.
#include "text/utf8.hpp"
#include "tokenizers/tokenize.hpp"

namespace bleuprint {

namespace {

bool is_digit(char byte) noexcept { return byte >= '0' && byte <= '9'; }

bool is_stop(char byte) noexcept { return byte == '.' || byte == ','; }

// Every mark of ASCII but ' , - and the full stop; the blank too, which changes no token.
bool stands_alone(char byte) noexcept {
  return (byte >= ' ' && byte <= '&') || (byte >= '(' && byte <= '+') || byte == '/' || (byte >= ':' && byte <= '@') ||
         (byte >= '[' && byte <= '`') || (byte >= '{' && byte <= '~');
}

bool is_removed(char byte) noexcept {
  switch (byte) {
    case '.':
    case ',':
    case '?':
    case ':':
    case ';':
    case '!':
    case '"':
    case '(':
    case ')':
      return true;
    default:
      return false;
  }
}

bool is_asian_mark(char32_t value) noexcept {
  switch (value) {
    case 0x3001:
    case 0x3002:
    case 0x30FB:
    case 0xFF01:
    case 0xFF02:
    case 0xFF08:
    case 0xFF09:
    case 0xFF0C:
    case 0xFF0E:
    case 0xFF1A:
    case 0xFF1B:
    case 0xFF1F:
      return true;
    default:
      return (value >= 0x3008 && value <= 0x3011) || (value >= 0x3014 && value <= 0x301F) ||
             (value >= 0xFF61 && value <= 0xFF65);
  }
}

// Ideographs, their radicals, strokes and compatibility forms. The range that begins at 3200 was meant to end at 32FF;
// sacrebleu ends it at 3F22, which lies in a block that is split anyway. Its rules for kana ask for a text that begins
// with them, but every text begins with a blank by then, so they never apply and kana stay in one piece.
bool is_asian(char32_t value) noexcept {
  return (value >= 0x2E80 && value <= 0x2EFF) || (value >= 0x31C0 && value <= 0x31EF) ||
         (value >= 0x3200 && value <= 0x4DBF) || (value >= 0x4E00 && value <= 0x9FFF) ||
         (value >= 0xF900 && value <= 0xFAFF) || (value >= 0xFE30 && value <= 0xFE4F) || is_asian_mark(value);
}

// A text that is rewritten rule by rule, from one buffer into the other and back.
class Rewriter {
 public:
  explicit Rewriter(Tokens& tokens) : text_(tokens.scratch), next_(tokens.spare) {}

  void begin(std::string_view text) { text_.assign(text); }

  void replace_all(std::string_view from, std::string_view to) {
    size_t found = text_.find(from);
    if (found == std::string::npos) return;
    next_.clear();
    size_t done = 0;
    for (; found != std::string::npos; found = text_.find(from, done)) {
      next_.append(text_, done, found - done).append(to);
      done = found + from.size();
    }
    next_.append(text_, done);
    text_.swap(next_);
  }

  void western() {
    replace_all("\n-", "");
    replace_all("\n", " ");
    replace_all("&quot;", "\"");
    replace_all("&amp;", "&");
    replace_all("&lt;", "<");
    replace_all("&gt;", ">");
    part_marks();
    replace_all("'s ", " 's ");
    stops_after_no_digit();
    stops_before_no_digit();
    dashes_after_digit();
  }

  void part_asian() {
    next_.clear();
    for_each_character([this](char32_t value, const char* bytes, size_t length) {
      const bool alone = is_asian(value);
      if (alone) next_.push_back(' ');
      next_.append(bytes, length);
      if (alone) next_.push_back(' ');
    });
    text_.swap(next_);
  }

  void remove_marks(bool asian) {
    next_.clear();
    for_each_character([this, asian](char32_t value, const char* bytes, size_t length) {
      if (value < 0x80 ? !is_removed(static_cast<char>(value)) : !asian || !is_asian_mark(value)) {
        next_.append(bytes, length);
      }
    });
    text_.swap(next_);
  }

 private:
  template <typename Visit>
  void for_each_character(Visit visit) {
    const char* const end = text_.data() + text_.size();
    for (const char* at = text_.data(); at < end;) {
      const Decoded decoded = decode(at, end);
      visit(decoded.value, at, decoded.length);
      at += decoded.length;
    }
  }

  void part_marks() {
    next_.assign(1, ' ');
    for (const char byte : text_) {
      const bool alone = stands_alone(byte);
      if (alone) next_.push_back(' ');
      next_.push_back(byte);
      if (alone) next_.push_back(' ');
    }
    next_.push_back(' ');
    text_.swap(next_);
  }

  // Calls `both` for each two neighbours that it accepts, from left to right and never for one byte twice, and keeps
  // the others. All that the rules ask for is ASCII, so bytes do for characters.
  template <typename Both>
  void rewrite_pairs(Both both) {
    next_.clear();
    for (size_t at = 0; at < text_.size(); ++at) {
      if (at + 1 < text_.size() && both(text_[at], text_[at + 1])) {
        ++at;
      } else {
        next_.push_back(text_[at]);
      }
    }
    text_.swap(next_);
  }

  void stops_after_no_digit() {
    rewrite_pairs([this](char first, char second) {
      if (is_digit(first) || !is_stop(second)) return false;
      next_.push_back(first);
      next_.append({' ', second, ' '});
      return true;
    });
  }

  void stops_before_no_digit() {
    rewrite_pairs([this](char first, char second) {
      if (!is_stop(first) || is_digit(second)) return false;
      next_.append({' ', first, ' ', second});
      return true;
    });
  }

  void dashes_after_digit() {
    rewrite_pairs([this](char first, char second) {
      if (!is_digit(first) || second != '-') return false;
      next_.append({first, ' ', second, ' '});
      return true;
    });
  }

  std::string& text_;
  std::string& next_;
};

template <bool normalized, bool no_punct, bool asian>
void rewrite(std::string_view text, Tokens& out) {
  Rewriter rewriter(out);
  rewriter.begin(trim_right(text));
  if (normalized) rewriter.western();
  if (normalized && asian) rewriter.part_asian();
  if (no_punct) rewriter.remove_marks(asian);
  tokenize_whitespace(out.scratch, out);
}

template <bool normalized, bool no_punct, bool asian, bool twice>
void tokenize(std::string_view text, Tokens& out) {
  if (!normalized && !no_punct) return tokenize_whitespace(text, out);
  rewrite<normalized, no_punct, asian>(text, out);
  if (!twice) return;
  std::string joined;
  for (const std::string_view token : out.spans) joined.append(token).push_back(' ');
  rewrite<normalized, no_punct, asian>(joined, out);
}

bool takes(std::string_view& name, std::string_view part) noexcept {
  if (name.substr(0, part.size()) != part) return false;
  name.remove_prefix(part.size());
  return true;
}

}  // namespace

Tokenizer find_tercom_tokenizer(std::string_view name) noexcept {
  static constexpr Tokenizer functions[2][2][2][2] = {
      {{{tokenize<false, false, false, false>, tokenize<false, false, false, true>},
        {tokenize<false, false, true, false>, tokenize<false, false, true, true>}},
       {{tokenize<false, true, false, false>, tokenize<false, true, false, true>},
        {tokenize<false, true, true, false>, tokenize<false, true, true, true>}}},
      {{{tokenize<true, false, false, false>, tokenize<true, false, false, true>},
        {tokenize<true, false, true, false>, tokenize<true, false, true, true>}},
       {{tokenize<true, true, false, false>, tokenize<true, true, false, true>},
        {tokenize<true, true, true, false>, tokenize<true, true, true, true>}}}};
  if (!takes(name, "tercom")) return nullptr;
  const bool normalized = takes(name, "-normalized");
  const bool no_punct = takes(name, "-no-punct");
  const bool asian = takes(name, "-asian");
  const bool twice = takes(name, "-twice");
  return name.empty() ? functions[normalized][no_punct][asian][twice] : nullptr;
}

}  // namespace bleuprint
