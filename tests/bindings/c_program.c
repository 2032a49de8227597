/* The JSON of the commands info, validate, weights, hash and diff, and convert, by pt2.h alone. A C99 program
   whose output c_test.py compares with the command's. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pt2.h"
#include "pt2_ids.h"

static void print_string(pt2_str text) {
  size_t i;
  putchar('"');
  for (i = 0; i < text.size; ++i) {
    const unsigned char c = (unsigned char)text.data[i];
    if (c == '"' || c == '\\') {
      printf("\\%c", c);
    } else if (c < 0x20) {
      printf("\\u%04x", (unsigned)c);
    } else {
      putchar(c);
    }
  }
  putchar('"');
}

static void print_member(const char* key, pt2_str text) {
  printf("\"%s\": ", key);
  print_string(text);
}

static int failed(const char* path, pt2_error* error) {
  const pt2_str message = pt2_error_message(error);
  const int32_t kind = pt2_error_kind(error);
  fprintf(stderr, "%s: error: %.*s\n", path, (int)message.size, message.data);
  pt2_error_free(error);
  return kind == SCHEMAGEN_ERROR_USAGE ? 2 : kind == SCHEMAGEN_ERROR_DATA ? 3 : 4;
}

static const pt2_str no_text = {NULL, 0};

static pt2_error* load(const pt2_file* file, pt2_str model, int32_t newer_fields, pt2_program** out) {
  pt2_load_options options = PT2_LOAD_OPTIONS_INIT;
  options.newer_fields = newer_fields;
  return pt2_program_load(file, model, &options, out);
}

static int print_report(const char* path, pt2_error* error, pt2_bytes* report) {
  if (error != NULL) return failed(path, error);
  printf("%.*s\n", (int)report->size, report->data);
  pt2_bytes_free(report);
  return 0;
}

static int info(const char* path, const pt2_file* file) {
  pt2_program* program = NULL;
  pt2_bytes report = {NULL, 0};
  pt2_error* error;
  int code;
  if (pt2_file_kind(file) != PT2_FILE_ARCHIVE || pt2_file_model_count(file) == 1) {
    error = load(file, no_text, SCHEMAGEN_FIELDS_SKIP, &program);
    if (error != NULL) return failed(path, error);
  }
  error = pt2_info(file, program, pt2_text(path), &report);
  code = print_report(path, error, &report);
  pt2_program_free(program);
  return code;
}

static size_t count_nodes(pt2_value value) {
  size_t i, count = 0;
  switch (schemagen_value_kind(value)) {
    case SCHEMAGEN_STRUCT: {
      const pt2_str type = schemagen_value_type(value);
      count = type.size == 4 && memcmp(type.data, "Node", 4) == 0;
      for (i = 0; i < schemagen_value_size(value); ++i)
        count += count_nodes(schemagen_value_field_at(value, i));
      return count;
    }
    case SCHEMAGEN_UNION:
      return count_nodes(schemagen_value_member(value));
    case SCHEMAGEN_LIST:
    case SCHEMAGEN_MAP:
      for (i = 0; i < schemagen_value_size(value); ++i) count += count_nodes(schemagen_value_item(value, i));
      return count;
    default:
      return 0;
  }
}

static void print_version(int32_t major, int32_t minor) {
  if (major == 0) {
    printf("null");
  } else if (major < 3 && minor == 0) { /* schemas that had a major version only */
    printf("\"%d\"", (int)major);
  } else {
    printf("\"%d.%d\"", (int)major, (int)minor);
  }
}

static void print_number_or_null(const char* key, int64_t number, int is_known) {
  is_known ? printf(", \"%s\": %" PRId64, key, number) : printf(", \"%s\": null", key);
}

static void print_model(pt2_str model, int is_there) {
  printf("\"model\": ");
  is_there ? print_string(model) : (void)printf("null");
}

