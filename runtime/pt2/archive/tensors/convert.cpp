#include "pt2/archive/tensors/tensor.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "pt2/archive/tensors/elements.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/error.h"

namespace pt2 {
namespace {

using EncodeElement = void (*)(double value, char* bytes);

template <class Bits>
void put(Bits bits, char* bytes) {
  for (std::size_t i = 0; i < sizeof(Bits); ++i) bytes[i] = static_cast<char>((bits >> (8 * i)) & 0xff);
}

void encode_double(double value, char* bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  put(bits, bytes);
}

std::uint32_t float_bits(double value) {
  const auto narrow = static_cast<float>(value);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &narrow, sizeof bits);
  return bits;
}

void encode_float(double value, char* bytes) {
  put(float_bits(value), bytes);
}

std::uint32_t rounded(std::uint32_t bits, int count) {
  const std::uint32_t kept = bits >> count;
  const std::uint32_t rest = bits & ((1U << count) - 1);
  const std::uint32_t half = 1U << (count - 1);
  return kept + (rest > half || (rest == half && kept % 2 == 1) ? 1 : 0);
}

template <int Mantissa>
void encode_small(double value, char* bytes) {
  constexpr int kBias = (1 << (14 - Mantissa)) - 1;
  constexpr std::uint32_t kInfiniteBits = 0x7fffU >> Mantissa << Mantissa;
  constexpr std::uint32_t kShift = static_cast<std::uint32_t>(127 - kBias) << 23;
  const std::uint32_t bits = float_bits(value);
  const std::uint32_t magnitude = bits & 0x7fffffff;
  std::uint32_t result = 0;
  if (magnitude > 0x7f800000) {
    result = kInfiniteBits | (1U << (Mantissa - 1));
  } else if (kShift == 0 || magnitude >= kShift + (1U << 23)) {
    result = std::min(rounded(magnitude - kShift, 23 - Mantissa), kInfiniteBits);
  } else {  // subnormal; half of the smallest one and less become 0
    const int dropped = 151 - kBias - Mantissa - static_cast<int>(magnitude >> 23);
    if (dropped <= 24) result = rounded((magnitude & 0x7fffff) | 0x800000, dropped);
  }
  put(static_cast<std::uint16_t>(result | (bits >> 16 & 0x8000)), bytes);
}

EncodeElement encoder_of(ScalarType dtype) {
  if (dtype == ScalarType::HALF) return encode_small<10>;
  if (dtype == ScalarType::BFLOAT16) return encode_small<7>;
  if (dtype == ScalarType::FLOAT) return encode_float;
  return dtype == ScalarType::DOUBLE ? encode_double : nullptr;
}

void require_convertible(ScalarType dtype) {
  if (is_convertible(dtype)) return;
  throw schemagen::DataError("cannot convert " + std::string(torch_name(dtype)) +
                             ": expected float16, bfloat16, float32 or float64");
}

}  // namespace

bool is_convertible(ScalarType dtype) noexcept {
  return encoder_of(dtype) != nullptr;
}

void copy_converted(const Storage& storage, ScalarType from, ScalarType to, const ByteSink& sink) {
  require_convertible(from);
  require_convertible(to);
  const DecodeElement decode = decoder_of(from);
  const EncodeElement encode = encoder_of(to);
  const auto width = static_cast<std::size_t>(*element_bytes(from));
  const auto wide = static_cast<std::size_t>(*element_bytes(to));
  const std::shared_ptr<const MemberBytes> bytes = storage.read();
  for_each_part(bytes->view(), storage.pages(), [&](std::string_view part) {
    std::string converted(part.size() / width * wide, '\0');
    for (std::size_t i = 0; i < part.size() / width; ++i) {
      char element[sizeof(double)];
      std::memcpy(element, &part[i * width], width);
      if (storage.order() == ByteOrder::big) std::reverse(element, element + width);
      encode(decode(element), &converted[i * wide]);
    }
    sink(converted);
  });
}

Tensor convert(const Tensor& tensor, ScalarType dtype) {
  check_tensor(tensor);
  require_convertible(tensor.layout.dtype);
  require_convertible(dtype);
  if (tensor.layout.dtype == dtype) return tensor;
  std::string bytes;
  copy_converted(*tensor.storage, tensor.layout.dtype, dtype, [&](std::string_view part) { bytes += part; });
  Tensor converted = tensor;
  converted.layout.dtype = dtype;
  converted.storage = std::make_shared<const Storage>(MemberBytes(std::move(bytes)));
  return converted;
}

}  // namespace pt2
