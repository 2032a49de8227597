#include "pt2/handles.h"

#include "pt2/archive/tensors/tensor_files.h"
#include "pt2/text/affix.h"
#include "pt2/text/type_names.h"
#include "pt2/weights.h"

pt2_tensor::pt2_tensor(pt2::Weight weight_, std::shared_ptr<const void> source_,
                       const schemagen::Limits& limits_)
    : weight(std::move(weight_)), source(std::move(source_)), limits(limits_) {
  if (weight.tensor) {
    device = pt2::torch_name(weight.tensor->device);
    bytes = pt2::extent_of(weight.tensor->layout).bytes;
  }
  for (const pt2::NamedTensor& part : weight.parts) {
    pt2::Weight of{part.name, weight.kind, weight.persistent, weight.pickled, {}, weight.record, part.tensor,
                   {},        {}};
    parts.push_back(std::make_unique<pt2_tensor>(std::move(of), source, limits));
  }
}

pt2_weights::pt2_weights(std::vector<pt2::Weight> weights, const std::shared_ptr<const void>& source,
                         const schemagen::Limits& limits) {
  for (pt2::Weight& weight : weights) {
    tensors.push_back(std::make_unique<pt2_tensor>(std::move(weight), source, limits));
  }
}

std::vector<pt2::NamedTensor> pt2_weights::named() const {
  std::vector<pt2::Weight> weights;
  for (const auto& tensor : tensors) weights.push_back(tensor->weight);
  return pt2::tensors_of(pt2::with_parts(weights));
}

namespace pt2::c {
namespace {

bool is_npz_file(const std::string& path) {
  if (ends_with(path, ".npz")) return true;
  if (ends_with(path, ".safetensors")) return false;
  throw schemagen::UsageError("expected a name that ends in .safetensors or .npz");
}

Weight constant_of(NamedTensor tensor) {
  return {
      std::move(tensor.name), WeightKind::constant, false, false, {}, {}, std::move(tensor.tensor), {}, {}};
}

std::unique_ptr<pt2_weights> read_weights(const std::string& path, const pt2_weights* known) {
  const bool is_npz = is_npz_file(path);
  const auto bytes = std::make_shared<const FileBytes>(read_file(path));
  const schemagen::Limits limits = schemagen::Limits().for_file(bytes->view().size());
  const std::vector<NamedTensor> names = known == nullptr ? std::vector<NamedTensor>() : known->named();
  std::vector<Weight> weights;
  for (NamedTensor& tensor : is_npz ? read_npz(bytes->view(), names, bytes->pages(), limits)
                                    : read_safetensors(bytes->view(), bytes->pages(), limits)) {
    weights.push_back(constant_of(std::move(tensor)));
  }
  return std::make_unique<pt2_weights>(std::move(weights), bytes, limits);
}

/// Returns an empty layout if there is none.
const TensorLayout& layout_of(const pt2_tensor* tensor) noexcept {
  static const TensorLayout kNone;
  return pt2_tensor_has_layout(tensor) ? tensor->weight.tensor->layout : kNone;
}

/// Throws UsageError without a layout.
const Tensor& tensor_of(const pt2_tensor* tensor) {
  require(tensor, "tensor");
  if (!tensor->weight.tensor) {
    throw schemagen::UsageError(
        tensor->weight.class_name.empty()
            ? "expected a tensor, got an object"
            : "a tensor of a custom Python class cannot be read directly; hint: read its parts");
  }
  return *tensor->weight.tensor;
}

bool is_in_place(const Tensor& tensor) {
  const bool is_swapped = tensor.storage->order() == ByteOrder::big && extent_of(tensor.layout).element > 1;
  return !is_swapped && !tensor.is_absent() && is_contiguous(tensor.layout);
}

std::string_view elements_in_place(const pt2_tensor& handle) {
  const Tensor& tensor = tensor_of(&handle);
  const TensorExtent extent = extent_of(tensor.layout);
  if (tensor.is_absent()) throw schemagen::DataError("the tensor: " + why_absent(tensor));
  if (!is_in_place(tensor)) {
    throw schemagen::UsageError(
        "the elements are not contiguous or are not in this machine's byte order; hint: copy them");
  }
  const schemagen::MutexLock lock(handle.mutex);
  if (handle.read == nullptr) handle.read = tensor.storage->read();
  check_tensor(tensor);
  const auto begin = static_cast<std::size_t>(extent.storage - extent.bytes);
  return handle.read->view().substr(begin, static_cast<std::size_t>(extent.bytes));
}

}  // namespace
}  // namespace pt2::c

using namespace pt2::c;

