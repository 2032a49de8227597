// The weights and constants of a program by name, and copies of archives in which the weights are stored raw,
// pickled as in older releases of torch, removed, or replaced.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/archive/archive_writer.h"
#include "pt2/archive/file.h"
#include "pt2/archive/tensors/tensor.h"
#include "pt2/types.h"
#include "schemagen/base/limits.h"

namespace pt2 {

enum class WeightKind {
  parameter,
  buffer,
  constant,
  object,  // not a tensor: a TorchBind object, or a pickled Python object
};

/// `parameter`, `buffer`, `constant`, `object`
std::string_view name_of(WeightKind kind);

/// Returns the kind of weight for inputs of this kind; nullopt for other inputs and for objects.
std::optional<WeightKind> tensor_kind(InputSpec::Kind kind);

/// An entry of a program's state dict or constants.
struct Weight {
  std::string name;  // in the model: `layer.weight`
  WeightKind kind = WeightKind::parameter;
  bool persistent = true;  // whether it is in the state dict rather than among the constants
  bool pickled = false;
  /// The same number for all names that a pickle gives to one object; nullopt if each name has its own
  /// object.
  std::optional<std::uint32_t> pickled_object;
  std::string record;            // its record without the top folder: `data/weights/weight_0`
  std::optional<Tensor> tensor;  // checked; nullopt for an object or a TensorSubclass
  /// For a TensorSubclass (such as torchao's), which torch.load(weights_only=True) does not know: the class,
  /// `torchao.quantization.Int8Tensor`, and its tensors by attribute: `qdata`. Otherwise empty.
  std::string class_name;
  std::vector<NamedTensor> parts;
};

/// Returns the weights, then the constants, of `model` in `archive`, which must outlive them, in the order of
/// the archive. Reads no tensor data. Tensors that share a storage share the object. Reads raw records with a
/// payload config under either of its two names, and files of torch.save in archives of torch up to 2.8.
/// Executes no pickle, and rejects what torch's weights_only loading rejects, with one exception: a record of
/// a payload config may contain a TensorSubclass, from which its plain tensors are read. Throws DataError if
/// a payload config or pickle is malformed, or if a tensor's record is missing or too small; see
/// check_tensor().
std::vector<Weight> weights_of(const Archive& archive, std::string_view model,
                               const GraphSignature& signature, const schemagen::Limits& limits = {});

/// Returns `weights`, each followed by its parts as weights named like `layer.weight.qdata`.
std::vector<Weight> with_parts(std::vector<Weight> weights);

/// Appends tensors that were pickled in a program, in `record`; see LoadedProgram::constants.
void append_constants(std::vector<Weight>& weights, const std::vector<NamedTensor>& constants,
                      const std::string& record);

/// Returns the weight `name`. Throws UsageError if there is none.
const Weight& find_weight(const std::vector<Weight>& weights, std::string_view name);

/// A tensor that a program's signature names.
struct ProgramTensor {
  WeightKind kind;
  bool persistent;
  const TensorMeta* meta;  // in the graph; null if missing there
};

/// Returns the parameters, buffers and constants of `program`, which must outlive them, by name. Throws
/// DataError if the program needs an object that is not a tensor.
std::map<std::string_view, ProgramTensor> program_tensors(const ExportedProgram& program);

/// Returns whether `meta` has the sizes `shape`. Symbolic sizes match any size.
bool has_shape(const TensorMeta& meta, const std::vector<std::int64_t>& shape);

/// Returns a shape as text: `[2, 3]`.
std::string shape_text(const std::vector<std::int64_t>& shape);

/// Returns how dtype and shape of the tensor `name` differ from those in the graph; empty if they are equal.
std::string mismatch_of(std::string_view name, const TensorLayout& layout, const TensorMeta& meta);

/// Returns `tensors` as the weights of `program`: one for each parameter, buffer and constant in the
/// signature, with the dtype and shape in the graph. Tensors with the same Storage share it. Throws
/// DataError, with the names, if tensors are missing, superfluous, or differ in dtype or shape, or if the
/// program needs an object.
std::vector<Weight> weights_for(const ExportedProgram& program, const std::vector<NamedTensor>& tensors);

/// Returns the names of tensors that consist of the same elements of the same storage as an earlier tensor:
/// tied weights.
std::vector<std::string> tied_weights(const std::vector<Weight>& weights);

/// Returns the tensors of `weights` by name, without objects and TensorSubclasses.
std::vector<NamedTensor> tensors_of(const std::vector<Weight>& weights);

/// Returns the weights of the compiled model `model` in `archive`, which must outlive them, in the order of
/// its `weights_config.json`; none if that file is missing, because the code then contains them. Their kinds
/// in the program are unknown: weights other than parameters are constants here. Throws DataError if the
/// config is malformed, or if a tensor's file is missing or does not contain the tensor.
std::vector<Weight> compiled_weights_of(const Archive& archive, std::string_view model,
                                        const schemagen::Limits& limits = {});

/// Writes a copy of `archive` in which the records of the tensors in `weights` are empty; torch then loads
/// zeros for tensors that begin at the start of their storage. Copies the rest byte for byte. Throws
/// DataError if a tensor is pickled: convert it with write_raw_archive() first.
void write_stripped(const Archive& archive, const std::vector<Weight>& weights, const ByteSink& out);

/// Writes a copy of `archive` in which its `weights` get the elements of `tensors`, by name. Layouts and
/// shared storages do not change. Bytes of storages that belong to no tensor become zeros. Storages that one
/// contiguous tensor fills are streamed; others are built in memory. Tensors on the meta device stay without
/// bytes. Throws DataError, with the names, if a tensor exists on only one side, differs in dtype or shape,
/// is pickled, or is on meta in `archive` but has bytes in `tensors`; if tensors disagree about shared
/// elements; and if a limit is exceeded.
void write_attached(const Archive& archive, const std::vector<Weight>& weights,
                    const std::vector<NamedTensor>& tensors, const ByteSink& out,
                    const schemagen::Limits& limits = {});

/// Adds a model to `out`: its weights and constants, its program, and `sample_inputs`, which is a file of
/// torch.save or empty.
void write_model(ArchiveWriter& out, std::string_view model, const ExportedProgram& program,
                 const std::vector<Weight>& weights, std::string_view sample_inputs = {});

/// Returns whether a model's tensors are pickled, as in an old zip (torch up to 2.7) or a PT2 archive of
/// torch 2.8.
bool has_pickled_weights(const Archive& archive);

/// Throws DataError with a remedy if has_pickled_weights().
void require_raw_weights(const Archive& archive);

/// Writes `archive` as a PT2 archive with `program` in place of `model`, and with all tensors raw. Adds
/// `constants`, which the program contained (see LoadedProgram::constants), and records that torch 2.13
/// requires. Copies sample inputs, extra files and unknown records byte for byte. Streams the weights. Throws
/// DataError if a pickle is damaged or contains values other than tensors, and the errors of
/// ZipReader::copy().
void write_raw_archive(const Archive& archive, const std::string& model, const ExportedProgram& program,
                       const std::vector<NamedTensor>& constants, const ByteSink& out,
                       const schemagen::Limits& limits = {});

/// Writes the PT2 archive `archive` as torch 2.8 would: with `json` in place of the program of `model`, and
/// with the weights and constants of each model in files of torch.save. Copies the rest byte for byte, and
/// streams weights. Throws the DataErrors of write_torch_file() and ZipReader::copy().
void write_pickled_archive(const Archive& archive, const std::string& model, std::string_view json,
                           const ByteSink& out, const schemagen::Limits& limits = {});

/// Writes the PT2 archive `archive` as a zip for torch up to 2.7, with the program `json`, whose schema has
/// this version. Such a zip has one model. Copies sample inputs, extra files and unknown records. Throws the
/// errors of write_pickled_archive(), and DataError if the archive has several models.
void write_old_zip(const Archive& archive, std::string_view json, std::string_view version,
                   const ByteSink& out, const schemagen::Limits& limits = {});

}  // namespace pt2