static void print_program(const pt2_program* program, pt2_str model, int is_archive) {
  int32_t major, minor;
  size_t i;
  const pt2_value graph_module =
      schemagen_value_field(pt2_program_value(program), PT2_ExportedProgram_graph_module);
  putchar('{');
  print_model(model, is_archive);
  pt2_program_version(program, &major, &minor);
  printf(", \"schema_version\": ");
  print_version(major, minor);
  pt2_program_upgraded_from(program, &major, &minor);
  printf(", \"upgraded_from\": ");
  print_version(major, minor);
  printf(", \"nodes\": %zu, \"skipped\": [", count_nodes(schemagen_value_named(graph_module, "graph")));
  for (i = 0; i < pt2_program_skipped_count(program); ++i) {
    printf(i == 0 ? "" : ", ");
    print_string(pt2_program_skipped_path(program, i));
  }
  printf("]}");
}

static void print_problem(pt2_error* error, pt2_str model, int is_of_model) {
  const size_t line = pt2_error_line(error);
  putchar('{');
  print_model(model, is_of_model);
  printf(", ");
  print_member("reason", pt2_error_reason(error));
  printf(", ");
  print_member("path", pt2_error_path(error));
  print_number_or_null("line", (int64_t)line, line != 0);
  print_number_or_null("column", (int64_t)pt2_error_column(error), line != 0);
  print_number_or_null("offset", pt2_error_offset(error), pt2_error_offset(error) >= 0);
  putchar('}');
  pt2_error_free(error);
}

static void print_findings(const pt2_findings* findings, size_t* printed) {
  static const char* const levels[] = {"error", "warning", "note"};
  size_t i;
  for (i = 0; i < pt2_findings_count(findings); ++i) {
    printf((*printed)++ == 0 ? "{" : ", {");
    print_member("rule", pt2_finding_rule(findings, i));
    printf(", \"level\": \"%s\", ", levels[pt2_finding_level(findings, i)]);
    print_member("path", pt2_finding_path(findings, i));
    printf(", ");
    print_member("message", pt2_finding_message(findings, i));
    putchar('}');
  }
}

static int has_error(const pt2_findings* findings) {
  size_t i;
  for (i = 0; i < pt2_findings_count(findings); ++i) {
    if (pt2_finding_level(findings, i) == PT2_FINDING_ERROR) return 1;
  }
  return 0;
}

#define MOST_MODELS 16

static int validate(const char* path) {
  pt2_file* file = NULL;
  pt2_program* programs[MOST_MODELS] = {NULL};
  pt2_findings* findings[MOST_MODELS] = {NULL};
  pt2_error* errors[MOST_MODELS] = {NULL};
  size_t i, printed = 0, count = 1;
  int is_ok = 1, is_archive, is_unreadable = 0;
  pt2_error* error = pt2_file_open(path, NULL, &file);
  if (error != NULL && pt2_error_kind(error) != SCHEMAGEN_ERROR_DATA) return failed(path, error);
  is_archive = pt2_file_model_count(file) != 0;
  if (error != NULL) {
    errors[0] = error;
  } else {
    if (is_archive) count = pt2_file_model_count(file);
    for (i = 0; i < count; ++i) {
      const pt2_str model = is_archive ? pt2_file_model_name(file, i) : no_text;
      errors[i] = load(file, model, SCHEMAGEN_FIELDS_SKIP, &programs[i]);
      if (errors[i] == NULL) errors[i] = pt2_program_verify(programs[i], file, &findings[i]);
    }
  }
  for (i = 0; i < count; ++i) {
    is_unreadable |= errors[i] != NULL;
    is_ok &= errors[i] == NULL && !has_error(findings[i]);
  }
  printf("[{");
  print_member("file", pt2_text(path));
  printf(", \"ok\": %s, \"programs\": [", is_ok ? "true" : "false");
  for (i = 0; i < count; ++i) {
    if (errors[i] != NULL) continue;
    printf(printed++ == 0 ? "" : ", ");
    print_program(programs[i], pt2_file_model_name(file, i), is_archive);
  }
  printf("], \"errors\": [");
  for (i = 0, printed = 0; i < count; ++i) {
    if (errors[i] == NULL) continue;
    printf(printed++ == 0 ? "" : ", ");
    print_problem(errors[i], pt2_file_model_name(file, i), is_archive);
  }
  printf("], \"findings\": [");
  for (i = 0, printed = 0; i < count; ++i) print_findings(findings[i], &printed);
  printf("]}]\n");
  for (i = 0; i < count; ++i) {
    pt2_findings_free(findings[i]);
    pt2_program_free(programs[i]);
  }
  pt2_file_free(file);
  return is_unreadable ? 3 : !is_ok;
}

