"""The only way into native code: text columns, tokenizers, counting requests, Unicode, and WordNet."""
