// The weights and constants of a program, by name, with their tensors; and archives in which they lie
// otherwise: raw, pickled as older releases of torch have them, left out, or replaced.
#pragma once

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
  object,  // no tensor: a TorchBind object, or another one of Python, which is pickled
};

/// `parameter`, `buffer`, `constant`, `object`
std::string_view name_of(WeightKind kind);

/// What the tensors of inputs of this kind are; nullopt: such an input is no weight, or no tensor.
std::optional<WeightKind> tensor_kind(InputSpec::Kind kind);

/// One entry of a program's state dict or constants.
struct Weight {
  std::string name;  // in the model: `layer.weight`
  WeightKind kind = WeightKind::parameter;
  bool persistent = true;  // in the state dict; all others are among the constants
  bool pickled = false;
  std::string record;            // that holds it, without the top folder: `data/weights/weight_0`
  std::optional<Tensor> tensor;  // checked; nullopt: an object, or a tensor of a class of its own
  /// Of a tensor of a class that Python code defines, which torch.load(weights_only=True) does not know
  /// (torchao's): the class, `torchao.quantization.Int8Tensor`, and the tensors in its attributes, by these:
  /// `qdata`. Empty for all others. See TensorSubclass.
  std::string class_name;
  std::vector<NamedTensor> parts;
};

/// The weights, then the constants, of `model` of `archive`, in the order of the archive, which must outlive
/// them. No byte of a tensor is read. Tensors that share a storage share the object.
///
/// Layouts: records of raw bytes with a payload config, by both names that these have had; files of
/// torch.save, of torch up to 2.8. No pickle is run: what torch's own weights_only loading would refuse is
/// refused by its name, but for one tensor of a class of its own in a record of a payload config, which is
/// looked into as far as it has other tensors.
///
/// Errors: DataError if a payload config or pickle is malformed, a tensor's record is not there, or does not
/// hold it, see check_tensor().
std::vector<Weight> weights_of(const Archive& archive, std::string_view model,
                               const GraphSignature& signature, const schemagen::Limits& limits = {});

/// `weights`, each with its parts behind it as weights with names of their own: `layer.weight.qdata`.
std::vector<Weight> with_parts(std::vector<Weight> weights);

/// Appends tensors that `record` has pickled in a program, see LoadedProgram::constants.
void append_constants(std::vector<Weight>& weights, const std::vector<NamedTensor>& constants,
                      const std::string& record);

/// The one called `name`. Errors: UsageError if there is none.
const Weight& find_weight(const std::vector<Weight>& weights, std::string_view name);

/// `tensors` as the weights of `program`: for each name that its signature has as a parameter, buffer or
/// constant there is one, of the dtype and shape that the graph has for it. Tensors with the same Storage
/// share it. Errors: DataError, with the names, if some are missing or more than there should be, differ in
/// dtype or shape, or the program needs an object, which is not a tensor.
std::vector<Weight> weights_for(const ExportedProgram& program, const std::vector<NamedTensor>& tensors);

/// The tensors of `weights` by name, without objects and tensors of classes of their own.
std::vector<NamedTensor> tensors_of(const std::vector<Weight>& weights);

/// The weights of the compiled model `model` of `archive`, which must outlive them, in the order of its
/// `weights_config.json`; none, where that is not there: then they are in the code. What the program called
/// them is not known: those that are no parameters are constants here. Errors: DataError if the config is
/// malformed, or a tensor's file is not there or does not hold it.
std::vector<Weight> compiled_weights_of(const Archive& archive, std::string_view model,
                                        const schemagen::Limits& limits = {});

/// Writes a copy of `archive` in which the records of the tensors of `weights`, which are its own, have no
/// bytes: torch loads zeros then, where tensors begin at the start of their storages. All else is copied byte
/// for byte. Errors: DataError if a tensor is pickled: such records have to become raw first, see
/// write_raw_archive().
void write_stripped(const Archive& archive, const std::vector<Weight>& weights, const ByteSink& out);

/// Writes a copy of `archive` in which the tensors of `weights`, which are its own, have the elements of
/// `tensors`, by name. Their layouts stay; so does what shares a storage. What a storage has beside its
/// tensors becomes zeros. A storage that one tensor fills in row-major order passes through in parts, others
/// are made in memory. Tensors on the device meta, which have no bytes, stay as they are. Errors: DataError,
/// with the names, if a tensor is on one side only, or of another dtype or shape, pickled, or on meta in
/// `archive` and also in `tensors`; if tensors share elements that differ; of a limit.
void write_attached(const Archive& archive, const std::vector<Weight>& weights,
                    const std::vector<NamedTensor>& tensors, const ByteSink& out,
                    const schemagen::Limits& limits = {});

/// Adds a model to `out`: its weights and constants, its program, and `sample_inputs`, a file of torch.save
/// that may be empty.
void write_model(ArchiveWriter& out, std::string_view model, const ExportedProgram& program,
                 const std::vector<Weight>& weights, std::string_view sample_inputs = {});

/// Whether the tensors of a model lie pickled: in an old zip (torch up to 2.7), or in a PT2 archive of
/// torch 2.8.
bool has_pickled_weights(const Archive& archive);

/// Errors: DataError if they do, which says what to do.
void require_raw_weights(const Archive& archive);

/// Writes `archive` as a PT2 archive in which `program` takes the place of `model`, and no tensor is pickled.
/// `constants` are added, which `program` had in itself, see LoadedProgram::constants. Sample inputs,
/// extra files and all that is not known are copied byte for byte; what torch 2.13 asks for is added. No more
/// than a part of the weights is in memory. Errors: DataError if a pickle holds what is no tensor, or is
/// damaged; those of ZipReader::copy().
void write_raw_archive(const Archive& archive, const std::string& model, const ExportedProgram& program,
                       const std::vector<NamedTensor>& constants, const ByteSink& out,
                       const schemagen::Limits& limits = {});

/// Writes `archive`, a PT2 archive, as torch 2.8 does: with `json` in place of the program of `model`, and
/// the weights and constants of each model in files of torch.save. All else is copied byte for byte. Weights
/// pass through in parts. Errors: DataError of write_torch_file() and ZipReader::copy().
void write_pickled_archive(const Archive& archive, const std::string& model, std::string_view json,
                           const ByteSink& out, const schemagen::Limits& limits = {});

/// Writes `archive`, a PT2 archive, as the zip that torch up to 2.7 reads, of the program `json`, whose
/// schema is of that version. Such a zip holds one model. Sample inputs, extra files and what is not known
/// are copied. Errors: also DataError if the archive has several models.
void write_old_zip(const Archive& archive, std::string_view json, std::string_view version,
                   const ByteSink& out, const schemagen::Limits& limits = {});

}  // namespace pt2
