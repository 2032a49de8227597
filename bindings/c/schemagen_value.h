/* Values of any schema of schemagen, for C and what calls C: a cursor that walks them, and documents of a
   user's own schema, read from and written to JSON and binary. pt2.h stands on it; it stands alone, too.

   A call that can fail returns a schemagen_error, NULL for success, which is the caller's to free. Nothing is
   kept in threads or globals. Calls may be made from any threads at once, as long as nobody changes or frees
   what another thread looks at. No call throws or ends the process.

   What a getter gives is borrowed: it lives as long as the handle that it came from, at most until that is
   changed. Libraries that were built without NDEBUG say so and abort where a cursor is used after that.

   Texts are UTF-8, and may have bytes of zero in them: they come and go with their size. */
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

/* Borrowed bytes, which need not end in a zero. `data` is NULL only where there is no text at all. */
typedef struct schemagen_str {
  const char* data;
  size_t size;
} schemagen_str;

/* Bytes that are the caller's, to be given to schemagen_bytes_free(). A zero stands behind them. */
typedef struct schemagen_bytes {
  char* data;
  size_t size;
} schemagen_bytes;

/* `text` up to its zero; no text for NULL. */
SCHEMAGEN_API schemagen_str schemagen_text(const char* text);

/* Frees what a call gave, and empties it. NULL and what is empty are let pass. */
SCHEMAGEN_API void schemagen_bytes_free(schemagen_bytes* bytes);

/* Errors */

typedef struct schemagen_error schemagen_error;

/* Kinds of errors. More may come. */
enum {
  SCHEMAGEN_ERROR_NONE = 0,   /* of NULL */
  SCHEMAGEN_ERROR_DATA = 1,   /* the input, or what is to be written, breaks a rule of its format */
  SCHEMAGEN_ERROR_USAGE = 2,  /* the caller asked for what is not there or cannot be done */
  SCHEMAGEN_ERROR_IO = 3,     /* the system refused: a file cannot be opened, read or written */
  SCHEMAGEN_ERROR_MEMORY = 4, /* memory ran out */
  SCHEMAGEN_ERROR_OTHER = 5   /* whatever else, such as the failure of a library below */
};

SCHEMAGEN_API int32_t schemagen_error_kind(const schemagen_error* error);
/* One printable line that ends in a zero, also in data[size]: what is wrong, with path and place. */
SCHEMAGEN_API schemagen_str schemagen_error_message(const schemagen_error* error);
/* Of bad data: what is wrong alone; the JSON path of the value, empty for the whole document. */
SCHEMAGEN_API schemagen_str schemagen_error_reason(const schemagen_error* error);
SCHEMAGEN_API schemagen_str schemagen_error_path(const schemagen_error* error);
/* From 1; 0: not known. Column: in bytes. */
SCHEMAGEN_API size_t schemagen_error_line(const schemagen_error* error);
SCHEMAGEN_API size_t schemagen_error_column(const schemagen_error* error);
/* In bytes from 0; -1: not known. */
SCHEMAGEN_API int64_t schemagen_error_offset(const schemagen_error* error);
SCHEMAGEN_API void schemagen_error_free(schemagen_error* error);

/* The cursor: a value of a document, passed by value. It is never freed, and borrows from its document. Its
   members are the library's own.

   Whatever is asked of a value of another kind, of an index or name that is not there, gives a cursor of kind
   SCHEMAGEN_NONE, 0 or no text: a chain of calls need only be looked at in its end. An optional field is
   SCHEMAGEN_NULL or what it holds. */
typedef struct schemagen_value {
  const void* at;
  const void* type;
  uint64_t place;
  uint64_t life;
} schemagen_value;

/* Kinds of values. More may come. */
enum {
  SCHEMAGEN_NONE = 0, /* there is no such value */
  SCHEMAGEN_NULL = 1, /* an optional field without a value */
  SCHEMAGEN_BOOL = 2,
  SCHEMAGEN_INT = 3,  /* of 8 to 64 bits, without a sign up to 32 */
  SCHEMAGEN_UINT = 4, /* of 64 bits, without a sign */
  SCHEMAGEN_FLOAT = 5,
  SCHEMAGEN_STRING = 6,
  SCHEMAGEN_BYTES = 7,
  SCHEMAGEN_UNIT = 8, /* says nothing, as the member of a union */
  SCHEMAGEN_ANY = 9,  /* any JSON, as its text */
  SCHEMAGEN_LIST = 10,
  SCHEMAGEN_MAP = 11,
  SCHEMAGEN_ENUM = 12,
  SCHEMAGEN_STRUCT = 13,
  SCHEMAGEN_UNION = 14
};

SCHEMAGEN_API int32_t schemagen_value_kind(schemagen_value value);
/* The name of a struct, union or enum in its schema. */
SCHEMAGEN_API schemagen_str schemagen_value_type(schemagen_value value);
/* Fields of a struct, members that a union can have, items of a list or map, bytes of a string, bytes or any.
 */
