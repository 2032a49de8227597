#include "pt2/archive/pickle/tensors.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "pt2/archive/pickle/calls.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

constexpr std::size_t kMaxMetadata = 16;

std::optional<std::int64_t> multiply_add(std::int64_t a, std::int64_t b, std::int64_t c) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (b != 0 && a > (kMax - c) / b) return std::nullopt;
  return a * b + c;
}

std::optional<std::int64_t> reach(const PickledTensor& tensor) {
  if (std::find(tensor.sizes.begin(), tensor.sizes.end(), 0) != tensor.sizes.end()) return 0;
  std::optional<std::int64_t> count = 1;
  std::optional<std::int64_t> last = tensor.offset;
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    count = multiply_add(*count, tensor.sizes[i], 0);
    last = multiply_add(tensor.strides[i], tensor.sizes[i] - 1, *last);
    if (!count || !last) return std::nullopt;
  }
  return multiply_add(*last, 1, 1);
}

bool has_gradients(ScalarType dtype) {
  const std::string_view name = torch_name(dtype);
  const auto starts = [&](std::string_view start) { return name.substr(0, start.size()) == start; };
  return starts("float") || starts("bfloat") || starts("complex");
}

void require_layout(const PickleStore& store, const PickledTensor& tensor) {
  if (tensor.sizes.size() != tensor.strides.size()) {
    store.fail("a tensor has " + schemagen::counted(tensor.sizes.size(), "size") + ", but " +
               schemagen::counted(tensor.strides.size(), "stride"));
  }
  const auto is_negative = [](std::int64_t number) { return number < 0; };
  if (tensor.offset < 0 || std::any_of(tensor.sizes.begin(), tensor.sizes.end(), is_negative) ||
      std::any_of(tensor.strides.begin(), tensor.strides.end(), is_negative)) {
    store.fail("a size, stride or offset of a tensor is negative");
  }
}

void require_inside(const PickleStore& store, const PickledTensor& tensor) {
  require_layout(store, tensor);
  const std::int64_t bytes = store[tensor.storage].storage().bytes;
  const std::optional<std::int64_t> elements = reach(tensor);
  if (elements && *elements <= bytes / *element_bytes(tensor.dtype)) return;
  store.fail("a tensor extends past the end of its storage of " +
             schemagen::counted(static_cast<std::uint64_t>(bytes), "byte"));
}

void require_gradients(const PickleStore& store, ScalarType dtype) {
  if (has_gradients(dtype)) return;
  store.fail("a tensor of dtype " + std::string(torch_name(dtype)) + " cannot require gradients");
}

bool boolean_of(const PickleStore& store, PickleRef ref, const char* what) {
  if (const bool* const value = std::get_if<bool>(&store[ref].data)) return *value;
  store.fail("expected a bool for " + std::string(what) + ", found " + described(store[ref].kind));
}

void read_metadata(const PickleStore& store, PickleRef ref, PickledTensor& tensor) {
  const PickleValue& metadata = store[ref];
  if (metadata.kind == PickleKind::none) return;
  if (!is_mapping(metadata.kind) || metadata.items().size() > 2 * kMaxMetadata) {
    store.fail("expected a dict of at most " + std::to_string(kMaxMetadata) +
               " entries for the metadata of a tensor, found " + described(metadata.kind));
  }
  const std::vector<PickleRef>& items = metadata.items();
  for (std::size_t i = 0; i < items.size(); i += 2) {
    const PickleValue& key = store[items[i]];
    if (key.kind != PickleKind::text) store.fail("a key in a tensor's metadata is not a string");
    const bool value = boolean_of(store, items[i + 1], "the metadata of a tensor");
    if (key.text() == "conj") tensor.is_conjugated = value;
    if (key.text() == "neg") tensor.is_negated = value;
  }
  if (tensor.is_conjugated && torch_name(tensor.dtype).substr(0, 7) != "complex") {
    store.fail("a tensor is conjugated, but its dtype is not complex");
  }
}

void require_count(const PickleStore& store, const std::vector<PickleRef>& arguments, std::size_t least,
                   std::size_t most) {
  if (arguments.size() >= least && arguments.size() <= most) return;
  store.fail("expected " + (least == most ? "" : std::to_string(least) + " to ") +
             schemagen::counted(most, "argument") + " for a tensor, found " +
             std::to_string(arguments.size()));
}

PickleRef add_call(PickleStore& store, PickleRef function, const std::vector<PickleRef>& arguments) {
  const PickleRef tuple = store.add_items(PickleKind::tuple, arguments);
  return store.add_items(PickleKind::call, {function, tuple});
}

