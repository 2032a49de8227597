#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "pt2/archive/tensors/tensor.h"
#include "schemagen/base/error.h"

using pt2::ScalarType;

namespace {

template <class T>
pt2::Tensor tensor_of(ScalarType dtype, const std::vector<T>& values) {
  std::string bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return pt2::make_tensor(dtype, {static_cast<std::int64_t>(values.size())}, std::move(bytes));
}

template <class T>
std::vector<T> elements(const pt2::Tensor& tensor) {
  const std::string bytes = pt2::contiguous_bytes(tensor);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::vector<std::uint16_t> bits_as(ScalarType dtype, const std::vector<float>& values) {
  return elements<std::uint16_t>(pt2::convert(tensor_of(ScalarType::FLOAT, values), dtype));
}

}  // namespace

TEST_CASE("floats are rounded to the nearest of 16 bits, of two that are as near to the even one") {
  using Bits = std::vector<std::uint16_t>;
  CHECK(bits_as(ScalarType::BFLOAT16, {1.0F, 1.00390625F, 1.01171875F, 1.00390637F, -0.0F}) ==
        Bits{0x3f80, 0x3f80, 0x3f82, 0x3f81, 0x8000});
  CHECK(bits_as(ScalarType::HALF, {1.0F, 1.00048828125F, 1.00146484375F, 65504.0F, 65519.0F, 65520.0F}) ==
        Bits{0x3c00, 0x3c00, 0x3c02, 0x7bff, 0x7bff, 0x7c00});
}

TEST_CASE("the smallest and the largest floats become subnormal, zero and infinite") {
  using Bits = std::vector<std::uint16_t>;
  const float least = std::ldexp(1.0F, -24);
  CHECK(bits_as(ScalarType::HALF, {least, least / 2, least * 0.75F, least * 1.5F, -least / 4, 6.1e-5F}) ==
        Bits{1, 0, 1, 2, 0x8000, 0x03ff});
  const float infinity = std::numeric_limits<float>::infinity();
  const float most = std::numeric_limits<float>::max();
  CHECK(bits_as(ScalarType::BFLOAT16, {infinity, -infinity, most, 1e-45F}) ==
        Bits{0x7f80, 0xff80, 0x7f80, 0});
  for (const ScalarType dtype : {ScalarType::HALF, ScalarType::BFLOAT16}) {
    const pt2::Tensor nan = tensor_of<float>(ScalarType::FLOAT, {std::nanf("")});
    CHECK(std::isnan(elements<float>(pt2::convert(pt2::convert(nan, dtype), ScalarType::FLOAT)).at(0)));
  }
}

TEST_CASE("what has 16 bits is the same after it was a float32 or float64") {
  std::vector<std::uint16_t> all(65536);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  for (const ScalarType small : {ScalarType::HALF, ScalarType::BFLOAT16}) {
    const std::uint16_t infinity = small == ScalarType::HALF ? 0x7c00 : 0x7f80;
    for (const ScalarType wide : {ScalarType::FLOAT, ScalarType::DOUBLE}) {
      const auto back =
          elements<std::uint16_t>(pt2::convert(pt2::convert(tensor_of(small, all), wide), small));
      REQUIRE(back.size() == all.size());
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const bool is_nan = (all[i] & 0x7fff) > infinity;
        wrong += is_nan ? (back[i] & 0x7fff) <= infinity : back[i] != all[i];
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("a converted tensor has its layout, and only floats are converted") {
  pt2::Tensor part = tensor_of<float>(ScalarType::FLOAT, {0, 1, 2, 3, 4, 5});
  part.layout.shape = {2, 2};
  part.layout.strides = {1, 2};
  part.layout.offset = 1;
  const pt2::Tensor converted = pt2::convert(part, ScalarType::DOUBLE);
  CHECK(converted.layout.strides == part.layout.strides);
  CHECK(elements<double>(converted) == std::vector<double>{1, 3, 2, 4});
  CHECK(pt2::convert(part, ScalarType::FLOAT).storage == part.storage);
  CHECK_THROWS_AS(pt2::convert(part, ScalarType::LONG), schemagen::DataError);
  CHECK_THROWS_AS(pt2::convert(tensor_of<std::int64_t>(ScalarType::LONG, {1}), ScalarType::FLOAT),
                  schemagen::DataError);
}
