// Files of tensors in the formats of torch.save, safetensors and numpy.savez. Nothing in them is executed.
// Source: torch/serialization.py, torch/_tensor.py (PyTorch 2.6 to 2.13); the README and tensor.rs of
// https://github.com/huggingface/safetensors 0.8.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/archive/file.h"
#include "pt2/archive/pickle/pickle.h"
#include "pt2/archive/tensors/tensor.h"
#include "pt2/archive/zip.h"
#include "schemagen/base/limits.h"

namespace pt2 {

struct Weight;

/// An open torch.save file. It borrows its bytes.
struct TorchFile {
  ZipReader zip;
  std::string top_folder;
  ByteOrder byte_order = ByteOrder::not_stated;  // torch assumes little if not stated
  Pickle pickle;
};

/// Returns whether `zip` has the layout of torch.save: one folder that contains `data.pkl` but not
/// TorchScript's `constants.pkl`.
bool is_torch_file(const ZipReader& zip);

/// Opens the file in `bytes`, which must outlive it. Checks that every storage in the pickle has a record of
/// the right size. Throws the DataErrors of ZipReader and read_pickle(), and DataError if it is not a
/// torch.save file.
TorchFile open_torch_file(std::string_view bytes, const schemagen::Limits& limits = {},
                          Checksums checksums = Checksums::verify, MappedPages pages = {},
                          PickleGlobals globals = PickleGlobals::weights_only);
TorchFile open_torch_file(std::string&& bytes, const schemagen::Limits& limits = {},
                          Checksums checksums = Checksums::verify, MappedPages pages = {},
                          PickleGlobals globals = PickleGlobals::weights_only) = delete;

/// Returns whether the file has a record for the storage. Tensors on the device meta have none.
bool has_record(const PickledStorage& storage) noexcept;

/// Returns the member with the bytes of a storage in this file's pickle. The storage must have a record.
const ZipMember& storage_member(const TorchFile& file, const PickledStorage& storage);
const ZipMember& storage_member(TorchFile&& file, const PickledStorage& storage) = delete;

/// A tensor with its name in a state dict.
struct NamedPickledTensor {
  std::string name;
  PickleRef value = 0;  // of kind tensor
};

/// Returns the tensors of a file that contains a dict of tensors (a state dict, or constants), in order.
/// Throws DataError, which names the entry, if it has other values, such as tensors that are not strided or
/// whose dtype the schema lacks.
std::vector<NamedPickledTensor> named_tensors(const TorchFile& file);

/// A tensor of a class defined in Python that contains other tensors, such as torchao's.
struct TensorSubclass {
  std::string class_name;          // `torchao.quantization.Int8Tensor`
  std::vector<NamedTensor> parts;  // by attribute: `qdata`, or `impl.qdata` if nested
};

/// Reads tensors from a torch.save file. Not thread-safe.
class PickledTensors {
 public:
  /// Reads the pickle in `member` of `zip`. Storages are read on demand from `zip`, which must outlive all
  /// results. Throws the DataErrors of ZipReader and open_torch_file().
  PickledTensors(const ZipReader& zip, const ZipMember& member, const schemagen::Limits& limits,
                 PickleGlobals globals = PickleGlobals::weights_only);
  /// Reads the pickle in `bytes`, a whole file, which the results keep alive.
  PickledTensors(std::string bytes, const schemagen::Limits& limits);

  const TorchFile& file() const { return *file_; }

  /// Returns the tensor after checking it. Tensors with the same storage share it. Throws the DataErrors of
  /// check_tensor(), and DataError if the tensor is a conjugate or negative view.
  Tensor tensor_of(const PickledTensor& pickled);

  /// Returns the file's only tensor. Throws the DataErrors of tensor_of(), and DataError if the file contains
  /// something else.
  Tensor only_tensor();

  /// Returns the file's only tensor if it is a TensorSubclass, otherwise nullopt. Requires
  /// PickleGlobals::any. Throws the errors of tensor_of().
  std::optional<TensorSubclass> only_subclass();

 private:
  std::shared_ptr<const TorchFile> file_;
  std::map<std::string, std::shared_ptr<const Storage>> storages_;  // by key
};

/// Writes a file like torch.save for a dict of the tensors of `weights` by name; parameters are written as
/// parameters. torch.load(weights_only=True) accepts it. Writes each storage once and streams its bytes.
/// Throws DataError, which names the weight, if one has no tensor or no bytes or is big-endian, and the
/// errors of its storage.
void write_torch_file(const std::vector<const Weight*>& weights, const ByteSink& out);

/// Returns the replacement for a tensor and its number, counted from 0 in the order of the file. Called once
/// for a tensor that occurs several times.
using ChangeTensor = std::function<Tensor(Tensor tensor, std::size_t number)>;

/// Writes the content of `source` as a new file in which `change` replaces tensors; null leaves them
/// unchanged. Copies no byte of the pickle. Preserves containers that occur several times or contain
/// themselves. Throws DataError if the content has values other than None, bools, 64-bit integers, floats,
/// UTF-8 text, lists, tuples, dicts, torch.Size and strided tensors, or nests them too deep. Throws the
/// errors of the function above. Nothing is written in these cases.
void write_torch_file(PickledTensors& source, const schemagen::Limits& limits, const ByteSink& out,
                      const ChangeTensor& change = {});

/// Writes `tensors` as a safetensors file, widest elements first. Makes each tensor contiguous, so shared
/// elements are repeated. Streams the bytes. Throws DataError, which names the tensor, if the format lacks
/// the dtype (complex32, complex128). Throws the errors of write_row_major(), and UsageError for duplicate
/// names and for `__metadata__`.
void write_safetensors(const std::vector<NamedTensor>& tensors, const ByteSink& out,
                       const schemagen::Limits& limits = {});

/// Returns the tensors of the file in `bytes`, which must outlive them, in the order of the header. Throws
/// DataError if the header is malformed, if a dtype is unknown, or if tensors overlap or leave gaps.
std::vector<NamedTensor> read_safetensors(std::string_view bytes, const MappedPages& pages = {},
                                          const schemagen::Limits& limits = {});

/// Writes `tensors` as a NumPy archive for numpy.load(), with a member `<name>.npy` for each. Makes each
/// tensor contiguous. Dtypes that NumPy lacks (bfloat16, float8, complex32) become void elements of the same
/// width, as when NumPy writes ml_dtypes. Streams the bytes. Throws the DataErrors of write_row_major(), with
/// the tensor's name.
void write_npz(const std::vector<NamedTensor>& tensors, const ByteSink& out,
               const schemagen::Limits& limits = {});

/// Returns the arrays of the archive in `bytes`, which must outlive them, in order: `<name>.npy` is called
/// `name`. Void elements get the dtype of the tensor with the same name in `known`, if NumPy lacks that dtype
/// and the width is the same. Deflated arrays take memory, up to memory_bytes in total. Throws DataError,
/// with the name, if a member is not an array of little-endian numbers.
std::vector<NamedTensor> read_npz(std::string_view bytes, const std::vector<NamedTensor>& known,
                                  const MappedPages& pages = {}, const schemagen::Limits& limits = {});

}  // namespace pt2
