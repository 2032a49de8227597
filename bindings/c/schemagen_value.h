/* Values of any schemagen schema, for C and languages that call C: a cursor for walking over values, and
   documents of your own schema, which can be read from and written to JSON and binary. pt2.h includes this
   header, which can also be used without pt2.h.

   A call that can fail returns NULL on success and otherwise a schemagen_error, which the caller frees. The
   library has no global or per-thread state. Any thread may use any object while no other thread changes or
   frees the same object. No call throws, and none ends the process except as the next paragraph says.

   Getters return borrowed results, which are valid until their handle is changed or freed. If a cursor is
   used after that, a library built without NDEBUG prints a message and aborts.

   Strings are UTF-8, carry their size and can contain zero bytes. */
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

/* Borrowed bytes, not necessarily zero-terminated. If `data` is NULL, there is no string;
   calls that return an empty string set `data` to something else. */
typedef struct schemagen_str {
  const char* data;
  size_t size;
} schemagen_str;

/* Bytes that belong to the caller, who frees them with schemagen_bytes_free(). A zero byte follows them. */
typedef struct schemagen_bytes {
  char* data;
  size_t size;
} schemagen_bytes;

/* Returns a zero-terminated string as a schemagen_str. NULL becomes {NULL, 0}. */
SCHEMAGEN_API schemagen_str schemagen_text(const char* text);

/* Frees the bytes that a call returned, and clears `bytes`. Accepts NULL and cleared bytes. */
SCHEMAGEN_API void schemagen_bytes_free(schemagen_bytes* bytes);

/* Errors */

typedef struct schemagen_error schemagen_error;

/* Kinds of errors. More may be added. */
enum {
  SCHEMAGEN_ERROR_NONE = 0,   /* success: the error is NULL */
  SCHEMAGEN_ERROR_DATA = 1,   /* the input, or a value to write, violates a rule of its format */
  SCHEMAGEN_ERROR_USAGE = 2,  /* the call names something that does not exist, or asks for the impossible */
  SCHEMAGEN_ERROR_IO = 3,     /* the system failed to open, read or write a file */
  SCHEMAGEN_ERROR_MEMORY = 4, /* out of memory */
  SCHEMAGEN_ERROR_OTHER = 5   /* anything else, such as a failure of another library */
};

SCHEMAGEN_API int32_t schemagen_error_kind(const schemagen_error* error);
/* Returns one printable line that says what is wrong, with path and position. It is zero-terminated. */
SCHEMAGEN_API schemagen_str schemagen_error_message(const schemagen_error* error);
/* For a data error, return what is wrong, without the position, and the JSON path of the wrong value. The
   path is empty if the error is about the whole document. */
SCHEMAGEN_API schemagen_str schemagen_error_reason(const schemagen_error* error);
SCHEMAGEN_API schemagen_str schemagen_error_path(const schemagen_error* error);
/* Return the line and the column of the error, both counting from 1, or 0 if unknown. Columns count bytes. */
SCHEMAGEN_API size_t schemagen_error_line(const schemagen_error* error);
SCHEMAGEN_API size_t schemagen_error_column(const schemagen_error* error);
/* Returns the byte offset of the error, counting from 0, or -1 if unknown. */
SCHEMAGEN_API int64_t schemagen_error_offset(const schemagen_error* error);
SCHEMAGEN_API void schemagen_error_free(schemagen_error* error);

/* A cursor at a value in a document. Cursors are passed by value, borrow from their document and are never
   freed. The members are private.

   If a value has another kind, or an index or name does not exist, functions return a cursor of kind
   SCHEMAGEN_NONE, 0 or a string of size 0. So you need to check only the last result of a chain of calls. A
   cursor at an optional field has kind SCHEMAGEN_NULL or the kind of the field's value. */
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
  SCHEMAGEN_INT = 3,  /* signed with 8 to 64 bits, or unsigned with up to 32 bits */
  SCHEMAGEN_UINT = 4, /* unsigned with 64 bits */
  SCHEMAGEN_FLOAT = 5,
  SCHEMAGEN_STRING = 6,
  SCHEMAGEN_BYTES = 7,
  SCHEMAGEN_UNIT = 8, /* has no content; typically the value of a union's member */
  SCHEMAGEN_ANY = 9,  /* any JSON value, as text */
  SCHEMAGEN_LIST = 10,
  SCHEMAGEN_MAP = 11,
  SCHEMAGEN_ENUM = 12,
  SCHEMAGEN_STRUCT = 13,
  SCHEMAGEN_UNION = 14
};

SCHEMAGEN_API int32_t schemagen_value_kind(schemagen_value value);
/* Returns the name that the schema gives to the value's struct, union or enum. */
SCHEMAGEN_API schemagen_str schemagen_value_type(schemagen_value value);
/* Returns the number of a struct's fields, a union's possible members, or a list's or map's items. For
   string, bytes and any, returns the size in bytes. */
SCHEMAGEN_API size_t schemagen_value_size(schemagen_value value);
/* Returns whether two values of the same type are equal. NaN equals NaN, and the order of a map's items does
   not matter. */
