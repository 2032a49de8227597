/* libpt2 for C and languages that call C: reads, checks, changes and writes PyTorch's exported programs
   (.pt2) without PyTorch.

   A call that can fail returns NULL on success and otherwise a pt2_error, which the caller frees. On failure,
   its other results are NULL or empty. The library has no global or per-thread state, and no exception leaves
   it.

   The caller frees handles (pt2_file, pt2_program, pt2_weights, pt2_tensor, pt2_findings). Each type of
   handle has its own free function, which accepts NULL. A handle stays valid after the handle it was made
   from is freed. Getters return borrowed results (pt2_str, pt2_value, const pt2_tensor *). These are valid
   until their handle is freed; a pt2_value only until its program is changed or freed. pt2_bytes belong to
   the caller.

   Threads: any thread may use a handle, and several threads may read it at the same time. While one thread
   changes or frees a handle, no other thread may use it.

   Strings are UTF-8 and carry their size. File paths and this header's keywords (for example "normal") are
   zero-terminated instead. Pass {NULL, 0} to omit a string. Passing NULL for a required handle is a usage
   error; a function that cannot return errors then returns 0, NULL or an empty result.

   Constants of PyTorch's schema, such as field ids and dtypes, are in pt2_ids.h. */
#ifndef PT2_H
#define PT2_H

#include "schemagen_value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 1. ABI version */

/* The ABI version. It is part of the library's name, and it changes when programs compiled earlier can no
   longer use the library. New functions, new kinds, and new members at the end of option structs do not
   change it. */
#define PT2_ABI_VERSION 1

/* Returns the ABI version of the library. */
SCHEMAGEN_API int32_t pt2_abi_version(void);
/* Returns the version of the library, e.g. "0.2.0". */
SCHEMAGEN_API schemagen_str pt2_version(void);

/* 2. Errors */

typedef schemagen_error pt2_error;

/* Each does the same as the schemagen_error_ function in schemagen_value.h. */
SCHEMAGEN_API int32_t pt2_error_kind(const pt2_error* error);
SCHEMAGEN_API schemagen_str pt2_error_message(const pt2_error* error);
SCHEMAGEN_API schemagen_str pt2_error_reason(const pt2_error* error);
SCHEMAGEN_API schemagen_str pt2_error_path(const pt2_error* error);
SCHEMAGEN_API size_t pt2_error_line(const pt2_error* error);
SCHEMAGEN_API size_t pt2_error_column(const pt2_error* error);
SCHEMAGEN_API int64_t pt2_error_offset(const pt2_error* error);
SCHEMAGEN_API void pt2_error_free(pt2_error* error);

/* 3. Strings and bytes */

typedef schemagen_str pt2_str;
typedef schemagen_bytes pt2_bytes;

/* Returns a zero-terminated string as a pt2_str. NULL becomes {NULL, 0}. */
SCHEMAGEN_API pt2_str pt2_text(const char* text);
/* Frees the bytes that a call returned, and clears `bytes`. Accepts NULL. */
SCHEMAGEN_API void pt2_bytes_free(pt2_bytes* bytes);

/* 4. Options. A pointer to options may be NULL, and a member that is 0 selects the default.
   schemagen_read_options explains `struct_size`. */

/* The limits also apply to writing programs from the file, except into archives. Hashing and comparing
   programs use the default limits. */
typedef struct pt2_file_options {
  uint32_t struct_size;
  int32_t skip_checksums;    /* 1: checksums in archives are not verified */
  uint64_t max_depth;        /* nesting depth; default 256, at most 1000 */
  uint64_t max_input_bytes;  /* size of one decompressed document; default 1 GiB */
  uint64_t max_string_bytes; /* size of one string; default 64 MiB */
  uint64_t max_items;        /* items in one list or map; default 2^24 */
  uint64_t max_memory_bytes; /* memory for reading, without the file; default 1.75 GiB */
} pt2_file_options;
#define PT2_FILE_OPTIONS_INIT \
  { sizeof(pt2_file_options), 0, 0, 0, 0, 0, 0 }

