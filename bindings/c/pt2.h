/* The C API of libpt2, for C and languages that call C. libpt2 reads, checks, changes and writes PyTorch's
   exported programs (.pt2) without PyTorch.

   A call that can fail returns NULL on success and a pt2_error on failure. The caller frees the error. If a
   call fails, its other results are NULL or empty. No call throws an exception.

   The caller frees handles (pt2_file, pt2_program, pt2_weights, pt2_tensor, pt2_findings) and pt2_bytes. Each
   type of handle has its own free function, which accepts NULL. A handle stays valid after the handle from
   which it was created is freed. Getters return borrowed results (pt2_str, pt2_value, const pt2_tensor *). A
   borrowed result is valid until its handle is freed. A pt2_value also becomes invalid when its program is
   changed.

   Threads: any thread may use a handle, and several threads may read it at the same time. While one thread
   changes or frees a handle, no other thread may use it.

   Strings are UTF-8 and are passed with their size. File paths and this header's keywords (for example
   "normal") are passed as zero-terminated strings instead. Pass {NULL, 0} to omit a string. If a required
   handle is NULL, a function that can return errors returns a usage error. Other functions return 0, NULL or
   an empty result.

   Constants of PyTorch's schema, such as field ids and dtypes, are in pt2_ids.h. */
#ifndef PT2_H
#define PT2_H

#include "schemagen_value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 1. ABI version */

/* The ABI version, which is part of the library's name. It changes only when programs that were compiled
   earlier can no longer use the library. It does not change when functions or kinds are added, or when
   members are added at the end of option structs. */
#define PT2_ABI_VERSION 1

/* Returns the ABI version of the library. */
SCHEMAGEN_API int32_t pt2_abi_version(void);
/* Returns the version of the library, e.g. "0.2.0". */
SCHEMAGEN_API schemagen_str pt2_version(void);

/* 2. Errors */

typedef schemagen_error pt2_error;

/* Each function does the same as the schemagen_error_ function with the same suffix in schemagen_value.h. */
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
/* Frees bytes returned by a call, and sets `bytes` to {NULL, 0}. Accepts NULL. */
SCHEMAGEN_API void pt2_bytes_free(pt2_bytes* bytes);

/* 4. Options. A pointer to options may be NULL. If a member is 0, its default is used. For `struct_size`, see
   schemagen_read_options. */

/* Options for opening a file. The limits also apply when a program from the file is written, except into an
   archive. Hashing and comparing programs use the default limits. */
typedef struct pt2_file_options {
  uint32_t struct_size;
  int32_t skip_checksums;    /* 1: do not verify checksums in archives */
  uint64_t max_depth;        /* nesting depth; default 256, at most 1000 */
  uint64_t max_input_bytes;  /* size of one decompressed document; default 1 GiB */
  uint64_t max_string_bytes; /* size of one string; default 64 MiB */
  uint64_t max_items;        /* items in one list or map; default 2^24 */
  uint64_t max_memory_bytes; /* memory used for reading, excluding the file; default 1.75 GiB */
} pt2_file_options;
#define PT2_FILE_OPTIONS_INIT \
  { sizeof(pt2_file_options), 0, 0, 0, 0, 0, 0 }

/* Options for loading a program. */
typedef struct pt2_load_options {
  uint32_t struct_size;
  int32_t unknown_fields; /* a SCHEMAGEN_FIELDS_ constant; by default, unknown fields are rejected */
  int32_t newer_fields;   /* the same for programs from a newer torch; by default, unknown fields are skipped
                             if they are null or empty */
  int32_t upgrade_all;    /* 1: also upgrade programs with older minor versions, which can be read without an
                             upgrade */
  int32_t without_metadata; /* 1: do not read the metadata of nodes, which halves the loading time. Writing
                               the program, a part of it or an older version of it is then a usage error. */
  int32_t bare_nonfinite;   /* 1: accept NaN and Infinity without quotes anywhere in JSON */
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
  PT2_FILE_PT2B = 2,   /* a binary file that contains one program */
  PT2_FILE_ARCHIVE = 3 /* an archive, e.g. one written by torch.export.save() */
};

/* Opens the file at `path` and maps it into memory if possible. The kind of file is detected from its
   contents. */
SCHEMAGEN_API pt2_error* pt2_file_open(const char* path, const pt2_file_options* options, pt2_file** out);
/* Opens a file in memory. Copies the `size` bytes at `data`. */
SCHEMAGEN_API pt2_error* pt2_file_from_bytes(const void* data, size_t size, const pt2_file_options* options,
                                             pt2_file** out);
