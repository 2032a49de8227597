#include "pt2/archive/tensors/tensor.h"

#include <catch2/catch.hpp>
#include <string>

#include "runtime/pt2/archive/zip_builder.h"
#include "schemagen/base/error.h"

using pt2::ByteOrder;
using pt2::contiguous_bytes;
using pt2::MemberBytes;
using pt2::ScalarType;
using pt2::Storage;
using pt2::Tensor;
using pt2::TensorLayout;

namespace {

Tensor tensor_of(TensorLayout layout, std::string bytes, ByteOrder order = ByteOrder::little) {
  Tensor tensor;
  tensor.layout = std::move(layout);
  tensor.storage = std::make_shared<const Storage>(MemberBytes(std::move(bytes)), pt2::MappedPages(), order);
  return tensor;
}

std::string error_of(const Tensor& tensor, const schemagen::Limits& limits = {}) {
  try {
    contiguous_bytes(tensor, limits);
    return "no error";
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("elements are put in row-major order") {
  CHECK(contiguous_bytes(tensor_of({ScalarType::CHAR, {2, 3}, {3, 1}, 0}, "abcdef")) == "abcdef");
  CHECK(contiguous_bytes(tensor_of({ScalarType::CHAR, {3, 2}, {1, 3}, 0}, "abcdef")) == "adbecf");
  CHECK(contiguous_bytes(tensor_of({ScalarType::CHAR, {2, 2}, {2, 1}, 1}, "abcdef")) == "bcde");
  CHECK(contiguous_bytes(tensor_of({ScalarType::CHAR, {2, 3}, {1, 0}, 4}, "abcdef")) == "eeefff");
  CHECK(contiguous_bytes(tensor_of({ScalarType::SHORT, {2, 2}, {1, 2}, 0}, "aabbccdd")) == "aaccbbdd");
  CHECK(contiguous_bytes(tensor_of({ScalarType::CHAR, {}, {}, 2}, "abc")) == "c");
  CHECK(contiguous_bytes(tensor_of({ScalarType::CHAR, {2, 0}, {0, 0}, 9}, "abc")).empty());
  CHECK(contiguous_bytes(tensor_of({ScalarType::CHAR, {0}, {1}, 0}, "")).empty());
}

TEST_CASE("elements of the other byte order are turned round, complex ones by their parts") {
  CHECK(contiguous_bytes(tensor_of({ScalarType::SHORT, {3}, {1}, 0}, "abcdef", ByteOrder::big)) == "badcfe");
  CHECK(contiguous_bytes(tensor_of({ScalarType::CHAR, {3}, {1}, 0}, "abc", ByteOrder::big)) == "abc");
  CHECK(contiguous_bytes(tensor_of({ScalarType::COMPLEXHALF, {1}, {1}, 0}, "abcd", ByteOrder::big)) ==
        "badc");
  CHECK(contiguous_bytes(tensor_of({ScalarType::COMPLEXDOUBLE, {1}, {1}, 0}, "abcdefghijklmnop",
                                   ByteOrder::big)) == "hgfedcbaponmlkji");
}

TEST_CASE("more elements than one part are in order, too") {
  const std::int64_t size = 1500;
  std::string bytes;
  for (std::int64_t i = 0; i < size * size; ++i)
    bytes += zip_builder::bytes_of(static_cast<std::uint64_t>(i), 4);
  const std::string transposed =
      contiguous_bytes(tensor_of({ScalarType::INT, {size, size}, {1, size}, 0}, bytes));
  REQUIRE(transposed.size() == bytes.size());
  bool all = true;
  for (std::int64_t i = 0; i < size * size; ++i) {
    const std::uint64_t expected = static_cast<std::uint64_t>(i % size * size + i / size);
    all = all &&
          transposed.compare(static_cast<std::size_t>(4 * i), 4, zip_builder::bytes_of(expected, 4)) == 0;
  }
  CHECK(all);
}

TEST_CASE("a tensor is checked against its storage before a byte is read") {
  CHECK(error_of(tensor_of({ScalarType::CHAR, {7}, {1}, 0}, "abcdef")) ==
        "it ends at byte 7, but its storage has 6 bytes");
  CHECK(error_of(tensor_of({ScalarType::CHAR, {2}, {1}, 5}, "abcdef")) ==
        "it ends at byte 7, but its storage has 6 bytes");
  CHECK(error_of(tensor_of({ScalarType::INT, {1}, {1}, 0}, "abcdef")) ==
        "its storage has 6 bytes, which is not a multiple of the element size, 4");
  CHECK(error_of(tensor_of({ScalarType::CHAR, {2}, {1}, 0}, "")) ==
        "its bytes are not in the archive; hint: attach the weights with pt2 attach");
  Tensor on_meta = tensor_of({ScalarType::CHAR, {2}, {1}, 0}, "");
  on_meta.device.type = "meta";
  CHECK(error_of(on_meta) ==
        "it is on the meta device and has no bytes; hint: move it to another device with pt2 retarget");
}

TEST_CASE("a byte that stands for very many is refused") {
  const Tensor expanded = tensor_of({ScalarType::CHAR, {std::int64_t{1} << 40}, {0}, 0}, "a");
  const std::string message =
      "it is expanded from 1 byte to 1099511627776, over the limit of 1879048192 (memory_bytes)";
  CHECK_THROWS_WITH(pt2::write_row_major(expanded, [](std::string_view) {}), message);
  CHECK(error_of(expanded) == "a tensor of 1099511627776 bytes, over the limit of 1879048192");
  schemagen::Limits limits;
  limits.memory_bytes = 3;
  CHECK(error_of(tensor_of({ScalarType::CHAR, {4}, {1}, 0}, "abcd"), limits) ==
        "a tensor of 4 bytes, over the limit of 3");
}

TEST_CASE("a contiguous copy has a separate storage") {
  const Tensor copy = pt2::contiguous(tensor_of({ScalarType::CHAR, {3, 2}, {1, 3}, 0}, "abcdef"));
  CHECK(copy.layout == TensorLayout{ScalarType::CHAR, {3, 2}, {2, 1}, 0});
  CHECK(copy.storage->read()->view() == "adbecf");
}

TEST_CASE("tensors are made of their elements") {
  const Tensor tensor = pt2::make_tensor(ScalarType::SHORT, {2, 1}, "aabb");
  CHECK(tensor.layout == TensorLayout{ScalarType::SHORT, {2, 1}, {1, 1}, 0});
  CHECK_THROWS_WITH(pt2::make_tensor(ScalarType::SHORT, {2}, "aab"),
                    "expected 4 bytes for a tensor of this shape, got 3");
}

TEST_CASE("storages of an archive are read on demand and verified") {
  std::string bytes =
      zip_builder::build({zip_builder::stored("a", "abcd"), zip_builder::deflated("b", "efgh")});
  bytes[bytes.find("abcd")] = 'x';
  const auto zip = std::make_shared<const pt2::ZipReader>(bytes);
  const Storage damaged(zip, *zip->find("a"), ByteOrder::little);
  const Storage deflated(zip, *zip->find("b"), ByteOrder::little);
  CHECK(damaged.size() == 4);
  CHECK_THROWS_WITH(damaged.read(), Catch::Contains("CRC-32 mismatch"));
  CHECK(deflated.read()->view() == "efgh");
  std::string copied;
  deflated.copy([&](std::string_view part) { copied += part; });
  CHECK(copied == "efgh");
  CHECK(deflated.crc32() == zip->find("b")->crc32);
}
