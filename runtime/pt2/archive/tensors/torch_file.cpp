#include "pt2/archive/tensors/tensor_files.h"

#include "pt2/archive/pickle/store.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using schemagen::DataError;

/// torch looks for all members in the folder of the first. Returns an empty string for other files.
std::string folder_of(const ZipReader& zip) {
  const std::string_view first = zip.members().empty() ? "" : zip.members().front().name;
  if (first.find('/') == first.npos) return {};
  std::string folder(first.substr(0, first.find('/') + 1));
  const bool is_other =
      zip.find(folder + "data.pkl") == nullptr || zip.find(folder + "constants.pkl") != nullptr;
  return is_other ? "" : folder;
}

/// Storages on the meta device have no record.
bool has_record(const PickledStorage& storage) {
  return storage.location != "meta" || storage.bytes != 0;
}

void require_storage_record(const ZipReader& zip, const std::string& folder, const PickledStorage& storage) {
  if (!has_record(storage)) return;
  const ZipMember* const member = zip.find(folder + "data/" + storage.key);
  if (member == nullptr) {
    throw DataError("the torch.save file has no record 'data/" + schemagen::printable_start(storage.key) +
                    "' for a storage");
  }
  if (member->size == static_cast<std::uint64_t>(storage.bytes)) return;
  fail_at_member(*member,
                 "it has " + schemagen::counted(member->size, "byte") + ", but its storage has " +
                     std::to_string(storage.bytes),
                 member->entry_offset);
}

/// Null unless it is `_rebuild_from_type_v2(function, class, arguments, state)`.
const std::vector<PickleRef>* subclass_call(const Pickle& pickle, const PickleValue& value) {
  if (value.kind != PickleKind::call) return nullptr;
  if (pickle[value.items()[0]].text() != "torch._tensor._rebuild_from_type_v2") return nullptr;
  const std::vector<PickleRef>& arguments = pickle[value.items()[1]].items();
  return arguments.size() == 4 && pickle[arguments[1]].kind == PickleKind::global ? &arguments : nullptr;
}

}  // namespace

struct PickledTensors::File {
  MemberBytes content;  // empty if it is part of another file
  ZipReader zip;
  std::string folder;                            // ends with a slash
  ByteOrder byte_order = ByteOrder::not_stated;  // torch assumes little-endian
  Pickle pickle;
};

std::shared_ptr<const PickledTensors::File> PickledTensors::open_file(
    MemberBytes content, const SparseBytes& bytes, schemagen::Limits limits, Checksums checksums,
    const MappedPages& pages, PickleGlobals globals) {
  limits.memory_bytes -= std::min(limits.memory_bytes, content.owned_bytes());
  ZipReader zip(bytes, limits, checksums, pages);
  std::string folder = folder_of(zip);
  if (folder.empty()) throw DataError("not a torch.save file: expected a zip with '<folder>/data.pkl'");
  const MemberBytes pickled = zip.read(*zip.find(folder + "data.pkl"));
  const ZipMember* const order = zip.find(folder + "byteorder");
  const ByteOrder byte_order =
      order == nullptr ? ByteOrder::not_stated : byte_order_named(zip.read(*order).view(), "torch.save file");
  limits.memory_bytes -= pickled.owned_bytes();
  Pickle pickle = read_pickle(pickled.view(), limits, globals);
  for (const PickleValue& value : pickle.values) {
    if (value.kind == PickleKind::storage) require_storage_record(zip, folder, value.storage());
  }
  return std::make_shared<const File>(
      File{std::move(content), std::move(zip), std::move(folder), byte_order, std::move(pickle)});
}

PickledTensors::PickledTensors(const ZipReader& zip, const ZipMember& member, const schemagen::Limits& limits,
                               PickleGlobals globals) {
  const std::optional<SparseBytes> stored = zip.stored(member);  // the content has its own checksums
  MemberBytes content = stored ? MemberBytes(std::string_view()) : zip.read(member);
  const SparseBytes bytes = stored ? *stored : SparseBytes(content.view());
  file_ = open_file(std::move(content), bytes, limits, zip.checksums(), zip.pages(), globals);
}

