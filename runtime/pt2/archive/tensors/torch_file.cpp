#include "pt2/archive/tensors/tensor_files.h"

#include <optional>
#include <utility>

#include "pt2/archive/pickle/store.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using schemagen::DataError;

constexpr std::string_view kPickle = "/data.pkl";

/// torch looks for all members in the folder of the first.
std::optional<std::string> folder_of(const ZipReader& zip) {
  if (zip.members().empty()) return std::nullopt;
  const std::string_view first = zip.members().front().name;
  const std::size_t slash = first.find('/');
  return slash == first.npos ? std::nullopt : std::optional(std::string(first.substr(0, slash)));
}

ByteOrder byte_order_of(const ZipReader& zip, const std::string& folder) {
  const ZipMember* const member = zip.find(folder + "/byteorder");
  if (member == nullptr) return ByteOrder::not_stated;
  const MemberBytes text = zip.read(*member);
  if (text.view() == "little") return ByteOrder::little;
  if (text.view() == "big") return ByteOrder::big;
  throw DataError("byteorder of the torch.save file: expected 'little' or 'big', got " +
                  schemagen::quoted(text.view()));
}

void require_storages(const TorchFile& file) {
  for (const PickleValue& value : file.pickle.values) {
    if (value.kind != PickleKind::storage) continue;
    const PickledStorage& storage = value.storage();
    if (!has_record(storage)) continue;
    const ZipMember* const member = file.zip.find(file.top_folder + "/data/" + storage.key);
    if (member == nullptr) {
      throw DataError("the torch.save file has no record 'data/" + schemagen::printable_start(storage.key) +
                      "' for a storage");
    }
    if (member->size != static_cast<std::uint64_t>(storage.bytes)) {
      fail_at_member(*member,
                     "it has " + schemagen::counted(member->size, "byte") + ", but its storage has " +
                         std::to_string(storage.bytes),
                     member->entry_offset);
    }
  }
}

}  // namespace

bool has_record(const PickledStorage& storage) noexcept {
  return storage.location != "meta" || storage.bytes != 0;
}

bool is_torch_file(const ZipReader& zip) {
  const std::optional<std::string> folder = folder_of(zip);
  return folder && zip.find(*folder + std::string(kPickle)) != nullptr &&
         zip.find(*folder + "/constants.pkl") == nullptr;
}

TorchFile open_torch_file(const SparseBytes& bytes, const schemagen::Limits& limits, Checksums checksums,
                          MappedPages pages, PickleGlobals globals) {
  ZipReader zip(bytes, limits, checksums, pages);
  if (!is_torch_file(zip)) throw DataError("not a torch.save file: expected a zip with '<folder>/data.pkl'");
  std::string folder = *folder_of(zip);
  const MemberBytes pickled = zip.read(*zip.find(folder + std::string(kPickle)));
  const ByteOrder byte_order = byte_order_of(zip, folder);
  schemagen::Limits left = limits;
  left.memory_bytes -= pickled.owned_bytes();
  Pickle pickle = read_pickle(pickled.view(), left, globals);
  TorchFile file{std::move(zip), std::move(folder), byte_order, std::move(pickle)};
  require_storages(file);
  return file;
}

const ZipMember& storage_member(const TorchFile& file, const PickledStorage& storage) {
  return *file.zip.find(file.top_folder + "/data/" + storage.key);
}

std::vector<NamedPickledTensor> named_tensors(const TorchFile& file) {
  const PickleValue& root = file.pickle[file.pickle.root];
  if (!is_mapping(root.kind)) {
    throw DataError(std::string("expected a dict of tensors, found ") + described(root.kind));
  }
  std::vector<NamedPickledTensor> tensors;
  for (std::size_t i = 0; i < root.items().size(); i += 2) {
    const PickleValue& key = file.pickle[root.items()[i]];
    if (key.kind != PickleKind::text) {
      throw DataError(std::string("expected a tensor name, found ") + described(key.kind));
    }
    const PickleValue& value = file.pickle[root.items()[i + 1]];
    if (value.kind != PickleKind::tensor) {
      throw DataError("expected a strided tensor of a known dtype for " + schemagen::quoted(key.text()) +
                      ", found " + described(value.kind));
    }
    tensors.push_back({key.text(), root.items()[i + 1]});
  }
  return tensors;
}

}  // namespace pt2
