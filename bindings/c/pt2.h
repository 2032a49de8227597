/* libpt2 for C and for what calls C: PyTorch's exported programs (.pt2), read, checked, changed and written
   without PyTorch.

   A call that can fail returns a pt2_error, NULL for success, which is the caller's to free; what it would
   have given is then NULL or empty. Nothing is kept in threads or globals, and no exception leaves the
   library.

   Handles (pt2_file, pt2_program, pt2_weights, pt2_tensor, pt2_findings) are the caller's to free, each by
   its own function, which takes NULL; a handle does not need the one that it was made from any more. What
   getters give (pt2_str, pt2_value, const pt2_tensor *) is borrowed, and lives as long as its handle; a
   pt2_value only until its program is changed. pt2_bytes are the caller's.

   Threads: a handle may be used by any thread, and looked at by several at once; one that is changed or freed
   is that thread's alone.

   Texts are UTF-8 with their size; paths of files, and words of this header such as "normal", end in a zero.
   Where a text may be left out, it is {NULL, 0}. NULL for a handle that is needed is a usage error, and gives
   0, no text or nothing where no error can be returned.

   Constants of PyTorch's schema, such as ids of fields and numbers of dtypes, are in pt2_ids.h. */
#ifndef PT2_H
#define PT2_H

#include "schemagen_value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 1. The ABI's number */

/* It is raised by a change that programs which were compiled before cannot take; the library's name has it,
   too. Functions, kinds, and fields at the end of option structs, are added without that. */
#define PT2_ABI_VERSION 1

/* That of the library. */
SCHEMAGEN_API int32_t pt2_abi_version(void);
/* The library's version, "0.2.0". */
SCHEMAGEN_API schemagen_str pt2_version(void);

/* 2. Errors */

typedef schemagen_error pt2_error;

/* As those of schemagen_value.h, by which an error can be asked as well. */
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

/* `text` up to its zero; no text for NULL. */
SCHEMAGEN_API pt2_str pt2_text(const char* text);
/* Frees what a call gave, and empties it. */
SCHEMAGEN_API void pt2_bytes_free(pt2_bytes* bytes);

/* 4. Options. All may be NULL, and zeros are defaults: see schemagen_read_options for `struct_size`. */

/* Limits hold for what is written of the file's programs, too, but in archives, and where programs are hashed
   or compared, which have the defaults. */
typedef struct pt2_file_options {
  uint32_t struct_size;
  int32_t skip_checksums;    /* 1: those of archives are not verified */
  uint64_t max_depth;        /* of nested values: 256, at most 1000 */
  uint64_t max_input_bytes;  /* of one document, decompressed: 1 GiB */
  uint64_t max_string_bytes; /* 64 MiB */
  uint64_t max_items;        /* of one list or map: 2^24 */
  uint64_t max_memory_bytes; /* what reading may take beside the file: 2 GiB */
} pt2_file_options;
#define PT2_FILE_OPTIONS_INIT \
  { sizeof(pt2_file_options), 0, 0, 0, 0, 0, 0 }

typedef struct pt2_load_options {
  uint32_t struct_size;
  int32_t unknown_fields;   /* SCHEMAGEN_FIELDS_...: refused by default */
  int32_t newer_fields;     /* the same of a newer torch's programs: skipped by default if they are empty */
  int32_t upgrade_all;      /* 1: also programs of older minor versions, which can be read as they are */
  int32_t without_metadata; /* 1: nodes get none, which saves half of the time; to write the program, a part
                               or an older version of it, changed or not, is a usage error then */
  int32_t bare_nonfinite;   /* 1: takes bare NaN and Infinity in all JSON */
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
  PT2_FILE_ARCHIVE = 3 /* of torch.export.save() */
};

/* The file at `path`, mapped where the system can; "-": standard input. What it is is told by its content. */
SCHEMAGEN_API pt2_error* pt2_file_open(const char* path, const pt2_file_options* options, pt2_file** out);
/* A file of these bytes, which are copied. */
SCHEMAGEN_API pt2_error* pt2_file_from_bytes(const void* data, size_t size, const pt2_file_options* options,
                                             pt2_file** out);