PickledTensors::PickledTensors(std::string bytes, const schemagen::Limits& limits) {
  MemberBytes content(std::move(bytes));
  const SparseBytes view = content.view();
  file_ = open_file(std::move(content), view, limits, Checksums::verify, {}, PickleGlobals::weights_only);
}

const Pickle& PickledTensors::pickle() const {
  return file_->pickle;
}

std::vector<std::pair<std::string, PickleRef>> PickledTensors::named() const {
  const PickleValue& root = pickle()[pickle().root];
  if (!is_mapping(root.kind)) {
    throw DataError(std::string("expected a dict of tensors, found ") + described(root.kind));
  }
  std::vector<std::pair<std::string, PickleRef>> tensors;
  for (std::size_t i = 0; i < root.items().size(); i += 2) {
    const PickleValue& key = pickle()[root.items()[i]];
    if (key.kind != PickleKind::text) {
      throw DataError(std::string("expected a tensor name, found ") + described(key.kind));
    }
    const PickleValue& value = pickle()[root.items()[i + 1]];
    if (value.kind != PickleKind::tensor) {
      throw DataError("expected a strided tensor of a known dtype for " + schemagen::quoted(key.text()) +
                      ", found " + described(value.kind));
    }
    tensors.emplace_back(key.text(), root.items()[i + 1]);
  }
  return tensors;
}

std::shared_ptr<const Storage> PickledTensors::storage_of(const PickledStorage& pickled) {
  if (!has_record(pickled)) return std::make_shared<const Storage>(MemberBytes(std::string()));
  std::shared_ptr<const Storage>& storage = storages_[pickled.key];
  if (!storage) {
    const std::shared_ptr<const ZipReader> zip(file_, &file_->zip);
    const ZipMember& member = *zip->find(file_->folder + "data/" + pickled.key);
    storage = std::make_shared<const Storage>(zip, member, file_->byte_order);
  }
  return storage;
}

Tensor PickledTensors::tensor_of(const PickledTensor& pickled) {
  if (pickled.is_conjugated || pickled.is_negated) {
    throw schemagen::DataError(
        "it is a lazy conjugate or negative view; call resolve_conj() or resolve_neg() before saving");
  }
  const PickledStorage& place = pickle()[pickled.storage].storage();
  Tensor tensor;
  tensor.layout = {pickled.dtype, pickled.sizes, pickled.strides, pickled.offset};
  tensor.device = device_named(place.location);
  tensor.requires_grad = pickled.requires_grad;
  tensor.storage = storage_of(place);
  check_tensor(tensor);
  return tensor;
}

Tensor PickledTensors::only_tensor() {
  const PickleValue& root = pickle()[pickle().root];
  if (root.kind != PickleKind::tensor)
    throw schemagen::DataError("its pickle does not contain a strided tensor");
  return tensor_of(root.tensor());
}

std::optional<TensorSubclass> PickledTensors::only_subclass() {
  const Pickle& values = pickle();
  const std::vector<PickleRef>* const root = subclass_call(values, values[values.root]);
  if (root == nullptr) return std::nullopt;
  TensorSubclass subclass{values[(*root)[1]].text(), {}};
  std::vector<std::pair<std::string, PickleRef>> open = {{"", (*root)[3]}};
  std::set<PickleRef> seen;  // a state may contain itself
  while (!open.empty()) {
    const auto [prefix, state] = std::move(open.back());
    open.pop_back();
    if (!seen.insert(state).second || !is_mapping(values[state].kind)) continue;
    const std::vector<PickleRef>& items = values[state].items();
    for (std::size_t i = 0; i < items.size(); i += 2) {
      const PickleValue& value = values[items[i + 1]];
      if (values[items[i]].kind != PickleKind::text) continue;
      const std::string name = prefix + values[items[i]].text();
      if (value.kind == PickleKind::tensor) {
        subclass.parts.push_back({name, tensor_of(value.tensor())});
      } else if (const std::vector<PickleRef>* const inner = subclass_call(values, value)) {
        open.push_back({name + ".", (*inner)[3]});
      }
    }
  }
  return subclass;
}

}  // namespace pt2
