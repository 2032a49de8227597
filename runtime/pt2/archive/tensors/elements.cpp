#include "pt2/archive/tensors/elements.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace pt2 {
namespace {

template <class T>
T number_at(const char* bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bits |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  if constexpr (std::is_same_v<T, float>) {
    const auto word = static_cast<std::uint32_t>(bits);
    float value = 0;
    std::memcpy(&value, &word, sizeof value);
    return value;
  } else if constexpr (std::is_same_v<T, double>) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
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

}  // namespace

DecodeElement decoder_of(ScalarType dtype) {  // NOLINT(readability-function-size): one case per dtype
  switch (dtype) {
    case ScalarType::BYTE:
    case ScalarType::BOOL:
      return decode<std::uint8_t>;
    case ScalarType::CHAR:
      return decode<std::int8_t>;
    case ScalarType::SHORT:
      return decode<std::int16_t>;
    case ScalarType::UINT16:
      return decode<std::uint16_t>;
    case ScalarType::INT:
      return decode<std::int32_t>;
    case ScalarType::UINT32:
      return decode<std::uint32_t>;
    case ScalarType::LONG:
      return decode<std::int64_t>;
    case ScalarType::UINT64:
      return decode<std::uint64_t>;
    case ScalarType::FLOAT:
      return decode<float>;
    case ScalarType::DOUBLE:
      return decode<double>;
    case ScalarType::HALF:
      return decode_small<std::uint16_t, 5, 10>;
    case ScalarType::BFLOAT16:
      return decode_small<std::uint16_t, 8, 7>;
    case ScalarType::FLOAT8E5M2:
      return decode_small<std::uint8_t, 5, 2>;
    case ScalarType::UNKNOWN:
    case ScalarType::COMPLEXHALF:
    case ScalarType::COMPLEXFLOAT:
    case ScalarType::COMPLEXDOUBLE:
    case ScalarType::FLOAT8E4M3FN:
    case ScalarType::FLOAT8E4M3FNUZ:
    case ScalarType::FLOAT8E5M2FNUZ:
    case ScalarType::FLOAT8E8M0FNU:
      break;
  }
  return nullptr;
}

}  // namespace pt2
