#include "pt2/archive/pickle/store.h"

#include <algorithm>

#include "pt2/archive/pickle/safe_globals.h"
#include "pt2/text/affix.h"
#include "pt2/text/numbers.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/ascii.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/utf8.h"

namespace pt2 {
namespace {

constexpr unsigned kMaxDeviceIndex = 127;  // torch stores it in 8 bits, signed
constexpr std::size_t kMaxMetadata = 16;

bool is_list_or_tuple(PickleKind kind) {
  return kind == PickleKind::list || kind == PickleKind::tuple;
}

bool is_sequence(PickleKind kind) {
  return is_list_or_tuple(kind) || kind == PickleKind::size;
}

std::optional<std::string> latin1(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<char32_t> character = schemagen::next_code_point(text, at);
    if (!character || *character > 0xFF) return std::nullopt;
    bytes += static_cast<char>(static_cast<unsigned char>(*character));
  }
  return bytes;
}

std::optional<std::string> encoded(std::string_view text, std::string codec) {
  std::transform(codec.begin(), codec.end(), codec.begin(),
                 [](char c) { return c == '_' || c == ' ' ? '-' : schemagen::lower(c); });
  if (codec == "latin1" || codec == "latin-1" || codec == "iso-8859-1" || codec == "iso8859-1")
    return latin1(text);
  const bool is_ascii = codec == "ascii" || codec == "us-ascii";
  if (!is_ascii && codec != "utf-8" && codec != "utf8") return std::nullopt;
  if (is_ascii ? !schemagen::is_ascii(text) : schemagen::find_bad_utf8(text).has_value()) return std::nullopt;
  return std::string(text);
}

/// Whether the text is `type` or `type:index`, with a torch device type.
bool is_device(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (!is_device_type(text.substr(0, colon))) return false;
  if (colon == text.npos) return true;
  const std::string_view digits = text.substr(colon + 1);
  const auto index = integer_of_text<unsigned>(digits);
  return index && *index <= kMaxDeviceIndex && digits == std::to_string(*index);
}

std::vector<std::int64_t> integers_of(const PickleStore& store, PickleRef sequence, const char* what) {
  if (!is_sequence(store[sequence].kind)) store.expected("a tuple for " + std::string(what), sequence);
  std::vector<std::int64_t> numbers;
  numbers.reserve(store[sequence].items().size());
  for (const PickleRef item : store[sequence].items()) {
    const auto* const number = std::get_if<std::int64_t>(&store[item].data);
    if (number == nullptr) store.expected("integers for " + std::string(what), item);
    numbers.push_back(*number);
  }
  return numbers;
}

/// No size, stride or offset is negative.
std::optional<std::int64_t> reach(const PickledTensor& tensor) {
  if (std::find(tensor.sizes.begin(), tensor.sizes.end(), 0) != tensor.sizes.end()) return 0;
  std::optional<std::int64_t> count = 1;
  std::optional<std::int64_t> last = tensor.offset;
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    count = checked_product(*count, tensor.sizes[i]);
    const std::optional<std::int64_t> step = checked_product(tensor.strides[i], tensor.sizes[i] - 1);
    last = step ? checked_sum(*last, *step) : std::nullopt;
    if (!count || !last) return std::nullopt;
  }
  return checked_sum(*last, 1);
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
  if (is_float(dtype) || is_complex(dtype)) return;
  store.fail("a tensor of dtype " + std::string(torch_name(dtype)) + " cannot require gradients");
}

bool boolean_of(const PickleStore& store, PickleRef ref, const char* what) {
  if (const bool* const value = std::get_if<bool>(&store[ref].data)) return *value;
  store.expected("a bool for " + std::string(what), ref);
}

void read_metadata(const PickleStore& store, PickleRef ref, PickledTensor& tensor) {
  const PickleValue& metadata = store[ref];
  if (metadata.kind == PickleKind::none) return;
  if (!is_mapping(metadata.kind) || metadata.items().size() > 2 * kMaxMetadata) {
    store.expected(
        "a dict of at most " + std::to_string(kMaxMetadata) + " entries for the metadata of a tensor", ref);
  }
  const std::vector<PickleRef>& items = metadata.items();
  for (std::size_t i = 0; i < items.size(); i += 2) {
    const PickleValue& key = store[items[i]];
    if (key.kind != PickleKind::text) store.fail("a key in a tensor's metadata is not a string");
    const bool value = boolean_of(store, items[i + 1], "the metadata of a tensor");
    if (key.text() == "conj") tensor.is_conjugated = value;
    if (key.text() == "neg") tensor.is_negated = value;
  }
  if (tensor.is_conjugated && !is_complex(tensor.dtype)) {
    store.fail("a tensor is conjugated, but its dtype is not complex");
  }
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
    store.expected("a dtype", ref);
  }
  return dtype_named(store[ref].text()).value_or(ScalarType::UNKNOWN);
}

