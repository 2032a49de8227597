#include "pt2/archive/tensors/tensor.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "pt2/text/type_names.h"

namespace pt2 {
namespace {

using EncodeElement = void (*)(double value, char* bytes);

template <class T>
T number_at(const char* bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bits |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  if constexpr (std::is_floating_point_v<T>) {
    const auto word = static_cast<std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>(bits);
    T value = 0;
    std::memcpy(&value, &word, sizeof value);
    return value;
  } else {
    return static_cast<T>(bits);
  }
}

template <class T>
double decode(const char* bytes) {
  return static_cast<double>(number_at<T>(bytes));
}

/// IEEE 754 with a sign: the maximum exponent means infinity and NaN.
template <class Bits, int Exponent, int Mantissa>
double decode_small(const char* bytes) {
  const auto bits = static_cast<std::uint32_t>(number_at<Bits>(bytes));
  const std::uint32_t mantissa = bits & ((1U << Mantissa) - 1);
  const std::uint32_t exponent = (bits >> Mantissa) & ((1U << Exponent) - 1);
  const int bias = (1 << (Exponent - 1)) - 1;
  double value = 0;
  if (exponent == (1U << Exponent) - 1) {
    value =
        mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(mantissa, 1 - bias - Mantissa);
  } else {
    value = std::ldexp(mantissa + (1U << Mantissa), static_cast<int>(exponent) - bias - Mantissa);
  }
  return (bits >> (Exponent + Mantissa)) != 0 ? -value : value;
}

constexpr std::pair<ScalarType, DecodeElement> kDecoders[] = {
    {ScalarType::BYTE, decode<std::uint8_t>},
    {ScalarType::BOOL, decode<std::uint8_t>},
    {ScalarType::CHAR, decode<std::int8_t>},
    {ScalarType::SHORT, decode<std::int16_t>},
    {ScalarType::UINT16, decode<std::uint16_t>},
    {ScalarType::INT, decode<std::int32_t>},
    {ScalarType::UINT32, decode<std::uint32_t>},
    {ScalarType::LONG, decode<std::int64_t>},
    {ScalarType::UINT64, decode<std::uint64_t>},
    {ScalarType::FLOAT, decode<float>},
    {ScalarType::DOUBLE, decode<double>},
    {ScalarType::HALF, decode_small<std::uint16_t, 5, 10>},
    {ScalarType::BFLOAT16, decode_small<std::uint16_t, 8, 7>},
    {ScalarType::FLOAT8E5M2, decode_small<std::uint8_t, 5, 2>},
};

template <class Bits>
void put(Bits bits, char* bytes) {
  for (std::size_t i = 0; i < sizeof(Bits); ++i) bytes[i] = static_cast<char>((bits >> (8 * i)) & 0xff);
}

template <class Bits, class Number>
Bits raw_bits(Number number) {
  Bits bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

std::uint32_t float_bits(double value) {
  return raw_bits<std::uint32_t>(static_cast<float>(value));
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
  if (dtype == ScalarType::FLOAT) return [](double value, char* bytes) { put(float_bits(value), bytes); };
  if (dtype != ScalarType::DOUBLE) return nullptr;
  return [](double value, char* bytes) { put(raw_bits<std::uint64_t>(value), bytes); };
}

void require_convertible(ScalarType dtype) {
  if (is_convertible(dtype)) return;
  throw schemagen::DataError("cannot convert " + std::string(torch_name(dtype)) +
                             ": expected float16, bfloat16, float32 or float64");
}

template <class Visit>
void for_each_element(const Tensor& tensor, DecodeElement decode, const schemagen::Limits& limits,
                      const Visit& visit) {
  const auto width = static_cast<std::size_t>(extent_of(tensor.layout).element);
  std::string rest;  // the start of an element that ends in the next part
  write_row_major(
      tensor,
      [&](std::string_view part) {
        if (!rest.empty()) {
          const std::size_t missing = std::min(width - rest.size(), part.size());
          rest += part.substr(0, missing);
          part.remove_prefix(missing);
          if (rest.size() < width) return;
          visit(decode(rest.data()));
          rest.clear();
        }
        for (; part.size() >= width; part.remove_prefix(width)) visit(decode(part.data()));
        rest = part;
      },
      limits);
}

}  // namespace

DecodeElement decoder_of(ScalarType dtype) {
  for (const auto& [known, decode] : kDecoders) {
    if (known == dtype) return decode;
  }
  return nullptr;
}

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

std::optional<TensorStatistics> statistics_of(const Tensor& tensor, std::size_t bins,
                                              const schemagen::Limits& limits) {
  const DecodeElement decode = decoder_of(tensor.layout.dtype);
  if (decode == nullptr || tensor.is_absent()) return std::nullopt;
  TensorStatistics result;
  double squares = 0.0;  // sum of squared distances from the mean (Welford)
  for_each_element(tensor, decode, limits, [&](double value) {
    if (std::isnan(value)) {
      ++result.nans;
    } else if (std::isinf(value)) {
      ++result.infinities;
    } else {
      const bool is_first = result.finite == 0;
      ++result.finite;
      result.zeros += value == 0.0 ? 1 : 0;
      result.minimum = is_first ? value : std::min(result.minimum, value);
      result.maximum = is_first ? value : std::max(result.maximum, value);
      const double distance = value - result.mean;
      result.mean += distance / static_cast<double>(result.finite);
      squares += distance * (value - result.mean);
    }
  });
  if (result.finite == 0) return result;
  result.deviation = std::sqrt(squares / static_cast<double>(result.finite));
  const double half_range = result.maximum / 2 - result.minimum / 2;
  result.histogram.assign(half_range > 0 ? bins : 1, 0);
  for_each_element(tensor, decode, limits, [&](double value) {
    if (!std::isfinite(value)) return;
    const double part = half_range > 0 ? (value / 2 - result.minimum / 2) / half_range : 0.0;
    const auto bin = static_cast<std::size_t>(part * static_cast<double>(result.histogram.size()));
    ++result.histogram[std::min(bin, result.histogram.size() - 1)];
  });
  return result;
}

}  // namespace pt2
