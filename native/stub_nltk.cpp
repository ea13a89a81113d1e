#include "tokenize.hpp"
namespace bleuprint {
void tokenize_nltk(std::string_view text, Tokens& out) { tokenize_whitespace(text, out); }
}  // namespace bleuprint
