/* The C interface from C: every function, every kind of error, and numbers that sacrebleu, NLTK and jiwer print. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c/bleuprint.h"

static int failures = 0;

#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) {                                                      \
      printf("line %d: %s (%s)\n", __LINE__, #condition, bleuprint_error()); \
      ++failures;                                                            \
    }                                                                        \
  } while (0)

#define OK(call) CHECK((call) == BLEUPRINT_OK)

static int near(double a, double b) { return fabs(a - b) < 1e-12; }

static bleuprint_column* lines(const char* text) {
  bleuprint_column* column = NULL;
  OK(bleuprint_column_lines(text, strlen(text), &column));
  return column;
}

static bleuprint_metric* metric(const char* description) {
  bleuprint_metric* made = NULL;
  OK(bleuprint_metric_new(description, &made));
  return made;
}

static double score_of(const char* description, const char* outputs, const char* references) {
  double values[64] = {-1};
  bleuprint_metric* used = metric(description);
  bleuprint_column *own = lines(outputs), *others = references == NULL ? NULL : lines(references);
  bleuprint_rows* rows = NULL;
  OK(bleuprint_rows_new(used, own, others, NULL, NULL, &rows));
  CHECK(bleuprint_metric_values(used) <= 64);
  OK(bleuprint_score(rows, values));
  bleuprint_rows_free(rows);
  bleuprint_column_free(own);
  bleuprint_column_free(others);
  bleuprint_metric_free(used);
  return values[0];
}

static void test_scores(void) {
  const char *output = "the cat is on the mat", *reference = "there is a cat on the mat";
  CHECK(near(score_of("bleu|smoothing:none", "the cat sat on the mat today", "the cat sat on the mat today"), 1.0));
  CHECK(near(score_of("bleu", output, reference), 0.2905925408079185));
  CHECK(near(score_of("bleu|max_order:1|smoothing:none", "the the the the the the the", "the cat is on the mat"),
             2.0 / 7));
  CHECK(near(score_of("ter", "on the mat sat the cat", "the cat sat on the mat"), 2.0 / 6));
  CHECK(near(score_of("wer", "the cat sat on mat", "the cat sat on the mat"), 1.0 / 6));
  CHECK(near(score_of("cer", "colour", "color"), 0.2));
  CHECK(near(score_of("rouge|types:rouge1", "the cat sat on the mat", "the cat is on the mat"), 5.0 / 6));
  CHECK(near(score_of("chrf", output, output), 1.0));
  CHECK(near(score_of("self-bleu|max_order:2|tokenizer:whitespace",
                      "the cat sat down\nthe cat sat up\ndogs bark at night", NULL),
             2 * sqrt(0.5) / 3));
}

static void test_several_references(void) {
  const char* texts = "a b c da b x ya b c z";
  const size_t own_ends[] = {7}, ends[] = {7, 14}, segment_ends[] = {2};
  bleuprint_column *own = NULL, *others = NULL;
  bleuprint_rows* rows = NULL;
  bleuprint_metric* used = metric("bleu.1|max_order:2|tokenizer:whitespace");
  const char* bytes = NULL;
  size_t length = 0, segments = 0, columns = 0;
  const int64_t* data;
  double values[4], alone[1];
  OK(bleuprint_column_new(texts, own_ends, 1, NULL, 1, &own));
  OK(bleuprint_column_new(texts + 7, ends, 2, segment_ends, 1, &others));
  CHECK(bleuprint_column_segments(others) == 1);
  OK(bleuprint_column_text(others, 0, 1, &bytes, &length));
  CHECK(length == 7 && memcmp(bytes, "a b c z", 7) == 0);
  OK(bleuprint_rows_new(used, own, others, NULL, NULL, &rows));
  data = bleuprint_rows_data(rows, &segments, &columns);
  CHECK(segments == 1 && columns == 6);
  CHECK(data[0] == 4 && data[1] == 4 && data[2] == 3 && data[3] == 2 && data[4] == 4 && data[5] == 3);
  OK(bleuprint_score(rows, values));
  CHECK(near(values[0], sqrt(0.75 * 2 / 3)) && values[1] == 1.0 && near(values[2], 0.75) && near(values[3], 2.0 / 3));
  OK(bleuprint_segment_scores(rows, alone));
  CHECK(alone[0] == values[0]);
  CHECK(strcmp(bleuprint_metric_value_name(used, 0), "score") == 0);
  CHECK(strcmp(bleuprint_metric_value_name(used, 3), "precision_2") == 0);
  CHECK(bleuprint_metric_value_name(used, 4) == NULL);
  CHECK(strstr(bleuprint_metric_signature(used, 0), "effective_order:no") != NULL);
  CHECK(strstr(bleuprint_metric_signature(used, 1), "effective_order:yes") != NULL);
  bleuprint_rows_free(rows);
  bleuprint_metric_free(used);
  bleuprint_column_free(own);
  bleuprint_column_free(others);
}

static void test_tokens_and_matches(void) {
  bleuprint_tokens* tokens = NULL;
  bleuprint_metric* used = metric("bleu");
  bleuprint_column *own = lines("The cat sat, quoth &quot;he&quot;"), *others = lines("The cat stood, quoth he");
  const bleuprint_token* data;
  size_t count = 0;
  OK(bleuprint_tokenize("13a", 0, "Hello, world!", 13, &tokens));
  data = bleuprint_tokens_data(tokens, &count);
  CHECK(count == 4 && data[1].length == 1 && data[1].bytes[0] == ',' && data[1].begin == 5 && data[1].end == 6);
  bleuprint_tokens_free(tokens);
  OK(bleuprint_matches(used, own, others, 0, 0, &tokens));
  data = bleuprint_tokens_data(tokens, &count);
  CHECK(count == 8);
  CHECK(data[0].match == 2 && data[1].match == 2 && data[2].match == 0 && data[3].match == 2 && data[4].match == 2);
  CHECK(data[5].length == 1 && data[5].begin == 19 && data[5].end == 25 && data[5].match == 0);
  CHECK(data[6].match == 1);
  bleuprint_tokens_free(tokens);
  OK(bleuprint_matches(used, own, others, 0, 1, &tokens));
  data = bleuprint_tokens_data(tokens, &count);
  CHECK(count == 6 && data[0].match == 2 && data[2].match == 0 && data[4].match == 2);
  bleuprint_tokens_free(tokens);
  OK(bleuprint_tokenize("none", 1, "\xC3\x84 B", 4, &tokens)); /* Ä B */
  data = bleuprint_tokens_data(tokens, &count);
  CHECK(count == 2 && memcmp(data[0].bytes, "\xC3\xA4", 2) == 0 && data[0].begin == 0 && data[1].begin == 3);
  bleuprint_tokens_free(tokens);
  OK(bleuprint_tokenize("none", 0, "a\0b c", 5, &tokens)); /* a NUL is a letter like others */
  data = bleuprint_tokens_data(tokens, &count);
  CHECK(count == 2 && data[0].length == 3);
  bleuprint_tokens_free(tokens);
  bleuprint_column_free(own);
  bleuprint_column_free(others);
  bleuprint_metric_free(used);
}

