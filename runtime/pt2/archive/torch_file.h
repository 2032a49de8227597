// What torch.save writes: a zip archive with one pickle and the bytes of its storages. Nothing is executed.
// All functions may be called from several threads at once.
// Source: torch/serialization.py of torch 2.13.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/archive/zip.h"
#include "pt2/pickle/pickle.h"

namespace pt2 {

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
                          Checksums checksums = Checksums::verify, MappedPages pages = {});
TorchFile open_torch_file(std::string&& bytes, const schemagen::Limits& limits = {},
                          Checksums checksums = Checksums::verify, MappedPages pages = {}) = delete;

/// The member that holds the bytes of a storage of this file's pickle.
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

}  // namespace pt2
