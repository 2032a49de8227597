#include "pt2/tensors/pickled_tensors.h"

#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "schemagen/value/error.h"

namespace pt2 {
namespace {

/// A file in an archive, with its bytes where these had to be inflated.
struct InnerFile {
  InnerFile(MemberBytes content, const ZipReader& outer, const schemagen::Limits& limits)
      : bytes(std::move(content)),
        file(open_torch_file(bytes.view(), limits, outer.checksums(), outer.pages())) {}

  MemberBytes bytes;
  TorchFile file;
};

std::shared_ptr<const TorchFile> open_inner(const ZipReader& outer, const ZipMember& member,
                                            schemagen::Limits limits) {
  // What is in it has checksums of its own.
  const std::optional<std::string_view> stored = outer.stored(member);
  MemberBytes content = stored ? MemberBytes(*stored) : outer.read(member);
  limits.memory_bytes -= content.owned_bytes();
  const auto inner = std::make_shared<const InnerFile>(std::move(content), outer, limits);
  return {inner, &inner->file};
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
    : file_(open_inner(zip, member, limits)) {}

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

}  // namespace pt2
