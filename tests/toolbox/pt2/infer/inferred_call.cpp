#include "inferred_call.h"

#include <cctype>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "pt2/infer/infer.h"
#include "pt2/operators/operators.h"
#include "pt2/strings/argument_text.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/error.h"

namespace {

using pt2::Argument;
using pt2::ScalarType;
using pt2::Size;

std::optional<ScalarType> dtype_of(std::string_view name) {
  for (int i = 1; i < 100; ++i) {
    if (pt2::short_name(static_cast<ScalarType>(i)) == name) return static_cast<ScalarType>(i);
  }
  return std::nullopt;
}

class CallReader {
 public:
  explicit CallReader(std::string_view text) : text_(text) { read(); }

  pt2::Node node;
  const pt2::Operator* op = nullptr;
  pt2::Graph graph;

 private:
  void read() {
    const std::string name(text_.substr(0, text_.find('(')));
    text_.remove_prefix(name.size() + 1);
    node.target = name;
    op = pt2::find_operator(name);
    if (op == nullptr) op = pt2::find_operator(node.target = "torch.ops." + name);
    if (op == nullptr) throw std::invalid_argument("unknown operator " + name);
    while (!take(")")) {
      pt2::NamedArgument& input = node.inputs.emplace_back();
      const std::size_t end = text_.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789");
      if (end > 0 && end < text_.size() && text_[end] == '=') {
        input.name = text_.substr(0, end);
        text_.remove_prefix(end + 1);
      } else {
        input.name = op->arguments.at(node.inputs.size() - 1).name;
      }
      input.arg = argument();
      take(", ");
    }
  }

  bool take(std::string_view word) {
    if (text_.substr(0, word.size()) != word) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  std::string word() {
    const std::size_t length = text_.find_first_of("[](), ");
    std::string found(text_.substr(0, length));
    text_.remove_prefix(found.size());
    return found;
  }

  Argument argument() {
    if (take("'")) {
      const std::string found(text_.substr(0, text_.find('\'')));
      text_.remove_prefix(found.size() + 1);
      return Argument::of<Argument::as_string>(found);
    }
    if (take("[")) return list();
    const std::string found = word();
    if (text_.substr(0, 1) == "[") return Argument::of<Argument::as_tensor>(tensor(found));
    if (found == "none") return Argument::of<Argument::as_none>(true);
    if (found == "true" || found == "false") return Argument::of<Argument::as_bool>(found == "true");
    if (const auto dtype = dtype_of(found)) return Argument::of<Argument::as_scalar_type>(*dtype);
    if (const auto format = pt2::memory_format_named(found)) {
      return Argument::of<Argument::as_memory_format>(*format);
    }
    if (found.find('.') != std::string::npos) return Argument::of<Argument::as_float>(std::stod(found));
    const Size size = size_of(found);
    if (const auto number = size.number()) return Argument::of<Argument::as_int>(*number);
    return Argument::of<Argument::as_sym_int>(symbolic(size));
  }

  Argument list() {
    std::vector<Argument> items;
    while (!take("]")) {
      items.push_back(argument());
      take(", ");
    }
    const auto are_all = [&](Argument::Kind kind) {
      for (const Argument& item : items) {
        if (item.kind() != kind) return false;
      }
      return true;
    };
    if (are_all(Argument::as_int)) return list_of<Argument::as_ints, Argument::as_int>(items);
    if (are_all(Argument::as_bool)) return list_of<Argument::as_bools, Argument::as_bool>(items);
    if (are_all(Argument::as_float)) return list_of<Argument::as_floats, Argument::as_float>(items);
    if (are_all(Argument::as_tensor)) return list_of<Argument::as_tensors, Argument::as_tensor>(items);
    if (items.front().is<Argument::as_tensor>() || items.front().is<Argument::as_none>()) {
      Argument tensors;
      auto& values = tensors.emplace<Argument::as_optional_tensors>();
      for (const Argument& item : items) {
        auto& value = values.emplace_back();
        if (item.is<Argument::as_none>())
          value.emplace<pt2::OptionalTensorArgument::as_none>(true);
        else
          value.emplace<pt2::OptionalTensorArgument::as_tensor>(item.get<Argument::as_tensor>());
      }
      return tensors;
    }
    Argument sizes;
    auto& values = sizes.emplace<Argument::as_sym_ints>();
    for (const Argument& item : items) {
      if (const auto* const number = item.get_if<Argument::as_int>()) {
        values.emplace_back().emplace<pt2::SymIntArgument::as_int>(*number);
      } else {
        values.push_back(item.get<Argument::as_sym_int>());
      }
    }
    return sizes;
  }

  template <Argument::Kind List, Argument::Kind Item>
  static Argument list_of(const std::vector<Argument>& items) {
    Argument list;
    auto& values = list.emplace<List>();
    for (const Argument& item : items) values.push_back(item.get<Item>());
    return list;
  }

  /// `5`, `-1`, `s0`, `2*s0`
  static Size size_of(const std::string& text) {
    Size product = 1;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const std::string factor = text.substr(at, text.find('*', at) - at);
      at += factor.size();
      product = product * (factor[0] == 's' ? Size::symbol(factor) : Size(std::stoll(factor)));
    }
    return product;
  }

