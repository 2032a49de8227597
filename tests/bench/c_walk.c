/* Times a load of a program through pt2.h, and a walk over all of its values by cursor; prints the shortest
   of several runs: c_walk FILE */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <time.h>

#include "pt2.h"

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void walk(pt2_value value, size_t* values, size_t* bytes) {
  const int32_t kind = schemagen_value_kind(value);
  const int has_parts = kind == SCHEMAGEN_STRUCT || kind == SCHEMAGEN_MAP || kind == SCHEMAGEN_LIST;
  const size_t size = has_parts ? schemagen_value_size(value) : 0;
  ++*values;
  switch (kind) {
    case SCHEMAGEN_STRUCT:
      for (size_t i = 0; i < size; ++i) walk(schemagen_value_field_at(value, i), values, bytes);
      break;
    case SCHEMAGEN_UNION:
      walk(schemagen_value_member(value), values, bytes);
      break;
    case SCHEMAGEN_MAP:
      for (size_t i = 0; i < size; ++i) *bytes += schemagen_value_string(schemagen_value_key(value, i)).size;
      /* fall through */
    case SCHEMAGEN_LIST:
      for (size_t i = 0; i < size; ++i) walk(schemagen_value_item(value, i), values, bytes);
      break;
    case SCHEMAGEN_INT:
    case SCHEMAGEN_ENUM:
      *bytes += schemagen_value_int(value) != 0;
      break;
    default:
      *bytes += schemagen_value_string(value).size;
  }
}

int main(int argc, char** argv) {
  const pt2_str only_model = {NULL, 0};
  double load = 1e9, walked = 1e9;
  size_t values = 0, bytes = 0;
  if (argc != 2) return 2;
  for (int run = 0; run < 30; ++run) {
    pt2_file* file = NULL;
    pt2_program* program = NULL;
    const double begin = now();
    pt2_error* error = pt2_file_open(argv[1], NULL, &file);
    if (error == NULL) error = pt2_program_load(file, only_model, NULL, &program);
    if (error != NULL) {
      fprintf(stderr, "%s\n", pt2_error_message(error).data);
      return 1;
    }
    const double loaded = now();
    values = bytes = 0;
    walk(pt2_program_value(program), &values, &bytes);
    const double end = now();
    if (loaded - begin < load) load = loaded - begin;
    if (end - loaded < walked) walked = end - loaded;
    pt2_program_free(program);
    pt2_file_free(file);
  }
  printf("load %.2f ms, walk %.2f ms: %zu values, %zu bytes of text\n", load, walked, values, bytes);
  return 0;
}
