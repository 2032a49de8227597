#include "pt2/archive/tensors/tensor_files.h"

#include "pt2/archive/pickle/store.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/counted.h"
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

struct InnerFile {
  MemberBytes bytes;
  std::optional<TorchFile> file;
};

/// Without `stored`, reads `content`.
std::shared_ptr<const TorchFile> open_inner(MemberBytes content, const std::optional<SparseBytes>& stored,
                                            schemagen::Limits limits, Checksums checksums,
                                            const MappedPages& pages, PickleGlobals globals) {
  const auto inner = std::make_shared<InnerFile>(InnerFile{std::move(content), std::nullopt});
  limits.memory_bytes -= std::min(limits.memory_bytes, inner->bytes.owned_bytes());
  inner->file =
      open_torch_file(stored ? *stored : SparseBytes(inner->bytes.view()), limits, checksums, pages, globals);
  return {inner, &*inner->file};
}

/// Null unless it is `_rebuild_from_type_v2(function, class, arguments, state)`.
const std::vector<PickleRef>* subclass_call(const Pickle& pickle, const PickleValue& value) {
  if (value.kind != PickleKind::call) return nullptr;
  if (pickle[value.items()[0]].text() != "torch._tensor._rebuild_from_type_v2") return nullptr;
  const std::vector<PickleRef>& arguments = pickle[value.items()[1]].items();
  return arguments.size() == 4 && pickle[arguments[1]].kind == PickleKind::global ? &arguments : nullptr;
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

PickledTensors::PickledTensors(const ZipReader& zip, const ZipMember& member, const schemagen::Limits& limits,
                               PickleGlobals globals) {
  const std::optional<SparseBytes> stored = zip.stored(member);  // the content has its own checksums
  file_ = open_inner(stored ? MemberBytes(std::string_view()) : zip.read(member), stored, limits,
                     zip.checksums(), zip.pages(), globals);
}

PickledTensors::PickledTensors(std::string bytes, const schemagen::Limits& limits)
    : file_(open_inner(MemberBytes(std::move(bytes)), std::nullopt, limits, Checksums::verify, {},
                       PickleGlobals::weights_only)) {}

Tensor PickledTensors::tensor_of(const PickledTensor& pickled) {
  if (pickled.is_conjugated || pickled.is_negated) {
    throw schemagen::DataError(
        "it is a lazy conjugate or negative view; call resolve_conj() or resolve_neg() before saving");
  }
  const PickledStorage& place = file_->pickle[pickled.storage].storage();
  std::shared_ptr<const Storage> storage;
  if (!has_record(place)) {
    storage = std::make_shared<const Storage>(MemberBytes(std::string()));
  } else if (std::shared_ptr<const Storage>& known = storages_[place.key]; known) {
    storage = known;
  } else {
    const std::shared_ptr<const ZipReader> zip(file_, &file_->zip);
    storage = known = std::make_shared<const Storage>(zip, storage_member(*file_, place), file_->byte_order);
  }
  Tensor tensor;
  tensor.layout = {pickled.dtype, pickled.sizes, pickled.strides, pickled.offset};
  tensor.device = device_named(place.location);
  tensor.requires_grad = pickled.requires_grad;
  tensor.storage = storage;
  check_tensor(tensor);
  return tensor;
}

Tensor PickledTensors::only_tensor() {
  const PickleValue& root = file_->pickle[file_->pickle.root];
  if (root.kind != PickleKind::tensor)
    throw schemagen::DataError("its pickle does not contain a strided tensor");
  return tensor_of(root.tensor());
}

std::optional<TensorSubclass> PickledTensors::only_subclass() {
  const Pickle& pickle = file_->pickle;
  const std::vector<PickleRef>* const root = subclass_call(pickle, pickle[pickle.root]);
  if (root == nullptr) return std::nullopt;
  TensorSubclass subclass{pickle[(*root)[1]].text(), {}};
  std::vector<std::pair<std::string, PickleRef>> open = {{"", (*root)[3]}};
  std::set<PickleRef> seen;  // a state may contain itself
  while (!open.empty()) {
    const auto [prefix, state] = std::move(open.back());
    open.pop_back();
    if (!seen.insert(state).second || !is_mapping(pickle[state].kind)) continue;
    const std::vector<PickleRef>& items = pickle[state].items();
    for (std::size_t i = 0; i < items.size(); i += 2) {
      const PickleValue& value = pickle[items[i + 1]];
      if (pickle[items[i]].kind != PickleKind::text) continue;
      const std::string name = prefix + pickle[items[i]].text();
      if (value.kind == PickleKind::tensor) {
        subclass.parts.push_back({name, tensor_of(value.tensor())});
      } else if (const std::vector<PickleRef>* const inner = subclass_call(pickle, value)) {
        open.push_back({name + ".", (*inner)[3]});
      }
    }
  }
  return subclass;
}

}  // namespace pt2