typedef struct pt2_load_options {
  uint32_t struct_size;
  int32_t unknown_fields;   /* SCHEMAGEN_FIELDS_...; by default, unknown fields are rejected */
  int32_t newer_fields;     /* the same for programs of a newer torch; by default, empty fields are skipped */
  int32_t upgrade_all;      /* 1: programs of older minor versions are upgraded, too, though they can be read
                               without it */
  int32_t without_metadata; /* 1: metadata of nodes is not read, which halves the time. Writing the program,
                               a part or an older version of it is then a usage error. */
  int32_t bare_nonfinite;   /* 1: NaN and Infinity without quotes are accepted in all JSON */
} pt2_load_options;
#define PT2_LOAD_OPTIONS_INIT \
  { sizeof(pt2_load_options), 0, 0, 0, 0, 0 }

typedef schemagen_write_options pt2_write_options;
#define PT2_WRITE_OPTIONS_INIT SCHEMAGEN_WRITE_OPTIONS_INIT

/* 5. Files and programs */

typedef struct pt2_file pt2_file;
typedef struct pt2_program pt2_program;

/* Kinds of files. */
enum {
  PT2_FILE_NONE = 0,
  PT2_FILE_JSON = 1,
  PT2_FILE_PT2B = 2,   /* the binary file of one program */
  PT2_FILE_ARCHIVE = 3 /* as written by torch.export.save() */
};

/* Opens the file at `path` and maps it into memory if possible. "-" means standard input. The kind of file is
   detected from its contents. */
SCHEMAGEN_API pt2_error* pt2_file_open(const char* path, const pt2_file_options* options, pt2_file** out);
/* Opens a file whose contents are a copy of the `size` bytes at `data`. */
SCHEMAGEN_API pt2_error* pt2_file_from_bytes(const void* data, size_t size, const pt2_file_options* options,
                                             pt2_file** out);
/* Does the same without copying the bytes, which must not change until the file and everything made from it
   are freed. Parts that no call reads can have any content, for example the data of an archive's tensors that
   are never read. */
SCHEMAGEN_API pt2_error* pt2_file_borrow(const void* data, size_t size, const pt2_file_options* options,
                                         pt2_file** out);
SCHEMAGEN_API int32_t pt2_file_kind(const pt2_file* file);
/* Return the number of models in an archive, and their names. A file that is not an archive has no models,
   and neither does a package with only compiled models. */
SCHEMAGEN_API size_t pt2_file_model_count(const pt2_file* file);
SCHEMAGEN_API pt2_str pt2_file_model_name(const pt2_file* file, size_t index);
SCHEMAGEN_API void pt2_file_free(pt2_file* file);

/* Loads the program of `model`, which may be omitted if the file has only one program. A program of an older
   major version is upgraded. */
SCHEMAGEN_API pt2_error* pt2_program_load(const pt2_file* file, pt2_str model,
                                          const pt2_load_options* options, pt2_program** out);
/* Return the program's schema version, and the version before the upgrade (0.0 if the program was not
   upgraded). Numbers above INT32_MAX are returned as INT32_MAX. */
SCHEMAGEN_API void pt2_program_version(const pt2_program* program, int32_t* major, int32_t* minor);
SCHEMAGEN_API void pt2_program_upgraded_from(const pt2_program* program, int32_t* major, int32_t* minor);
/* Returns the name of the model in the archive from which the program was read. */
SCHEMAGEN_API pt2_str pt2_program_model(const pt2_program* program);
/* Return how many fields of a newer schema were skipped, and the path of each. */
SCHEMAGEN_API size_t pt2_program_skipped_count(const pt2_program* program);
SCHEMAGEN_API pt2_str pt2_program_skipped_path(const pt2_program* program, size_t index);
SCHEMAGEN_API pt2_error* pt2_program_copy(const pt2_program* program, pt2_program** out);
/* Return the program as JSON or as a .pt2b file. The JSON matches torch's byte for byte unless it is
   indented. The .pt2b file is compressed by default if the library supports compression. Both include
   preserved fields of a newer schema. */