static void print_numbers(const char* key, const int64_t* numbers, size_t count) {
  size_t i;
  printf(", \"%s\": [", key);
  for (i = 0; i < count; ++i) printf(i == 0 ? "%" PRId64 : ", %" PRId64, numbers[i]);
  putchar(']');
}

static void print_layout(const pt2_tensor* tensor) {
  const size_t rank = pt2_tensor_rank(tensor);
  if (!pt2_tensor_has_layout(tensor)) {
    printf(
        ", \"dtype\": null, \"device\": null, \"shape\": null, \"stride\": null, \"offset\": null, "
        "\"bytes\": null");
    return;
  }
  printf(", ");
  print_member("dtype", pt2_tensor_dtype_name(tensor));
  printf(", ");
  print_member("device", pt2_tensor_device(tensor));
  print_numbers("shape", pt2_tensor_shape(tensor), rank);
  print_numbers("stride", pt2_tensor_strides(tensor), rank);
  printf(", \"offset\": %" PRId64 ", \"bytes\": %" PRIu64, pt2_tensor_offset(tensor),
         pt2_tensor_bytes(tensor));
}

static int weights(const char* path, const pt2_file* file) {
  static const char* const kinds[] = {"parameter", "buffer", "constant", "object"};
  pt2_weights* all;
  size_t i, part;
  pt2_error* error = pt2_weights_load(file, no_text, &all);
  if (error != NULL) return failed(path, error);
  putchar('[');
  for (i = 0; i < pt2_weights_count(all); ++i) {
    const pt2_tensor* const tensor = pt2_weights_at(all, i);
    printf(i == 0 ? "{" : ", {");
    print_member("name", pt2_tensor_name(tensor));
    printf(", \"kind\": \"%s\", \"persistent\": %s", kinds[pt2_tensor_kind(tensor)],
           pt2_tensor_is_persistent(tensor) ? "true" : "false");
    print_layout(tensor);
    printf(", ");
    print_member("record", pt2_tensor_record(tensor));
    printf(", \"pickled\": %s", pt2_tensor_is_pickled(tensor) ? "true" : "false");
    if (pt2_tensor_class(tensor).size != 0) {
      printf(", ");
      print_member("class", pt2_tensor_class(tensor));
      printf(", \"parts\": [");
      for (part = 0; part < pt2_tensor_part_count(tensor); ++part) {
        printf(part == 0 ? "{" : ", {");
        print_member("name", pt2_tensor_name(pt2_tensor_part(tensor, part)));
        print_layout(pt2_tensor_part(tensor, part));
        putchar('}');
      }
      putchar(']');
    }
    putchar('}');
  }
  printf("]\n");
  pt2_weights_free(all);
  return 0;
}

static int hash(const char* path, const pt2_file* file) {
  pt2_program* program;
  pt2_bytes text = {NULL, 0};
  int code;
  pt2_error* error = load(file, no_text, SCHEMAGEN_FIELDS_SKIP, &program);
  if (error != NULL) return failed(path, error);
  error = pt2_program_hash(program, &text);
  code = print_report(path, error, &text);
  pt2_program_free(program);
  return code;
}