/* Opens a file in memory without copying its bytes. The bytes must not change until the file and everything
   made from it are freed. Parts that no call reads can have any content, for example the data of tensors that
   you never read. */
SCHEMAGEN_API pt2_error* pt2_file_borrow(const void* data, size_t size, const pt2_file_options* options,
                                         pt2_file** out);
SCHEMAGEN_API int32_t pt2_file_kind(const pt2_file* file);
/* Return the number of models in an archive, and the name of each. The number is 0 for a file that is not an
   archive and for a package that contains only compiled models. */
SCHEMAGEN_API size_t pt2_file_model_count(const pt2_file* file);
SCHEMAGEN_API pt2_str pt2_file_model_name(const pt2_file* file, size_t index);
SCHEMAGEN_API void pt2_file_free(pt2_file* file);

/* Loads the program of `model`. `model` may be omitted if the file has only one program. Upgrades a program
   of an older major version. */
SCHEMAGEN_API pt2_error* pt2_program_load(const pt2_file* file, pt2_str model,
                                          const pt2_load_options* options, pt2_program** out);
/* Return the program's schema version, and the version that it had before it was upgraded (0.0 if it was not
   upgraded). A number above INT32_MAX is returned as INT32_MAX. */
SCHEMAGEN_API void pt2_program_version(const pt2_program* program, int32_t* major, int32_t* minor);
SCHEMAGEN_API void pt2_program_upgraded_from(const pt2_program* program, int32_t* major, int32_t* minor);
/* Returns the name of the archive's model from which the program was read. */
SCHEMAGEN_API pt2_str pt2_program_model(const pt2_program* program);
/* Return the number of fields of a newer schema that were skipped, and the path of each. */
SCHEMAGEN_API size_t pt2_program_skipped_count(const pt2_program* program);
SCHEMAGEN_API pt2_str pt2_program_skipped_path(const pt2_program* program, size_t index);
SCHEMAGEN_API pt2_error* pt2_program_copy(const pt2_program* program, pt2_program** out);
/* Return the program as JSON or as a .pt2b file. Unless it is indented, the JSON is the same as torch's, byte
   for byte. The .pt2b file is compressed by default if the library supports compression. Both formats include
   preserved fields of a newer schema. */
SCHEMAGEN_API pt2_error* pt2_program_to_json(const pt2_program* program, const pt2_write_options* options,
                                             pt2_bytes* out);
SCHEMAGEN_API pt2_error* pt2_program_to_pt2b(const pt2_program* program, const pt2_write_options* options,
                                             pt2_bytes* out);
/* Writes the file `path` (.json, .pt2b or .pt2), either completely or not at all. For .pt2, copies the
   archive `source`, replaces the model from which the program was read, and converts pickled weights (written
   by torch up to 2.8) to raw records. JSON in an archive is always formatted as torch formats it. For .json
   and .pt2b, `source` may be NULL. */
SCHEMAGEN_API pt2_error* pt2_program_save(const pt2_program* program, const char* path,
                                          const pt2_file* source, const pt2_write_options* options);
SCHEMAGEN_API void pt2_program_free(pt2_program* program);

/* 6. The cursor */

typedef schemagen_value pt2_value;

/* Returns a cursor that refers to the program, a struct of type ExportedProgram. schemagen_value.h declares
   the functions for cursors. */
SCHEMAGEN_API pt2_value pt2_program_value(const pt2_program* program);

/* 7. Weights */

typedef struct pt2_weights pt2_weights; /* a list of tensors */
typedef struct pt2_tensor pt2_tensor;

/* Roles of a tensor in its model. */
enum {
  PT2_PARAMETER = 0,
  PT2_BUFFER = 1,
  PT2_CONSTANT = 2,
  PT2_OBJECT = 3 /* a Python or TorchBind object, which has no layout and no bytes */
};

/* Loads the list of a model's weights, followed by its constants, from an archive. Does not read the data of
   tensors. */
SCHEMAGEN_API pt2_error* pt2_weights_load(const pt2_file* file, pt2_str model, pt2_weights** out);
/* Reads the tensors of a safetensors or NumPy (.npz) file. The extension of `path` selects the format.
   NumPy lacks some dtypes. An array of void elements gets the dtype of the tensor with the same name in
   `known`, if NumPy lacks that dtype. `known` may be NULL. */