PickleRef add_tensor(PickleStore& store, PickledTensor tensor) {
  store.take(tensor.sizes.size(), 2 * sizeof(std::int64_t));
  store.take(3, schemagen::MemoryBudget::kPerBlock);
  store.take(1, sizeof(PickledTensor));
  return store.add(PickleKind::tensor, schemagen::Box<PickledTensor>(std::move(tensor)));
}

ScalarType dtype_of(const PickleStore& store, PickleRef ref) {
  if (store[ref].kind == PickleKind::none) return ScalarType::FLOAT;  // torch's default
  if (store[ref].kind != PickleKind::global ||
      find_safe_global(store[ref].text())->kind != SafeGlobalKind::dtype) {
    store.fail("expected a dtype, found " + std::string(described(store[ref].kind)));
  }
  return dtype_named(store[ref].text()).value_or(ScalarType::UNKNOWN);
}

PickleRef rebuild_strided(PickleStore& store, PickleRef function, SafeGlobalKind kind,
                          const std::vector<PickleRef>& arguments) {
  const std::size_t least = kind == SafeGlobalKind::rebuild_tensor      ? 4
                            : kind == SafeGlobalKind::rebuild_tensor_v2 ? 6
                                                                        : 7;
  require_count(store, arguments, least, least + (least == 4 ? 0 : 1));
  if (store[arguments[0]].kind != PickleKind::storage) {
    store.fail("expected a storage, found " + std::string(described(store[arguments[0]].kind)));
  }
  PickledTensor tensor;
  tensor.storage = arguments[0];
  tensor.dtype = least == 7 ? dtype_of(store, arguments[6]) : store[arguments[0]].storage().dtype;
  if (store[arguments[1]].kind != PickleKind::integer) store.fail("the offset of a tensor is not an integer");
  tensor.offset = std::get<std::int64_t>(store[arguments[1]].data);
  tensor.sizes = integers_of(store, arguments[2], "the sizes of a tensor");
  tensor.strides = integers_of(store, arguments[3], "the strides of a tensor");
  const bool is_known = tensor.dtype != ScalarType::UNKNOWN;
  if (is_known) require_inside(store, tensor);
  if (least > 4) tensor.requires_grad = boolean_of(store, arguments[4], "requires_grad");
  if (tensor.requires_grad) require_gradients(store, tensor.dtype);
  if (least > 4 && arguments.size() > least) read_metadata(store, arguments[least], tensor);
  if (!is_known) return add_call(store, function, arguments);
  return add_tensor(store, std::move(tensor));
}

/// `_rebuild_meta_tensor_no_storage(dtype, sizes, strides, requires_grad)`
PickleRef rebuild_on_meta(PickleStore& store, PickleRef function, const std::vector<PickleRef>& arguments) {
  require_count(store, arguments, 4, 4);
  PickledTensor tensor;
  tensor.dtype = dtype_of(store, arguments[0]);
  tensor.sizes = integers_of(store, arguments[1], "the sizes of a tensor");
  tensor.strides = integers_of(store, arguments[2], "the strides of a tensor");
  tensor.requires_grad = boolean_of(store, arguments[3], "requires_grad");
  if (tensor.dtype == ScalarType::UNKNOWN) return add_call(store, function, arguments);
  require_layout(store, tensor);
  if (!reach(tensor)) store.fail("a tensor extends past 2^63 - 1 elements");
  if (tensor.requires_grad) require_gradients(store, tensor.dtype);
  store.take(1, sizeof(PickledStorage) + 128);
  PickledStorage storage{"torch.storage.UntypedStorage", ScalarType::BYTE, "", "meta", 0};
  tensor.storage = store.add(PickleKind::storage, schemagen::Box<PickledStorage>(std::move(storage)));
  return add_tensor(store, std::move(tensor));
}

std::string location_of(const PickleStore& store, PickleRef ref) {
  const PickleValue& value = store[ref];
  if (value.kind != PickleKind::text && value.kind != PickleKind::bytes) {
    store.fail("expected a string for the device of a storage, found " + std::string(described(value.kind)));
  }
  if (!is_device(value.text())) store.fail("unknown storage device " + schemagen::quoted(value.text()));
  return value.text();
}

std::string key_of(const PickleStore& store, PickleRef ref) {
  const PickleValue& value = store[ref];
  if (value.kind == PickleKind::text) return value.text();
  if (value.kind == PickleKind::integer) return std::to_string(std::get<std::int64_t>(value.data));
  store.fail("expected a string for the key of a storage, found " + std::string(described(value.kind)));
}