SCHEMAGEN_API int32_t pt2_file_kind(const pt2_file* file);
/* The models of an archive; none of other files, and of packages that only hold compiled ones. */
SCHEMAGEN_API size_t pt2_file_model_count(const pt2_file* file);
SCHEMAGEN_API pt2_str pt2_file_model_name(const pt2_file* file, size_t index);
SCHEMAGEN_API void pt2_file_free(pt2_file* file);

/* The program of the model `model`, which may be left out where a file has one. Programs of older major
   versions are upgraded. */
SCHEMAGEN_API pt2_error* pt2_program_load(const pt2_file* file, pt2_str model,
                                          const pt2_load_options* options, pt2_program** out);
/* The schema's version that the program is of, and the one that it was upgraded from: 0.0 if it was not. A
   number beyond INT32_MAX is given as that. */
SCHEMAGEN_API void pt2_program_version(const pt2_program* program, int32_t* major, int32_t* minor);
SCHEMAGEN_API void pt2_program_upgraded_from(const pt2_program* program, int32_t* major, int32_t* minor);
/* The model of an archive that it was read from. */
SCHEMAGEN_API pt2_str pt2_program_model(const pt2_program* program);
/* Fields of a newer schema that were skipped, as their paths. */
SCHEMAGEN_API size_t pt2_program_skipped_count(const pt2_program* program);
SCHEMAGEN_API pt2_str pt2_program_skipped_path(const pt2_program* program, size_t index);
SCHEMAGEN_API pt2_error* pt2_program_copy(const pt2_program* program, pt2_program** out);
/* JSON as torch writes it, byte for byte, unless there is an indentation; a .pt2b file, by default compressed
   if the library can. With what was kept of a newer schema. */
SCHEMAGEN_API pt2_error* pt2_program_to_json(const pt2_program* program, const pt2_write_options* options,
                                             pt2_bytes* out);
SCHEMAGEN_API pt2_error* pt2_program_to_pt2b(const pt2_program* program, const pt2_write_options* options,
                                             pt2_bytes* out);
/* Writes the file `path`, .json, .pt2b or .pt2, which appears whole or not at all. An archive is a copy of
   `source` with the program in place of the model that it was read from, and with pickled weights (torch up
   to 2.8) as raw records; its JSON is torch's, whatever the options say. Others need no `source`. */
SCHEMAGEN_API pt2_error* pt2_program_save(const pt2_program* program, const char* path,
                                          const pt2_file* source, const pt2_write_options* options);
SCHEMAGEN_API void pt2_program_free(pt2_program* program);

/* 6. The cursor */

typedef schemagen_value pt2_value;

/* The program itself, a struct ExportedProgram: see schemagen_value.h for where to go from there. */
SCHEMAGEN_API pt2_value pt2_program_value(const pt2_program* program);

/* 7. Weights */

typedef struct pt2_weights pt2_weights; /* a list of tensors */
typedef struct pt2_tensor pt2_tensor;

/* What a tensor is to its model. */
enum {
  PT2_PARAMETER = 0,
  PT2_BUFFER = 1,
  PT2_CONSTANT = 2,
  PT2_OBJECT = 3 /* none, but an object of Python or TorchBind; it has no layout and no bytes */
};

/* The weights and constants of a model of an archive, weights first. No byte of a tensor is read. */
SCHEMAGEN_API pt2_error* pt2_weights_load(const pt2_file* file, pt2_str model, pt2_weights** out);
/* The tensors of a file of safetensors or NumPy (.npz), as `path` is called. NumPy lacks some dtypes:
   elements of such arrays are what the tensor of their name in `known`, which may be NULL, has. */