SCHEMAGEN_API pt2_error* pt2_weights_read(const char* path, const pt2_weights* known, pt2_weights** out);
/* Writes the tensors, but not the objects, to a safetensors or NumPy (.npz) file. The extension of `path`
   selects the format. */
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
SCHEMAGEN_API pt2_str pt2_tensor_name(const pt2_tensor* tensor); /* e.g. layer.weight */
SCHEMAGEN_API int32_t pt2_tensor_kind(const pt2_tensor* tensor);
SCHEMAGEN_API bool pt2_tensor_is_persistent(const pt2_tensor* tensor); /* is in the state dict */
SCHEMAGEN_API bool pt2_tensor_is_pickled(const pt2_tensor* tensor);
SCHEMAGEN_API bool pt2_tensor_has_layout(
    const pt2_tensor* tensor); /* neither an object nor of a custom Python class */
/* Returns the name of the tensor's record in the archive, without the top-level folder. */
SCHEMAGEN_API pt2_str pt2_tensor_record(const pt2_tensor* tensor);
/* For a tensor of a custom Python class, return the name of the class, and the tensor's parts, i.e. the
   tensors in its attributes. Each part has the name of its attribute. */
SCHEMAGEN_API pt2_str pt2_tensor_class(const pt2_tensor* tensor);
SCHEMAGEN_API size_t pt2_tensor_part_count(const pt2_tensor* tensor);
SCHEMAGEN_API const pt2_tensor* pt2_tensor_part(const pt2_tensor* tensor, size_t index);
SCHEMAGEN_API int32_t pt2_tensor_dtype(const pt2_tensor* tensor);
SCHEMAGEN_API pt2_str pt2_tensor_dtype_name(const pt2_tensor* tensor); /* as in torch, e.g. float32 */
SCHEMAGEN_API pt2_str pt2_tensor_device(const pt2_tensor* tensor);     /* e.g. cpu or cuda:1 */
SCHEMAGEN_API size_t pt2_tensor_rank(const pt2_tensor* tensor);
/* Return an array of pt2_tensor_rank() numbers. Strides count elements, not bytes. */
SCHEMAGEN_API const int64_t* pt2_tensor_shape(const pt2_tensor* tensor);
SCHEMAGEN_API const int64_t* pt2_tensor_strides(const pt2_tensor* tensor);
/* Returns the offset of the tensor's first element in its storage, in elements. */
SCHEMAGEN_API int64_t pt2_tensor_offset(const pt2_tensor* tensor);
/* Returns the total size of the elements in bytes. */
SCHEMAGEN_API uint64_t pt2_tensor_bytes(const pt2_tensor* tensor);
/* Returns the elements as borrowed bytes, which are the file's own bytes if possible: do not change them. If
   the elements are not contiguous, row-major and little-endian, returns a usage error. In that case, call
   pt2_tensor_copy(). */
SCHEMAGEN_API pt2_error* pt2_tensor_data(const pt2_tensor* tensor, pt2_str* out);
/* Returns a copy of the elements of any tensor in row-major order, little-endian. Returns a data error if
   they take more than 1.75 GiB, or more than 512 MiB and 16 times the size of the file. */
SCHEMAGEN_API pt2_error* pt2_tensor_copy(const pt2_tensor* tensor, pt2_bytes* out);
/* Writes the offset in the file of the elements, if they are there as pt2_tensor_data() would return them,
   and their CRC-32. Otherwise, writes -1. */
SCHEMAGEN_API pt2_error* pt2_tensor_place(const pt2_tensor* tensor, int64_t* offset, int64_t* crc32);
SCHEMAGEN_API void pt2_tensor_free(pt2_tensor* tensor);

/* 8. Checks */

typedef struct pt2_findings pt2_findings;

/* Severity levels of findings. */
enum {
  PT2_FINDING_ERROR = 0,   /* torch or another runtime rejects or misreads the file, or could run its code */
  PT2_FINDING_WARNING = 1, /* suspicious */
  PT2_FINDING_NOTE = 2     /* worth knowing */
};

/* Returns the findings about a program, sorted by path. If `file` is an archive, also checks its weights
   against the program. */
SCHEMAGEN_API pt2_error* pt2_program_verify(const pt2_program* program, const pt2_file* file,
                                            pt2_findings** out);
/* Return a finding for everything in a file that could run code when torch loads the file. Both calls accept
   any file that torch can load. They run no code from the file, and fail if torch could not load it. */