SCHEMAGEN_API pt2_error* pt2_program_to_json(const pt2_program* program, const pt2_write_options* options,
                                             pt2_bytes* out);
SCHEMAGEN_API pt2_error* pt2_program_to_pt2b(const pt2_program* program, const pt2_write_options* options,
                                             pt2_bytes* out);
/* Writes the file `path` (.json, .pt2b or .pt2), either completely or not at all. For .pt2, copies the
   archive `source`, replaces the model from which the program was read, and turns pickled weights (torch up
   to 2.8) into raw records. The JSON in an archive is always formatted as torch formats it. .json and .pt2b
   need no `source`. */
SCHEMAGEN_API pt2_error* pt2_program_save(const pt2_program* program, const char* path,
                                          const pt2_file* source, const pt2_write_options* options);
SCHEMAGEN_API void pt2_program_free(pt2_program* program);

/* 6. The cursor */

typedef schemagen_value pt2_value;

/* Returns a cursor at the program, a struct ExportedProgram. schemagen_value.h declares the functions for
   cursors. */
SCHEMAGEN_API pt2_value pt2_program_value(const pt2_program* program);

/* 7. Weights */

typedef struct pt2_weights pt2_weights; /* a list of tensors */
typedef struct pt2_tensor pt2_tensor;

/* Roles of a tensor in its model. */
enum {
  PT2_PARAMETER = 0,
  PT2_BUFFER = 1,
  PT2_CONSTANT = 2,
  PT2_OBJECT = 3 /* a Python or TorchBind object rather than a tensor; has no layout and no bytes */
};

/* Loads the weights of a model in an archive, followed by its constants. Reads no tensor data. */
SCHEMAGEN_API pt2_error* pt2_weights_load(const pt2_file* file, pt2_str model, pt2_weights** out);
/* Reads the tensors of a safetensors or NumPy (.npz) file, depending on the extension of `path`. NumPy lacks
   some dtypes. An array that stands for one of them gets the dtype of the tensor with its name in `known`,
   which may be NULL. */
SCHEMAGEN_API pt2_error* pt2_weights_read(const char* path, const pt2_weights* known, pt2_weights** out);
/* Writes a safetensors or NumPy (.npz) file, depending on the extension of `path`. Omits objects. */
SCHEMAGEN_API pt2_error* pt2_weights_save(const pt2_weights* weights, const char* path);
SCHEMAGEN_API size_t pt2_weights_count(const pt2_weights* weights);
SCHEMAGEN_API const pt2_tensor* pt2_weights_at(const pt2_weights* weights, size_t index);
/* Returns the tensor called `name`, or NULL. */
SCHEMAGEN_API const pt2_tensor* pt2_weights_find(const pt2_weights* weights, pt2_str name);
SCHEMAGEN_API void pt2_weights_free(pt2_weights* weights);

/* Creates a tensor and copies its elements from the `size` bytes at `data`, which must be row-major and
   little-endian. `dtype` is a constant from pt2_ids.h, e.g. PT2_ScalarType_FLOAT. */
SCHEMAGEN_API pt2_error* pt2_tensor_new(pt2_str name, int32_t dtype, const int64_t* shape, size_t rank,
                                        const void* data, size_t size, pt2_tensor** out);
SCHEMAGEN_API pt2_str pt2_tensor_name(const pt2_tensor* tensor); /* in the model, e.g. layer.weight */
SCHEMAGEN_API int32_t pt2_tensor_kind(const pt2_tensor* tensor);
SCHEMAGEN_API bool pt2_tensor_is_persistent(const pt2_tensor* tensor); /* whether the state dict has it */
SCHEMAGEN_API bool pt2_tensor_is_pickled(const pt2_tensor* tensor);
SCHEMAGEN_API bool pt2_tensor_has_layout(
    const pt2_tensor* tensor); /* neither an object nor of a custom Python class */
