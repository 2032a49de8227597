/* libpt2 for C and languages that call C: reads, checks, changes and writes PyTorch's exported programs
   (.pt2) without PyTorch.

   Calls that can fail return a pt2_error, or NULL for success; the caller frees it. On failure, other results
   are NULL or empty. There is no global or per-thread state, and no exception leaves the library.

   The caller frees handles (pt2_file, pt2_program, pt2_weights, pt2_tensor, pt2_findings). Each kind has its
   own function for this, which accepts NULL. A handle does not depend on the handle that it was made from.
   Results of getters (pt2_str, pt2_value, const pt2_tensor *) are borrowed: they are valid as long as their
   handle, and a pt2_value only until its program is changed. pt2_bytes belong to the caller.

   Threads: any thread may use a handle, and several may read it at once. While a thread changes or frees it,
   no other thread may use it.

   Strings are UTF-8 with a size; file paths, and keywords of this header such as "normal", are
   zero-terminated. An omitted string is {NULL, 0}. NULL for a required handle is a usage error; functions
   that cannot return errors then return 0, no string or nothing.

   Constants of PyTorch's schema, such as field ids and dtypes, are in pt2_ids.h. */
#ifndef PT2_H
#define PT2_H

#include "schemagen_value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 1. ABI version */

/* The version changes whenever the ABI becomes incompatible with programs compiled earlier, and is part of
   the library's name. New functions, kinds, and members at the end of option structs do not change it. */
#define PT2_ABI_VERSION 1

/* Returns the ABI version of the library. */
SCHEMAGEN_API int32_t pt2_abi_version(void);
/* Returns the version of the library, e.g. "0.2.0". */
SCHEMAGEN_API schemagen_str pt2_version(void);

/* 2. Errors */

typedef schemagen_error pt2_error;

/* Same as the functions in schemagen_value.h. */
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

/* Converts a zero-terminated string; NULL gives no string. */
SCHEMAGEN_API pt2_str pt2_text(const char* text);
/* Frees the bytes that a call returned, and clears `bytes`. */
SCHEMAGEN_API void pt2_bytes_free(pt2_bytes* bytes);

/* 4. Options. All may be NULL; zero members mean defaults. See schemagen_read_options for `struct_size`. */

/* Limits also apply when programs from the file are written, except to archives. They do not apply when
   programs are hashed or compared, which uses the defaults. */
typedef struct pt2_file_options {
  uint32_t struct_size;
  int32_t skip_checksums;    /* 1: does not verify checksums of archives */
  uint64_t max_depth;        /* nesting depth: 256, at most 1000 */
  uint64_t max_input_bytes;  /* per document, decompressed: 1 GiB */
  uint64_t max_string_bytes; /* 64 MiB */
  uint64_t max_items;        /* per list or map: 2^24 */
  uint64_t max_memory_bytes; /* for reading, besides the file: 1.75 GiB */
} pt2_file_options;
#define PT2_FILE_OPTIONS_INIT \
  { sizeof(pt2_file_options), 0, 0, 0, 0, 0, 0 }

