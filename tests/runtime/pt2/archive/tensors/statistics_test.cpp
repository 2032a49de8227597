#include "pt2/archive/tensors/tensor.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <string>

using pt2::ScalarType;
using pt2::statistics_of;
using pt2::TensorStatistics;

namespace {

template <class T>
std::string bytes_of(std::initializer_list<T> values) {
  std::string bytes;
  for (const T value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

TensorStatistics statistics(ScalarType dtype, std::int64_t count, std::string bytes, std::size_t bins = 4) {
  return statistics_of(pt2::make_tensor(dtype, {count}, std::move(bytes)), bins).value();
}

double only(ScalarType dtype, std::string bytes) {
  return statistics(dtype, 1, std::move(bytes)).minimum;
}

}  // namespace

TEST_CASE("statistics of floats leave out what is not finite, and count it") {
  const auto found =
      statistics(ScalarType::FLOAT, 7, bytes_of<float>({1, 2, 3, 0, NAN, INFINITY, -INFINITY}));
  CHECK(found.finite == 4);
  CHECK(found.nans == 1);
  CHECK(found.infinities == 2);
  CHECK(found.zeros == 1);
  CHECK(found.minimum == 0.0);
  CHECK(found.maximum == 3.0);
  CHECK(found.mean == 1.5);
  CHECK(found.deviation == Approx(std::sqrt(1.25)));
  CHECK(found.histogram == std::vector<std::uint64_t>{1, 1, 1, 1});
}

TEST_CASE("a histogram has one part where all elements are the same, and none where none is finite") {
  CHECK(statistics(ScalarType::CHAR, 3, "\x05\x05\x05").histogram == std::vector<std::uint64_t>{3});
  CHECK(statistics(ScalarType::FLOAT, 1, bytes_of<float>({NAN})).histogram.empty());
  CHECK(statistics(ScalarType::FLOAT, 0, "").histogram.empty());
}

TEST_CASE("elements as far apart as doubles can be are counted") {
  const auto found = statistics(ScalarType::DOUBLE, 3, bytes_of<double>({-1.7e308, 0, 1.7e308}), 3);
  CHECK(found.histogram == std::vector<std::uint64_t>{1, 1, 1});
  CHECK(statistics(ScalarType::DOUBLE, 2, bytes_of<double>({0, 5e-324})).finite == 2);
}

TEST_CASE("small floats are read by their bits") {
  // numpy's np.float16(x).tobytes(), and the upper half of np.float32(x).
  CHECK(only(ScalarType::HALF, std::string("\x00\x3c", 2)) == 1.0);
  CHECK(only(ScalarType::HALF, std::string("\xff\xfb", 2)) == -65504.0);
  CHECK(only(ScalarType::HALF, std::string("\x01\x00", 2)) == std::ldexp(1.0, -24));
  CHECK(statistics(ScalarType::HALF, 1, std::string("\x00\x7c", 2)).infinities == 1);
  CHECK(statistics(ScalarType::HALF, 1, std::string("\x01\x7e", 2)).nans == 1);
  CHECK(only(ScalarType::BFLOAT16, std::string("\x49\x40", 2)) == 3.140625);
  CHECK(only(ScalarType::FLOAT8E5M2, "\x3d") == 1.25);
}

TEST_CASE("integers have their signs, and bools are 0 and 1") {
  CHECK(only(ScalarType::CHAR, "\xff") == -1.0);
  CHECK(only(ScalarType::BYTE, "\xff") == 255.0);
  CHECK(only(ScalarType::LONG, bytes_of<std::int64_t>({-5})) == -5.0);
  CHECK(only(ScalarType::UINT64, bytes_of<std::uint64_t>({std::uint64_t{1} << 63})) == std::ldexp(1.0, 63));
  CHECK(statistics(ScalarType::BOOL, 4, std::string("\0\1\1\1", 4)).mean == 0.75);
}

TEST_CASE("complex numbers have no statistics") {
  CHECK_FALSE(statistics_of(pt2::make_tensor(ScalarType::COMPLEXFLOAT, {1}, std::string(8, '\0')), 4));
}