std::int64_t elements_of(const PickleStore& store, PickleRef ref) {
  if (const auto* const number = std::get_if<std::int64_t>(&store[ref].data);
      number != nullptr && *number >= 0) {
    return *number;
  }
  store.fail("expected a non-negative integer for the size of a storage, found " +
             std::string(described(store[ref].kind)));
}

}  // namespace

std::vector<std::int64_t> integers_of(const PickleStore& store, PickleRef sequence, const char* what) {
  const PickleKind kind = store[sequence].kind;
  if (kind != PickleKind::list && kind != PickleKind::tuple && kind != PickleKind::size) {
    store.fail("expected a tuple for " + std::string(what) + ", found " + described(kind));
  }
  std::vector<std::int64_t> numbers;
  numbers.reserve(store[sequence].items().size());
  for (const PickleRef item : store[sequence].items()) {
    const auto* const number = std::get_if<std::int64_t>(&store[item].data);
    if (number == nullptr) {
      store.fail("expected integers for " + std::string(what) + ", found " + described(store[item].kind));
    }
    numbers.push_back(*number);
  }
  return numbers;
}

PickleRef make_parameter(PickleStore& store, PickleRef data, bool requires_grad) {
  if (store[data].kind == PickleKind::call) return data;
  if (store[data].kind != PickleKind::tensor) {
    store.fail("expected a tensor for a parameter, found " + std::string(described(store[data].kind)));
  }
  PickledTensor tensor = store[data].tensor();
  if (requires_grad) require_gradients(store, tensor.dtype);
  tensor.requires_grad = requires_grad;
  tensor.is_parameter = true;
  return add_tensor(store, std::move(tensor));
}

PickleRef rebuild_tensor(PickleStore& store, PickleRef function, SafeGlobalKind kind,
                         const std::vector<PickleRef>& arguments) {
  const bool has_state = kind == SafeGlobalKind::rebuild_parameter_with_state;
  if (kind != SafeGlobalKind::rebuild_parameter && !has_state) {
    return kind == SafeGlobalKind::rebuild_meta_tensor ? rebuild_on_meta(store, function, arguments)
                                                       : rebuild_strided(store, function, kind, arguments);
  }
  const std::size_t count = has_state ? 4 : 3;
  require_count(store, arguments, count, count);
  if (has_state && store[arguments[3]].kind != PickleKind::tuple && !is_mapping(store[arguments[3]].kind)) {
    store.fail("expected a dict for the state of a parameter, found " +
               std::string(described(store[arguments[3]].kind)));
  }
  return make_parameter(store, arguments[0], boolean_of(store, arguments[1], "requires_grad"));
}

PickleRef find_storage(PickleStore& store, PickleRef id, std::map<std::string, PickleRef>& storages) {
  if (store[id].kind != PickleKind::tuple || store[id].items().size() != 5) {
    store.fail("expected a tuple of five items as a persistent id, found " +
               std::string(described(store[id].kind)));
  }
  const std::vector<PickleRef>& parts = store[id].items();
  const PickleValue& what = store[parts[0]];
  if ((what.kind != PickleKind::text && what.kind != PickleKind::bytes) || what.text() != "storage") {
    store.fail("a persistent id does not name a storage");
  }
  const SafeGlobal* const type =
      store[parts[1]].kind == PickleKind::global ? find_safe_global(store[parts[1]].text()) : nullptr;
  if (type == nullptr || type->element_bytes == 0) {
    store.fail("expected a storage class, found " + std::string(described(store[parts[1]].kind)));
  }
  const std::string key = key_of(store, parts[2]);
  const auto known = storages.find(key);
  if (known != storages.end() && store[known->second].storage().bytes != 0) return known->second;
  const std::int64_t elements = elements_of(store, parts[4]);
  const std::optional<std::int64_t> bytes = multiply_add(elements, type->element_bytes, 0);
  if (!bytes) store.fail("a storage of " + std::to_string(elements) + " elements is too large");
  // Like torch, does not reuse a storage without bytes for another one with the same key.
  if (known != storages.end() && *bytes == 0) return known->second;
  store.take(1, sizeof(PickledStorage) + key.size() + 128);
  const PickleRef ref =
      store.add(PickleKind::storage,
                schemagen::Box<PickledStorage>(PickledStorage{std::string(type->name), type->dtype, key,
                                                              location_of(store, parts[3]), *bytes}));
  storages.insert_or_assign(key, ref);
  return ref;
}

}  // namespace pt2