SCHEMAGEN_API pt2_error* pt2_weights_read(const char* path, const pt2_weights* known, pt2_weights** out);
/* Writes such a file. Objects are left out. */
SCHEMAGEN_API pt2_error* pt2_weights_save(const pt2_weights* weights, const char* path);
SCHEMAGEN_API size_t pt2_weights_count(const pt2_weights* weights);
SCHEMAGEN_API const pt2_tensor* pt2_weights_at(const pt2_weights* weights, size_t index);
/* By name; NULL: there is none. */
SCHEMAGEN_API const pt2_tensor* pt2_weights_find(const pt2_weights* weights, pt2_str name);
SCHEMAGEN_API void pt2_weights_free(pt2_weights* weights);

/* A tensor of these elements, `size` bytes in row-major order and little-endian, which are copied. `dtype` is
   one of pt2_ids.h, PT2_ScalarType_FLOAT. */
SCHEMAGEN_API pt2_error* pt2_tensor_new(pt2_str name, int32_t dtype, const int64_t* shape, size_t rank,
                                        const void* data, size_t size, pt2_tensor** out);
SCHEMAGEN_API pt2_str pt2_tensor_name(const pt2_tensor* tensor); /* in the model: layer.weight */
SCHEMAGEN_API int32_t pt2_tensor_kind(const pt2_tensor* tensor);
SCHEMAGEN_API bool pt2_tensor_is_persistent(const pt2_tensor* tensor); /* in the state dict */
SCHEMAGEN_API bool pt2_tensor_is_pickled(const pt2_tensor* tensor);
SCHEMAGEN_API bool pt2_tensor_has_layout(
    const pt2_tensor* tensor); /* no object, nor of a Python class of its own */
/* The record of the archive that holds it, without the top folder. */
SCHEMAGEN_API pt2_str pt2_tensor_record(const pt2_tensor* tensor);
/* Of a tensor of a Python class of its own: the class, and the tensors in its attributes, by which they are
 * named. */
SCHEMAGEN_API pt2_str pt2_tensor_class(const pt2_tensor* tensor);
SCHEMAGEN_API size_t pt2_tensor_part_count(const pt2_tensor* tensor);
SCHEMAGEN_API const pt2_tensor* pt2_tensor_part(const pt2_tensor* tensor, size_t index);
SCHEMAGEN_API int32_t pt2_tensor_dtype(const pt2_tensor* tensor);
SCHEMAGEN_API pt2_str pt2_tensor_dtype_name(const pt2_tensor* tensor); /* as torch has it: float32 */
SCHEMAGEN_API pt2_str pt2_tensor_device(const pt2_tensor* tensor);     /* cpu, cuda:1 */
SCHEMAGEN_API size_t pt2_tensor_rank(const pt2_tensor* tensor);
/* `rank` numbers each, of elements. */
SCHEMAGEN_API const int64_t* pt2_tensor_shape(const pt2_tensor* tensor);
SCHEMAGEN_API const int64_t* pt2_tensor_strides(const pt2_tensor* tensor);
/* Of the first element in its storage, in elements. */
SCHEMAGEN_API int64_t pt2_tensor_offset(const pt2_tensor* tensor);
/* Of all elements, one after the other. */
SCHEMAGEN_API uint64_t pt2_tensor_bytes(const pt2_tensor* tensor);
/* Its elements as they lie in the file, without a copy where that has them as they are. Usage error if they
   are not one after the other in row-major order and little-endian: copy them then. */
SCHEMAGEN_API pt2_error* pt2_tensor_data(const pt2_tensor* tensor, pt2_str* out);
/* The same of any tensor, as a copy in row-major order, little-endian. Data error if that is over 2 GiB. */
SCHEMAGEN_API pt2_error* pt2_tensor_copy(const pt2_tensor* tensor, pt2_bytes* out);
SCHEMAGEN_API void pt2_tensor_free(pt2_tensor* tensor);

/* 8. Checks */

typedef struct pt2_findings pt2_findings;

/* How grave a finding is. */
enum {
  PT2_FINDING_ERROR = 0,   /* torch, or any runtime, refuses the program or misreads it; or code could run */
  PT2_FINDING_WARNING = 1, /* suspicious */
  PT2_FINDING_NOTE = 2     /* worth knowing */
};