static int stop_at_half(void* context, uint64_t done, uint64_t total) {
  ++*(int*)context;
  return 2 * done >= total;
}

static int go_on(void* context, uint64_t done, uint64_t total) {
  if (done == total) ++*(int*)context;
  return 0;
}

static char* repeated(const char* line, size_t times, const char* changed) {
  const size_t length = strlen(line), room = strlen(changed);
  char* text = malloc(times * (length + room + 1) + 1);
  size_t at = 0, i;
  for (i = 0; i < times; ++i) {
    const char* one = i % 3 == 0 ? changed : line;
    memcpy(text + at, one, strlen(one));
    at += strlen(one);
    text[at++] = '\n';
  }
  text[at] = '\0';
  return text;
}

static void test_comparison(void) {
  char *good = repeated("the cat sat on the mat", 90, "the cat sat on a mat"),
       *bad = repeated("the dog sat on the mat", 90, "a cat lay there"),
       *wanted = repeated("the cat sat on the mat", 90, "the cat sat on the mat");
  bleuprint_column *columns[] = {lines(good), lines(bad)}, *references = lines(wanted);
  bleuprint_metric* used = metric("bleu");
  bleuprint_rows* rows[2] = {NULL, NULL};
  const bleuprint_settings settings = {0.05, 0, 0, 12345}, wrong = {0, 0, 0, 0};
  bleuprint_interval intervals[2];
  bleuprint_pair pair;
  int calls = 0, ends = 0;
  CHECK(bleuprint_rows_new(used, columns[0], references, stop_at_half, &calls, &rows[0]) == BLEUPRINT_CANCELLED);
  CHECK(calls == 2 && rows[0] == NULL);
  OK(bleuprint_rows_new(used, columns[0], references, go_on, &ends, &rows[0]));
  CHECK(ends == 1);
  OK(bleuprint_rows_new(used, columns[1], references, NULL, NULL, &rows[1]));
  OK(bleuprint_compare((const bleuprint_rows* const*)rows, 2, &settings, go_on, &ends, intervals, &pair));
  CHECK(intervals[0].low < intervals[0].value && intervals[0].value < intervals[0].high);
  CHECK(pair.difference.value == intervals[0].value - intervals[1].value && pair.difference.low > 0);
  CHECK(strcmp(pair.test, "approximate-randomization") == 0 && pair.trials == 10000 && pair.p_value < 0.001);
  CHECK(pair.corrected == pair.p_value && near(pair.level, 0.95) && pair.standard_error > 0);
  OK(bleuprint_compare((const bleuprint_rows* const*)rows, 1, &settings, NULL, NULL, intervals, NULL));
  CHECK(bleuprint_compare((const bleuprint_rows* const*)rows, 2, &wrong, NULL, NULL, intervals, &pair) ==
        BLEUPRINT_BAD_ARGUMENT);
  CHECK(bleuprint_compare((const bleuprint_rows* const*)rows, 0, &settings, NULL, NULL, intervals, &pair) ==
        BLEUPRINT_BAD_ARGUMENT);
  CHECK(bleuprint_compare((const bleuprint_rows* const*)rows, 2, &settings, NULL, NULL, intervals, NULL) ==
        BLEUPRINT_BAD_ARGUMENT);
  calls = 0;
  CHECK(bleuprint_compare((const bleuprint_rows* const*)rows, 2, &settings, stop_at_half, &calls, intervals, &pair) ==
        BLEUPRINT_CANCELLED);
  bleuprint_rows_free(rows[0]);
  bleuprint_rows_free(rows[1]);
  bleuprint_metric_free(used);
  bleuprint_column_free(columns[0]);
  bleuprint_column_free(columns[1]);
  bleuprint_column_free(references);
  free(good);
  free(bad);
  free(wanted);
}