  pt2::SymIntArgument symbolic(const Size& size) {
    const std::string name = "v" + std::to_string(graph.sym_int_values.size());
    graph.sym_int_values.insert(name, size.sym_int({}));
    return pt2::SymIntArgument::of<pt2::SymIntArgument::as_name>(name);
  }

  std::vector<Size> sizes() {
    std::vector<Size> found;
    if (!take("[")) throw std::invalid_argument("expected sizes");
    while (!take("]")) {
      found.push_back(size_of(word()));
      take(", ");
    }
    return found;
  }

  pt2::TensorArgument tensor(const std::string& dtype) {
    pt2::TensorType type(dtype_of(dtype).value(), sizes());
    if (text_.substr(0, 1) == "[") type.strides = sizes();
    if (take("+")) type.offset = size_of(word());
    const std::string name = "t" + std::to_string(graph.tensor_values.size());
    graph.tensor_values.insert(name, type.meta());
    return {name};
  }

  std::string_view text_;
};

const pt2::Bindings& hints() {
  static const pt2::Bindings bindings = [] {
    pt2::Bindings made;
    made.insert("s0", 5);
    made.insert("s1", 7);
    return made;
  }();
  return bindings;
}

std::string text_of(const std::vector<Size>& sizes) {
  std::string text;
  for (const Size& size : sizes) text += (text.empty() ? "" : ", ") + pt2::sym_int_text(size.sym_int({}));
  return "[" + text + "]";
}

std::string text_of(const pt2::TensorType& type) {
  std::string text = std::string(pt2::short_name(type.dtype)) + text_of(type.sizes);
  std::vector<Size> usual = pt2::row_major_strides(type.sizes);
  std::vector<Size> strides = type.strides;
  for (std::size_t i = 0; i < usual.size(); ++i) {
    if (type.sizes[i].is(1)) usual[i] = strides[i] = 0;  // strides of dims of size 1 mean nothing
  }
  if (strides != usual) text += text_of(strides);
  return type.offset.is(0) ? text : text + "+" + pt2::sym_int_text(type.offset.sym_int({}));
}

std::string text_of(const pt2::ValueType& type) {
  if (std::holds_alternative<std::monostate>(type)) return "none";
  if (std::holds_alternative<pt2::SymFloat>(type)) return "float";
  if (std::holds_alternative<pt2::SymBool>(type)) return "bool";
  if (const auto* const number = std::get_if<pt2::SymInt>(&type)) return "int " + pt2::sym_int_text(*number);
  if (const auto* const tensor = std::get_if<pt2::TensorType>(&type)) return text_of(*tensor);
  std::string text;
  for (const pt2::TensorType& tensor : std::get<std::vector<pt2::TensorType>>(type)) {
    text += (text.empty() ? "" : ", ") + text_of(tensor);
  }
  return text;
}

}  // namespace

std::string inferred(std::string_view text, std::string_view autocast) {
  const CallReader call(text);
  pt2::Autocast mode;
  if (!autocast.empty()) mode = {"cpu", dtype_of(autocast).value()};
  const auto types = pt2::infer_results(call.node, *call.op, call.graph, hints(), mode);
  if (!types) return "unknown";
  std::string line;
  for (const pt2::ValueType& type : *types) line += (line.empty() ? "" : ", ") + text_of(type);
  return line;
}

std::string inference_error(std::string_view call) {
  try {
    inferred(call);
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
  return "";
}
