/* Values of any schemagen schema, for C and languages that call C: a cursor that walks over values, and
   documents of your own schema, read from and written to JSON and binary. pt2.h includes it; it also works
   alone.

   Calls that can fail return a schemagen_error, or NULL for success; the caller frees it. There is no
   global or per-thread state. Any thread may call anything, as long as no other thread changes or frees
   the same object. No call throws or ends the process.

   Results of getters are borrowed: they are valid until their handle is changed or freed. Libraries built
   without NDEBUG print a message and abort when a cursor is used after that.

   Strings are UTF-8 with a size, and may contain zero bytes. */
#ifndef SCHEMAGEN_VALUE_H
#define SCHEMAGEN_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SCHEMAGEN_API
#if defined(_WIN32) && defined(SCHEMAGEN_SHARED)
#define SCHEMAGEN_API __declspec(dllimport)
#elif defined(__GNUC__)
#define SCHEMAGEN_API __attribute__((visibility("default")))
#else
#define SCHEMAGEN_API
#endif
#endif

/* Strings and bytes */

/* Borrowed bytes, not necessarily followed by a zero. `data` is NULL only if there is no string at all. */
typedef struct schemagen_str {
  const char* data;
  size_t size;
} schemagen_str;

/* Bytes that belong to the caller: pass them to schemagen_bytes_free(). A zero byte follows them. */
typedef struct schemagen_bytes {
  char* data;
  size_t size;
} schemagen_bytes;

/* Converts a zero-terminated string; NULL gives no string. */
SCHEMAGEN_API schemagen_str schemagen_text(const char* text);

/* Frees the bytes that a call returned, and clears `bytes`. Accepts NULL and cleared bytes. */
SCHEMAGEN_API void schemagen_bytes_free(schemagen_bytes* bytes);

/* Errors */

typedef struct schemagen_error schemagen_error;

/* Kinds of errors. More may be added. */
enum {
  SCHEMAGEN_ERROR_NONE = 0,   /* for NULL */
  SCHEMAGEN_ERROR_DATA = 1,   /* the input, or a value to write, violates a rule of its format */
  SCHEMAGEN_ERROR_USAGE = 2,  /* the request names something that is missing, or is not possible */
  SCHEMAGEN_ERROR_IO = 3,     /* the system failed to open, read or write a file */
  SCHEMAGEN_ERROR_MEMORY = 4, /* out of memory */
  SCHEMAGEN_ERROR_OTHER = 5   /* anything else, such as a failure of another library */
};

SCHEMAGEN_API int32_t schemagen_error_kind(const schemagen_error* error);
/* Returns one printable line that says what is wrong, with path and position. data[size] is zero. */
SCHEMAGEN_API schemagen_str schemagen_error_message(const schemagen_error* error);
/* For bad data, return what is wrong without its position, and the JSON path of the value, which is empty for
   the whole document. */
SCHEMAGEN_API schemagen_str schemagen_error_reason(const schemagen_error* error);
SCHEMAGEN_API schemagen_str schemagen_error_path(const schemagen_error* error);
/* Return line and column, from 1; 0 if unknown. Columns count bytes. */
SCHEMAGEN_API size_t schemagen_error_line(const schemagen_error* error);
SCHEMAGEN_API size_t schemagen_error_column(const schemagen_error* error);
/* Returns the byte offset, from 0; -1 if unknown. */
SCHEMAGEN_API int64_t schemagen_error_offset(const schemagen_error* error);
SCHEMAGEN_API void schemagen_error_free(schemagen_error* error);

/* The cursor: a value of a document, passed by value. It borrows from its document and is never freed. Its
   members are private.

   If a value is of another kind, or if an index or name does not exist, functions return a cursor of kind
   SCHEMAGEN_NONE, 0 or no string, so you need to check only the end of a chain of calls. An optional field is
   SCHEMAGEN_NULL or its value. */
typedef struct schemagen_value {
  const void* at;
  const void* type;
  uint64_t place;
  uint64_t life;
} schemagen_value;

/* Kinds of values. More may be added. */
enum {
  SCHEMAGEN_NONE = 0, /* there is no such value */
  SCHEMAGEN_NULL = 1, /* an optional field without a value */
  SCHEMAGEN_BOOL = 2,
  SCHEMAGEN_INT = 3,  /* signed, 8 to 64 bits, or unsigned, up to 32 bits */
  SCHEMAGEN_UINT = 4, /* 64 bits, unsigned */
  SCHEMAGEN_FLOAT = 5,
  SCHEMAGEN_STRING = 6,
  SCHEMAGEN_BYTES = 7,
  SCHEMAGEN_UNIT = 8, /* has no content, e.g. a union member */
  SCHEMAGEN_ANY = 9,  /* any JSON value, as text */
  SCHEMAGEN_LIST = 10,
  SCHEMAGEN_MAP = 11,
  SCHEMAGEN_ENUM = 12,
  SCHEMAGEN_STRUCT = 13,
  SCHEMAGEN_UNION = 14
};

SCHEMAGEN_API int32_t schemagen_value_kind(schemagen_value value);
/* Returns the name of a struct, union or enum in its schema. */
SCHEMAGEN_API schemagen_str schemagen_value_type(schemagen_value value);
/* Returns the number of fields of a struct, of possible members of a union, of items of a list or map, or
   of bytes of a string, bytes or any. */
SCHEMAGEN_API size_t schemagen_value_size(schemagen_value value);
/* Returns whether two values of the same type are equal. NaN equals NaN, and the order of maps does not
 * matter. */
