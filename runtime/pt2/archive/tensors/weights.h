// Reads a program's weights and constants by name. Also copies archives with changed weights: converted to
// raw records or to the pickles of older torch releases, removed, or replaced.
#pragma once

#include <map>

#include "pt2/archive/archive_writer.h"
#include "pt2/archive/tensors/tensor.h"

namespace pt2 {

enum class WeightKind {
  parameter,
  buffer,
  constant,
  object,  // not a tensor: a TorchBind object, or a pickled Python object
};

/// Returns the name of `kind`: `parameter`, `buffer`, `constant` or `object`.
std::string_view name_of(WeightKind kind);

/// Returns the kind of weight that an input of this kind represents. Returns nullopt for objects and for
/// inputs that are not weights.
std::optional<WeightKind> tensor_kind(InputSpec::Kind kind);

/// An entry of a program's state dict or constants.
struct Weight {
  std::string name;  // the name in the model, e.g. `layer.weight`
  WeightKind kind = WeightKind::parameter;
  bool persistent = true;  // whether the weight is in the state dict rather than among the constants
  bool pickled = false;
  /// The number of the pickled object. If a pickle gives one object several names, the weights with these
  /// names have the same number. nullopt if each name has its own object.
  std::optional<std::uint32_t> pickled_object;
  std::string record;  // the name without the top-level folder, e.g. `data/weights/weight_0`
  /// A tensor that check_tensor() accepts; nullopt for an object or a TensorSubclass
  std::optional<Tensor> tensor;
  /// The class and the tensors of a TensorSubclass whose class torch.load(weights_only=True) does not know,
  /// e.g. `torchao.quantization.Int8Tensor` and a tensor that is named after the attribute `qdata`. Empty for
  /// all other weights.
  std::string class_name;
  std::vector<NamedTensor> parts;
};

/// Returns the weights of `model` in `archive`, followed by its constants, in the archive's order. `archive`
/// must outlive the result. Does not read the tensors' data. Tensors that share a storage share the Storage
/// object.
///
/// Weights can be raw records with a payload config (under either of its two names), or torch.save files as
/// in archives of torch up to 2.8. Pickles are not executed, and everything that torch's weights_only loading
/// rejects is rejected here as well, with one exception: a record in a payload config can contain a
/// TensorSubclass, from which this function reads the plain tensors.
///
/// Throws DataError if a payload config or pickle is malformed, or if a tensor's record is missing or too
/// small; see check_tensor().
std::vector<Weight> weights_of(const Archive& archive, std::string_view model,
                               const GraphSignature& signature, const schemagen::Limits& limits = {});

/// Returns `weights` with the parts of each weight inserted after that weight. The parts become weights with
/// names such as `layer.weight.qdata`.
std::vector<Weight> with_parts(std::vector<Weight> weights);

/// Appends `constants`, the tensors that a program itself contains (see LoadedProgram::constants), as pickled
/// weights. `record` is the program's record.
void append_constants(std::vector<Weight>& weights, const std::vector<NamedTensor>& constants,
                      const std::string& record);

/// Returns the weight called `name`. Throws UsageError if there is none.
const Weight& find_weight(const std::vector<Weight>& weights, std::string_view name);

/// A parameter, buffer or constant in a program's signature.
struct ProgramTensor {
  WeightKind kind;
  bool persistent;
  const TensorMeta* meta;  // the tensor's entry in the graph; null if the graph has none
};

/// Returns the parameters, buffers and constants of `program` by name. `program` must outlive the result.
/// Throws DataError if the program needs an object that is not a tensor.
std::map<std::string_view, ProgramTensor> program_tensors(const ExportedProgram& program);

/// Returns whether `meta` has the shape `shape`. Symbolic sizes match any size.
bool has_shape(const TensorMeta& meta, const std::vector<std::int64_t>& shape);

/// Returns a shape as text, e.g. `[2, 3]`.
std::string shape_text(const std::vector<std::int64_t>& shape);

/// Returns how the dtype and shape in `layout` differ from those in `meta`, the graph's entry for the tensor
/// `name`. Returns an empty string if they are equal.
std::string mismatch_of(std::string_view name, const TensorLayout& layout, const TensorMeta& meta);

/// Returns `tensors` as the weights of `program`. There must be one tensor for each parameter, buffer and
/// constant in the signature, with the dtype and shape given in the graph. Tensors with the same Storage
/// object also share it in the result. Throws DataError, with the names, if tensors are missing or
/// unexpected, if their dtypes or shapes differ, or if the program needs an object.
std::vector<Weight> weights_for(const ExportedProgram& program, const std::vector<NamedTensor>& tensors);

/// Returns the names of tied weights, i.e. tensors that consist of the same elements of the same storage as
/// an earlier tensor.
std::vector<std::string> tied_weights(const std::vector<Weight>& weights);

/// Returns the tensors in `weights` with their names. Omits objects and TensorSubclasses.
std::vector<NamedTensor> tensors_of(const std::vector<Weight>& weights);

/// Returns the weights of the compiled model `model` in `archive`, in the order of its `weights_config.json`.
/// Returns no weights if that file is missing: the compiled code then contains the weights. `archive` must
/// outlive the result.
///
/// The config only says which weights are parameters; all others are returned as constants. Throws DataError
/// if the config is malformed, or if a tensor's file is missing or does not contain the tensor.
std::vector<Weight> compiled_weights_of(const Archive& archive, std::string_view model,
                                        const schemagen::Limits& limits = {});

/// Writes a copy of `archive` in which the records of the tensors in `weights` are empty. torch loads a
/// tensor with an empty record as zeros if the tensor begins at the start of its storage. Copies the rest
/// byte for byte. Throws DataError if a tensor is pickled; in that case, convert the archive with
/// write_raw_archive() first.
void write_stripped(const Archive& archive, const std::vector<Weight>& weights, const ByteSink& out);

/// Writes a copy of `archive` in which each of its `weights` gets the elements of the tensor in `tensors`
/// with the same name. Layouts and shared storages do not change. Bytes of a storage that do not belong to
/// any tensor become zeros. Tensors on the meta device still have no bytes. A storage is streamed if one
/// contiguous tensor fills it; otherwise, the storage is built in memory.
///
/// Tensors that are named like the parts of a TensorSubclass (see with_parts()) must be equal to these parts,
/// which do not change.
///
/// Throws DataError, with the names, if a tensor is in only one of `weights` and `tensors`, differs in dtype
/// or shape, is pickled, or is on the meta device in `archive` but has bytes in `tensors`. Also throws
/// DataError if tensors disagree about elements that they share, or if a limit is exceeded.
void write_attached(const Archive& archive, const std::vector<Weight>& weights,
                    const std::vector<NamedTensor>& tensors, const ByteSink& out,
                    const schemagen::Limits& limits = {});

/// Adds a model to `out`: its weights and constants, its program, and its sample inputs. `sample_inputs` is
/// the content of a torch.save file, or is empty.
void write_model(ArchiveWriter& out, std::string_view model, const ExportedProgram& program,
                 const std::vector<Weight>& weights, std::string_view sample_inputs = {});

/// Returns whether the tensors of any model are pickled, as in an old zip (torch up to 2.7) or a PT2 archive
/// of torch 2.8.
bool has_pickled_weights(const Archive& archive);

/// Throws DataError if has_pickled_weights() is true. The message says how to convert the archive.
void require_raw_weights(const Archive& archive);

/// Writes `archive` as a PT2 archive in which `program` replaces `model` and all tensors are raw. Adds the
/// records that torch 2.13 requires, and `constants`, which the program itself contained (see
/// LoadedProgram::constants). Copies sample inputs, extra files and unknown records byte for byte. Streams
/// the weights. Throws DataError if a pickle is damaged or contains values other than tensors. Also throws
/// whatever ZipReader::copy() throws.
void write_raw_archive(const Archive& archive, const std::string& model, const ExportedProgram& program,
                       const std::vector<NamedTensor>& constants, const ByteSink& out,
                       const schemagen::Limits& limits = {});

/// Writes the PT2 archive `archive` in the form of torch 2.8, with each model's weights and constants in
/// torch.save files. `json` replaces the program of `model`. Copies the rest byte for byte, and streams the
/// weights. Throws whatever write_torch_file() and ZipReader::copy() throw.
void write_pickled_archive(const Archive& archive, const std::string& model, std::string_view json,
                           const ByteSink& out, const schemagen::Limits& limits = {});

/// Writes the PT2 archive `archive` as an old zip, which torch up to 2.7 can read. `json` is the program, and
/// `version` is the program's schema version. Copies sample inputs, extra files and unknown records. Throws
/// DataError if the archive has several models, because an old zip can contain only one. Also throws whatever
/// write_pickled_archive() throws.
void write_old_zip(const Archive& archive, std::string_view json, std::string_view version,
                   const ByteSink& out, const schemagen::Limits& limits = {});

}  // namespace pt2
