/* Checks files before torch loads them: what could run code, and what rules find. check_files FILE... */
#include <stdio.h>

#include <pt2.h>

static int print_error(const char* path, pt2_error* error) {
  const pt2_str message = pt2_error_message(error);
  printf("%s: %.*s\n", path, (int)message.size, message.data);
  pt2_error_free(error);
  return 1;
}

/* How many errors are among the findings, which are freed. */
static int print_findings(const char* path, pt2_findings* findings) {
  int errors = 0;
  for (size_t i = 0; i < pt2_findings_count(findings); ++i) {
    const pt2_str rule = pt2_finding_rule(findings, i);
    const pt2_str message = pt2_finding_message(findings, i);
    if (pt2_finding_level(findings, i) != PT2_FINDING_ERROR) continue;
    printf("%s: %.*s: %.*s\n", path, (int)rule.size, rule.data, (int)message.size, message.data);
    ++errors;
  }
  pt2_findings_free(findings);
  return errors;
}

static int check(const char* path) {
  const pt2_str only_model = {NULL, 0};
  pt2_findings* findings = NULL;
  pt2_file* file = NULL;
  pt2_program* program = NULL;
  pt2_error* error = pt2_scan(path, &findings);
  if (error) return print_error(path, error);
  int errors = print_findings(path, findings);
  error = pt2_file_open(path, NULL, &file);
  if (!error) error = pt2_program_load(file, only_model, NULL, &program);
  if (!error) error = pt2_program_verify(program, file, &findings);
  errors += error ? print_error(path, error) : print_findings(path, findings);
  pt2_program_free(program);
  pt2_file_free(file);
  if (errors == 0) printf("%s: ok\n", path);
  return errors;
}

int main(int argc, char** argv) {
  int errors = 0;
  for (int i = 1; i < argc; ++i) errors += check(argv[i]);
  return errors != 0;
}
