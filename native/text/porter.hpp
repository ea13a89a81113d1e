// Porter's suffix stripping with the extensions that NLTK's PorterStemmer has by default.
#pragma once

#include <cstddef>

namespace bleuprint {

// Stems a lower-case word in place and returns its new length, which is never larger. Any UTF-8 is a word: what is not
// a Latin vowel counts as a consonant.
size_t porter_stem(char* word, size_t length);

}  // namespace bleuprint
