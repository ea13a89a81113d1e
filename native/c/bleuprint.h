/* BLEU, chrF, TER, ROUGE, WER and its relatives, and Self-BLEU for any language: texts in, numbers out.
 *
 * A program reads its texts into columns, makes a metric of a line of text such as "bleu|tokenizer:13a|smoothing:exp",
 * counts rows with it, and asks the rows for the score, the score of each segment, an interval, or whether another
 * system differs. The numbers are those of the Python package, to the last bit where the C library's log and exp are.
 *
 * Rules. Texts are UTF-8 with their length, so they may hold NUL bytes; they are copied. A function that can fail
 * returns a status, and bleuprint_error() then says in words what was wrong, in which segment, and what is allowed. No
 * C++ exception leaves a function. What a function makes is freed with the `_free` function of its kind, which takes
 * NULL too; what it fills in is left as it was if it fails. Objects never change once they are made: several threads
 * may use one at the same time. A call runs in the thread that calls it.
 *
 * Versions. bleuprint_interface() is BLEUPRINT_INTERFACE of the library that is linked. A later version of this file
 * may add functions, statuses and metrics; what is here keeps its meaning as long as the number is the same.
 */
#ifndef BLEUPRINT_H
#define BLEUPRINT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BLEUPRINT_INTERFACE 1

#if defined(BLEUPRINT_SHARED) && defined(__GNUC__)
#define BLEUPRINT_API __attribute__((visibility("default")))
#else
#define BLEUPRINT_API
#endif

typedef enum {
  BLEUPRINT_OK = 0,
  BLEUPRINT_BAD_ARGUMENT = 1, /* an option, a size or a place that is not allowed */
  BLEUPRINT_BAD_TEXT = 2,     /* not UTF-8 */
  BLEUPRINT_NO_MEMORY = 3,
  BLEUPRINT_CANCELLED = 4, /* `report` returned something else than 0 */
  BLEUPRINT_FAULT = 5      /* a mistake in the library; please report it */
} bleuprint_status;

BLEUPRINT_API int bleuprint_interface(void);

/* What the last call in this thread that failed said: one line, without an end of line; "" if none failed. It lives
 * until the next call in this thread. */
BLEUPRINT_API const char* bleuprint_error(void);

/* Called now and then during long work with how much of it is done; anything but 0 cancels it. May be NULL. */
typedef int (*bleuprint_report)(void* context, uint64_t done, uint64_t total);

/* ---- Columns: segments of one or more texts. ---- */

typedef struct bleuprint_column bleuprint_column;

/* The texts lie one after another in `bytes`, each ends at its place in `text_ends`. Each segment ends at its place in
 * `segment_ends`, counted in texts, and has at least one; with NULL every text is a segment. */
BLEUPRINT_API bleuprint_status bleuprint_column_new(const char* bytes, const size_t* text_ends, size_t texts,
                                                    const size_t* segment_ends, size_t segments,
                                                    bleuprint_column** column);

/* The lines of a file, a segment each: a line ends at a line feed, with or without a carriage return before it. */
BLEUPRINT_API bleuprint_status bleuprint_column_lines(const char* bytes, size_t length, bleuprint_column** column);

BLEUPRINT_API size_t bleuprint_column_segments(const bleuprint_column* column);

/* The text of a segment at this place, the first being 0. The bytes live as long as the column. */
BLEUPRINT_API bleuprint_status bleuprint_column_text(const bleuprint_column* column, size_t segment, size_t text,
                                                     const char** bytes, size_t* length);

BLEUPRINT_API void bleuprint_column_free(bleuprint_column* column);

/* ---- Metrics: a name and its options, as in signatures; what is left out has its usual value. ----
 *
 *   bleu       tokenizer:13a lowercase:no max_order:4 smoothing:exp effective_order:auto absent_order:undefined
 *              reference_length:closest zero_when:no-match zero_precision:zero
 *   chrf       char_order:6 word_order:0 beta:2 lowercase:no whitespace:no eps_smoothing:no
 *   ter        tokenizer:tercom lowercase:yes
 *   rouge      types:rouge1+rouge2+rougeL+rougeLsum tokenizer:rouge stemmer:no
 *   wer        tokenizer:whitespace lowercase:no; mer, wil and wip have the same
 *   cer        lowercase:no whitespace:strip
 *   self-bleu  tokenizer:nltk lowercase:no max_order:5 smoothing:floor(0.1)
 *
 * Smoothing is none, floor(0.1), add-k(1), add-all(1) or exp. Tokenizers are 13a, intl, zh, zh-corrected, char, nltk,
 * none, whitespace, ascii-words, unicode-words, tercom and its forms; of ROUGE also rouge and unicode.
 */
typedef struct bleuprint_metric bleuprint_metric;

BLEUPRINT_API bleuprint_status bleuprint_metric_new(const char* description, bleuprint_metric** metric);

