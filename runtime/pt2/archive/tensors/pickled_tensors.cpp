#include "pt2/archive/tensors/tensor_files.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "pt2/archive/pickle/store.h"
#include "schemagen/base/error.h"

namespace pt2 {
namespace {

schemagen::Limits without(schemagen::Limits limits, const MemberBytes& bytes) {
  limits.memory_bytes -= std::min(limits.memory_bytes, bytes.owned_bytes());
  return limits;
}

struct InnerFile {
  /// Without `stored`, reads `content`.
  InnerFile(MemberBytes content, const std::optional<SparseBytes>& stored, schemagen::Limits limits,
            Checksums checksums, const MappedPages& pages, PickleGlobals globals)
      : bytes(std::move(content)),
        file(open_torch_file(stored ? *stored : SparseBytes(bytes.view()), without(limits, bytes), checksums,
                             pages, globals)) {}

  MemberBytes bytes;
  TorchFile file;
};

std::shared_ptr<const TorchFile> open_inner(MemberBytes content, const std::optional<SparseBytes>& stored,
                                            const schemagen::Limits& limits, Checksums checksums,
                                            const MappedPages& pages, PickleGlobals globals) {
  const auto inner =
      std::make_shared<const InnerFile>(std::move(content), stored, limits, checksums, pages, globals);
  return {inner, &inner->file};
}

/// The content has its own checksums.
std::shared_ptr<const TorchFile> open_inner(const ZipReader& outer, const ZipMember& member,
                                            const schemagen::Limits& limits, PickleGlobals globals) {
  const std::optional<SparseBytes> stored = outer.stored(member);
  return open_inner(stored ? MemberBytes(std::string_view()) : outer.read(member), stored, limits,
                    outer.checksums(), outer.pages(), globals);
}

Device device_of(const std::string& location) {
  Device device;
  const std::size_t colon = location.find(':');
  device.type = location.substr(0, colon);
  std::int64_t index = 0;
  if (colon != location.npos &&
      std::from_chars(location.data() + colon + 1, location.data() + location.size(), index).ec ==
          std::errc()) {
    device.index = index;
  }
  return device;
}

/// Null unless it is `_rebuild_from_type_v2(function, class, arguments, state)`.
const std::vector<PickleRef>* subclass_call(const Pickle& pickle, const PickleValue& value) {
  if (value.kind != PickleKind::call) return nullptr;
  if (pickle[value.items()[0]].text() != "torch._tensor._rebuild_from_type_v2") return nullptr;
  const std::vector<PickleRef>& arguments = pickle[value.items()[1]].items();
  return arguments.size() == 4 && pickle[arguments[1]].kind == PickleKind::global ? &arguments : nullptr;
}

}  // namespace

PickledTensors::PickledTensors(const ZipReader& zip, const ZipMember& member, const schemagen::Limits& limits,
                               PickleGlobals globals)
    : file_(open_inner(zip, member, limits, globals)) {}

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
  tensor.device = device_of(place.location);
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
  struct Open {
    std::string name;
    PickleRef state;
  };
  std::vector<Open> open = {{"", (*root)[3]}};
  std::set<PickleRef> seen;  // a state may contain itself
  while (!open.empty()) {
    const Open next = std::move(open.back());
    open.pop_back();
    if (!seen.insert(next.state).second || !is_mapping(pickle[next.state].kind)) continue;
    const std::vector<PickleRef>& items = pickle[next.state].items();
    for (std::size_t i = 0; i < items.size(); i += 2) {
      const PickleValue& value = pickle[items[i + 1]];
      if (pickle[items[i]].kind != PickleKind::text) continue;
      const std::string name = next.name + pickle[items[i]].text();
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
