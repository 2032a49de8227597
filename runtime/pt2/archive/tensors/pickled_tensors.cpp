#include "pt2/archive/tensors/tensor_files.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "schemagen/value/error.h"

namespace pt2 {
namespace {

schemagen::Limits without(schemagen::Limits limits, const MemberBytes& bytes) {
  limits.memory_bytes -= std::min(limits.memory_bytes, bytes.owned_bytes());
  return limits;
}

/// A file in an archive or document, with its bytes where they are of its own.
struct InnerFile {
  InnerFile(MemberBytes content, schemagen::Limits limits, Checksums checksums, const MappedPages& pages)
      : bytes(std::move(content)),
        file(open_torch_file(bytes.view(), without(limits, bytes), checksums, pages)) {}

  MemberBytes bytes;
  TorchFile file;
};

std::shared_ptr<const TorchFile> open_inner(MemberBytes content, const schemagen::Limits& limits,
                                            Checksums checksums, const MappedPages& pages) {
  const auto inner = std::make_shared<const InnerFile>(std::move(content), limits, checksums, pages);
  return {inner, &inner->file};
}

/// What is in it has checksums of its own.
MemberBytes content_of(const ZipReader& outer, const ZipMember& member) {
  const std::optional<std::string_view> stored = outer.stored(member);
  return stored ? MemberBytes(*stored) : outer.read(member);
}

/// `cuda:1`
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

}  // namespace

PickledTensors::PickledTensors(const ZipReader& zip, const ZipMember& member, const schemagen::Limits& limits)
    : file_(open_inner(content_of(zip, member), limits, zip.checksums(), zip.pages())) {}

PickledTensors::PickledTensors(std::string bytes, const schemagen::Limits& limits)
    : file_(open_inner(MemberBytes(std::move(bytes)), limits, Checksums::verify, {})) {}

Tensor PickledTensors::tensor_of(const PickledTensor& pickled) {
  if (pickled.is_conjugated || pickled.is_negated) {
    throw schemagen::DataError(
        "it stands for the conjugate or the negative of its elements, which torch has yet to compute");
  }
  const PickledStorage& place = file_->pickle[pickled.storage].storage();
  std::shared_ptr<const Storage>& storage = storages_[place.key];
  if (!storage) {
    const std::shared_ptr<const ZipReader> zip(file_, &file_->zip);
    storage = std::make_shared<const Storage>(zip, storage_member(*file_, place), file_->byte_order);
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
  if (root.kind != PickleKind::tensor) throw schemagen::DataError("its pickle holds no strided tensor");
  return tensor_of(root.tensor());
}

}  // namespace pt2