extern "C" {

pt2_error* pt2_weights_load(const pt2_file* file, pt2_str model, pt2_weights** out) {
  return made(out, [&] {
    require(file, "file");
    return std::make_unique<pt2_weights>(pt2::load_weights(*file->opened, optional_of(model, "model")),
                                         file->opened, file->opened->limits());
  });
}

pt2_error* pt2_weights_read(const char* path, const pt2_weights* known, pt2_weights** out) {
  return made(out, [&] {
    require(path, "path");
    return read_weights(path, known);
  });
}

pt2_error* pt2_weights_save(const pt2_weights* weights, const char* path) {
  return guarded([&] {
    require(weights, "weights");
    require(path, "path");
    const bool is_npz = is_npz_file(path);
    pt2::AtomicFile file(path);
    const pt2::ByteSink sink = [&](std::string_view part) { file.write(part); };
    is_npz ? pt2::write_npz(weights->named(), sink) : pt2::write_safetensors(weights->named(), sink);
    file.commit();
  });
}

size_t pt2_weights_count(const pt2_weights* weights) {
  return weights == nullptr ? 0 : weights->tensors.size();
}

const pt2_tensor* pt2_weights_at(const pt2_weights* weights, size_t index) {
  return index < pt2_weights_count(weights) ? weights->tensors[index].get() : nullptr;
}

const pt2_tensor* pt2_weights_find(const pt2_weights* weights, pt2_str name) {
  if (weights == nullptr || name.data == nullptr) return nullptr;
  const auto found = std::find_if(weights->tensors.begin(), weights->tensors.end(), [&](const auto& tensor) {
    return tensor->weight.name == std::string_view(name.data, name.size);
  });
  return found == weights->tensors.end() ? nullptr : found->get();
}

void pt2_weights_free(pt2_weights* weights) {
  delete weights;
}

pt2_error* pt2_tensor_new(pt2_str name, int32_t dtype, const int64_t* shape, size_t rank, const void* data,
                          size_t size, pt2_tensor** out) {
  return made(out, [&] {
    if (rank != 0) require(shape, "shape");
    pt2::NamedTensor tensor{std::string(view_of(name, "name")),
                            pt2::make_tensor(static_cast<pt2::ScalarType>(dtype), {shape, shape + rank},
                                             std::string(view_of(data, size, "data")))};
    return std::make_unique<pt2_tensor>(constant_of(std::move(tensor)), nullptr, schemagen::Limits());
  });
}

pt2_str pt2_tensor_name(const pt2_tensor* tensor) {
  return borrowed(tensor == nullptr ? std::string_view() : tensor->weight.name);
}

int32_t pt2_tensor_kind(const pt2_tensor* tensor) {
  constexpr std::int32_t kKinds[] = {PT2_PARAMETER, PT2_BUFFER, PT2_CONSTANT, PT2_OBJECT};
  return tensor == nullptr ? 0 : kKinds[static_cast<std::size_t>(tensor->weight.kind)];
}

bool pt2_tensor_is_persistent(const pt2_tensor* tensor) {
  return tensor != nullptr && tensor->weight.persistent;
}

bool pt2_tensor_is_pickled(const pt2_tensor* tensor) {
  return tensor != nullptr && tensor->weight.pickled;
}

bool pt2_tensor_has_layout(const pt2_tensor* tensor) {
  return tensor != nullptr && tensor->weight.tensor;
}

pt2_str pt2_tensor_record(const pt2_tensor* tensor) {
  return borrowed(tensor == nullptr ? std::string_view() : tensor->weight.record);
}

pt2_str pt2_tensor_class(const pt2_tensor* tensor) {
  return borrowed(tensor == nullptr ? std::string_view() : tensor->weight.class_name);
}

size_t pt2_tensor_part_count(const pt2_tensor* tensor) {
  return tensor == nullptr ? 0 : tensor->parts.size();
}

const pt2_tensor* pt2_tensor_part(const pt2_tensor* tensor, size_t index) {
  return index < pt2_tensor_part_count(tensor) ? tensor->parts[index].get() : nullptr;
}

int32_t pt2_tensor_dtype(const pt2_tensor* tensor) {
  return static_cast<int32_t>(layout_of(tensor).dtype);
}

pt2_str pt2_tensor_dtype_name(const pt2_tensor* tensor) {
  return borrowed(pt2_tensor_has_layout(tensor) ? pt2::torch_name(layout_of(tensor).dtype) : "");
}

pt2_str pt2_tensor_device(const pt2_tensor* tensor) {
  return borrowed(tensor == nullptr ? std::string_view() : tensor->device);
}

size_t pt2_tensor_rank(const pt2_tensor* tensor) {
  return layout_of(tensor).shape.size();
}

const int64_t* pt2_tensor_shape(const pt2_tensor* tensor) {
  return layout_of(tensor).shape.data();
}

const int64_t* pt2_tensor_strides(const pt2_tensor* tensor) {
  return layout_of(tensor).strides.data();
}

int64_t pt2_tensor_offset(const pt2_tensor* tensor) {
  return layout_of(tensor).offset;
}

uint64_t pt2_tensor_bytes(const pt2_tensor* tensor) {
  return tensor == nullptr ? 0 : tensor->bytes;
}

pt2_error* pt2_tensor_data(const pt2_tensor* tensor, pt2_str* out) {
  return guarded([&] {
    require(out, "out");
    *out = {nullptr, 0};
    require(tensor, "tensor");
    *out = borrowed(elements_in_place(*tensor));
  });
}

pt2_error* pt2_tensor_copy(const pt2_tensor* tensor, pt2_bytes* out) {
  return given(out, [&] { return pt2::contiguous_bytes(tensor_of(tensor), tensor->limits); });
}

pt2_error* pt2_tensor_place(const pt2_tensor* tensor, int64_t* offset, int64_t* crc32) {
  return guarded([&] {
    require(offset, "offset");
    require(crc32, "crc32");
    *offset = *crc32 = -1;
    const pt2::Tensor& found = tensor_of(tensor);
    if (!is_in_place(found)) return;
    const std::optional<std::uint64_t> place = found.storage->place();
    if (!place) return;
    const pt2::TensorExtent extent = pt2::extent_of(found.layout);
    *offset = static_cast<std::int64_t>(*place + (extent.storage - extent.bytes));
    if (extent.bytes == found.storage->size()) *crc32 = found.storage->crc32().value_or(-1);
  });
}

void pt2_tensor_free(pt2_tensor* tensor) {
  delete tensor;
}

}  // extern "C"