SCHEMAGEN_API pt2_error* pt2_scan(const char* path, pt2_findings** out);
SCHEMAGEN_API pt2_error* pt2_scan_bytes(const void* data, size_t size, pt2_findings** out);
/* Returns what `pt2 check` finds in the file at `path`. `policy` is "strict", "load" or "inspect", and
   decides which findings are errors; NULL means "strict". */
SCHEMAGEN_API pt2_error* pt2_check(const char* path, const char* policy, pt2_findings** out);
/* Returns the parts of a file that pt2_scan() does not read, as JSON: [[offset, size], ...]. In a well-formed
   archive, these parts are the data of raw tensors. Callers that download a file need not fetch them. */
SCHEMAGEN_API pt2_error* pt2_parts_not_scanned(const void* data, size_t size, pt2_bytes* out);

/* A file of which only the needed parts are read, by the caller, e.g. from a server. */
typedef struct pt2_parts pt2_parts;

enum {
  PT2_TO_OPEN = 0, /* and to load programs and lists of weights */
  PT2_TO_SCAN = 1,
  PT2_TO_READ = 2,  /* the record of a tensor */
  PT2_TO_LOCATE = 3 /* only what pt2_tensor_place() needs of it */
};

SCHEMAGEN_API pt2_error* pt2_parts_new(uint64_t size, pt2_parts** out);
/* Adds a part. Writes where its `size` bytes are; the caller must write them before any other call. */
SCHEMAGEN_API pt2_error* pt2_parts_add(pt2_parts* parts, uint64_t offset, size_t size, void** out);
/* Returns which parts to add next, in any order, as JSON: [[begin, end], ...]. When they have been added,
   there can be more; [] means that all are there. Only the last two purposes have a `record`. */
SCHEMAGEN_API pt2_error* pt2_parts_next(const pt2_parts* parts, int32_t purpose, pt2_str record,
                                        pt2_bytes* out);
/* Opens the file, or scans it as pt2_scan() does. The parts must outlive everything made from the file. To
   read what is not there is an I/O error. */
SCHEMAGEN_API pt2_error* pt2_parts_open(const pt2_parts* parts, const pt2_file_options* options,
                                        pt2_file** out);
SCHEMAGEN_API pt2_error* pt2_parts_scan(const pt2_parts* parts, pt2_findings** out);
SCHEMAGEN_API void pt2_parts_free(pt2_parts* parts);

SCHEMAGEN_API size_t pt2_findings_count(const pt2_findings* findings);
SCHEMAGEN_API int32_t pt2_finding_level(const pt2_findings* findings, size_t index);
SCHEMAGEN_API pt2_str pt2_finding_rule(const pt2_findings* findings, size_t index); /* e.g. NAME_REPEATED */
/* Returns the message. Messages, paths, records and parts can contain names from the file. Escape them before
   you print them. */
SCHEMAGEN_API pt2_str pt2_finding_message(const pt2_findings* findings, size_t index);
/* For a finding of pt2_program_verify(), returns the path in the program's JSON. */
SCHEMAGEN_API pt2_str pt2_finding_path(const pt2_findings* findings, size_t index);
/* For a finding of pt2_scan(), return the record in the archive (empty if the finding is about the whole
   file), the affected part of the record, and that part's byte offset (-1 if unknown). */
SCHEMAGEN_API pt2_str pt2_finding_record(const pt2_findings* findings, size_t index);
SCHEMAGEN_API pt2_str pt2_finding_what(const pt2_findings* findings, size_t index);
SCHEMAGEN_API int64_t pt2_finding_offset(const pt2_findings* findings, size_t index);
/* Returns text that explains what a finding of this rule means and how to fix it, or {NULL, 0} if the rule is
   unknown. */
SCHEMAGEN_API pt2_str pt2_rule_explanation(pt2_str rule);
SCHEMAGEN_API void pt2_findings_free(pt2_findings* findings);

/* 9. Changes. If a change fails, the program stays as it was. If a program was loaded with
   SCHEMAGEN_FIELDS_KEEP and has preserved fields, only its devices can be changed. Any other change, as
   well as extracting a part or making an older version, is a usage error. */

/* Adapts calls to operators whose arguments have changed since the torch release that wrote the program.
   `changes`, which may be NULL, receives a JSON list of objects with the keys "path", "what" and "done".
   "done" is false for a call that cannot be adapted. This function does not change the schema version:
   pt2_program_load() upgrades programs with older major versions. */
