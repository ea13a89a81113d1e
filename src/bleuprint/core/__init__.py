"""The door to native code: columns of text, tokenizers, requests to count, Unicode and WordNet."""