/* What rules find in a program, sorted by path; and with `file`, an archive, in the weights that it has for
 * it. */
SCHEMAGEN_API pt2_error* pt2_program_verify(const pt2_program* program, const pt2_file* file,
                                            pt2_findings** out);
/* What in a file, which may be any that torch loads, could run code when torch loads it. Nothing of it is
   run. An error means that the file is nothing that torch loads. */
SCHEMAGEN_API pt2_error* pt2_scan(const char* path, pt2_findings** out);
SCHEMAGEN_API pt2_error* pt2_scan_bytes(const void* data, size_t size, pt2_findings** out);
SCHEMAGEN_API size_t pt2_findings_count(const pt2_findings* findings);
SCHEMAGEN_API int32_t pt2_finding_level(const pt2_findings* findings, size_t index);
SCHEMAGEN_API pt2_str pt2_finding_rule(const pt2_findings* findings, size_t index); /* NAME_REPEATED */
/* Names in it, as in the texts that follow, are those of the file: not printable as they stand. */
SCHEMAGEN_API pt2_str pt2_finding_message(const pt2_findings* findings, size_t index);
/* Of verify: in the program's JSON. */
SCHEMAGEN_API pt2_str pt2_finding_path(const pt2_findings* findings, size_t index);
/* Of scan: the record of the archive, empty for the file itself; what of it; the byte of it, -1 if there is
 * none. */
SCHEMAGEN_API pt2_str pt2_finding_record(const pt2_findings* findings, size_t index);
SCHEMAGEN_API pt2_str pt2_finding_what(const pt2_findings* findings, size_t index);
SCHEMAGEN_API int64_t pt2_finding_offset(const pt2_findings* findings, size_t index);
/* What goes wrong, and what to do: of any rule; no text if there is none of this name. */
SCHEMAGEN_API pt2_str pt2_rule_explanation(pt2_str rule);
SCHEMAGEN_API void pt2_findings_free(pt2_findings* findings);

/* 9. Changes. Those of a program leave it as it was if they fail. Fields that are kept beside it
   (SCHEMAGEN_FIELDS_KEEP) have places in it: all changes but of devices, and to make a part or an older
   version of it, are usage errors then. */

/* Makes calls of operators, which the release of torch that wrote the program has with other arguments, calls
   of today's torch. `changes`, which may be NULL, gets [{"path", "what", "done"}] as JSON: those that are not
   done cannot be. The schema of older majors is upgraded where a program is loaded. */
SCHEMAGEN_API pt2_error* pt2_program_upgrade(pt2_program* program, pt2_bytes* changes);
/* The program's JSON in an older minor version of its major. What is new since then and only repeats or hints
   is left out: `dropped`, which may be NULL, gets {"field": count} as JSON. Data error with the paths of what
   that version cannot say. Calls stay as they are. */
SCHEMAGEN_API pt2_error* pt2_program_downgrade(const pt2_program* program, int32_t major, int32_t minor,
                                               pt2_bytes* out, pt2_bytes* dropped);
/* Brings it to a canonical form: "normal", which names and the order of independent nodes do not matter to,
   "names", or "torch", what torch's canonicalize gives. `keep_provenance`: stack traces and the like stay. */
SCHEMAGEN_API pt2_error* pt2_program_canonicalize(pt2_program* program, const char* form,
                                                  bool keep_provenance);
/* Gives `count` values, parameters, buffers or constants new names, all at once. Archives' tables of weights
   keep theirs: what is renamed in the model is for programs alone. */
SCHEMAGEN_API pt2_error* pt2_program_rename(pt2_program* program, const pt2_str* old_names,
                                            const pt2_str* new_names, size_t count);
/* Changes the devices of all values and arguments to `to`, as torch.device() takes it. `from`, which may be
   left out: those on this one only. `changed`, which may be NULL: how many. */
SCHEMAGEN_API pt2_error* pt2_program_retarget(pt2_program* program, pt2_str to, pt2_str from,
                                              size_t* changed);