/// Evaluates `torch.nn.Parameter(data, requires_grad)`.
PickleRef make_parameter(PickleStore& store, PickleRef data, bool requires_grad) {
  if (store[data].kind == PickleKind::call) return data;
  if (store[data].kind != PickleKind::tensor) store.expected("a tensor for a parameter", data);
  PickledTensor tensor = store[data].tensor();
  if (requires_grad) require_gradients(store, tensor.dtype);
  tensor.requires_grad = requires_grad;
  tensor.is_parameter = true;
  return add_tensor(store, std::move(tensor));
}

std::string location_of(const PickleStore& store, PickleRef ref) {
  const PickleValue& value = store[ref];
  if (value.kind != PickleKind::text && value.kind != PickleKind::bytes) {
    store.expected("a string for the device of a storage", ref);
  }
  if (!is_device(value.text())) store.fail("unknown storage device " + schemagen::quoted(value.text()));
  return value.text();
}

std::string key_of(const PickleStore& store, PickleRef ref) {
  const PickleValue& value = store[ref];
  if (value.kind == PickleKind::text) return value.text();
  if (value.kind == PickleKind::integer) return std::to_string(std::get<std::int64_t>(value.data));
  store.expected("a string for the key of a storage", ref);
}

std::int64_t elements_of(const PickleStore& store, PickleRef ref) {
  const auto* const number = std::get_if<std::int64_t>(&store[ref].data);
  if (number != nullptr && *number >= 0) return *number;
  store.expected("a non-negative integer for the size of a storage", ref);
}

bool is_empty(const PickleValue& value) {
  if (const auto* const items = std::get_if<std::vector<PickleRef>>(&value.data)) {
    return items->empty() && value.kind != PickleKind::call;
  }
  if (const auto* const text = std::get_if<std::string>(&value.data)) return text->empty();
  if (const auto* const boolean = std::get_if<bool>(&value.data)) return !*boolean;
  if (const auto* const integer = std::get_if<std::int64_t>(&value.data)) return *integer == 0;
  return value.kind == PickleKind::none;
}

const SafeGlobal& require_global(const PickleStore& store, PickleRef ref) {
  if (store[ref].kind == PickleKind::global) return *find_safe_global(store[ref].text());
  store.expected("a class or function to call", ref);
}

class GlobalCall {
 public:
  GlobalCall(PickleStore& store, PickleRef function, PickleRef arguments)
      : store_(store), global_(require_global(store, function)), function_(function), tuple_(arguments) {
    if (!is_list_or_tuple(store[arguments].kind)) store.expected("a tuple of arguments", arguments);
    arguments_ = store[arguments].items();  // a copy, because adding values moves the others
  }

  const SafeGlobal& global() const { return global_; }
  void drop_arguments() { arguments_.clear(); }
  PickleRef result();

  using Kind = SafeGlobalKind;
  struct Row {
    std::string_view name;
    Kind kind;
    std::size_t least;  // arguments
    std::size_t most;
    PickleRef (GlobalCall::*evaluate)();
  };
  static const Row kRows[24];

 private:
  const PickleValue& at(std::size_t i) const { return store_[arguments_[i]]; }
  std::size_t count() const { return arguments_.size(); }

  [[noreturn]] void refuse() const {
    std::string text = "the pickle has a call to " + schemagen::quoted(global_.name) +
                       (count() == 0 ? " without arguments, which torch.save never writes"
                                     : " with arguments that torch.save never writes");
    if (count() != 0) text += "; the first is " + std::string(described(at(0).kind));
    store_.fail(text);
  }
  void require_count(const Row& row) const {
    if (count() >= row.least && count() <= row.most) return;
    if (row.kind != SafeGlobalKind::rebuild_tensor) refuse();
    store_.fail("expected " + (row.least == row.most ? "" : std::to_string(row.least) + " to ") +
                schemagen::counted(row.most, "argument") + " for a tensor, found " + std::to_string(count()));
  }

  template <PickleKind K>
  PickleRef make_mapping() {
    if (count() == 0) return store_.add_items(K, {});
    const PickleValue& from = at(0);
    if (is_mapping(from.kind)) return store_.add_items(K, from.items());
    // With other arguments, a Counter would count them.
    if (!is_list_or_tuple(from.kind) || (K == PickleKind::counter && !from.items().empty())) refuse();
    std::vector<PickleRef> items;
    for (const PickleRef ref : from.items()) {
      const PickleValue& pair = store_[ref];
      if (!is_list_or_tuple(pair.kind) || pair.items().size() != 2) refuse();
      store_.require_hashable(pair.items()[0]);
      items.insert(items.end(), pair.items().begin(), pair.items().end());
    }
    return store_.add_items(K, std::move(items));
  }