/* Returns the name of the tensor's record in the archive, without the top folder. */
SCHEMAGEN_API pt2_str pt2_tensor_record(const pt2_tensor* tensor);
/* For a tensor of a custom Python class, return the name of the class, and the tensors in its attributes.
   Each part is named after its attribute. */
SCHEMAGEN_API pt2_str pt2_tensor_class(const pt2_tensor* tensor);
SCHEMAGEN_API size_t pt2_tensor_part_count(const pt2_tensor* tensor);
SCHEMAGEN_API const pt2_tensor* pt2_tensor_part(const pt2_tensor* tensor, size_t index);
SCHEMAGEN_API int32_t pt2_tensor_dtype(const pt2_tensor* tensor);
SCHEMAGEN_API pt2_str pt2_tensor_dtype_name(const pt2_tensor* tensor); /* as in torch, e.g. float32 */
SCHEMAGEN_API pt2_str pt2_tensor_device(const pt2_tensor* tensor);     /* e.g. cpu or cuda:1 */
SCHEMAGEN_API size_t pt2_tensor_rank(const pt2_tensor* tensor);
/* Return pt2_tensor_rank() numbers. Strides are in elements. */
SCHEMAGEN_API const int64_t* pt2_tensor_shape(const pt2_tensor* tensor);
SCHEMAGEN_API const int64_t* pt2_tensor_strides(const pt2_tensor* tensor);
/* Returns the offset of the first element in the tensor's storage, in elements. */
SCHEMAGEN_API int64_t pt2_tensor_offset(const pt2_tensor* tensor);
/* Returns the size of all elements, in bytes. */
SCHEMAGEN_API uint64_t pt2_tensor_bytes(const pt2_tensor* tensor);
/* Returns the elements without copying them, from the file's bytes if possible. If the elements are not
   contiguous, row-major and little-endian, this is a usage error; call pt2_tensor_copy() instead. */
SCHEMAGEN_API pt2_error* pt2_tensor_data(const pt2_tensor* tensor, pt2_str* out);
/* Returns a copy of any tensor's elements, row-major and little-endian. More than 2 GiB is a data error. */
SCHEMAGEN_API pt2_error* pt2_tensor_copy(const pt2_tensor* tensor, pt2_bytes* out);
SCHEMAGEN_API void pt2_tensor_free(pt2_tensor* tensor);

/* 8. Checks */

typedef struct pt2_findings pt2_findings;

/* Severity levels of findings. */
enum {
  PT2_FINDING_ERROR = 0,   /* torch or another runtime rejects or misreads the program, or code could run */
  PT2_FINDING_WARNING = 1, /* suspicious */
  PT2_FINDING_NOTE = 2     /* worth knowing */
};

/* Returns the findings about a program, sorted by path. If `file` is an archive, also checks its weights
   against the program. */
SCHEMAGEN_API pt2_error* pt2_program_verify(const pt2_program* program, const pt2_file* file,
                                            pt2_findings** out);
/* Returns a finding for everything in a file that could run code when torch loads it. Accepts any file that
   torch can load, and runs nothing. Fails if torch could not load the file. */
SCHEMAGEN_API pt2_error* pt2_scan(const char* path, pt2_findings** out);
SCHEMAGEN_API pt2_error* pt2_scan_bytes(const void* data, size_t size, pt2_findings** out);
/* Returns the parts of a file that pt2_scan() does not read, as JSON: [[offset, size]]. Callers need not
   fetch these parts, which are the data of raw tensors in a well-formed archive. */
SCHEMAGEN_API pt2_error* pt2_parts_not_scanned(const void* data, size_t size, pt2_bytes* out);
SCHEMAGEN_API size_t pt2_findings_count(const pt2_findings* findings);
SCHEMAGEN_API int32_t pt2_finding_level(const pt2_findings* findings, size_t index);
SCHEMAGEN_API pt2_str pt2_finding_rule(const pt2_findings* findings, size_t index); /* e.g. NAME_REPEATED */
/* Returns the message. Messages and the strings below contain names from the file, which are not safe to
   print. */