SCHEMAGEN_API pt2_error* pt2_program_upgrade(pt2_program* program, pt2_bytes* changes);
/* Returns the program as JSON in an older schema version with the same major version. Omits newer fields that
   only repeat information or give hints. `dropped`, which may be NULL, receives a JSON object that maps the
   name of each omitted field to how often it was omitted. If the older version cannot express the program,
   returns a data error with the paths of the values that it cannot express. Operator calls stay unchanged. */
SCHEMAGEN_API pt2_error* pt2_program_downgrade(const pt2_program* program, int32_t major, int32_t minor,
                                               pt2_bytes* out, pt2_bytes* dropped);
/* Puts the program into a canonical form. `form` is "normal", "names" or "torch". The form "normal" does not
   depend on names or on the order of independent nodes. The form "torch" is the output of torch's
   canonicalize. If `keep_provenance` is true, stack traces and similar metadata are preserved. */
SCHEMAGEN_API pt2_error* pt2_program_canonicalize(pt2_program* program, const char* form,
                                                  bool keep_provenance);
/* Renames `count` values, parameters, buffers or constants in one step. The weights config of an archive
   keeps the old names, so renaming weights is useful only for programs outside archives. */
SCHEMAGEN_API pt2_error* pt2_program_rename(pt2_program* program, const pt2_str* old_names,
                                            const pt2_str* new_names, size_t count);
/* Changes the device of all values and arguments to `to`. If `from` is given, changes only those on that
   device. `to` and `from` use the syntax of torch.device(). `changed`, which may be NULL, receives the number
   of changes. */
SCHEMAGEN_API pt2_error* pt2_program_retarget(pt2_program* program, pt2_str to, pt2_str from,
                                              size_t* changed);
/* Changes the dtypes float16, bfloat16, float32 and float64 to `dtype`, except in the weights, inputs, nodes
   and modules that `keep` names. `keep` has `count` names. Does not convert the data of weights. For an
   archive, call pt2_file_retype() instead. */
SCHEMAGEN_API pt2_error* pt2_program_retype(pt2_program* program, int32_t dtype, const pt2_str* keep,
                                            size_t count);
/* Returns the part of the program that computes the values `outputs` from the values `inputs`. The part
   belongs to the same model of the archive as the program. It lacks any fields that were not read when the
   program was loaded. */
SCHEMAGEN_API pt2_error* pt2_program_extract(const pt2_program* program, const pt2_str* inputs,
                                             size_t input_count, const pt2_str* outputs, size_t output_count,
                                             pt2_program** out);
/* Removes one kind of information. `part` is "stack-traces", "metadata", "unused" (weights that nothing uses)
   or "names". */
SCHEMAGEN_API pt2_error* pt2_program_slim(pt2_program* program, const char* part);

/* The following functions write a changed copy of `file`, which must be an archive unless stated otherwise,
   to `path`, either completely or not at all. */

/* Writes a copy that contains only one model, `part`, as returned by pt2_program_extract(). */
SCHEMAGEN_API pt2_error* pt2_file_save_part(const pt2_file* file, pt2_str model, const pt2_program* part,
                                            const char* path);
/* Writes a copy in which the program and its weights are converted to `dtype`, as pt2_program_retype()
   describes. */
SCHEMAGEN_API pt2_error* pt2_file_retype(const pt2_file* file, pt2_str model, int32_t dtype,
                                         const pt2_str* keep, size_t count, const char* path);
/* pt2_file_strip() writes a copy without tensor data. pt2_file_attach() writes a copy with the data of
   `tensors`, which must contain a tensor with the same name for each tensor of the model. */
SCHEMAGEN_API pt2_error* pt2_file_strip(const pt2_file* file, pt2_str model, const char* path);
SCHEMAGEN_API pt2_error* pt2_file_attach(const pt2_file* file, pt2_str model,
                                         const pt2_tensor* const* tensors, size_t count, const char* path);
/* Each of the next four functions also accepts other kinds of files, and writes a file in the format that the
   extension of `path` selects. `notices`, which may be NULL, receives a JSON list of what was skipped or
   lost, in words. Unless `model` is given, the first three change all programs of the archive. */

/* Upgrades programs to the current schema, and adapts their calls as pt2_program_upgrade() does. */
SCHEMAGEN_API pt2_error* pt2_file_upgrade(const pt2_file* file, pt2_str model, const char* path,
                                          pt2_bytes* notices);
