// Reads and writes files of tensors in the formats of torch.save, safetensors and numpy.savez. Never executes
// anything from a file. Source: torch/serialization.py, torch/_tensor.py (PyTorch 2.6 to 2.13); the README
// and tensor.rs of https://github.com/huggingface/safetensors 0.8.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <utility>

#include "pt2/archive/pickle/pickle.h"
#include "pt2/archive/tensors/tensor.h"

namespace pt2 {

struct Weight;

/// An instance of a Python tensor class that wraps other tensors, e.g. a class from torchao.
struct TensorSubclass {
  std::string class_name;          // e.g. `torchao.quantization.Int8Tensor`
  std::vector<NamedTensor> parts;  // named by attribute, e.g. `qdata`, or `impl.qdata` if nested
};

/// An open torch.save file: a zip with one folder that contains `data.pkl` but not TorchScript's
/// `constants.pkl`. Not thread-safe.
class PickledTensors {
 public:
  /// Reads the torch.save file in `member` of `zip`. Storages are read from `zip` on demand, so `zip` must
  /// outlive all results. Checks that every storage in the pickle has a record of the right size. Throws
  /// DataError if a record has the wrong size, or if the bytes are not a torch.save file. Also throws
  /// whatever ZipReader and read_pickle() throw.
  PickledTensors(const ZipReader& zip, const ZipMember& member, const schemagen::Limits& limits,
                 PickleGlobals globals = PickleGlobals::weights_only);
  /// Reads `bytes`, which must be a whole torch.save file. Results keep the bytes alive.
  explicit PickledTensors(std::string bytes, const schemagen::Limits& limits = {});

  const Pickle& pickle() const;

  /// Returns the names and values of the tensors in a file that contains a dict of tensors (a state dict, or
  /// constants), in the dict's order. Throws DataError if the dict has any other value, e.g. a tensor that is
  /// not strided or whose dtype the schema lacks. The message names the entry.
  std::vector<std::pair<std::string, PickleRef>> named() const;

  /// Returns the storage, which is empty on the meta device. Otherwise, equal keys return the same object.
  std::shared_ptr<const Storage> storage_of(const PickledStorage& pickled);

  /// Checks the tensor and returns it. Tensors with the same storage share the Storage object. Throws
  /// DataError if the tensor is a lazy conjugate or negative view, or if check_tensor() throws it.
  Tensor tensor_of(const PickledTensor& pickled);

  /// Returns the file's only tensor. Throws DataError if the file contains anything else, or if tensor_of()
  /// throws it.
  Tensor only_tensor();

  /// Returns the file's content if that is a single TensorSubclass; otherwise nullopt. The file must have
  /// been read with PickleGlobals::any. Throws DataError if tensor_of() throws it.
  std::optional<TensorSubclass> only_subclass();

 private:
  struct File;
  static std::shared_ptr<const File> open_file(MemberBytes content, const SparseBytes& bytes,
                                               schemagen::Limits limits, Checksums checksums,
                                               const MappedPages& pages, PickleGlobals globals);

  std::shared_ptr<const File> file_;
  std::map<std::string, std::shared_ptr<const Storage>> storages_;  // by the storage's key
};

/// Writes the file that torch.save would write for a dict that maps the names of `weights` to their tensors.
/// Parameters are written as torch.nn.Parameter objects. torch.load(weights_only=True) accepts the file.
/// Writes each storage once and streams its bytes. Throws DataError, with the weight's name, if a weight has
/// no tensor or no bytes, if it is big-endian, or if its storage cannot be read.
void write_torch_file(const std::vector<const Weight*>& weights, const ByteSink& out);

/// A function that returns the replacement for `tensor`. `number` is the tensor's number in the file,
/// counting from 0. If a tensor occurs several times, the function is called for it only once.
using ChangeTensor = std::function<Tensor(Tensor tensor, std::size_t number)>;

/// Writes the content of `source` as a new file. `change` replaces tensors; if `change` is null, the tensors
/// do not change. The new pickle is built from the values in the old one, so none of the old bytes are
/// copied. A container that occurs several times or contains itself also does so in the new file.
///
/// Throws DataError if the content has values other than None, bools, 64-bit integers, floats, UTF-8 text,
/// lists, tuples, dicts, torch.Size and strided tensors, or if values are nested too deeply. Also throws
/// DataError for the same reasons as the function above. In all of these cases, nothing is written.
void write_torch_file(PickledTensors& source, const schemagen::Limits& limits, const ByteSink& out,
                      const ChangeTensor& change = {});

/// Writes `tensors` as a safetensors file, with the tensors that have the widest elements first. Each tensor
/// is written contiguously, so elements that tensors share are repeated. Streams the bytes. Throws DataError,
/// with the tensor's name, if the format lacks the dtype (complex32 or complex128). Throws UsageError if two
/// tensors have the same name or if a tensor is called `__metadata__`. Also throws whatever write_row_major()
/// throws.
void write_safetensors(const std::vector<NamedTensor>& tensors, const ByteSink& out,
                       const schemagen::Limits& limits = {});

/// Returns the tensors of the safetensors file in `bytes`, in the header's order. `bytes` must outlive the
/// tensors. Throws DataError if the header is malformed, if a dtype is unknown, or if tensors overlap or
/// leave gaps.
std::vector<NamedTensor> read_safetensors(std::string_view bytes, const MappedPages& pages = {},
                                          const schemagen::Limits& limits = {});

/// Writes `tensors` as a NumPy archive for numpy.load(), with a member `<name>.npy` for each tensor. Each
/// tensor is written contiguously. Elements whose dtype NumPy lacks (bfloat16, float8, complex32) become void
/// elements of the same width, as when NumPy writes the dtypes of ml_dtypes. Streams the bytes. Throws
/// DataError, with the tensor's name, if write_row_major() does.
void write_npz(const std::vector<NamedTensor>& tensors, const ByteSink& out,
               const schemagen::Limits& limits = {});

/// Returns the arrays of the NumPy archive in `bytes`, in order. `bytes` must outlive the arrays. The array
/// in `<name>.npy` is called `name`. If an array has void elements, and the tensor with the same name in
/// `known` has elements of the same width and a dtype that NumPy lacks, the array gets this dtype. Only
/// deflated arrays take memory, at most Limits::memory_bytes in total. Throws DataError, with the member's
/// name, if a member is not an array of little-endian numbers.
std::vector<NamedTensor> read_npz(std::string_view bytes, const std::vector<NamedTensor>& known,
                                  const MappedPages& pages = {}, const schemagen::Limits& limits = {});

}  // namespace pt2
