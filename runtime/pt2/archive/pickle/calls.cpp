#include "pt2/archive/pickle/calls.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "pt2/archive/pickle/tensors.h"
#include "pt2/text/affix.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/ascii.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/utf8.h"

namespace pt2 {
namespace {

using Arguments = std::vector<PickleRef>;

constexpr std::int64_t kMaxDeviceIndex = 127;  // torch stores it in 8 bits, signed

[[noreturn]] void refuse(const PickleStore& store, std::string_view function, const Arguments& arguments) {
  std::string text = "the pickle has a call to " + schemagen::quoted(function) +
                     (arguments.empty() ? " without arguments, which torch.save never writes"
                                        : " with arguments that torch.save never writes");
  if (!arguments.empty()) text += "; the first is " + std::string(described(store[arguments.front()].kind));
  store.fail(text);
}

PickleRef make_mapping(PickleStore& store, PickleKind kind, std::string_view function,
                       const Arguments& arguments) {
  if (arguments.empty()) return store.add_items(kind, {});
  if (arguments.size() > 1) refuse(store, function, arguments);
  const PickleValue& from = store[arguments.front()];
  if (is_mapping(from.kind)) return store.add_items(kind, from.items());
  // With other arguments, a Counter would count them.
  const bool has_pairs = from.kind == PickleKind::list || from.kind == PickleKind::tuple;
  if (!has_pairs || (kind == PickleKind::counter && !from.items().empty()))
    refuse(store, function, arguments);
  std::vector<PickleRef> items;
  for (const PickleRef pair : from.items()) {
    const PickleKind pair_kind = store[pair].kind;
    if ((pair_kind != PickleKind::list && pair_kind != PickleKind::tuple) ||
        store[pair].items().size() != 2) {
      refuse(store, function, arguments);
    }
    store.require_hashable(store[pair].items()[0]);
    items.insert(items.end(), store[pair].items().begin(), store[pair].items().end());
  }
  return store.add_items(kind, std::move(items));
}

PickleRef make_set(PickleStore& store, std::string_view function, const Arguments& arguments) {
  if (arguments.empty()) return store.add_items(PickleKind::set, {});
  const PickleKind kind = store[arguments.front()].kind;
  const bool has_items = kind == PickleKind::list || kind == PickleKind::tuple || kind == PickleKind::set ||
                         kind == PickleKind::size;
  if (!has_items || arguments.size() > 1) refuse(store, function, arguments);
  const std::vector<PickleRef>& items = store[arguments.front()].items();
  for (const PickleRef item : items) store.require_hashable(item);
  return store.add_items(PickleKind::set, items);
}

PickleRef make_size(PickleStore& store, std::string_view function, const Arguments& arguments) {
  if (arguments.empty()) return store.add_items(PickleKind::size, {});
  if (arguments.size() > 1) refuse(store, function, arguments);
  static_cast<void>(integers_of(store, arguments.front(), "a torch.Size"));
  return store.add_items(PickleKind::size, store[arguments.front()].items());
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

std::string encode(PickleStore& store, std::string_view function, const Arguments& arguments) {
  const auto is_text = [&](PickleRef ref) { return store[ref].kind == PickleKind::text; };
  if (arguments.empty() || arguments.size() > 3 ||
      !std::all_of(arguments.begin(), arguments.end(), is_text)) {
    refuse(store, function, arguments);
  }
  const std::string codec = arguments.size() > 1 ? store[arguments[1]].text() : "utf-8";
  const std::string& text = store[arguments[0]].text();
  store.take(text.size(), 1);
  std::optional<std::string> bytes = encoded(text, codec);
  if (!bytes) store.fail("a string cannot be encoded as " + schemagen::quoted(codec));
  return std::move(*bytes);
}

PickleRef make_bytearray(PickleStore& store, std::string_view function, const Arguments& arguments) {
  if (arguments.empty()) return store.add_text(PickleKind::bytearray, "");
  const PickleKind kind = store[arguments.front()].kind;
  if (arguments.size() > 1) return store.add_text(PickleKind::bytearray, encode(store, function, arguments));
  if (kind != PickleKind::bytes && kind != PickleKind::bytearray) refuse(store, function, arguments);
  const std::string bytes = store[arguments.front()].text();
  return store.add_text(PickleKind::bytearray, bytes);
}

PickleRef make_complex(PickleStore& store, std::string_view function, const Arguments& arguments) {
  double parts[2] = {0, 0};
  if (arguments.size() > 2) refuse(store, function, arguments);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const PickleValue& value = store[arguments[i]];
    if (const auto* const integer = std::get_if<std::int64_t>(&value.data)) {
      parts[i] = static_cast<double>(*integer);
    } else if (const auto* const number = std::get_if<double>(&value.data)) {
      parts[i] = *number;
    } else {
      refuse(store, function, arguments);
    }
  }
  return store.add(PickleKind::complex, std::complex<double>(parts[0], parts[1]));
}

std::optional<std::int64_t> device_index(std::string_view digits) {
  if (digits.empty() || digits.size() > 3 || (digits.size() > 1 && digits.front() == '0'))
    return std::nullopt;
  std::int64_t index = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    index = 10 * index + (c - '0');
  }
  return index <= kMaxDeviceIndex ? std::optional(index) : std::nullopt;
}

PickleRef make_device(PickleStore& store, std::string_view function, const Arguments& arguments) {
  if (arguments.empty() || arguments.size() > 2) refuse(store, function, arguments);
  const PickleValue& name = store[arguments[0]];
  if (arguments.size() == 1 && name.kind == PickleKind::device) return arguments[0];
  if (name.kind != PickleKind::text) refuse(store, function, arguments);
  std::string device = name.text();
  if (arguments.size() == 2) {
    const auto* const index = std::get_if<std::int64_t>(&store[arguments[1]].data);
    if (index == nullptr || device.find(':') != device.npos) refuse(store, function, arguments);
    device += ":" + std::to_string(*index);
  }
  if (!is_device(device)) store.fail("unknown device " + schemagen::quoted(device));
  return store.add_text(PickleKind::device, device);
}

PickleRef get_layout(PickleStore& store, std::string_view function, const Arguments& arguments) {
  if (arguments.size() != 1 || store[arguments[0]].kind != PickleKind::text)
    refuse(store, function, arguments);
  const std::string name = store[arguments[0]].text();
  const bool is_layout =
      starts_with(name, "torch.") &&
      (name == "torch.jagged" || layout_named(name).value_or(Layout::Unknown) != Layout::Unknown);
  if (!is_layout) store.fail("unknown layout " + schemagen::quoted(name));
  return store.add_text(PickleKind::layout, name);
}

PickleRef parameter_of(PickleStore& store, std::string_view function, const Arguments& arguments) {
  if (arguments.empty() || arguments.size() > 2) refuse(store, function, arguments);
  bool requires_grad = true;
  if (arguments.size() == 2) {
    const bool* const given = std::get_if<bool>(&store[arguments[1]].data);
    if (given == nullptr) refuse(store, function, arguments);
    requires_grad = *given;
  }
  return make_parameter(store, arguments[0], requires_grad);
}

struct OtherFunction {
  std::string_view name;
  std::size_t arguments;
};

constexpr OtherFunction kOtherFunctions[] = {
    {"torch._utils._rebuild_qtensor", 7},
    {"torch._utils._rebuild_sparse_tensor", 2},
    {"torch._utils._rebuild_nested_tensor", 4},
    {"torch._utils._rebuild_wrapper_subclass", 8},
    {"torch._utils._rebuild_device_tensor_from_cpu_tensor", 4},
};

/// `_rebuild_from_type_v2(function, type, arguments, state)`: a tensor with attributes, or of a subclass.
PickleRef rebuild_from_type(PickleStore& store, std::string_view function, const Arguments& arguments) {
  if (arguments.size() != 4 || store[arguments[0]].kind != PickleKind::global ||
      store[arguments[1]].kind != PickleKind::global) {
    refuse(store, function, arguments);
  }
  const SafeGlobalKind inner = find_safe_global(store[arguments[0]].text())->kind;
  const SafeGlobalKind type = find_safe_global(store[arguments[1]].text())->kind;
  const bool is_rebuilding =
      inner >= SafeGlobalKind::rebuild_tensor && inner <= SafeGlobalKind::rebuild_parameter;
  const bool has_arguments = store[arguments[2]].kind == PickleKind::tuple;
  if (!is_rebuilding || !has_arguments ||
      (type != SafeGlobalKind::tensor_class && type != SafeGlobalKind::parameter)) {
    refuse(store, function, arguments);
  }
  const Arguments inner_arguments = store[arguments[2]].items();
  return rebuild_tensor(store, arguments[0], inner, inner_arguments);
}

PickleRef call_other(PickleStore& store, PickleRef function, PickleRef tuple, const Arguments& arguments) {
  const std::string name = store[function].text();
  if (name == "torch._tensor._rebuild_from_type_v2") return rebuild_from_type(store, name, arguments);
  for (const OtherFunction& each : kOtherFunctions) {
    if (each.name == name && each.arguments == arguments.size()) {
      return store.add_items(PickleKind::call, {function, tuple});
    }
  }
  refuse(store, name, arguments);
}

const SafeGlobal& require_global(const PickleStore& store, PickleRef ref) {
  if (store[ref].kind == PickleKind::global) return *find_safe_global(store[ref].text());
  store.fail("expected a class or function to call, found " + std::string(described(store[ref].kind)));
}

void require_arguments(const PickleStore& store, PickleRef arguments) {
  if (store[arguments].kind != PickleKind::tuple && store[arguments].kind != PickleKind::list) {
    store.fail("expected a tuple of arguments, found " + std::string(described(store[arguments].kind)));
  }
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

}  // namespace

bool is_device(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (!is_device_type(text.substr(0, colon))) return false;
  return colon == text.npos || device_index(text.substr(colon + 1)).has_value();
}

PickleRef call_global(PickleStore& store, PickleRef function, PickleRef arguments) {
  const SafeGlobal& global = require_global(store, function);
  require_arguments(store, arguments);
  const Arguments items = store[arguments].items();  // a copy, because adding values moves the others
  switch (global.kind) {
    case SafeGlobalKind::ordered_dict:
      return make_mapping(store, PickleKind::ordered_dict, global.name, items);
    case SafeGlobalKind::counter:
      return make_mapping(store, PickleKind::counter, global.name, items);
    case SafeGlobalKind::set:
      return make_set(store, global.name, items);
    case SafeGlobalKind::bytearray:
      return make_bytearray(store, global.name, items);
    case SafeGlobalKind::complex:
      return make_complex(store, global.name, items);
    case SafeGlobalKind::size:
      return make_size(store, global.name, items);
    case SafeGlobalKind::device:
      return make_device(store, global.name, items);
    case SafeGlobalKind::parameter:
      return parameter_of(store, global.name, items);
    case SafeGlobalKind::encode:
      return store.add_text(PickleKind::bytes, encode(store, global.name, items));
    case SafeGlobalKind::get_layout:
      return get_layout(store, global.name, items);
    case SafeGlobalKind::rebuild_tensor:
    case SafeGlobalKind::rebuild_tensor_v2:
    case SafeGlobalKind::rebuild_tensor_v3:
    case SafeGlobalKind::rebuild_meta_tensor:
    case SafeGlobalKind::rebuild_parameter:
    case SafeGlobalKind::rebuild_parameter_with_state:
      return rebuild_tensor(store, function, global.kind, items);
    case SafeGlobalKind::other_function:
      return call_other(store, function, arguments, items);
    case SafeGlobalKind::dtype:
    case SafeGlobalKind::scheme:
    case SafeGlobalKind::storage_class:
    case SafeGlobalKind::untyped_storage:
    case SafeGlobalKind::tensor_class:
      break;
  }
  store.fail("the pickle has a call to " + schemagen::quoted(global.name) +
             ", which torch.save never writes");
}

PickleRef new_object(PickleStore& store, PickleRef type, PickleRef arguments) {
  require_arguments(store, arguments);
  switch (require_global(store, type).kind) {
    case SafeGlobalKind::ordered_dict:
      return store.add_items(PickleKind::ordered_dict, {});
    case SafeGlobalKind::counter:
      return store.add_items(PickleKind::counter, {});
    case SafeGlobalKind::set:
      return store.add_items(PickleKind::set, {});
    case SafeGlobalKind::bytearray:
      return store.add_text(PickleKind::bytearray, "");
    case SafeGlobalKind::complex:
    case SafeGlobalKind::size:
    case SafeGlobalKind::device:
    case SafeGlobalKind::parameter:
      return call_global(store, type, arguments);
    default:
      break;
  }
  store.fail("the pickle has an object of the class " + schemagen::quoted(store[type].text()) +
             ", which torch.save never writes");
}

void require_state(const PickleStore& store, PickleRef object, PickleRef state) {
  switch (store[object].kind) {
    case PickleKind::ordered_dict:
      if (is_mapping(store[state].kind)) return;
      break;
    case PickleKind::counter:
      if (is_mapping(store[state].kind) || is_empty(store[state])) return;
      break;
    case PickleKind::set:
    case PickleKind::size:
    case PickleKind::bytearray:
    case PickleKind::device:
    case PickleKind::complex:
      if (is_empty(store[state])) return;
      break;
    default:
      break;
  }
  store.fail(std::string("expected a valid state for ") + described(store[object].kind) + ", found " +
             described(store[state].kind));
}

}  // namespace pt2