static void refused(bleuprint_status status, bleuprint_status expected, const char* words) {
  CHECK(status == expected);
  if (strstr(bleuprint_error(), words) == NULL) {
    printf("expected '%s', got '%s'\n", words, bleuprint_error());
    ++failures;
  }
}

static void test_errors(void) {
  bleuprint_metric *made = NULL, *used = metric("bleu"), *pool = metric("self-bleu");
  bleuprint_column *column = NULL, *one = lines("a"), *two = lines("a\r\nb\n"), *none = lines("");
  bleuprint_rows* rows = NULL;
  bleuprint_tokens* tokens = NULL;
  const char* bytes = NULL;
  size_t length = 0;
  const size_t ends[] = {2, 1}, three[] = {1, 2, 3}, gap[] = {0, 3};
  const char* const wrong[][2] = {
      {"blue", "the metric must be one of bleu, chrf"},
      {"", "the metric must be one of"},
      {"bleu|tokeniser:13a", "option:value with one of absent_order"},
      {"bleu|tokenizer", "option:value"},
      {"bleu|tokenizer:14a", "tokenizer must be one of 13a"},
      {"bleu|lowercase:maybe", "lowercase must be yes or no, got 'maybe'"},
      {"bleu|max_order:17", "max_order must be an integer from 1 to 16, got '17'"},
      {"bleu|max_order:-1", "max_order must be an integer"},
      {"bleu|max_order:4.0", "max_order must be an integer"},
      {"bleu|smoothing:method5", "smoothing must be none, floor(0.1)"},
      {"bleu|smoothing:floor(2)", "at most 1"},
      {"bleu|smoothing:floor()", "smoothing must be"},
      {"bleu|smoothing:exp(1)", "smoothing must be"},
      {"bleu|smoothing:add-k(inf)", "smoothing must be"},
      {"bleu|weights:0.5,0.5,", "weights must be auto"},
      {"bleu|zero_when:always", "zero_when must be one of no-match"},
      {"chrf|char_order:0", "char_order must be at least 1"},
      {"chrf|beta:1001", "beta must be a number from 0 to 1000"},
      {"rouge|types:rouge0", "types must be rouge1"},
      {"rouge|types:", "types must be rouge1"},
      {"cer|whitespace:some", "whitespace must be one of keep"},
  };
  size_t i;
  for (i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    refused(bleuprint_metric_new(wrong[i][0], &made), BLEUPRINT_BAD_ARGUMENT, wrong[i][1]);
    CHECK(made == NULL);
  }
  CHECK(bleuprint_column_segments(two) == 2 && bleuprint_column_segments(none) == 0);
  OK(bleuprint_column_text(two, 0, 0, &bytes, &length));
  CHECK(length == 1);
  refused(bleuprint_column_lines("ok\n\xff", 4, &column), BLEUPRINT_BAD_TEXT, "segment 2: byte 1 belongs to no UTF-8");
  refused(bleuprint_column_lines("\xed\xa0\x80", 3, &column), BLEUPRINT_BAD_TEXT, "segment 1");
  refused(bleuprint_column_new("abc", ends, 2, NULL, 2, &column), BLEUPRINT_BAD_ARGUMENT, "must not descend");
  refused(bleuprint_column_new("abc", three, 3, gap, 2, &column), BLEUPRINT_BAD_ARGUMENT, "at least one text");
  refused(bleuprint_column_new("abc", three, 3, three, 2, &column), BLEUPRINT_BAD_ARGUMENT, "must end at 3");
  refused(bleuprint_column_new("abc", three, 3, NULL, 2, &column), BLEUPRINT_BAD_ARGUMENT, "as many segments");
  refused(bleuprint_column_new(NULL, three, 3, NULL, 3, &column), BLEUPRINT_BAD_ARGUMENT, "bytes must not be NULL");
  refused(bleuprint_column_new("abc", three, 3, NULL, 3, NULL), BLEUPRINT_BAD_ARGUMENT, "column must not be NULL");
  CHECK(column == NULL);
  refused(bleuprint_rows_new(used, one, two, NULL, NULL, &rows), BLEUPRINT_BAD_ARGUMENT, "got 1 and 2");
  refused(bleuprint_rows_new(used, none, none, NULL, NULL, &rows), BLEUPRINT_BAD_ARGUMENT, "there are no segments");
  refused(bleuprint_rows_new(used, one, NULL, NULL, NULL, &rows), BLEUPRINT_BAD_ARGUMENT,
          "references must not be NULL");
  refused(bleuprint_rows_new(pool, two, two, NULL, NULL, &rows), BLEUPRINT_BAD_ARGUMENT, "has no references");
  refused(bleuprint_rows_new(pool, one, NULL, NULL, NULL, &rows), BLEUPRINT_BAD_ARGUMENT, "at least 2 texts, got 1");
  refused(bleuprint_matches(pool, one, one, 0, 0, &tokens), BLEUPRINT_BAD_ARGUMENT, "not of self-bleu");
  refused(bleuprint_matches(used, one, one, 1, 0, &tokens), BLEUPRINT_BAD_ARGUMENT, "there is no segment 2");
  refused(bleuprint_matches(used, one, one, 0, 2, &tokens), BLEUPRINT_BAD_ARGUMENT, "no text at place 1");
  refused(bleuprint_tokenize("tercom", 0, "\x80", 1, &tokens), BLEUPRINT_BAD_TEXT, "UTF-8");
  CHECK(rows == NULL && tokens == NULL);
  CHECK(strchr(bleuprint_error(), '\n') == NULL);
  bleuprint_metric_free(used);
  bleuprint_metric_free(pool);
  bleuprint_column_free(one);
  bleuprint_column_free(two);
  bleuprint_column_free(none);
  bleuprint_metric_free(NULL);
  bleuprint_column_free(NULL);
  bleuprint_rows_free(NULL);
  bleuprint_tokens_free(NULL);
}

int main(void) {
  CHECK(bleuprint_interface() == BLEUPRINT_INTERFACE);
  CHECK(strcmp(bleuprint_error(), "") == 0);
  test_scores();
  test_several_references();
  test_tokens_and_matches();
  test_comparison();
  test_errors();
  printf(failures == 0 ? "all passed\n" : "%d failed\n", failures);
  return failures == 0 ? 0 : 1;
}