static int diff(const char* path, const pt2_file* file, const char* other) {
  pt2_file* other_file = NULL;
  pt2_program *a, *b = NULL;
  pt2_bytes report = {NULL, 0};
  int code;
  pt2_error* error = load(file, no_text, SCHEMAGEN_FIELDS_SKIP, &a);
  if (error != NULL) return failed(path, error);
  error = pt2_file_open(other, NULL, &other_file);
  if (error == NULL) error = load(other_file, no_text, SCHEMAGEN_FIELDS_SKIP, &b);
  if (error == NULL) error = pt2_program_diff(a, b, &report);
  code = print_report(other, error, &report);
  pt2_file_free(other_file);
  pt2_program_free(a);
  pt2_program_free(b);
  return code;
}

static int convert(const char* path, const pt2_file* file, const char* out) {
  pt2_program* program;
  pt2_error* error = load(file, no_text, SCHEMAGEN_FIELDS_DEFAULT, &program);
  if (error != NULL) return failed(path, error);
  error = pt2_program_save(program, out, file, NULL);
  pt2_program_free(program);
  return error == NULL ? 0 : failed(path, error);
}

static int list_findings(const char* path, pt2_error* error, pt2_findings* found) {
  size_t i;
  if (error != NULL) return failed(path, error);
  putchar('[');
  for (i = 0; i < pt2_findings_count(found); ++i) {
    printf(i == 0 ? "[" : ", [");
    print_string(pt2_finding_rule(found, i));
    printf(", ");
    print_string(pt2_finding_message(found, i));
    putchar(']');
  }
  printf("]\n");
  pt2_findings_free(found);
  return 0;
}

static int scan(const char* path, const pt2_parts* parts) {
  pt2_findings* found = NULL;
  pt2_error* const error = parts == NULL ? pt2_scan(path, &found) : pt2_parts_scan(parts, &found);
  return list_findings(path, error, found);
}

static int check(const char* path, const char* policy) {
  pt2_findings* found = NULL;
  pt2_error* const error = pt2_check(path, policy, &found);
  return list_findings(path, error, found);
}

/* Writes a changed file to `out`, and prints the notices. */
static int change(const char* command, const char* path, const pt2_file* file, const char* out,
                  const char* with) {
  pt2_bytes notices = {NULL, 0};
  pt2_error* error = NULL;
  if (strcmp(command, "upgrade") == 0) error = pt2_file_upgrade(file, no_text, out, &notices);
  if (strcmp(command, "downgrade") == 0)
    error = pt2_file_downgrade(file, no_text, pt2_text(with), out, &notices);
  if (strcmp(command, "retarget") == 0)
    error = pt2_file_retarget(file, no_text, pt2_text(with), no_text, out, &notices);
  if (strcmp(command, "join") == 0) {
    pt2_file* other = NULL;
    error = pt2_file_open(with, NULL, &other);
    if (error == NULL) error = pt2_files_join(file, other, NULL, NULL, 0, out, &notices);
    pt2_file_free(other);
  }
  return print_report(path, error, &notices);
}

/* Adds the parts of the file at `path` that `purpose` needs. */
static pt2_error* fetch(const char* path, pt2_parts* parts, int32_t purpose, pt2_str record) {
  FILE* const in = fopen(path, "rb");
  pt2_error* error = NULL;
  size_t count = 1;
  while (error == NULL && count != 0) {
    pt2_bytes wanted = {NULL, 0};
    const char* at;
    error = pt2_parts_next(parts, purpose, record, &wanted);
    count = 0;
    for (at = wanted.data; error == NULL && (at = strchr(at + 1, '[')) != NULL; ++count) {
      char* next;
      const unsigned long long begin = strtoull(at + 1, &next, 10);
      const size_t size = (size_t)(strtoull(next + 1, NULL, 10) - begin);
      void* data;
      error = pt2_parts_add(parts, begin, size, &data);
      if (error == NULL && (fseek(in, (long)begin, SEEK_SET) != 0 || fread(data, 1, size, in) != size))
        abort();
    }
    pt2_bytes_free(&wanted);
  }
  fclose(in);
  return error;
}