  PickleRef make_set() {
    if (count() == 0) return store_.add_items(PickleKind::set, {});
    if (!is_sequence(at(0).kind) && at(0).kind != PickleKind::set) refuse();
    for (const PickleRef item : at(0).items()) store_.require_hashable(item);
    return store_.add_items(PickleKind::set, at(0).items());
  }

  PickleRef make_size() {
    if (count() == 0) return store_.add_items(PickleKind::size, {});
    static_cast<void>(integers_of(store_, arguments_[0], "a torch.Size"));
    return store_.add_items(PickleKind::size, at(0).items());
  }

  std::string encoded_text() {
    const auto is_text = [this](PickleRef ref) { return store_[ref].kind == PickleKind::text; };
    if (!std::all_of(arguments_.begin(), arguments_.end(), is_text)) refuse();
    const std::string codec = count() > 1 ? at(1).text() : "utf-8";
    const std::string& text = at(0).text();
    store_.take(text.size(), 1);
    std::optional<std::string> bytes = encoded(text, codec);
    if (!bytes) store_.fail("a string cannot be encoded as " + schemagen::quoted(codec));
    return std::move(*bytes);
  }

  PickleRef encode() { return store_.add_text(PickleKind::bytes, encoded_text()); }

  PickleRef make_bytearray() {
    if (count() > 1) return store_.add_text(PickleKind::bytearray, encoded_text());
    if (count() == 1 && at(0).kind != PickleKind::bytes && at(0).kind != PickleKind::bytearray) refuse();
    const std::string bytes = count() == 0 ? "" : at(0).text();
    return store_.add_text(PickleKind::bytearray, bytes);
  }

  PickleRef make_complex() {
    double parts[2] = {0, 0};
    for (std::size_t i = 0; i < count(); ++i) {
      if (const auto* const integer = std::get_if<std::int64_t>(&at(i).data)) {
        parts[i] = static_cast<double>(*integer);
      } else if (const auto* const number = std::get_if<double>(&at(i).data)) {
        parts[i] = *number;
      } else {
        refuse();
      }
    }
    return store_.add(PickleKind::complex, std::complex<double>(parts[0], parts[1]));
  }

  PickleRef make_device() {
    if (count() == 1 && at(0).kind == PickleKind::device) return arguments_[0];
    if (at(0).kind != PickleKind::text) refuse();
    std::string device = at(0).text();
    if (count() == 2) {
      const auto* const index = std::get_if<std::int64_t>(&at(1).data);
      if (index == nullptr || device.find(':') != device.npos) refuse();
      device += ":" + std::to_string(*index);
    }
    if (!is_device(device)) store_.fail("unknown device " + schemagen::quoted(device));
    return store_.add_text(PickleKind::device, device);
  }

  PickleRef get_layout() {
    if (at(0).kind != PickleKind::text) refuse();
    const std::string name = at(0).text();
    const bool is_layout =
        starts_with(name, "torch.") &&
        (name == "torch.jagged" || layout_named(name).value_or(Layout::Unknown) != Layout::Unknown);
    if (!is_layout) store_.fail("unknown layout " + schemagen::quoted(name));
    return store_.add_text(PickleKind::layout, name);
  }

  PickleRef parameter_of() {
    const bool* const requires_grad = count() == 2 ? std::get_if<bool>(&at(1).data) : nullptr;
    if (count() == 2 && requires_grad == nullptr) refuse();
    return make_parameter(store_, arguments_[0], requires_grad == nullptr || *requires_grad);
  }

  PickleRef add_call() { return store_.add_items(PickleKind::call, {function_, tuple_}); }
  PickleRef add_tensor_call() {
    tuple_ = store_.add_items(PickleKind::tuple, arguments_);
    return add_call();
  }