SCHEMAGEN_API bool schemagen_value_equal(schemagen_value a, schemagen_value b);

/* Return a field of a struct by id (the fastest), by zero-terminated name, or by index in the schema's
   order. */
SCHEMAGEN_API schemagen_value schemagen_value_field(schemagen_value structure, int32_t id);
SCHEMAGEN_API schemagen_value schemagen_value_named(schemagen_value structure, const char* name);
SCHEMAGEN_API schemagen_value schemagen_value_field_at(schemagen_value structure, size_t index);
/* Return the name and the id of a struct's field or a union's possible member, or an empty string and 0 if
   `index` is out of range. */
SCHEMAGEN_API schemagen_str schemagen_value_field_name(schemagen_value value, size_t index);
SCHEMAGEN_API int32_t schemagen_value_field_id(schemagen_value value, size_t index);

/* Return the value, id and name of the union's member that is set. If none is set, return SCHEMAGEN_NONE, 0
   and an empty string. */
SCHEMAGEN_API schemagen_value schemagen_value_member(schemagen_value value);
SCHEMAGEN_API int32_t schemagen_value_member_id(schemagen_value value);
SCHEMAGEN_API schemagen_str schemagen_value_member_name(schemagen_value value);

/* schemagen_value_item() returns an item of a list or map. schemagen_value_key() returns the key of a map's
   item: a string, integer or enum. */
SCHEMAGEN_API schemagen_value schemagen_value_item(schemagen_value value, size_t index);
SCHEMAGEN_API schemagen_value schemagen_value_key(schemagen_value map, size_t index);
/* Returns the item with this key. The map must have string keys. */
SCHEMAGEN_API schemagen_value schemagen_value_get(schemagen_value map, schemagen_str key);

/* Return the value of a scalar. For an enum, the int is its number and the string is its name. For a bool,
   the int is 0 or 1. Integers convert to float. An integer that does not fit in the requested type is
   returned as 0. */
SCHEMAGEN_API bool schemagen_value_bool(schemagen_value value);
SCHEMAGEN_API int64_t schemagen_value_int(schemagen_value value);
SCHEMAGEN_API uint64_t schemagen_value_uint(schemagen_value value);
SCHEMAGEN_API double schemagen_value_float(schemagen_value value);
/* Returns a string, bytes, the JSON text of any, or the name of an enum's value. Other kinds return
   {NULL, 0}. */
SCHEMAGEN_API schemagen_str schemagen_value_string(schemagen_value value);

/* Documents of your own schema. schemagen/c/type.h explains how your library provides its types. */

typedef struct schemagen_type schemagen_type;
typedef struct schemagen_document schemagen_document;

/* How readers treat fields that the schema lacks. */
enum {
  SCHEMAGEN_FIELDS_DEFAULT = 0, /* same as SCHEMAGEN_FIELDS_REFUSE, unless the option says otherwise */
  SCHEMAGEN_FIELDS_REFUSE = 1,
  SCHEMAGEN_FIELDS_SKIP_EMPTY = 2, /* skip fields that are null or empty; refuse others */
  SCHEMAGEN_FIELDS_SKIP = 3,
  SCHEMAGEN_FIELDS_KEEP = 4 /* preserve fields for writing; only for calls in pt2.h */
};

/* A member that is 0 selects the default. The limits also apply to writing the document. `struct_size` tells
   the library which version of the header the caller was compiled with. Setting a member that the library
   does not know is a usage error. */
typedef struct schemagen_read_options {
  uint32_t struct_size;
  int32_t unknown_fields;
  uint64_t max_depth;        /* nesting depth; default 256, at most 1000 */
  uint64_t max_input_bytes;  /* decompressed size; default 1 GiB */
  uint64_t max_string_bytes; /* size of one string; default 64 MiB */
  uint64_t max_items;        /* items in one list or map; default 2^24 */
  uint64_t max_memory_bytes; /* memory for reading, without the input; default 1.75 GiB */
} schemagen_read_options;
#define SCHEMAGEN_READ_OPTIONS_INIT \
  { sizeof(schemagen_read_options), 0, 0, 0, 0, 0, 0 }

typedef struct schemagen_write_options {
  uint32_t struct_size;
  int32_t indent;      /* for JSON: 1 to 16 spaces per level, or 0 for a single line */
  int32_t compression; /* for binary files: 0 is the call's default, 1 is none, 2 is zstd */
  int32_t canonical;   /* for binary files: 1 sorts maps, so equal values have equal bytes */
} schemagen_write_options;
#define SCHEMAGEN_WRITE_OPTIONS_INIT \
  { sizeof(schemagen_write_options), 0, 0, 0 }

/* Read a document from `data`, which is JSON or a binary file and can be freed afterwards. `options` may be
   NULL. */
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
/* Returns a binary file, which is uncompressed by default. */
SCHEMAGEN_API schemagen_error* schemagen_document_to_binary(const schemagen_document* document,
                                                            const schemagen_write_options* options,
                                                            schemagen_bytes* out);
SCHEMAGEN_API void schemagen_document_free(schemagen_document* document);

#ifdef __cplusplus
}
#endif

#endif
