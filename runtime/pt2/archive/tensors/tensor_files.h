// Files of tensors: of torch.save, of the package safetensors, and of numpy.savez. Nothing in them is
// executed. A PickledTensors is for one thread at a time. Source: torch/serialization.py, torch/_tensor.py
// (PyTorch 2.6 to 2.13); https://github.com/huggingface/safetensors, its README and tensor.rs of 0.8.
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

/// An open file of torch.save. It borrows the bytes it was opened on.
struct TorchFile {
  ZipReader zip;
  std::string top_folder;
  ByteOrder byte_order = ByteOrder::not_stated;  // torch takes that for little
  Pickle pickle;
};

/// Whether `zip` is laid out as torch.save does: all in one folder, with `data.pkl` and without TorchScript's
/// `constants.pkl`.
bool is_torch_file(const ZipReader& zip);

/// The file in `bytes`, which must outlive it. Every storage of the pickle has its record, of its size.
/// Errors: DataError of ZipReader and read_pickle(), or if this is no such file.
TorchFile open_torch_file(std::string_view bytes, const schemagen::Limits& limits = {},
                          Checksums checksums = Checksums::verify, MappedPages pages = {},
                          PickleGlobals globals = PickleGlobals::weights_only);
TorchFile open_torch_file(std::string&& bytes, const schemagen::Limits& limits = {},
                          Checksums checksums = Checksums::verify, MappedPages pages = {},
                          PickleGlobals globals = PickleGlobals::weights_only) = delete;

/// Whether the file has a record for the storage: torch.save writes none for tensors on the device meta.
bool has_record(const PickledStorage& storage) noexcept;

/// The member that holds the bytes of a storage of this file's pickle, which has one.
const ZipMember& storage_member(const TorchFile& file, const PickledStorage& storage);
const ZipMember& storage_member(TorchFile&& file, const PickledStorage& storage) = delete;

/// A tensor by the name it has in a state dict.
struct NamedPickledTensor {
  std::string name;
  PickleRef value = 0;  // of kind tensor
};

/// The tensors of a file that holds a dict from names to tensors, in its order: a state dict, or constants.
/// Errors: DataError naming the entry, if it holds something else, e.g. tensors that are not strided, or of a
/// dtype that the schema does not have.
std::vector<NamedPickledTensor> named_tensors(const TorchFile& file);

/// A tensor of a class that Python code defines, and that holds others: torchao's, for one.
struct TensorSubclass {
  std::string class_name;          // `torchao.quantization.Int8Tensor`
  std::vector<NamedTensor> parts;  // by attribute: `qdata`, or `impl.qdata` where that is such a tensor, too
};

/// A file of torch.save as a source of tensors. Nothing in it is run. For one thread at a time.
class PickledTensors {
 public:
  /// Reads the pickle in `member` of `zip`, and no storage: those are read from where they lie in `zip`,
  /// which must outlive all that comes of this. Errors: DataError of ZipReader and open_torch_file().
  PickledTensors(const ZipReader& zip, const ZipMember& member, const schemagen::Limits& limits,
                 PickleGlobals globals = PickleGlobals::weights_only);
  /// Reads the pickle in `bytes`, a whole file, which all that comes of this keeps.
  PickledTensors(std::string bytes, const schemagen::Limits& limits);

  const TorchFile& file() const { return *file_; }

  /// The tensor, checked. Those of one storage share it. Errors: DataError of check_tensor(), or if it stands
  /// for the conjugate or negative of its elements.
  Tensor tensor_of(const PickledTensor& pickled);

  /// The tensor that the file holds. Errors: as tensor_of(), or if it holds something else.
  Tensor only_tensor();

  /// The tensor of a class of its own that the file, read with PickleGlobals::any, holds; nullopt: it holds
  /// something else. Errors: as tensor_of().
  std::optional<TensorSubclass> only_subclass();

 private:
  std::shared_ptr<const TorchFile> file_;
  std::map<std::string, std::shared_ptr<const Storage>> storages_;  // by key
};

/// Writes what torch.save writes of a dict from the names of `weights` to their tensors, of which parameters
/// are such: a pickle, and each storage whole, once. torch.load(weights_only=True) takes it. Bytes of tensors
/// pass through in parts. Errors: DataError, with the name, if one has no tensor, none of its bytes, or is
/// big-endian, and those of its storage.
void write_torch_file(const std::vector<const Weight*>& weights, const ByteSink& out);

/// What is written in place of a tensor, by its number, from 0, in the order in which a file has them; a
/// tensor that is in several places is one.
using ChangeTensor = std::function<Tensor(Tensor tensor, std::size_t number)>;

/// Writes what `source` holds as a file of its own making, with the tensors that `change` makes of its own; a
/// null one leaves them. No byte of its pickle is copied. Containers that
/// are in several places, or in themselves, stay so. Errors: DataError if it holds other values than None,
/// booleans, whole numbers of 64 bits, floating-point numbers, UTF-8 text, lists, tuples, dicts, torch.Size
/// and strided tensors, or nests them too deep; also those of the first function. Nothing is written then.
void write_torch_file(PickledTensors& source, const schemagen::Limits& limits, const ByteSink& out,
                      const ChangeTensor& change = {});

/// Writes `tensors` as a file of safetensors, those with the widest elements first. Each is made contiguous,
/// what several share is written for each of them. Takes no memory for their bytes. Errors: DataError, with
/// the name, if one has a dtype that the format lacks (complex32, complex128), and those of
/// write_row_major(); UsageError if two have one name, or one is called `__metadata__`.
void write_safetensors(const std::vector<NamedTensor>& tensors, const ByteSink& out,
                       const schemagen::Limits& limits = {});

/// The tensors of the file in `bytes`, which must outlive them, in the order of its header.
/// Errors: DataError if the header is malformed, a dtype is not known, or the tensors do not fill the rest of
/// the file, each in its own place.
std::vector<NamedTensor> read_safetensors(std::string_view bytes, const MappedPages& pages = {},
                                          const schemagen::Limits& limits = {});

/// Writes `tensors` as an archive of NumPy arrays, which numpy.load() reads, a member `<name>.npy` for each.
/// Each is made contiguous. Those of dtypes that NumPy lacks (bfloat16, float8, complex32) are arrays of void
/// elements of as many bytes, as NumPy writes them for ml_dtypes. Takes no memory for their bytes. Errors:
/// DataError, with the name, of write_row_major().
void write_npz(const std::vector<NamedTensor>& tensors, const ByteSink& out,
               const schemagen::Limits& limits = {});

/// The arrays of the archive in `bytes`, which must outlive them, in its order: `<name>.npy` is `name`.
/// Arrays of void elements are of the dtype of that one of `known` that has their name, if NumPy lacks it and
/// its elements are as wide. Takes memory for deflated arrays, memory_bytes in all. Errors: DataError, with
/// the name, if a member is no such array, or one of big-endian numbers or other things than numbers.
std::vector<NamedTensor> read_npz(std::string_view bytes, const std::vector<NamedTensor>& known,
                                  const MappedPages& pages = {}, const schemagen::Limits& limits = {});

}  // namespace pt2