  /// `N` is the number of arguments without metadata.
  template <std::size_t N>
  PickleRef rebuild_strided() {
    if (at(0).kind != PickleKind::storage) store_.expected("a storage", arguments_[0]);
    PickledTensor tensor;
    tensor.storage = arguments_[0];
    tensor.dtype = N == 7 ? dtype_of(store_, arguments_[6]) : at(0).storage().dtype;
    if (at(1).kind != PickleKind::integer) store_.fail("the offset of a tensor is not an integer");
    tensor.offset = std::get<std::int64_t>(at(1).data);
    tensor.sizes = integers_of(store_, arguments_[2], "the sizes of a tensor");
    tensor.strides = integers_of(store_, arguments_[3], "the strides of a tensor");
    const bool is_known = tensor.dtype != ScalarType::UNKNOWN;
    if (is_known) require_inside(store_, tensor);
    if (N > 4) tensor.requires_grad = boolean_of(store_, arguments_[4], "requires_grad");
    if (tensor.requires_grad) require_gradients(store_, tensor.dtype);
    if (N > 4 && count() > N) read_metadata(store_, arguments_[N], tensor);
    return is_known ? add_tensor(store_, std::move(tensor)) : add_tensor_call();
  }

  /// `_rebuild_meta_tensor_no_storage(dtype, sizes, strides, requires_grad)`
  PickleRef rebuild_on_meta() {
    PickledTensor tensor;
    tensor.dtype = dtype_of(store_, arguments_[0]);
    tensor.sizes = integers_of(store_, arguments_[1], "the sizes of a tensor");
    tensor.strides = integers_of(store_, arguments_[2], "the strides of a tensor");
    tensor.requires_grad = boolean_of(store_, arguments_[3], "requires_grad");
    if (tensor.dtype == ScalarType::UNKNOWN) return add_tensor_call();
    require_layout(store_, tensor);
    if (!reach(tensor)) store_.fail("a tensor extends past 2^63 - 1 elements");
    if (tensor.requires_grad) require_gradients(store_, tensor.dtype);
    store_.take(1, sizeof(PickledStorage) + 128);
    PickledStorage storage{"torch.storage.UntypedStorage", ScalarType::BYTE, "", "meta", 0};
    tensor.storage = store_.add(PickleKind::storage, schemagen::Box<PickledStorage>(std::move(storage)));
    return add_tensor(store_, std::move(tensor));
  }

  PickleRef rebuild_parameter() {
    if (count() == 4 && at(3).kind != PickleKind::tuple && !is_mapping(at(3).kind)) {
      store_.expected("a dict for the state of a parameter", arguments_[3]);
    }
    return make_parameter(store_, arguments_[0], boolean_of(store_, arguments_[1], "requires_grad"));
  }

  /// `_rebuild_from_type_v2(function, type, arguments, state)`: a tensor with attributes, or of a subclass.
  PickleRef rebuild_from_type() {
    if (at(0).kind != PickleKind::global || at(1).kind != PickleKind::global) refuse();
    const SafeGlobal& inner = *find_safe_global(at(0).text());
    const SafeGlobal& type = *find_safe_global(at(1).text());
    if (inner.kind != SafeGlobalKind::rebuild_tensor || ends_with(inner.name, "_with_state") ||
        at(2).kind != PickleKind::tuple ||
        (type.kind != SafeGlobalKind::tensor_class && type.name != "torch.nn.parameter.Parameter")) {
      refuse();
    }
    return GlobalCall(store_, arguments_[0], arguments_[2]).result();
  }

  PickleStore& store_;
  const SafeGlobal& global_;
  PickleRef function_;
  PickleRef tuple_;
  std::vector<PickleRef> arguments_;
};