typedef struct pt2_load_options {
  uint32_t struct_size;
  int32_t unknown_fields;   /* SCHEMAGEN_FIELDS_...: rejected by default */
  int32_t newer_fields;     /* same for programs of a newer torch: empty ones are skipped by default */
  int32_t upgrade_all;      /* 1: also upgrades older minor versions, which could be read as they are */
  int32_t without_metadata; /* 1: omits metadata of nodes, which halves the time; the program, its parts and
                               older versions of it then cannot be written (usage error) */
  int32_t bare_nonfinite;   /* 1: accepts bare NaN and Infinity in all JSON */
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

/* Opens the file at `path`, mapped if possible; "-" is standard input. Detects the kind from the contents. */
SCHEMAGEN_API pt2_error* pt2_file_open(const char* path, const pt2_file_options* options, pt2_file** out);
/* Opens a file with these bytes, which are copied. */
SCHEMAGEN_API pt2_error* pt2_file_from_bytes(const void* data, size_t size, const pt2_file_options* options,
                                             pt2_file** out);
/* Does the same without a copy: the bytes must not change until the file and everything made from it are
   freed. Parts that no call reads may have any content, such as the data of unread tensors in an archive. */
SCHEMAGEN_API pt2_error* pt2_file_borrow(const void* data, size_t size, const pt2_file_options* options,
                                         pt2_file** out);
SCHEMAGEN_API int32_t pt2_file_kind(const pt2_file* file);
/* Return the number and names of the models in an archive. Other files have none, nor do packages with only
   compiled models. */
SCHEMAGEN_API size_t pt2_file_model_count(const pt2_file* file);
SCHEMAGEN_API pt2_str pt2_file_model_name(const pt2_file* file, size_t index);
SCHEMAGEN_API void pt2_file_free(pt2_file* file);

/* Loads the program of `model`, which may be omitted if the file has only one. Upgrades programs of older
   major versions. */
SCHEMAGEN_API pt2_error* pt2_program_load(const pt2_file* file, pt2_str model,
                                          const pt2_load_options* options, pt2_program** out);
/* Return the schema version of the program, and the version that it was upgraded from, or 0.0 if it was not.
   Numbers above INT32_MAX are returned as INT32_MAX. */
SCHEMAGEN_API void pt2_program_version(const pt2_program* program, int32_t* major, int32_t* minor);
SCHEMAGEN_API void pt2_program_upgraded_from(const pt2_program* program, int32_t* major, int32_t* minor);
/* Returns the model of the archive that the program was read from. */
SCHEMAGEN_API pt2_str pt2_program_model(const pt2_program* program);
/* Return the number and paths of skipped fields of a newer schema. */
SCHEMAGEN_API size_t pt2_program_skipped_count(const pt2_program* program);
SCHEMAGEN_API pt2_str pt2_program_skipped_path(const pt2_program* program, size_t index);
SCHEMAGEN_API pt2_error* pt2_program_copy(const pt2_program* program, pt2_program** out);
/* Return JSON as torch writes it (byte for byte unless indented), or a .pt2b file, by default compressed if
   the library supports it. Both include preserved fields of a newer schema. */
SCHEMAGEN_API pt2_error* pt2_program_to_json(const pt2_program* program, const pt2_write_options* options,
                                             pt2_bytes* out);
SCHEMAGEN_API pt2_error* pt2_program_to_pt2b(const pt2_program* program, const pt2_write_options* options,
                                             pt2_bytes* out);
/* Writes the file `path` (.json, .pt2b or .pt2), either completely or not at all. An archive is a copy of
   `source` with the program in place of the model that it was read from, and with pickled weights (torch up
   to 2.8) as raw records; its JSON is torch's, regardless of the options. Other files need no `source`. */
SCHEMAGEN_API pt2_error* pt2_program_save(const pt2_program* program, const char* path,
                                          const pt2_file* source, const pt2_write_options* options);
SCHEMAGEN_API void pt2_program_free(pt2_program* program);

/* 6. The cursor */

typedef schemagen_value pt2_value;

/* Returns the program itself, a struct ExportedProgram. See schemagen_value.h for what to do with it. */
SCHEMAGEN_API pt2_value pt2_program_value(const pt2_program* program);

/* 7. Weights */

typedef struct pt2_weights pt2_weights; /* a list of tensors */
typedef struct pt2_tensor pt2_tensor;

/* Roles of a tensor in its model. */
enum {
  PT2_PARAMETER = 0,
  PT2_BUFFER = 1,
  PT2_CONSTANT = 2,
  PT2_OBJECT = 3 /* not a tensor, but a Python or TorchBind object, without layout and bytes */
};

/* Loads the weights and constants of a model in an archive, weights first. Reads no tensor data. */
SCHEMAGEN_API pt2_error* pt2_weights_load(const pt2_file* file, pt2_str model, pt2_weights** out);
/* Reads the tensors of a safetensors or NumPy (.npz) file, depending on the extension of `path`. NumPy lacks
   some dtypes: such arrays get the dtype of the tensor with the same name in `known`, which may be NULL. */
SCHEMAGEN_API pt2_error* pt2_weights_read(const char* path, const pt2_weights* known, pt2_weights** out);
/* Writes a safetensors or NumPy (.npz) file. Omits objects. */
SCHEMAGEN_API pt2_error* pt2_weights_save(const pt2_weights* weights, const char* path);
SCHEMAGEN_API size_t pt2_weights_count(const pt2_weights* weights);
SCHEMAGEN_API const pt2_tensor* pt2_weights_at(const pt2_weights* weights, size_t index);
/* Returns the tensor called `name`, or NULL. */
SCHEMAGEN_API const pt2_tensor* pt2_weights_find(const pt2_weights* weights, pt2_str name);
SCHEMAGEN_API void pt2_weights_free(pt2_weights* weights);

/* Creates a tensor from `size` bytes of elements, row-major and little-endian, which are copied. `dtype`
   is one of pt2_ids.h, e.g. PT2_ScalarType_FLOAT. */
SCHEMAGEN_API pt2_error* pt2_tensor_new(pt2_str name, int32_t dtype, const int64_t* shape, size_t rank,
                                        const void* data, size_t size, pt2_tensor** out);
SCHEMAGEN_API pt2_str pt2_tensor_name(const pt2_tensor* tensor); /* in the model: layer.weight */
SCHEMAGEN_API int32_t pt2_tensor_kind(const pt2_tensor* tensor);
SCHEMAGEN_API bool pt2_tensor_is_persistent(const pt2_tensor* tensor); /* in the state dict */
SCHEMAGEN_API bool pt2_tensor_is_pickled(const pt2_tensor* tensor);
SCHEMAGEN_API bool pt2_tensor_has_layout(
    const pt2_tensor* tensor); /* neither an object nor of a custom Python class */
/* Returns the record in the archive, without the top folder. */
SCHEMAGEN_API pt2_str pt2_tensor_record(const pt2_tensor* tensor);
/* For a tensor of a custom Python class, return the class, and the tensors in its attributes, which are named
   after these. */
SCHEMAGEN_API pt2_str pt2_tensor_class(const pt2_tensor* tensor);
SCHEMAGEN_API size_t pt2_tensor_part_count(const pt2_tensor* tensor);
SCHEMAGEN_API const pt2_tensor* pt2_tensor_part(const pt2_tensor* tensor, size_t index);
SCHEMAGEN_API int32_t pt2_tensor_dtype(const pt2_tensor* tensor);
SCHEMAGEN_API pt2_str pt2_tensor_dtype_name(const pt2_tensor* tensor); /* in torch: float32 */
SCHEMAGEN_API pt2_str pt2_tensor_device(const pt2_tensor* tensor);     /* cpu, cuda:1 */
SCHEMAGEN_API size_t pt2_tensor_rank(const pt2_tensor* tensor);
/* Return `rank` numbers, in elements. */
SCHEMAGEN_API const int64_t* pt2_tensor_shape(const pt2_tensor* tensor);
SCHEMAGEN_API const int64_t* pt2_tensor_strides(const pt2_tensor* tensor);
/* Returns the offset of the first element in its storage, in elements. */
SCHEMAGEN_API int64_t pt2_tensor_offset(const pt2_tensor* tensor);
/* Returns the size of all elements, in bytes. */
SCHEMAGEN_API uint64_t pt2_tensor_bytes(const pt2_tensor* tensor);
/* Returns the elements without a copy, from the file if possible. Usage error unless they are contiguous,
   row-major and little-endian; in that case call pt2_tensor_copy(). */
SCHEMAGEN_API pt2_error* pt2_tensor_data(const pt2_tensor* tensor, pt2_str* out);
/* Returns a copy of the elements of any tensor, row-major and little-endian. Data error above 2 GiB. */
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
/* Returns everything in a file that could run code when torch loads it. Accepts any file that torch loads,
   and runs nothing. Fails if torch could not load the file. */
SCHEMAGEN_API pt2_error* pt2_scan(const char* path, pt2_findings** out);
SCHEMAGEN_API pt2_error* pt2_scan_bytes(const void* data, size_t size, pt2_findings** out);
/* Returns the parts of a file that pt2_scan() does not read, so that callers need not fetch them:
   [[offset, size]] as JSON. They are the data of raw tensors in a well-formed archive. */
SCHEMAGEN_API pt2_error* pt2_parts_not_scanned(const void* data, size_t size, pt2_bytes* out);
SCHEMAGEN_API size_t pt2_findings_count(const pt2_findings* findings);
SCHEMAGEN_API int32_t pt2_finding_level(const pt2_findings* findings, size_t index);
SCHEMAGEN_API pt2_str pt2_finding_rule(const pt2_findings* findings, size_t index); /* NAME_REPEATED */
/* Names in messages and in the strings below come from the file and are not safe to print. */
SCHEMAGEN_API pt2_str pt2_finding_message(const pt2_findings* findings, size_t index);
/* verify: returns the path in the program's JSON. */
SCHEMAGEN_API pt2_str pt2_finding_path(const pt2_findings* findings, size_t index);
/* scan: return the record in the archive (empty for the file itself), the affected part, and its byte offset
   or -1. */
SCHEMAGEN_API pt2_str pt2_finding_record(const pt2_findings* findings, size_t index);
SCHEMAGEN_API pt2_str pt2_finding_what(const pt2_findings* findings, size_t index);
SCHEMAGEN_API int64_t pt2_finding_offset(const pt2_findings* findings, size_t index);
/* Returns what goes wrong and how to fix it, for any rule; no string for an unknown rule. */
SCHEMAGEN_API pt2_str pt2_rule_explanation(pt2_str rule);
SCHEMAGEN_API void pt2_findings_free(pt2_findings* findings);

/* 9. Changes. A failed change leaves the program unchanged. If it was loaded with SCHEMAGEN_FIELDS_KEEP and
      has preserved fields, these must stay in place: only device changes are allowed, and making a part or an
      older version of it is a usage error. */

/* Adapts calls to operators to current torch if their arguments differ in the torch release that wrote the
   program. `changes`, which may be NULL, gets [{"path", "what", "done"}] as JSON; some changes may be
   impossible. Older major versions are upgraded on load. */
SCHEMAGEN_API pt2_error* pt2_program_upgrade(pt2_program* program, pt2_bytes* changes);
/* Returns the program's JSON in an older minor version of its major version. Omits newer fields that only
   repeat information or give hints; `dropped`, which may be NULL, gets {"field": count} as JSON. Data
   error with paths if that version cannot express the program. Does not change calls. */
SCHEMAGEN_API pt2_error* pt2_program_downgrade(const pt2_program* program, int32_t major, int32_t minor,
                                               pt2_bytes* out, pt2_bytes* dropped);
/* Puts the program into a canonical form: "normal", which does not depend on names and the order of
   independent nodes; "names"; or "torch", the output of torch's canonicalize. `keep_provenance` preserves
   stack traces and the like. */
SCHEMAGEN_API pt2_error* pt2_program_canonicalize(pt2_program* program, const char* form,
                                                  bool keep_provenance);
/* Renames `count` values, parameters, buffers or constants at once. The weights configs of archives keep the
   old names, so renaming weights is only useful for programs outside archives. */
SCHEMAGEN_API pt2_error* pt2_program_rename(pt2_program* program, const pt2_str* old_names,
                                            const pt2_str* new_names, size_t count);
/* Changes the devices of all values and arguments to `to`, in the syntax of torch.device(). `from`, which is
   optional, restricts this to values on that device. `changed`, which may be NULL, gets the number of
   changes. */
SCHEMAGEN_API pt2_error* pt2_program_retarget(pt2_program* program, pt2_str to, pt2_str from,
                                              size_t* changed);
/* Changes float16, bfloat16, float32 and float64 to `dtype`, except for the `count` weights, inputs, nodes
   and modules in `keep`. For archives, whose weights need conversion, see pt2_file_retype(). */
SCHEMAGEN_API pt2_error* pt2_program_retype(pt2_program* program, int32_t dtype, const pt2_str* keep,
                                            size_t count);
/* Returns the part that computes the values `outputs` from the values `inputs`. It belongs to the same model
   of an archive. Fields that the program was loaded without are missing in it, too. */
SCHEMAGEN_API pt2_error* pt2_program_extract(const pt2_program* program, const pt2_str* inputs,
                                             size_t input_count, const pt2_str* outputs, size_t output_count,
                                             pt2_program** out);
/* Removes "stack-traces", "metadata", "unused" weights, or "names". */
SCHEMAGEN_API pt2_error* pt2_program_slim(pt2_program* program, const char* part);

/* These functions write a changed copy of the archive `file` to `path`, either completely or not at all. */

/* The copy has `part`, from pt2_program_extract(), as its only model. */
SCHEMAGEN_API pt2_error* pt2_file_save_part(const pt2_file* file, pt2_str model, const pt2_program* part,
                                            const char* path);
/* The copy has its weights converted to a dtype; see pt2_program_retype(). */
SCHEMAGEN_API pt2_error* pt2_file_retype(const pt2_file* file, pt2_str model, int32_t dtype,
                                         const pt2_str* keep, size_t count, const char* path);
/* The first function copies no tensor data; the second writes the data of `tensors`, which must contain all
   tensors of the model, by name. */
SCHEMAGEN_API pt2_error* pt2_file_strip(const pt2_file* file, pt2_str model, const char* path);
SCHEMAGEN_API pt2_error* pt2_file_attach(const pt2_file* file, pt2_str model,
                                         const pt2_tensor* const* tensors, size_t count, const char* path);
/* The copy is rebuilt without anything that could run code. `drop_native` drops compiled models, which are
   otherwise an error. `left_out`, which may be NULL, gets [{"record", "why"}] as JSON; for programs, it
   lists calls that could not be adapted to current torch. */
SCHEMAGEN_API pt2_error* pt2_file_harden(const pt2_file* file, pt2_str model, bool drop_native,
                                         const char* path, pt2_bytes* left_out);

/* 10. Reports */

/* Returns "sha256:" and 64 digits: the same for programs that compute the same with the same nodes,
   regardless of names and order. Does not include weights. */
SCHEMAGEN_API pt2_error* pt2_program_hash(const pt2_program* program, pt2_bytes* out);
/* The other reports return the JSON that `pt2 COMMAND --json` prints, for diff, info, stats, operators and
   show --signature. */
SCHEMAGEN_API pt2_error* pt2_program_diff(const pt2_program* a, const pt2_program* b, pt2_bytes* out);
/* `name` is the file name in the report. Without a program, the report is about the archive only. `file` may
   be NULL if `program` is not. */
SCHEMAGEN_API pt2_error* pt2_info(const pt2_file* file, const pt2_program* program, pt2_str name,
                                  pt2_bytes* out);
/* `by` is "operator" (also for NULL), "module" or "node". `symbols` and `values` give `count` known sizes. */
SCHEMAGEN_API pt2_error* pt2_program_stats(const pt2_program* program, const char* by, const pt2_str* symbols,
                                           const int64_t* values, size_t count, pt2_bytes* out);
/* `asked` is a torch release, e.g. "2.6", or "core-aten"; the report then says which operators of the program
   it lacks. NULL omits that. */
SCHEMAGEN_API pt2_error* pt2_program_operators(const pt2_program* program, const char* asked, pt2_bytes* out);
SCHEMAGEN_API pt2_error* pt2_program_signature(const pt2_program* program, pt2_bytes* out);
/* Returns what the page of `pt2 view` shows, as JSON that only the scripts of the same release read. `title`
   is shown as it is. `weights` may be NULL; their elements are not read. */
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
