// For torch_pickle_test.py: the input has each torch.save file's length in 4 bytes, then its bytes; the
// output is one line `ok VALUE` or `error MESSAGE`.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "message_check.h"
#include "pt2/archive/tensors/tensor_files.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/error.h"

namespace {

using pt2::PickleKind;
using pt2::PickleRef;
using pt2::PickleValue;

std::string hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

std::string bits(double value) {
  std::uint64_t number = 0;
  std::memcpy(&number, &value, sizeof number);
  return std::to_string(number);
}

std::string joined(const std::vector<std::int64_t>& numbers) {
  std::string text = "(";
  for (const std::int64_t number : numbers) text += std::to_string(number) + ",";
  return text + ")";
}

class Printer {
 public:
  explicit Printer(pt2::PickledTensors& file) : file_(file) {}

  std::string print(PickleRef ref) {
    if (std::find(open_.begin(), open_.end(), ref) != open_.end()) return "...";
    open_.push_back(ref);
    std::string text = print_value(file_.pickle()[ref]);
    open_.pop_back();
    return text;
  }

 private:
  std::string print_value(const PickleValue& value) {
    switch (value.kind) {
      case PickleKind::none:
        return "None";
      case PickleKind::boolean:
        return std::get<bool>(value.data) ? "True" : "False";
      case PickleKind::integer:
        return std::to_string(std::get<std::int64_t>(value.data));
      case PickleKind::big_integer:
        return "int " + hex(value.text());
      case PickleKind::floating:
        return "float " + bits(std::get<double>(value.data));
      case PickleKind::complex: {
        const auto number = std::get<std::complex<double>>(value.data);
        return "complex " + bits(number.real()) + " " + bits(number.imag());
      }
      case PickleKind::text:
        return "str " + hex(value.text());
      case PickleKind::bytes:
        return "bytes " + hex(value.text());
      case PickleKind::bytearray:
        return "bytearray " + hex(value.text());
      case PickleKind::device:
        return "device " + value.text();
      case PickleKind::layout:
        return "layout " + value.text();
      case PickleKind::global:
        return "global";
      case PickleKind::storage:
        return "storage " + bytes_of(value.storage());
      case PickleKind::tensor:
        return print_tensor(value.tensor());
      case PickleKind::call:
        return "call";
      default:
        return print_items(value);
    }
  }

  std::string print_items(const PickleValue& value) {
    std::vector<std::string> items;
    for (const PickleRef item : value.items()) items.push_back(print(item));
    if (value.kind == PickleKind::set) {
      std::sort(items.begin(), items.end());
      items.erase(std::unique(items.begin(), items.end()), items.end());
    }
    std::string text = name_of(value.kind);
    for (const std::string& item : items) text += item + ",";
    return text + "]";
  }

  static std::string name_of(PickleKind kind) {
    switch (kind) {
      case PickleKind::list:
        return "list[";
      case PickleKind::tuple:
        return "tuple[";
      case PickleKind::size:
        return "Size[";
      case PickleKind::set:
        return "set[";
      case PickleKind::dict:
        return "dict[";
      case PickleKind::ordered_dict:
        return "OrderedDict[";
      default:
        return "Counter[";
    }
  }

  std::string bytes_of(const pt2::PickledStorage& storage) {
    return hex(file_.storage_of(storage)->read()->view());
  }

  std::string print_tensor(const pt2::PickledTensor& tensor) {
    std::string text = tensor.is_parameter ? "Parameter " : "Tensor ";
    text += std::string(pt2::torch_name(tensor.dtype)) + " " + joined(tensor.sizes) + " " +
            joined(tensor.strides);
    text += " " + std::to_string(tensor.offset) + (tensor.requires_grad ? " grad" : "");
    text += std::string(tensor.is_conjugated ? " conj" : "") + (tensor.is_negated ? " neg" : "");
    return text + " " + bytes_of(file_.pickle()[tensor.storage].storage());
  }

  pt2::PickledTensors& file_;
  std::vector<PickleRef> open_;
};

std::string verdict(const std::string& bytes) {
  try {
    pt2::PickledTensors file(bytes);
    return "ok " + Printer(file).print(file.pickle().root);
  } catch (const schemagen::DataError& error) {
    const std::string fault = message_fault(error.what());
    return fault.empty() ? std::string("error ") + error.what() : "fault " + fault;
  }
}

}  // namespace

int main() {
  for (unsigned char count[4]; std::fread(count, 1, 4, stdin) == 4;) {
    std::string bytes(
        count[0] | unsigned{count[1]} << 8 | unsigned{count[2]} << 16 | unsigned{count[3]} << 24, '\0');
    if (std::fread(bytes.data(), 1, bytes.size(), stdin) != bytes.size()) return 1;
    std::cout << verdict(bytes) << "\n";
  }
}