SCHEMAGEN_API pt2_str pt2_finding_message(const pt2_findings* findings, size_t index);
/* For pt2_program_verify(), returns the path in the program's JSON. */
SCHEMAGEN_API pt2_str pt2_finding_path(const pt2_findings* findings, size_t index);
/* For pt2_scan(), return the record in the archive (empty if the finding is about the whole file), the
   affected part of the record, and its byte offset, or -1 if there is none. */
SCHEMAGEN_API pt2_str pt2_finding_record(const pt2_findings* findings, size_t index);
SCHEMAGEN_API pt2_str pt2_finding_what(const pt2_findings* findings, size_t index);
SCHEMAGEN_API int64_t pt2_finding_offset(const pt2_findings* findings, size_t index);
/* Returns what a finding of this rule means and how to fix it, or {NULL, 0} if the rule is unknown. */
SCHEMAGEN_API pt2_str pt2_rule_explanation(pt2_str rule);
SCHEMAGEN_API void pt2_findings_free(pt2_findings* findings);

/* 9. Changes. A failed change leaves the program unchanged. If it was loaded with SCHEMAGEN_FIELDS_KEEP and
      has preserved fields, only its devices can be changed; any other change, extracting a part and making an
      older version are usage errors. */

/* Adapts operator calls to current torch, if the operators had other arguments in the torch release that
   wrote the program. `changes`, which may be NULL, receives [{"path", "what", "done"}] as JSON; "done" is
   false for a call that cannot be adapted. Programs of older major versions are already upgraded when they
   are loaded. */
SCHEMAGEN_API pt2_error* pt2_program_upgrade(pt2_program* program, pt2_bytes* changes);
/* Returns the program as JSON of an older minor version of its major version. Omits newer fields that only
   repeat information or give hints; `dropped`, which may be NULL, receives {"field": count} as JSON. If that
   version cannot express the program, returns a data error with the paths. Operator calls stay unchanged. */
SCHEMAGEN_API pt2_error* pt2_program_downgrade(const pt2_program* program, int32_t major, int32_t minor,
                                               pt2_bytes* out, pt2_bytes* dropped);
/* Puts the program into a canonical form: "normal", which does not depend on names or on the order of
   independent nodes; "names"; or "torch", the output of torch's canonicalize. If `keep_provenance` is true,
   stack traces and similar metadata are preserved. */
SCHEMAGEN_API pt2_error* pt2_program_canonicalize(pt2_program* program, const char* form,
                                                  bool keep_provenance);
/* Renames `count` values, parameters, buffers or constants at once. An archive's weights config keeps the old
   names, so renaming weights is only useful for programs outside archives. */
SCHEMAGEN_API pt2_error* pt2_program_rename(pt2_program* program, const pt2_str* old_names,
                                            const pt2_str* new_names, size_t count);
/* Changes the device of all values and arguments to `to`, in the syntax of torch.device(). If `from` is
   given, only changes those on that device. `changed`, which may be NULL, receives the number of changes. */
SCHEMAGEN_API pt2_error* pt2_program_retarget(pt2_program* program, pt2_str to, pt2_str from,
                                              size_t* changed);
/* Changes float16, bfloat16, float32 and float64 to `dtype`, except for the `count` weights, inputs, nodes
   and modules in `keep`. Does not convert weights: use pt2_file_retype() for archives. */
SCHEMAGEN_API pt2_error* pt2_program_retype(pt2_program* program, int32_t dtype, const pt2_str* keep,
                                            size_t count);
/* Returns the part of the program that computes the values `outputs` from the values `inputs`. The part
   belongs to the same model of an archive, and it lacks the fields that were not read when the program was
   loaded. */
SCHEMAGEN_API pt2_error* pt2_program_extract(const pt2_program* program, const pt2_str* inputs,
                                             size_t input_count, const pt2_str* outputs, size_t output_count,
                                             pt2_program** out);