const GlobalCall::Row GlobalCall::kRows[24] = {
    {"collections.OrderedDict", Kind::filled_class, 0, 1,
     &GlobalCall::make_mapping<PickleKind::ordered_dict>},
    {"collections.Counter", Kind::filled_class, 0, 1, &GlobalCall::make_mapping<PickleKind::counter>},
    {"builtins.set", Kind::filled_class, 0, 1, &GlobalCall::make_set},
    {"builtins.bytearray", Kind::filled_class, 0, 3, &GlobalCall::make_bytearray},
    {"builtins.complex", Kind::other_class, 0, 2, &GlobalCall::make_complex},
    {"torch.Size", Kind::other_class, 0, 1, &GlobalCall::make_size},
    {"torch.device", Kind::other_class, 1, 2, &GlobalCall::make_device},
    {"torch.nn.parameter.Parameter", Kind::other_class, 1, 2, &GlobalCall::parameter_of},
    {"_codecs.encode", Kind::other_function, 1, 3, &GlobalCall::encode},
    {"torch.serialization._get_layout", Kind::other_function, 1, 1, &GlobalCall::get_layout},
    {"torch._utils._rebuild_tensor", Kind::rebuild_tensor, 4, 4, &GlobalCall::rebuild_strided<4>},
    {"torch._utils._rebuild_tensor_v2", Kind::rebuild_tensor, 6, 7, &GlobalCall::rebuild_strided<6>},
    {"torch._utils._rebuild_tensor_v3", Kind::rebuild_tensor, 7, 8, &GlobalCall::rebuild_strided<7>},
    {"torch._utils._rebuild_meta_tensor_no_storage", Kind::rebuild_tensor, 4, 4,
     &GlobalCall::rebuild_on_meta},
    {"torch._utils._rebuild_parameter", Kind::rebuild_tensor, 3, 3, &GlobalCall::rebuild_parameter},
    {"torch._utils._rebuild_parameter_with_state", Kind::rebuild_tensor, 4, 4,
     &GlobalCall::rebuild_parameter},
    {"torch._tensor._rebuild_from_type_v2", Kind::other_function, 4, 4, &GlobalCall::rebuild_from_type},
    {"torch._utils._rebuild_qtensor", Kind::other_function, 7, 7, &GlobalCall::add_call},
    {"torch._utils._rebuild_sparse_tensor", Kind::other_function, 2, 2, &GlobalCall::add_call},
    {"torch._utils._rebuild_nested_tensor", Kind::other_function, 4, 4, &GlobalCall::add_call},
    {"torch._utils._rebuild_wrapper_subclass", Kind::other_function, 8, 8, &GlobalCall::add_call},
    {"torch._utils._rebuild_device_tensor_from_cpu_tensor", Kind::other_function, 4, 4,
     &GlobalCall::add_call},
    // No number of arguments is accepted.
    {"torch._utils._rebuild_device_tensor_from_numpy", Kind::other_function, 1, 0, &GlobalCall::add_call},
    {"torch.storage.TypedStorage", Kind::other_function, 1, 0, &GlobalCall::add_call},
};

PickleRef GlobalCall::result() {
  for (const Row& row : kRows) {
    if (row.name != global_.name) continue;
    require_count(row);
    return (this->*row.evaluate)();
  }
  store_.fail("the pickle has a call to " + schemagen::quoted(global_.name) +
              ", which torch.save never writes");
}

}  // namespace

void for_each_callable(const std::function<void(std::string_view name, SafeGlobalKind kind)>& visit) {
  for (const GlobalCall::Row& row : GlobalCall::kRows) visit(row.name, row.kind);
}

PickleRef call_global(PickleStore& store, PickleRef function, PickleRef arguments) {
  return GlobalCall(store, function, arguments).result();
}

PickleRef new_object(PickleStore& store, PickleRef type, PickleRef arguments) {
  GlobalCall call(store, type, arguments);
  const SafeGlobalKind kind = call.global().kind;
  // These classes take their arguments in __init__(), which NEWOBJ does not call.
  if (kind == SafeGlobalKind::filled_class) {
    call.drop_arguments();
  } else if (kind != SafeGlobalKind::other_class) {
    store.fail("the pickle has an object of the class " + schemagen::quoted(store[type].text()) +
               ", which torch.save never writes");
  }
  return call.result();
}

void require_state(const PickleStore& store, PickleRef object, PickleRef state) {
  const PickleKind kind = store[object].kind;
  const bool takes_dict = kind == PickleKind::ordered_dict || kind == PickleKind::counter;
  const bool takes_empty = kind == PickleKind::counter || kind == PickleKind::set ||
                           kind == PickleKind::size || kind == PickleKind::bytearray ||
                           kind == PickleKind::device || kind == PickleKind::complex;
  if (takes_dict && is_mapping(store[state].kind)) return;
  if (takes_empty && is_empty(store[state])) return;
  store.expected(std::string("a valid state for ") + described(kind), state);
}

PickleRef find_storage(PickleStore& store, PickleRef id, std::map<std::string, PickleRef>& storages) {
  if (store[id].kind != PickleKind::tuple || store[id].items().size() != 5) {
    store.expected("a tuple of five items as a persistent id", id);
  }
  const std::vector<PickleRef>& parts = store[id].items();
  const PickleValue& what = store[parts[0]];
  if ((what.kind != PickleKind::text && what.kind != PickleKind::bytes) || what.text() != "storage") {
    store.fail("a persistent id does not name a storage");
  }
  const SafeGlobal* const type =
      store[parts[1]].kind == PickleKind::global ? find_safe_global(store[parts[1]].text()) : nullptr;
  if (type == nullptr || type->element_bytes == 0) store.expected("a storage class", parts[1]);
  const std::string key = key_of(store, parts[2]);
  const auto known = storages.find(key);
  if (known != storages.end() && store[known->second].storage().bytes != 0) return known->second;
  const std::int64_t elements = elements_of(store, parts[4]);
  const std::optional<std::int64_t> bytes = checked_product(elements, type->element_bytes);
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