static uint64_t size_of(const char* path) {
  FILE* const in = fopen(path, "rb");
  uint64_t size;
  if (in == NULL || fseek(in, 0, SEEK_END) != 0) abort();
  size = (uint64_t)ftell(in);
  fclose(in);
  return size;
}

/* Prints a checksum of each tensor, or the error. */
static int tensors(const char* path, const pt2_file* file, pt2_parts* parts) {
  pt2_weights* all;
  size_t i, k;
  pt2_error* error = pt2_weights_load(file, no_text, &all);
  if (error != NULL) return failed(path, error);
  for (i = 0; i < pt2_weights_count(all); ++i) {
    const pt2_tensor* const tensor = pt2_weights_at(all, i);
    pt2_bytes bytes = {NULL, 0};
    uint64_t sum = 14695981039346656037u;
    if (!pt2_tensor_has_layout(tensor)) continue;
    error = parts == NULL ? NULL : fetch(path, parts, PT2_TO_READ, pt2_tensor_record(tensor));
    if (error == NULL) error = pt2_tensor_copy(tensor, &bytes);
    print_string(pt2_tensor_name(tensor));
    if (error != NULL) {
      const pt2_str message = pt2_error_message(error);
      printf(" %.*s\n", (int)message.size, message.data);
      pt2_error_free(error);
      continue;
    }
    for (k = 0; k < bytes.size; ++k) sum = (sum ^ (uint8_t)bytes.data[k]) * 1099511628211u;
    printf(" %" PRIx64 "\n", sum);
    pt2_bytes_free(&bytes);
  }
  pt2_weights_free(all);
  return 0;
}

static int run(const char* command, const char* path, const char* other, const char* with) {
  pt2_file* file;
  pt2_error* error;
  int code = 2;
  pt2_parts* parts = NULL;
  if (strcmp(command, "validate") == 0) return validate(path);
  if (strcmp(command, "check") == 0) return check(path, other);
  if (strcmp(other, "parts") == 0) {
    error = pt2_parts_new(size_of(path), &parts);
    if (error == NULL)
      error = fetch(path, parts, strcmp(command, "scan") == 0 ? PT2_TO_SCAN : PT2_TO_OPEN, no_text);
    if (error != NULL) return failed(path, error);
  }
  if (strcmp(command, "scan") == 0) {
    code = scan(path, parts);
    pt2_parts_free(parts);
    return code;
  }
  error = parts == NULL ? pt2_file_open(path, NULL, &file) : pt2_parts_open(parts, NULL, &file);
  if (error != NULL) {
    pt2_parts_free(parts);
    return failed(path, error);
  }
  if (strcmp(command, "info") == 0) code = info(path, file);
  if (strcmp(command, "weights") == 0) code = weights(path, file);
  if (strcmp(command, "hash") == 0) code = hash(path, file);
  if (strcmp(command, "tensors") == 0) code = tensors(path, file, parts);
  if (strlen(with) != 0 || strcmp(command, "upgrade") == 0) code = change(command, path, file, other, with);
  if (strcmp(command, "diff") == 0) code = diff(path, file, other);
  if (strcmp(command, "convert") == 0) code = convert(path, file, other);
  pt2_file_free(file);
  pt2_parts_free(parts);
  return code;
}

/* Reads lines COMMAND PATH [OTHER [WITH]], separated by tabs. If OTHER is "parts", only the needed parts are
 * read. After each command's output comes a line with its exit code. */
int main(void) {
  char line[4096];
  while (fgets(line, sizeof line, stdin) != NULL) {
    const char* const command = strtok(line, "\t\n");
    const char* const path = strtok(NULL, "\t\n");
    const char* const other = strtok(NULL, "\t\n");
    const char* const with = strtok(NULL, "\t\n");
    int code;
    if (command == NULL || path == NULL) return 2;
    code = run(command, path, other == NULL ? "" : other, with == NULL ? "" : with);
    printf("exit %d\n", code);
  }
  return 0;
}
