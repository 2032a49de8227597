/* Access to values of any schemagen schema, for C and languages that call C. This header declares cursors,
   which read values, and functions that read and write documents of your own schemas as JSON or binary.
   pt2.h includes this header, but you can also use it without pt2.h.

   A call that can fail returns NULL on success and a schemagen_error on failure. The caller frees the error.
   No call throws an exception. Any thread may use any object as long as no other thread changes or frees the
   same object.

   Getters return borrowed results, which are valid until the handle they came from is changed or freed. If a
   cursor is used after that, a library built without NDEBUG prints a message and aborts. No call ends the
   process in any other case.

   Strings are UTF-8. They are stored with their size and can contain zero bytes. */
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

/* A borrowed string, which is not necessarily zero-terminated. `data` is NULL if there is no string. In an
   empty string, `size` is 0 but `data` is not NULL. */
typedef struct schemagen_str {
  const char* data;
  size_t size;
} schemagen_str;

/* Bytes owned by the caller, who frees them with schemagen_bytes_free(). A zero byte, which `size` does not
   count, follows the last byte. */
typedef struct schemagen_bytes {
  char* data;
  size_t size;
} schemagen_bytes;

/* Returns a zero-terminated string as a schemagen_str. NULL becomes {NULL, 0}. */
SCHEMAGEN_API schemagen_str schemagen_text(const char* text);

/* Frees bytes returned by a call, and sets `bytes` to {NULL, 0}. Does nothing if `bytes` is NULL or already
   {NULL, 0}. */
SCHEMAGEN_API void schemagen_bytes_free(schemagen_bytes* bytes);

/* Errors */

typedef struct schemagen_error schemagen_error;

/* Kinds of errors. Later versions can add more. */
enum {
  SCHEMAGEN_ERROR_NONE = 0,   /* success: the error is NULL */
  SCHEMAGEN_ERROR_DATA = 1,   /* the input, or a value to write, violates a rule of its format */
  SCHEMAGEN_ERROR_USAGE = 2,  /* an argument is invalid, or the call is not possible in this state */
  SCHEMAGEN_ERROR_IO = 3,     /* the system failed to open, read or write a file */
  SCHEMAGEN_ERROR_MEMORY = 4, /* out of memory */
  SCHEMAGEN_ERROR_OTHER = 5   /* anything else, such as a failure of another library */
};

SCHEMAGEN_API int32_t schemagen_error_kind(const schemagen_error* error);
/* Returns a one-line, printable, zero-terminated description of the error, including the path and the
   position if they are known. */
SCHEMAGEN_API schemagen_str schemagen_error_message(const schemagen_error* error);
/* For a data error, return the description without the position, and the JSON path of the value that caused
   the error. The path is empty if the error is about the whole document. */
SCHEMAGEN_API schemagen_str schemagen_error_reason(const schemagen_error* error);
SCHEMAGEN_API schemagen_str schemagen_error_path(const schemagen_error* error);
/* Return the line and the column of the error, both counted from 1, or 0 if unknown. A column is a number of
   bytes, not of characters. */
SCHEMAGEN_API size_t schemagen_error_line(const schemagen_error* error);
SCHEMAGEN_API size_t schemagen_error_column(const schemagen_error* error);
/* Returns the byte offset of the error, counted from 0, or -1 if unknown. */
SCHEMAGEN_API int64_t schemagen_error_offset(const schemagen_error* error);
SCHEMAGEN_API void schemagen_error_free(schemagen_error* error);

/* A cursor that refers to a value in a document. Cursors are passed by value. They borrow from their document
   and do not need to be freed. Their members are private.

   If a function does not apply to the kind of the value, or if the index or name does not exist, the function
   returns a cursor of kind SCHEMAGEN_NONE, 0 or a string of size 0. In a chain of calls, you therefore only
   need to check the last result. For an optional field, the cursor's kind is SCHEMAGEN_NULL if the field has
   no value, and otherwise the kind of its value. */
typedef struct schemagen_value {
  const void* at;
  const void* type;
  uint64_t place;
  uint64_t life;
} schemagen_value;

/* Kinds of values. Later versions can add more. */
enum {
  SCHEMAGEN_NONE = 0, /* the value does not exist */
  SCHEMAGEN_NULL = 1, /* an optional field without a value */
  SCHEMAGEN_BOOL = 2,
  SCHEMAGEN_INT = 3,  /* a signed integer of 8 to 64 bits, or an unsigned one of up to 32 bits */
  SCHEMAGEN_UINT = 4, /* an unsigned integer of 64 bits */
  SCHEMAGEN_FLOAT = 5,
  SCHEMAGEN_STRING = 6,
  SCHEMAGEN_BYTES = 7,
  SCHEMAGEN_UNIT = 8, /* a value without content, usually the value of a union's member */
  SCHEMAGEN_ANY = 9,  /* an arbitrary JSON value, stored as text */
  SCHEMAGEN_LIST = 10,
  SCHEMAGEN_MAP = 11,
  SCHEMAGEN_ENUM = 12,
  SCHEMAGEN_STRUCT = 13,
  SCHEMAGEN_UNION = 14
};

SCHEMAGEN_API int32_t schemagen_value_kind(schemagen_value value);
/* Returns the name of the type of a struct, union or enum, as in the schema. */
SCHEMAGEN_API schemagen_str schemagen_value_type(schemagen_value value);
/* Returns the number of fields of a struct, of possible members of a union, or of items in a list or map. For
   a string, bytes or any, returns the size in bytes. */