/* Writes programs in the schema and the layout of an older torch. `to` is a release, e.g. "torch-2.9", or a
   schema version. Returns a data error that names everything that the older version cannot express. */
SCHEMAGEN_API pt2_error* pt2_file_downgrade(const pt2_file* file, pt2_str model, pt2_str to, const char* path,
                                            pt2_bytes* notices);
/* Changes the devices of programs and weights as pt2_program_retarget() does. */
SCHEMAGEN_API pt2_error* pt2_file_retarget(const pt2_file* file, pt2_str model, pt2_str to, pt2_str from,
                                           const char* path, pt2_bytes* notices);
/* Writes a program that runs the program of `a` and then that of `b`, with the weights of both. Connects the
   `count` outputs of `a` to the inputs of `b`, or all of them in order if `count` is 0. */
SCHEMAGEN_API pt2_error* pt2_files_join(const pt2_file* a, const pt2_file* b, const pt2_str* outputs,
                                        const pt2_str* inputs, size_t count, const char* path,
                                        pt2_bytes* notices);

/* Writes a rebuilt archive without anything that could run code. If the archive contains compiled models,
   leaves them out if `drop_native` is true, and otherwise fails. Also fails if torch would reject or misread
   the result. `left_out`, which may be NULL, receives a JSON list of objects with the keys "record" and
   "why". The list contains the records that were left out, and the programs with calls that could not be
   adapted to current torch. */
SCHEMAGEN_API pt2_error* pt2_file_harden(const pt2_file* file, pt2_str model, bool drop_native,
                                         const char* path, pt2_bytes* left_out);

/* 10. Reports */

/* Returns "sha256:" followed by 64 hexadecimal digits. Programs that perform the same computation with the
   same nodes have the same hash, regardless of names and of the order of independent nodes. The hash does not
   cover weights. */
SCHEMAGEN_API pt2_error* pt2_program_hash(const pt2_program* program, pt2_bytes* out);
/* This function and the next four return the JSON that `pt2 diff`, `pt2 info`, `pt2 stats`, `pt2 operators`
   and `pt2 show --signature` print with the option --json. */
SCHEMAGEN_API pt2_error* pt2_program_diff(const pt2_program* a, const pt2_program* b, pt2_bytes* out);
/* `name` is the file name in the report. Either `file` or `program` may be NULL, but not both. If `program`
   is NULL, the report covers only the archive. */
SCHEMAGEN_API pt2_error* pt2_info(const pt2_file* file, const pt2_program* program, pt2_str name,
                                  pt2_bytes* out);
/* `by` is "operator", "module" or "node"; NULL means "operator". `symbols` and `values` hold the names and
   the sizes of `count` symbols. */
SCHEMAGEN_API pt2_error* pt2_program_stats(const pt2_program* program, const char* by, const pt2_str* symbols,
                                           const int64_t* values, size_t count, pt2_bytes* out);
/* `asked` is a torch release, e.g. "2.6", or "core-aten". The report says which of the program's operators
   are missing from that release or from core ATen. If `asked` is NULL, the report omits this. */
SCHEMAGEN_API pt2_error* pt2_program_operators(const pt2_program* program, const char* asked, pt2_bytes* out);
SCHEMAGEN_API pt2_error* pt2_program_signature(const pt2_program* program, pt2_bytes* out);
/* Returns the contents of the page that `pt2 view` creates, as JSON that only the page's scripts from the
   same release can read. The page shows `title` unchanged. `weights` may be NULL. Does not read the
   elements of weights. */
SCHEMAGEN_API pt2_error* pt2_program_page(const pt2_program* program, pt2_str title,
                                          const pt2_weights* weights, pt2_bytes* out);
/* Returns what the same page shows about the costs of the program and its modules. */
SCHEMAGEN_API pt2_error* pt2_program_page_costs(const pt2_program* program, pt2_bytes* out);
/* Returns the contents of a page that shows the differences between two programs. Puts each program into
   normal form first. */
SCHEMAGEN_API pt2_error* pt2_program_page_differences(const pt2_program* a, const pt2_program* b,
                                                      pt2_bytes* out);
/* Returns the graph as text, as `pt2 show` prints it. */
SCHEMAGEN_API pt2_error* pt2_program_text(const pt2_program* program, pt2_bytes* out);

#ifdef __cplusplus
}
#endif

#endif