SCHEMAGEN_API size_t schemagen_value_size(schemagen_value value);
/* Whether two values of one type are equal: NaN equals NaN, and maps may have any order. */
SCHEMAGEN_API bool schemagen_value_equal(schemagen_value a, schemagen_value b);

/* Fields of a struct by id (the quickest), by name, which ends in a zero, or by index in the schema's order.
 */
SCHEMAGEN_API schemagen_value schemagen_value_field(schemagen_value structure, int32_t id);
SCHEMAGEN_API schemagen_value schemagen_value_named(schemagen_value structure, const char* name);
SCHEMAGEN_API schemagen_value schemagen_value_field_at(schemagen_value structure, size_t index);
/* What the field is called, or the member that a union can have; its id, 0 if there is none. */
SCHEMAGEN_API schemagen_str schemagen_value_field_name(schemagen_value value, size_t index);
SCHEMAGEN_API int32_t schemagen_value_field_id(schemagen_value value, size_t index);

/* The member of a union: its value, id and name; none, 0 and no text if it has none. */
SCHEMAGEN_API schemagen_value schemagen_value_member(schemagen_value value);
SCHEMAGEN_API int32_t schemagen_value_member_id(schemagen_value value);
SCHEMAGEN_API schemagen_str schemagen_value_member_name(schemagen_value value);

/* Items of a list or map, in their order; the key of a map's item, a string, integer or enum. */
SCHEMAGEN_API schemagen_value schemagen_value_item(schemagen_value value, size_t index);
SCHEMAGEN_API schemagen_value schemagen_value_key(schemagen_value map, size_t index);
/* The item of a map from strings that has this key. */
SCHEMAGEN_API schemagen_value schemagen_value_get(schemagen_value map, schemagen_str key);

/* Scalars. Of an enum, int is its number, and string its name; of a bool, int is 0 or 1. An int that is asked
   for as float is converted, and one without a sign that int64_t cannot hold is 0. */
SCHEMAGEN_API bool schemagen_value_bool(schemagen_value value);
SCHEMAGEN_API int64_t schemagen_value_int(schemagen_value value);
SCHEMAGEN_API uint64_t schemagen_value_uint(schemagen_value value);
SCHEMAGEN_API double schemagen_value_float(schemagen_value value);
/* Also of bytes, and of any the JSON. */
SCHEMAGEN_API schemagen_str schemagen_value_string(schemagen_value value);

/* Documents of a user's own schema. The user's library gives the types, see schemagen/c/type.h. */

typedef struct schemagen_type schemagen_type;
typedef struct schemagen_document schemagen_document;

/* What is done with fields that the schema does not have. */
enum {
  SCHEMAGEN_FIELDS_DEFAULT = 0, /* as SCHEMAGEN_FIELDS_REFUSE, unless the option says otherwise */
  SCHEMAGEN_FIELDS_REFUSE = 1,
  SCHEMAGEN_FIELDS_SKIP_EMPTY = 2, /* those that are null or empty */
  SCHEMAGEN_FIELDS_SKIP = 3,
  SCHEMAGEN_FIELDS_KEEP = 4 /* beside the value, by their places in it, for writing; pt2.h only */
};

/* Zeros are defaults. Limits hold for what is written of the document, too. Callers that were compiled with
   an older or newer header say so by `struct_size`; what a newer one sets and this library does not know is
   an error. */
typedef struct schemagen_read_options {
  uint32_t struct_size;
  int32_t unknown_fields;
  uint64_t max_depth;        /* of nested values: 256, at most 1000 */
  uint64_t max_input_bytes;  /* 1 GiB, decompressed */
  uint64_t max_string_bytes; /* 64 MiB */
  uint64_t max_items;        /* 2^24, of one list or map */
  uint64_t max_memory_bytes; /* 2 GiB beside the input */
} schemagen_read_options;
#define SCHEMAGEN_READ_OPTIONS_INIT \
  { sizeof(schemagen_read_options), 0, 0, 0, 0, 0, 0 }

typedef struct schemagen_write_options {
  uint32_t struct_size;
  int32_t indent;      /* JSON: spaces for each level, 1 to 16; 0: all on one line */
  int32_t compression; /* of binary files: 0: what the call says, 1: none, 2: zstd */
  int32_t canonical;   /* binary, 1: equal values have equal bytes, as keys of maps are sorted */
} schemagen_write_options;
#define SCHEMAGEN_WRITE_OPTIONS_INIT \
  { sizeof(schemagen_write_options), 0, 0, 0 }

/* The document in `data`, which is not borrowed. JSON, or a binary file (an envelope). Options may be NULL.
 */
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
/* Not compressed, unless the options say so. */
SCHEMAGEN_API schemagen_error* schemagen_document_to_binary(const schemagen_document* document,
                                                            const schemagen_write_options* options,
                                                            schemagen_bytes* out);
SCHEMAGEN_API void schemagen_document_free(schemagen_document* document);

#ifdef __cplusplus
}
#endif

#endif