SCHEMAGEN_API size_t schemagen_value_size(schemagen_value value);
/* Returns whether two values have the same type and are equal. Two NaNs are equal, and the order of items in
   a map does not matter. */
SCHEMAGEN_API bool schemagen_value_equal(schemagen_value a, schemagen_value b);

/* Return a field of a struct. Fields can be looked up by id (the fastest way), by zero-terminated name, or by
   index in the schema's order. */
SCHEMAGEN_API schemagen_value schemagen_value_field(schemagen_value structure, int32_t id);
SCHEMAGEN_API schemagen_value schemagen_value_named(schemagen_value structure, const char* name);
SCHEMAGEN_API schemagen_value schemagen_value_field_at(schemagen_value structure, size_t index);
/* Return the name and the id of a struct's field or of a union's possible member. If `index` is out of range,
   return a string of size 0 and the id 0. */
SCHEMAGEN_API schemagen_str schemagen_value_field_name(schemagen_value value, size_t index);
SCHEMAGEN_API int32_t schemagen_value_field_id(schemagen_value value, size_t index);

/* Return the value, the id and the name of the member that is set in a union. If no member is set, return a
   cursor of kind SCHEMAGEN_NONE, the id 0 and a string of size 0. */
SCHEMAGEN_API schemagen_value schemagen_value_member(schemagen_value value);
SCHEMAGEN_API int32_t schemagen_value_member_id(schemagen_value value);
SCHEMAGEN_API schemagen_str schemagen_value_member_name(schemagen_value value);

/* schemagen_value_item() returns an item of a list or map. schemagen_value_key() returns the key of an item
   of a map. A key is a string, an integer or an enum. */
SCHEMAGEN_API schemagen_value schemagen_value_item(schemagen_value value, size_t index);
SCHEMAGEN_API schemagen_value schemagen_value_key(schemagen_value map, size_t index);
/* Returns the item that has this key in a map with string keys. */
SCHEMAGEN_API schemagen_value schemagen_value_get(schemagen_value map, schemagen_str key);

/* Return the value of a scalar. For an enum, schemagen_value_int() returns the number of its value; for a
   bool, it returns 0 or 1. schemagen_value_float() also accepts integers. An integer that does not fit in the
   requested type is returned as 0. */
SCHEMAGEN_API bool schemagen_value_bool(schemagen_value value);
SCHEMAGEN_API int64_t schemagen_value_int(schemagen_value value);
SCHEMAGEN_API uint64_t schemagen_value_uint(schemagen_value value);
SCHEMAGEN_API double schemagen_value_float(schemagen_value value);
/* Returns the contents of a string or of bytes, the JSON text of an any, or the name of an enum's value. For
   other kinds, returns {NULL, 0}. */
SCHEMAGEN_API schemagen_str schemagen_value_string(schemagen_value value);

/* Documents of your own schemas. schemagen/c/type.h explains how your library makes its types available. */

typedef struct schemagen_type schemagen_type;
typedef struct schemagen_document schemagen_document;

/* What to do with fields that are not in the schema. */
enum {
  SCHEMAGEN_FIELDS_DEFAULT = 0, /* SCHEMAGEN_FIELDS_REFUSE, unless the option has a different default */
  SCHEMAGEN_FIELDS_REFUSE = 1,
  SCHEMAGEN_FIELDS_SKIP_EMPTY = 2, /* skip fields that are null or empty, and refuse all others */
  SCHEMAGEN_FIELDS_SKIP = 3,
  SCHEMAGEN_FIELDS_KEEP = 4 /* preserve fields for writing; accepted only by functions of pt2.h */
};

/* Options for reading a document. If a member is 0, its default is used. The limits also apply when the
   document is written. `struct_size` tells the library which version of this header the caller was compiled
   with. If the caller sets a member that the library does not know, the call fails with a usage error. */
typedef struct schemagen_read_options {
  uint32_t struct_size;
  int32_t unknown_fields;
  uint64_t max_depth;        /* nesting depth; default 256, at most 1000 */
  uint64_t max_input_bytes;  /* decompressed size; default 1 GiB */
  uint64_t max_string_bytes; /* size of one string; default 64 MiB */
  uint64_t max_items;        /* items in one list or map; default 2^24 */
  uint64_t max_memory_bytes; /* memory used for reading, excluding the input; default 1.75 GiB */
} schemagen_read_options;
#define SCHEMAGEN_READ_OPTIONS_INIT \
  { sizeof(schemagen_read_options), 0, 0, 0, 0, 0, 0 }

/* Options for writing a document. */
typedef struct schemagen_write_options {
  uint32_t struct_size;
  int32_t indent;      /* for JSON: 1 to 16 spaces per level, or 0 for a single line */
  int32_t compression; /* for binary files: 0 for the call's default, 1 for none, 2 for zstd */
  int32_t canonical;   /* for binary files: 1 to sort maps, so equal values have equal bytes */
} schemagen_write_options;
#define SCHEMAGEN_WRITE_OPTIONS_INIT \
  { sizeof(schemagen_write_options), 0, 0, 0 }

/* Read a document from `data`, which contains JSON or a binary file. `data` can be freed after the call.
   `options` may be NULL. */
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
/* Returns the document as a binary file, which is uncompressed by default. */
SCHEMAGEN_API schemagen_error* schemagen_document_to_binary(const schemagen_document* document,
                                                            const schemagen_write_options* options,
                                                            schemagen_bytes* out);
SCHEMAGEN_API void schemagen_document_free(schemagen_document* document);

#ifdef __cplusplus
}
#endif

#endif