/* The metric as the signature of a score of a whole corpus (sentence 0) or of single segments (1) begins: every option
 * with its value. It lives as long as the metric. */
BLEUPRINT_API const char* bleuprint_metric_signature(const bleuprint_metric* metric, int sentence);

/* How many values bleuprint_score gives, and what each is called; NULL beyond the last. The first is the score. */
BLEUPRINT_API size_t bleuprint_metric_values(const bleuprint_metric* metric);
BLEUPRINT_API const char* bleuprint_metric_value_name(const bleuprint_metric* metric, size_t value);

BLEUPRINT_API int bleuprint_metric_higher_is_better(const bleuprint_metric* metric);

BLEUPRINT_API void bleuprint_metric_free(bleuprint_metric* metric);

/* ---- Tokens and matches of one text, for showing them. ---- */

/* A token as it counts, and where it stands in the text; `end` is 0 where the tokenizer wrote something that does not
 * stand there. `match` is the length of the longest n-gram around it that counts as a match. */
typedef struct {
  const char* bytes;
  size_t length;
  size_t begin;
  size_t end;
  size_t match;
} bleuprint_token;

typedef struct bleuprint_tokens bleuprint_tokens;

BLEUPRINT_API bleuprint_status bleuprint_tokenize(const char* tokenizer, int lowercase, const char* bytes,
                                                  size_t length, bleuprint_tokens** tokens);

/* The tokens of text number `text` of a segment: 0 is the output, whose matches are those with any reference, clipped;
 * 1 and on are the references, whose matches are those with the output. The metric has n-grams of tokens: bleu. */
BLEUPRINT_API bleuprint_status bleuprint_matches(const bleuprint_metric* metric, const bleuprint_column* outputs,
                                                 const bleuprint_column* references, size_t segment, size_t text,
                                                 bleuprint_tokens** tokens);

/* They live as long as `tokens`. */
BLEUPRINT_API const bleuprint_token* bleuprint_tokens_data(const bleuprint_tokens* tokens, size_t* count);

BLEUPRINT_API void bleuprint_tokens_free(bleuprint_tokens* tokens);

/* ---- Rows: what was counted, one row of integers per segment. ---- */

typedef struct bleuprint_rows bleuprint_rows;

/* Counts outputs against references, which have as many segments; self-bleu has no references, and takes NULL. The rows
 * keep what they need of the metric and the columns. */
BLEUPRINT_API bleuprint_status bleuprint_rows_new(const bleuprint_metric* metric, const bleuprint_column* outputs,
                                                  const bleuprint_column* references, bleuprint_report report,
                                                  void* context, bleuprint_rows** rows);

/* The rows one after another, `columns` numbers each. They live as long as `rows`. */
BLEUPRINT_API const int64_t* bleuprint_rows_data(const bleuprint_rows* rows, size_t* segments, size_t* columns);

/* The score of all segments with its parts: as many values as the metric has. */
BLEUPRINT_API bleuprint_status bleuprint_score(const bleuprint_rows* rows, double* values);

/* The score of each segment alone, or in the pool. */
BLEUPRINT_API bleuprint_status bleuprint_segment_scores(const bleuprint_rows* rows, double* scores);

BLEUPRINT_API void bleuprint_rows_free(bleuprint_rows* rows);

/* ---- Statistics: what other segments of the same kind might have given. ---- */

typedef struct {
  double value;
  double low;
  double high;
  double mean;        /* of the scores of the resamples */
  const char* method; /* bca, percentile, t, bound or clopper-pearson: which holds for these segments */
} bleuprint_interval;

typedef struct {
  double alpha;     /* intervals have the level 1 - alpha; such as 0.05 */
  size_t resamples; /* of the bootstrap; 0: 1000, or as many as so many pairs need */
  size_t swaps;     /* of the test; 0: 10,000, or as many as so many pairs need */
  uint64_t seed;    /* 12345 gives the numbers of the Python package */
} bleuprint_settings;

/* Two systems: the score of the first minus that of the second. */
typedef struct {
  bleuprint_interval difference;
  double standard_error; /* by the jackknife */
  double level;          /* of the interval, which is corrected like the p-value */
  double p_value;        /* of the two-sided paired permutation test */
  double corrected;      /* the p-value by Holm's correction over all pairs */
  const char* test;      /* exact where at most 20 segments differ, else approximate-randomization */
  uint64_t trials;
} bleuprint_pair;

/* Compares `count` systems, which were counted with the same metric on the same segments. Gives an interval for each of
 * them, and each of the count * (count - 1) / 2 pairs: first and second, first and third, …, second and third, …
 * `pairs` may be NULL for one system. Not for self-bleu, whose texts depend on each other. */
BLEUPRINT_API bleuprint_status bleuprint_compare(const bleuprint_rows* const* systems, size_t count,
                                                 const bleuprint_settings* settings, bleuprint_report report,
                                                 void* context, bleuprint_interval* intervals, bleuprint_pair* pairs);

#ifdef __cplusplus
}
#endif

#endif