SCHEMAGEN_API bool schemagen_value_equal(schemagen_value a, schemagen_value b);

/* Return a field of a struct by id (the fastest), by zero-terminated name, or by index in the schema's
   order. */
SCHEMAGEN_API schemagen_value schemagen_value_field(schemagen_value structure, int32_t id);
SCHEMAGEN_API schemagen_value schemagen_value_named(schemagen_value structure, const char* name);
SCHEMAGEN_API schemagen_value schemagen_value_field_at(schemagen_value structure, size_t index);
/* Return the name and id of a field, or of a possible member of a union; no string or 0 if there is none. */
SCHEMAGEN_API schemagen_str schemagen_value_field_name(schemagen_value value, size_t index);
SCHEMAGEN_API int32_t schemagen_value_field_id(schemagen_value value, size_t index);

/* Return the value, id and name of the member of a union that is set; none, 0 and no string if it is
   unset. */
SCHEMAGEN_API schemagen_value schemagen_value_member(schemagen_value value);
SCHEMAGEN_API int32_t schemagen_value_member_id(schemagen_value value);
SCHEMAGEN_API schemagen_str schemagen_value_member_name(schemagen_value value);

/* Return an item of a list or map by index, and the key of a map's item: a string, integer or enum. */
SCHEMAGEN_API schemagen_value schemagen_value_item(schemagen_value value, size_t index);
SCHEMAGEN_API schemagen_value schemagen_value_key(schemagen_value map, size_t index);
/* Returns the item with this key of a map with string keys. */
SCHEMAGEN_API schemagen_value schemagen_value_get(schemagen_value map, schemagen_str key);

/* Scalars. For an enum, the int is its number and the string its name; for a bool, the int is 0 or 1.
   Integers convert to float. An unsigned integer beyond int64_t is 0 as int. */
SCHEMAGEN_API bool schemagen_value_bool(schemagen_value value);
SCHEMAGEN_API int64_t schemagen_value_int(schemagen_value value);
SCHEMAGEN_API uint64_t schemagen_value_uint(schemagen_value value);
SCHEMAGEN_API double schemagen_value_float(schemagen_value value);
/* Also returns bytes, and the JSON text of any. */
SCHEMAGEN_API schemagen_str schemagen_value_string(schemagen_value value);

/* Documents of your own schema. Your library provides the types; see schemagen/c/type.h. */

typedef struct schemagen_type schemagen_type;
typedef struct schemagen_document schemagen_document;

/* What a reader does with fields that the schema lacks. */
enum {
  SCHEMAGEN_FIELDS_DEFAULT = 0, /* same as SCHEMAGEN_FIELDS_REFUSE, unless the option says otherwise */
  SCHEMAGEN_FIELDS_REFUSE = 1,
  SCHEMAGEN_FIELDS_SKIP_EMPTY = 2, /* null or empty ones */
  SCHEMAGEN_FIELDS_SKIP = 3,
  SCHEMAGEN_FIELDS_KEEP = 4 /* preserve them for writing; pt2.h only */
};

/* Zero members mean defaults. Limits also apply when the document is written. `struct_size` identifies the
   version of the caller's header; setting members that this library does not know is an error. */
typedef struct schemagen_read_options {
  uint32_t struct_size;
  int32_t unknown_fields;
  uint64_t max_depth;        /* nesting depth: 256, at most 1000 */
  uint64_t max_input_bytes;  /* 1 GiB, decompressed */
  uint64_t max_string_bytes; /* 64 MiB */
  uint64_t max_items;        /* 2^24 per list or map */
  uint64_t max_memory_bytes; /* for reading, besides the input: 1.75 GiB */
} schemagen_read_options;
#define SCHEMAGEN_READ_OPTIONS_INIT \
  { sizeof(schemagen_read_options), 0, 0, 0, 0, 0, 0 }

typedef struct schemagen_write_options {
  uint32_t struct_size;
  int32_t indent;      /* JSON: spaces per level, 1 to 16; 0: one line */
  int32_t compression; /* binary files: 0: default of the call, 1: none, 2: zstd */
  int32_t canonical;   /* binary, 1: sorts maps, so that equal values have equal bytes */
} schemagen_write_options;
#define SCHEMAGEN_WRITE_OPTIONS_INIT \
  { sizeof(schemagen_write_options), 0, 0, 0 }

/* Return the document in `data`, JSON or a binary file, which is not borrowed. Options may be NULL. */
SCHEMAGEN_API schemagen_error* schemagen_document_from_json(const schemagen_type* type, const void* data,
                                                            size_t size,
                                                            const schemagen_read_options* options,
                                                            schemagen_document** out);
SCHEMAGEN_API schemagen_error* schemagen_document_from_binary(const schemagen_type* type, const void* data,
                                                              size_t size,
                                                              const schemagen_read_options* options,
                                                              schemagen_document** out);
SCHEMAGEN_API schemagen_value schemagen_document_value(const schemagen_document* document);
SCHEMAGEN_API schemagen_error* schemagen_document_to_json(const schemagen_document* document,
                                                          const schemagen_write_options* options,
                                                          schemagen_bytes* out);
/* Not compressed unless the options say so. */
SCHEMAGEN_API schemagen_error* schemagen_document_to_binary(const schemagen_document* document,
                                                            const schemagen_write_options* options,
                                                            schemagen_bytes* out);
SCHEMAGEN_API void schemagen_document_free(schemagen_document* document);

#ifdef __cplusplus
}
#endif

#endif
