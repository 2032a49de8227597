#include "schemagen/base/float_chars.h"

#include <array>
#include <catch2/catch.hpp>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

#include "folder.h"
#include "runtime/test_seed.h"

static_assert(schemagen::kStandardReadsFloats);

namespace {

namespace portable = schemagen::portable;

using Bits = std::uint64_t;

/// Each round draws other numbers, and takes a few seconds.
int rounds() {
  const char* const given = std::getenv("PT2_TEST_ROUNDS");
  return given == nullptr ? 1 : std::atoi(given);
}
constexpr int kFloatsOfRound = 250'000;

template <class Float>
Float of_bits(Bits bits) {
  Float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class Float>
bool same_bits(Float a, Float b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <class Float>
std::string shortest_by_standard(Float value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr};
}

template <class Float>
std::string shortest(Float value) {
  char text[64];
  return {text, portable::put_shortest(text, value)};
}

template <class Float>
bool are_read_alike(std::string_view text) {
  const char* const end = text.data() + text.size();
  Float expected = 7;
  Float value = 7;
  const auto by_standard = std::from_chars(text.data(), end, expected);
  const auto by_us = portable::parse_float(text.data(), end, value);
  if (by_us.ec != by_standard.ec || by_us.ptr != by_standard.ptr) return false;
  return by_us.ec != std::errc() || same_bits(value, expected);
}

void check_text(const std::string& text) {
  if (!are_read_alike<double>(text)) FAIL_CHECK("read otherwise as a double: " << text);
  if (!are_read_alike<float>(text)) FAIL_CHECK("read otherwise as a float: " << text);
}

template <class Float>
void check_value(Float value) {
  if (!std::isfinite(value)) return;
  const std::string expected = shortest_by_standard(value);
  const std::string text = shortest(value);
  if (text != expected) FAIL_CHECK("expected " << expected << ", got " << text);
  if (!are_read_alike<Float>(text)) FAIL_CHECK("read otherwise: " << text);
}

std::string random_digits(std::mt19937_64& random, std::size_t most) {
  std::string digits(random() % most, '0');
  for (char& digit : digits) digit = static_cast<char>('0' + random() % 10);
  return digits;
}

std::string random_number(std::mt19937_64& random) {
  std::string text = random() % 2 != 0 ? "-" : "";
  text += random_digits(random, 25);
  if (random() % 4 != 0) text += "." + random_digits(random, 25);
  if (random() % 2 != 0) text += "e" + std::to_string(static_cast<int>(random() % 700) - 350);
  return text;
}

}  // namespace

TEST_CASE("random doubles and floats are written and read as by the standard library") {
  std::mt19937_64 random(test_seed());
  for (int i = 0; i < rounds() * kFloatsOfRound; ++i) {
    check_value(of_bits<double>(random()));
    check_value(of_bits<float>(random()));
    check_value(static_cast<double>(random() % 100'000'000) / 10'000);
    check_text(random_number(random));
  }
}

TEST_CASE("powers of two, whose neighbours differ in distance, are written as by the standard library") {
  for (int power = -1074; power < 1024; ++power) {
    const double value = std::ldexp(1.0, power);
    for (const double near : {value, std::nextafter(value, 0.0), std::nextafter(value, 1e308), -value})
      check_value(near);
    if (power < -149 || power > 127) continue;
    const auto small = static_cast<float>(value);
    for (const float near : {small, std::nextafter(small, 0.0F), std::nextafter(small, 3e38F)})
      check_value(near);
  }
  for (const double value : {0.0, -0.0, 5e-324, 9007199254740993.0, 1e22, 1e23}) check_value(value);
  check_value(std::numeric_limits<double>::max());
  check_value(std::numeric_limits<float>::max());
}

TEST_CASE(
    "halfway between two doubles, and with more digits than decide, numbers are read as by the standard "
    "library") {
  std::mt19937_64 random(test_seed());
  std::array<char, 1100> text{};
  for (int i = 0; i < 2000; ++i) {
    // long double can represent midpoints, of which the smallest needs 767 digits.
    const double value = of_bits<double>(i % 2 == 0 ? random() : random() % (Bits{1} << 54));
    if (!std::isfinite(value)) continue;
    const auto middle = (static_cast<long double>(value) + std::nextafter(value, 1e308)) / 2;
    const int size = std::snprintf(text.data(), text.size(), "%.*Le", 770, middle);
    const std::string exact(text.data(), static_cast<std::size_t>(size));
    check_text(exact);
    const std::size_t e = exact.find('e');
    for (const char* const more : {"1", "00000000000000000000000000000000000000001"})
      check_text(exact.substr(0, e) + more + exact.substr(e));
    check_text("0." + std::string(900, '0') + exact.substr(0, 1) + exact.substr(2, e - 2) + "e901");
  }
  check_text("1" + std::string(5000, '0') + "e-5000");
  check_text("0." + std::string(5000, '0') + "1e5001");
}

TEST_CASE("texts that are no numbers, and numbers beyond the range, are read as by the standard library") {
  for (const char* const text : {"",
                                 "-",
                                 "+1",
                                 ".",
                                 "-.",
                                 "e5",
                                 ".e5",
                                 "1.",
                                 ".5",
                                 "-.5",
                                 "1.e3",
                                 "1e",
                                 "1e+",
                                 "1e-",
                                 "1E5",
                                 "1e+5",
                                 "1e 5",
                                 "1..2",
                                 "1.5.2",
                                 "--1",
                                 "0x10",
                                 "00012",
                                 " 1",
                                 "1 ",
                                 "0e999999999999999999999",
                                 "1e999999999999999999999",
                                 "1e-999999999999999999999",
                                 "1e309",
                                 "-1e309",
                                 "1e-400",
                                 "2.4e-324",
                                 "2.5e-324",
                                 "1.7976931348623159e308",
                                 "1.7976931348623157e308",
                                 "3.5e38",
                                 "1e-46",
                                 "inf",
                                 "-inf",
                                 "INF",
                                 "Infinity",
                                 "infinit",
                                 "nan",
                                 "-nan",
                                 "NaN",
                                 "na",
                                 "i"})
    check_text(text);
}

TEST_CASE("rounded to digits, numbers are written as by the standard library") {
  std::mt19937_64 random(test_seed());
  char expected[700];
  char text[700];
  const auto check = [&](double value, std::chars_format format, int precision) {
    const std::string_view by_standard(
        expected,
        static_cast<std::size_t>(
            std::to_chars(expected, expected + sizeof expected, value, format, precision).ptr - expected));
    const std::string_view by_us(
        text, static_cast<std::size_t>(
                  portable::put_rounded(text, text + sizeof text, value, format, precision) - text));
    if (by_us != by_standard) FAIL_CHECK("expected " << by_standard << ", got " << by_us);
  };
  for (int i = 0; i < 20'000; ++i) {
    const double value =
        i % 2 == 0 ? of_bits<double>(random()) : static_cast<double>(random() % 100'000) / 1000;
    if (!std::isfinite(value)) continue;
    check(value, std::chars_format::general, 17);
    check(value, std::chars_format::fixed, static_cast<int>(random() % (i % 64 == 0 ? 301 : 6)));
  }
}

TEST_CASE("no locale changes how floats are read and written") {
  const Folder folder;
  const std::string command = "localedef -i de_DE -f UTF-8 " + folder / "de_DE.UTF-8" + " 2>/dev/null";
  if (std::system(command.c_str()) != 0) {
    WARN("skipped: there is no localedef");
    return;
  }
  setenv("LOCPATH", folder.path.c_str(), 1);
  REQUIRE(std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr);
  REQUIRE(std::string(std::localeconv()->decimal_point) == ",");
  for (const double value : {0.5, -1234.25, 1e-7, 123456789.125}) check_value(value);
  for (const char* const number : {"0.5", "-1234.25", "1,5", "1.234.567"}) check_text(number);
  char text[32];
  CHECK(std::string_view(text, static_cast<std::size_t>(
                                   portable::put_rounded(text, text + 32, -2.5, std::chars_format::fixed, 2) -
                                   text)) == "-2.50");
  std::setlocale(LC_ALL, "C");
}
