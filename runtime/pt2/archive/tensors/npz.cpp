#include "pt2/archive/tensors/tensor_files.h"

#include <string>

#include "pt2/archive/zip.h"
#include "pt2/versions/text/type_names.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2 {
namespace {

constexpr std::size_t kAlignment = 64;  // of the elements, from the start of the .npy file

/// How NumPy writes the dtype in a file: byte order, kind, bytes.
std::string descr_of(ScalarType dtype) {
  const std::string bytes = std::to_string(element_bytes(dtype).value_or(0));
  switch (dtype) {
    case ScalarType::BOOL:
      return "|b1";
    case ScalarType::BYTE:
      return "|u1";
    case ScalarType::CHAR:
      return "|i1";
    case ScalarType::UINT16:
    case ScalarType::UINT32:
    case ScalarType::UINT64:
      return "<u" + bytes;
    case ScalarType::SHORT:
    case ScalarType::INT:
    case ScalarType::LONG:
      return "<i" + bytes;
    case ScalarType::HALF:
    case ScalarType::FLOAT:
    case ScalarType::DOUBLE:
      return "<f" + bytes;
    case ScalarType::COMPLEXFLOAT:
    case ScalarType::COMPLEXDOUBLE:
      return "<c" + bytes;
    case ScalarType::UNKNOWN:
    case ScalarType::COMPLEXHALF:
    case ScalarType::BFLOAT16:
    case ScalarType::FLOAT8E4M3FN:
    case ScalarType::FLOAT8E5M2:
    case ScalarType::FLOAT8E4M3FNUZ:
    case ScalarType::FLOAT8E5M2FNUZ:
    case ScalarType::FLOAT8E8M0FNU:
      break;
  }
  return "|V" + bytes;
}

/// The start of a .npy file, version 1.0, or 2.0 where the shape is very long.
/// Source: numpy/lib/format.py.
std::string npy_header(const TensorLayout& layout) {
  std::string shape;
  for (const std::int64_t size : layout.shape) shape += std::to_string(size) + ", ";
  if (layout.shape.size() > 1) shape.resize(shape.size() - 2);
  if (layout.shape.size() == 1) shape.pop_back();
  std::string text =
      "{'descr': '" + descr_of(layout.dtype) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  const bool is_long = text.size() > 60000;
  const std::size_t before = is_long ? 12 : 10;
  text.append(kAlignment - (before + text.size() + 1) % kAlignment, ' ');
  text += '\n';
  std::string header = is_long ? std::string("\x93NUMPY\x02\0", 8) : std::string("\x93NUMPY\x01\0", 8);
  for (std::size_t i = 0; i < before - 8; ++i) header += static_cast<char>(text.size() >> (8 * i) & 0xFF);
  return header + text;
}

}  // namespace

void write_npz(const std::vector<NamedTensor>& tensors, const ByteSink& out,
               const schemagen::Limits& limits) {
  ZipWriter zip(out);
  for (const NamedTensor& named : tensors) {
    try {
      check_tensor(named.tensor);
      const std::string header = npy_header(named.tensor.layout);
      const std::uint64_t size = header.size() + extent_of(named.tensor.layout).bytes;
      zip.add(named.name + ".npy", size, [&](const ByteSink& sink) {
        sink(header);
        write_row_major(named.tensor, sink, limits);
      });
    } catch (const schemagen::DataError& error) {
      throw schemagen::DataError("tensor " + schemagen::quoted(named.name) + ": " + error.reason());
    }
  }
  zip.finish();
}

}  // namespace pt2
