#include "pt2/archive/tensors/tensor_files.h"

#include <charconv>

#include "pt2/archive/about.h"
#include "pt2/archive/zip_bytes.h"
#include "pt2/text/affix.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using schemagen::DataError;

constexpr std::string_view kEnding = ".npy";
constexpr std::size_t kNpyAlignment = 64;  // of the elements in the .npy file

std::string descr_of(ScalarType dtype) {
  const Dtype& row = dtype_row(dtype);
  if (row.numpy.empty()) return "|V" + std::to_string(element_bytes(dtype).value_or(0));
  return (row.bytes == 1 ? "|" : "<") + std::string(row.numpy);
}

/// Version 1.0, or 2.0 for a very long shape. Source: numpy/lib/format.py.
std::string npy_header(const TensorLayout& layout) {
  std::string shape;
  for (const std::int64_t size : layout.shape) shape += std::to_string(size) + ", ";
  if (layout.shape.size() > 1) shape.resize(shape.size() - 2);
  if (layout.shape.size() == 1) shape.pop_back();
  std::string text =
      "{'descr': '" + descr_of(layout.dtype) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  const bool is_long = text.size() > 60000;
  const unsigned before = is_long ? 12 : 10;
  text.append(kNpyAlignment - (before + text.size() + 1) % kNpyAlignment, ' ');
  text += '\n';
  std::string header = is_long ? std::string("\x93NUMPY\x02\0", 8) : std::string("\x93NUMPY\x01\0", 8);
  zip::append_number(header, text.size(), before - 8);
  return header + text;
}

std::optional<ScalarType> dtype_of(std::string_view descr) {
  for (const Dtype& row : kDtypes) {
    if (!row.numpy.empty() && descr_of(row.value) == descr) return row.value;
  }
  return std::nullopt;
}

void take(std::string_view& text, std::string_view start) {
  if (!starts_with(text, start)) throw DataError("it is not a NumPy array (.npy)");
  text.remove_prefix(start.size());
}

std::string_view take_until(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  if (at == text.npos) throw DataError("it is not a NumPy array (.npy)");
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at + 1);
  return taken;
}

std::vector<std::int64_t> shape_of(std::string_view list) {
  std::vector<std::int64_t> shape;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::int64_t size = -1;
    const auto [end, error] = std::from_chars(list.data(), list.data() + comma, size);
    if (error != std::errc() || end != list.data() + comma || size < 0)
      throw DataError("expected a tuple of sizes as its shape");
    shape.push_back(size);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return shape;
}

TensorLayout npy_layout(std::string_view text, const Tensor* known) {
  TensorLayout layout;
  take(text, "{'descr':");
  if (starts_with(text, "[")) throw DataError("structured dtypes are not supported");
  take(text, "'");
  const std::string_view descr = take_until(text, '\'');
  const std::optional<ScalarType> dtype = dtype_of(descr);
  if (dtype) {
    layout.dtype = *dtype;
  } else if (known != nullptr && starts_with(descr, "|V") && descr_of(known->layout.dtype) == descr) {
    layout.dtype = known->layout.dtype;
  } else {
    throw DataError("its dtype " + schemagen::quoted(descr) + " has no equivalent in torch");
  }
  take(text, ",'fortran_order':");
  const bool is_fortran = starts_with(text, "True");
  take(text, is_fortran ? "True" : "False");
  take(text, ",'shape':(");
  layout.shape = shape_of(take_until(text, ')'));
  std::vector<std::int64_t> shape = layout.shape;
  if (is_fortran) std::reverse(shape.begin(), shape.end());
  layout.strides = row_major_strides(shape);
  if (is_fortran) std::reverse(layout.strides.begin(), layout.strides.end());
  return layout;
}

Tensor read_array(const MemberBytes& file, const Tensor* known, const MappedPages& pages) {
  std::string_view bytes = file.view();
  take(bytes, "\x93NUMPY");
  if (bytes.size() < 6) throw DataError("it is not a NumPy array (.npy)");
  const bool is_long = bytes[0] != 1;
  const auto header_size = static_cast<std::size_t>(zip::number(bytes, 2, is_long ? 4 : 2));
  bytes.remove_prefix(is_long ? 6 : 4);
  if (header_size > bytes.size()) throw DataError("it is not a NumPy array (.npy)");
  std::string text(bytes.substr(0, header_size));
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  bytes.remove_prefix(header_size);
  Tensor tensor;
  tensor.layout = npy_layout(text, known);
  tensor.device.type = "cpu";
  const std::uint64_t expected = extent_of(tensor.layout).bytes;
  if (expected != bytes.size()) {
    throw DataError("expected " + schemagen::counted(expected, "byte") + " for its shape, got " +
                    std::to_string(bytes.size()));
  }
  tensor.storage = file.owned_bytes() == 0 ? std::make_shared<const Storage>(MemberBytes(bytes), pages)
                                           : std::make_shared<const Storage>(MemberBytes(std::string(bytes)));
  return tensor;
}

}  // namespace

std::vector<NamedTensor> read_npz(std::string_view bytes, const std::vector<NamedTensor>& known,
                                  const MappedPages& pages, const schemagen::Limits& limits) {
  std::map<std::string_view, const Tensor*> by_name;
  for (const NamedTensor& named : known) by_name.emplace(named.name, &named.tensor);
  const ZipReader zip(bytes, limits, Checksums::verify, pages);
  std::vector<NamedTensor> tensors;
  std::size_t owned = 0;
  for (const ZipMember& member : zip.members()) {
    std::string_view name = member.name;
    if (ends_with(name, kEnding)) name.remove_suffix(kEnding.size());
    const auto found = by_name.find(name);
    about_tensor(name, [&] {
      MemberBytes file = zip.read(member);
      owned += file.owned_bytes();
      if (owned > limits.memory_bytes)
        throw DataError(schemagen::too_many_bytes("the arrays", owned, limits.memory_bytes));
      const Tensor* const like = found == by_name.end() ? nullptr : found->second;
      tensors.push_back({std::string(name), read_array(file, like, pages)});
    });
  }
  return tensors;
}

void write_npz(const std::vector<NamedTensor>& tensors, const ByteSink& out,
               const schemagen::Limits& limits) {
  ElementBudget budget(limits.memory_bytes);
  for (const NamedTensor& named : tensors) {
    about_tensor(named.name, [&] { budget.take(named.tensor); });
  }
  ZipWriter zip(out);
  for (const NamedTensor& named : tensors) {
    about_tensor(named.name, [&] {
      check_tensor(named.tensor);
      const std::string header = npy_header(named.tensor.layout);
      const std::uint64_t size = header.size() + extent_of(named.tensor.layout).bytes;
      zip.add(named.name + std::string(kEnding), size, [&](const ByteSink& sink) {
        sink(header);
        write_row_major(named.tensor, sink, limits);
      });
    });
  }
  zip.finish();
}

}  // namespace pt2
