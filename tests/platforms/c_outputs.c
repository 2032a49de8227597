/* All that a copy of `--level all --with-c` makes of files, by pt2.h: reports, findings, changes, and the
   errors of what cannot be done. See tests/platforms/platforms.py. In C99. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pt2/c/pt2.h"
#include "pt2/c/pt2_ids.h"

static const pt2_str no_text = {NULL, 0};

static void print_hash(const char* what, const char* data, size_t size) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
  size_t i;
  for (i = 0; i < size; ++i) hash = (hash ^ (unsigned char)data[i]) * UINT64_C(0x100000001b3);
  printf("%s: %" PRIu64 " bytes, %016" PRIx64 "\n", what, (uint64_t)size, hash);
}

/* Prints the error, if there is one, and frees it. */
static int failed(const char* what, pt2_error* error) {
  if (error == NULL) return 0;
  printf("%s: error %d, %d:%d, offset %" PRId64 ": %s\n", what, (int)pt2_error_kind(error),
         (int)pt2_error_line(error), (int)pt2_error_column(error), pt2_error_offset(error),
         pt2_error_message(error).data);
  pt2_error_free(error);
  return 1;
}

static void given(const char* what, pt2_error* error, pt2_bytes* bytes) {
  if (failed(what, error)) return;
  print_hash(what, bytes->data, bytes->size);
  pt2_bytes_free(bytes);
}

static void print_findings(const char* what, pt2_error* error, pt2_findings* findings) {
  size_t i;
  if (failed(what, error)) return;
  for (i = 0; i < pt2_findings_count(findings); ++i) {
    printf("%s: %d %s %s %s: %s\n", what, (int)pt2_finding_level(findings, i),
           pt2_finding_rule(findings, i).data, pt2_finding_path(findings, i).data,
           pt2_finding_record(findings, i).data, pt2_finding_message(findings, i).data);
  }
  pt2_findings_free(findings);
}

static void print_json(const char* what, const pt2_program* program) {
  pt2_bytes bytes;
  pt2_error* const error = pt2_program_to_json(program, NULL, &bytes);
  given(what, error, &bytes);
}

/* Changes a copy. */
static void canonical(const pt2_program* program, const char* form) {
  pt2_program* copy = NULL;
  if (failed(form, pt2_program_copy(program, &copy))) return;
  if (!failed(form, pt2_program_canonicalize(copy, form, false))) print_json(form, copy);
  pt2_program_free(copy);
}

static void changed(const pt2_program* program) {
  pt2_program* copy = NULL;
  pt2_bytes bytes = {NULL, 0};
  pt2_error* error;
  if (failed("copy", pt2_program_copy(program, &copy))) return;
  error = pt2_program_upgrade(copy, &bytes);
  given("upgrade", error, &bytes);
  error = pt2_program_downgrade(copy, 8, 2, &bytes, NULL);
  given("downgrade", error, &bytes);
  failed("retarget", pt2_program_retarget(copy, pt2_text("cuda:1"), no_text, NULL));
  failed("retype", pt2_program_retype(copy, PT2_ScalarType_BFLOAT16, NULL, 0));
  failed("slim", pt2_program_slim(copy, "stack-traces"));
  print_json("changed", copy);
  pt2_program_free(copy);
}

static void report(const char* path, const pt2_file* file, pt2_program** previous) {
  const pt2_str symbol = pt2_text("s0");
  const int64_t size = 8;
  const pt2_str model = pt2_file_model_count(file) > 1 ? pt2_file_model_name(file, 0) : no_text;
  pt2_load_options options = PT2_LOAD_OPTIONS_INIT;
  pt2_program* program = NULL;
  pt2_findings* findings = NULL;
  pt2_bytes bytes = {NULL, 0};
  pt2_error* error;
  options.newer_fields = SCHEMAGEN_FIELDS_SKIP;
  if (failed("load", pt2_program_load(file, model, &options, &program))) return;
  error = pt2_info(file, program, pt2_text(path), &bytes);
  given("info", error, &bytes);
  error = pt2_program_verify(program, file, &findings);
  print_findings("verify", error, findings);
  error = pt2_program_hash(program, &bytes);
  given("hash", error, &bytes);
  error = pt2_program_stats(program, "module", &symbol, &size, 1, &bytes);
  given("stats", error, &bytes);
  error = pt2_program_operators(program, "2.6", &bytes);
  given("operators", error, &bytes);
  error = pt2_program_signature(program, &bytes);
  given("signature", error, &bytes);
  error = pt2_program_text(program, &bytes);
  given("text", error, &bytes);
  canonical(program, "torch");
  canonical(program, "names");
  canonical(program, "normal");
  changed(program);
  if (*previous != NULL) {
    error = pt2_program_diff(*previous, program, &bytes);
    given("diff", error, &bytes);
  }
  pt2_program_free(*previous);
  *previous = program;
}

/* Paths come on standard input. */
int main(void) {
  char line[4096];
  pt2_program* previous = NULL;
  while (fgets(line, sizeof line, stdin) != NULL) {
    pt2_file* file = NULL;
    pt2_findings* findings = NULL;
    pt2_error* error;
    line[strcspn(line, "\r\n")] = 0;
    printf("file %s\n", line);
    error = pt2_scan(line, &findings);
    print_findings("scan", error, findings);
    if (!failed("open", pt2_file_open(line, NULL, &file))) report(line, file, &previous);
    pt2_file_free(file);
    fflush(stdout);
  }
  pt2_program_free(previous);
  return 0;
}