/* Makes what is float16, bfloat16, float32 or float64 `dtype`, of all but the `count` weights, inputs, nodes
   and modules of `keep`. For archives, whose weights have to be converted, see pt2_file_retype(). */
SCHEMAGEN_API pt2_error* pt2_program_retype(pt2_program* program, int32_t dtype, const pt2_str* keep,
                                            size_t count);
/* The part that computes the values `outputs` from the values `inputs`; of the same model of an archive, and
   as complete as the program is. */
SCHEMAGEN_API pt2_error* pt2_program_extract(const pt2_program* program, const pt2_str* inputs,
                                             size_t input_count, const pt2_str* outputs, size_t output_count,
                                             pt2_program** out);
/* Takes out "stack-traces", "metadata", "unused" weights, or "names". */
SCHEMAGEN_API pt2_error* pt2_program_slim(pt2_program* program, const char* part);

/* Those of archives write a copy of `file` to `path`, which appears whole or not at all. */

/* With the part `part`, of pt2_program_extract(), as its only model. */
SCHEMAGEN_API pt2_error* pt2_file_save_part(const pt2_file* file, pt2_str model, const pt2_program* part,
                                            const char* path);
/* With weights converted to a dtype, see pt2_program_retype(). */
SCHEMAGEN_API pt2_error* pt2_file_retype(const pt2_file* file, pt2_str model, int32_t dtype,
                                         const pt2_str* keep, size_t count, const char* path);
/* Without the bytes of its tensors; with those of `tensors`, all of the model's, by name. */
SCHEMAGEN_API pt2_error* pt2_file_strip(const pt2_file* file, pt2_str model, const char* path);
SCHEMAGEN_API pt2_error* pt2_file_attach(const pt2_file* file, pt2_str model,
                                         const pt2_tensor* const* tensors, size_t count, const char* path);
/* Made anew, without what could run code. `drop_native`: without compiled models, which are refused
   otherwise. `left_out`, which may be NULL, gets [{"record", "why"}] as JSON, of a
   program which of its calls could not be made those of today's torch. */
SCHEMAGEN_API pt2_error* pt2_file_harden(const pt2_file* file, pt2_str model, bool drop_native,
                                         const char* path, pt2_bytes* left_out);

/* 10. Reports */

/* "sha256:" and 64 digits: the same for programs that compute the same by the same nodes, however they are
   named and ordered. Weights are not hashed. */
SCHEMAGEN_API pt2_error* pt2_program_hash(const pt2_program* program, pt2_bytes* out);
/* All others give JSON as `pt2 COMMAND --json` prints it, for diff, info, stats, operators and show
   --signature. */
SCHEMAGEN_API pt2_error* pt2_program_diff(const pt2_program* a, const pt2_program* b, pt2_bytes* out);
/* `name` is what the file is called in it. Without a program, what is known of an archive. `file` may be
   NULL, if `program` is not. */
SCHEMAGEN_API pt2_error* pt2_info(const pt2_file* file, const pt2_program* program, pt2_str name,
                                  pt2_bytes* out);
/* `by`: "operator", also for NULL, "module" or "node". `symbols` and `values`, `count` each: sizes that are
 * known. */
SCHEMAGEN_API pt2_error* pt2_program_stats(const pt2_program* program, const char* by, const pt2_str* symbols,
                                           const int64_t* values, size_t count, pt2_bytes* out);
/* `asked`: a release of torch, "2.6", or "core-aten", whose operators the program's are held against; NULL:
 * none. */
SCHEMAGEN_API pt2_error* pt2_program_operators(const pt2_program* program, const char* asked, pt2_bytes* out);
SCHEMAGEN_API pt2_error* pt2_program_signature(const pt2_program* program, pt2_bytes* out);
/* The graph for people, as `pt2 show` prints it. */
SCHEMAGEN_API pt2_error* pt2_program_text(const pt2_program* program, pt2_bytes* out);

#ifdef __cplusplus
}
#endif

#endif
