#include "pt2/archive/tensors/tensor.h"

#include <catch2/catch.hpp>
#include <limits>
#include <string>

#include "schemagen/base/error.h"

using pt2::extent_of;
using pt2::is_contiguous;
using pt2::ScalarType;
using pt2::TensorExtent;
using pt2::TensorLayout;

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::string error_of(const TensorLayout& layout) {
  try {
    extent_of(layout);
    return "no error";
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("the extent of a layout is up to its last element") {
  const TensorExtent view = extent_of({ScalarType::FLOAT, {3, 2}, {1, 3}, 3});
  CHECK(view.elements == 6);
  CHECK(view.bytes == 24);
  CHECK(view.storage == (3 + 2 + 3 + 1) * 4);
  CHECK(extent_of({ScalarType::COMPLEXDOUBLE, {}, {}, 0}).storage == 16);
  CHECK(extent_of({ScalarType::BOOL, {1000, 1000}, {0, 0}, 7}).storage == 8);
}

TEST_CASE("no elements take nothing, wherever they would be") {
  const TensorExtent none = extent_of({ScalarType::FLOAT, {kMost, 0, kMost}, {kMost, 1, kMost}, kMost});
  CHECK(none.elements == 0);
  CHECK(none.bytes == 0);
  CHECK(none.storage == 0);
}

TEST_CASE("layouts that no tensor can have are refused") {
  CHECK(error_of({ScalarType::FLOAT, {2}, {}, 0}) == "it has 1 dimension, but 0 strides");
  CHECK(error_of({ScalarType::FLOAT, {-1}, {1}, 0}) == "its size is negative: -1");
  CHECK(error_of({ScalarType::FLOAT, {0, -1}, {1, 1}, 0}) == "its size is negative: -1");
  CHECK(error_of({ScalarType::FLOAT, {2}, {-1}, 0}) == "its stride is negative: -1");
  CHECK(error_of({ScalarType::FLOAT, {2}, {1}, -4}) == "its storage offset is negative: -4");
  CHECK(error_of({static_cast<ScalarType>(99), {2}, {1}, 0}) == "unknown dtype: number 99");
  CHECK(error_of({ScalarType::UNKNOWN, {}, {}, 0}) == "unknown dtype: number 0");
}

TEST_CASE("sums and products beyond 63 bits are refused") {
  const std::string message = "its size exceeds 2^63 - 1 bytes";
  CHECK(error_of({ScalarType::CHAR, {kMost, 2}, {0, 0}, 0}) == message);
  CHECK(error_of({ScalarType::SHORT, {kMost}, {0}, 0}) == message);
  CHECK(error_of({ScalarType::CHAR, {3}, {kMost}, 0}) == message);
  CHECK(error_of({ScalarType::CHAR, {2}, {kMost}, 1}) == message);
  CHECK(error_of({ScalarType::CHAR, {1}, {1}, kMost}) == message);
  CHECK(error_of({ScalarType::SHORT, {1}, {1}, kMost / 2}) == message);
  CHECK(error_of({ScalarType::CHAR, {std::int64_t{1} << 32, std::int64_t{1} << 32}, {0, 0}, 0}) == message);
  CHECK(error_of({ScalarType::CHAR, {kMost}, {0}, 0}) == "no error");
}

TEST_CASE("strides of dimensions of one element do not matter to being contiguous") {
  CHECK(is_contiguous({ScalarType::FLOAT, {2, 1, 3}, {3, 99, 1}, 5}));
  CHECK(is_contiguous({ScalarType::FLOAT, {0, 3}, {7, 7}, 0}));
  CHECK(is_contiguous({ScalarType::FLOAT, {}, {}, 0}));
  CHECK(!is_contiguous({ScalarType::FLOAT, {2, 3}, {1, 2}, 0}));
  CHECK(!is_contiguous({ScalarType::FLOAT, {2}, {0}, 0}));
  CHECK(pt2::row_major_strides({2, 0, 3}) == std::vector<std::int64_t>{3, 3, 1});
}

TEST_CASE("what an archive says of a tensor becomes a layout and comes back") {
  const TensorLayout layout = {ScalarType::HALF, {3, 2}, {1, 3}, 3};
  pt2::TensorMeta meta = pt2::meta_of(layout, {"cpu", {}}, true);
  CHECK(pt2::layout_of(meta) == layout);
  CHECK(meta.requires_grad);
  meta.sizes[0].emplace<pt2::SymInt::as_expr>();
  CHECK_THROWS_WITH(pt2::layout_of(meta),
                    "its size is symbolic, but a tensor with data requires a concrete size");
  meta.layout = pt2::Layout::SparseCoo;
  CHECK_THROWS_WITH(pt2::layout_of(meta), "expected a strided layout, got sparse_coo");
}