/* Removes what `part` names: "stack-traces", "metadata", "unused" (weights that nothing uses) or "names". */
SCHEMAGEN_API pt2_error* pt2_program_slim(pt2_program* program, const char* part);

/* The following functions write a changed copy of the archive `file` to `path`, either completely or not at
   all. */

/* Writes a copy whose only model is `part`, the result of pt2_program_extract(). */
SCHEMAGEN_API pt2_error* pt2_file_save_part(const pt2_file* file, pt2_str model, const pt2_program* part,
                                            const char* path);
/* Writes a copy whose program and weights are converted to `dtype`; see pt2_program_retype(). */
SCHEMAGEN_API pt2_error* pt2_file_retype(const pt2_file* file, pt2_str model, int32_t dtype,
                                         const pt2_str* keep, size_t count, const char* path);
/* pt2_file_strip() writes a copy without tensor data. pt2_file_attach() writes a copy with the data of
   `tensors`, which must contain each tensor of the model under its name. */
SCHEMAGEN_API pt2_error* pt2_file_strip(const pt2_file* file, pt2_str model, const char* path);
SCHEMAGEN_API pt2_error* pt2_file_attach(const pt2_file* file, pt2_str model,
                                         const pt2_tensor* const* tensors, size_t count, const char* path);
/* Writes a rebuilt archive without anything that could run code. Compiled models are an error, unless
   `drop_native` is true, which leaves them out. `left_out`, which may be NULL, receives [{"record", "why"}]
   as JSON; for programs, it lists calls that could not be adapted to current torch. */
SCHEMAGEN_API pt2_error* pt2_file_harden(const pt2_file* file, pt2_str model, bool drop_native,
                                         const char* path, pt2_bytes* left_out);

/* 10. Reports */

/* Returns "sha256:" and 64 hexadecimal digits. Programs that compute the same with the same nodes have the
   same hash, regardless of names and order. Weights are not hashed. */
SCHEMAGEN_API pt2_error* pt2_program_hash(const pt2_program* program, pt2_bytes* out);
/* This function and the next four return the JSON that `pt2 COMMAND --json` prints for diff, info, stats,
   operators and show --signature. */
SCHEMAGEN_API pt2_error* pt2_program_diff(const pt2_program* a, const pt2_program* b, pt2_bytes* out);
/* `name` is the file name in the report. `file` or `program` may be NULL, but not both. Without a program,
   the report only covers the archive. */
SCHEMAGEN_API pt2_error* pt2_info(const pt2_file* file, const pt2_program* program, pt2_str name,
                                  pt2_bytes* out);
/* `by` is "operator" (the default if NULL), "module" or "node". `symbols` and `values` hold `count` symbols
   and their sizes. */
SCHEMAGEN_API pt2_error* pt2_program_stats(const pt2_program* program, const char* by, const pt2_str* symbols,
                                           const int64_t* values, size_t count, pt2_bytes* out);
/* If `asked` is a torch release, e.g. "2.6", or "core-aten", the report says which of the program's operators
   it lacks. NULL leaves that out. */
SCHEMAGEN_API pt2_error* pt2_program_operators(const pt2_program* program, const char* asked, pt2_bytes* out);
SCHEMAGEN_API pt2_error* pt2_program_signature(const pt2_program* program, pt2_bytes* out);
/* Returns what the page of `pt2 view` shows, as JSON that only the scripts of the same release can read. The
   page shows `title` unchanged. `weights` may be NULL; the elements of weights are not read. */
SCHEMAGEN_API pt2_error* pt2_program_page(const pt2_program* program, pt2_str title,
                                          const pt2_weights* weights, pt2_bytes* out);
/* Returns the same for the differences between two programs, each in its canonical form. */
SCHEMAGEN_API pt2_error* pt2_program_page_differences(const pt2_program* a, const pt2_program* b,
                                                      pt2_bytes* out);
/* Returns the graph as text, as `pt2 show` prints it. */
SCHEMAGEN_API pt2_error* pt2_program_text(const pt2_program* program, pt2_bytes* out);

#ifdef __cplusplus
}
#endif

#endif
