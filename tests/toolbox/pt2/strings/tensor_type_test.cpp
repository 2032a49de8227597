#include "pt2/strings/argument_text.h"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "pt2/text/type_names.h"

using pt2::ScalarType;
using pt2::TensorMeta;

namespace {

pt2::SymInt size_of(std::int64_t value) {
  pt2::SymInt size;
  size.emplace<pt2::SymInt::as_int>(value);
  return size;
}

pt2::SymInt size_of(const std::string& expression) {
  pt2::SymInt size;
  size.emplace<pt2::SymInt::as_expr>().expr_str = expression;
  return size;
}

TensorMeta meta_of(ScalarType dtype, std::vector<pt2::SymInt> sizes) {
  TensorMeta meta;
  meta.dtype = dtype;
  meta.sizes = std::move(sizes);
  meta.device.type = "cpu";
  meta.layout = pt2::Layout::Strided;
  return meta;
}

}  // namespace

TEST_CASE("names all dtypes of the schema") {
  struct Case {
    ScalarType dtype;
    const char* name;
    std::int64_t bytes;
  };
  const Case cases[] = {{ScalarType::BYTE, "u8", 1},
                        {ScalarType::CHAR, "i8", 1},
                        {ScalarType::SHORT, "i16", 2},
                        {ScalarType::INT, "i32", 4},
                        {ScalarType::LONG, "i64", 8},
                        {ScalarType::HALF, "f16", 2},
                        {ScalarType::FLOAT, "f32", 4},
                        {ScalarType::DOUBLE, "f64", 8},
                        {ScalarType::COMPLEXHALF, "c32", 4},
                        {ScalarType::COMPLEXFLOAT, "c64", 8},
                        {ScalarType::COMPLEXDOUBLE, "c128", 16},
                        {ScalarType::BOOL, "bool", 1},
                        {ScalarType::BFLOAT16, "bf16", 2},
                        {ScalarType::UINT16, "u16", 2},
                        {ScalarType::FLOAT8E4M3FN, "f8e4m3fn", 1},
                        {ScalarType::FLOAT8E5M2, "f8e5m2", 1},
                        {ScalarType::FLOAT8E4M3FNUZ, "f8e4m3fnuz", 1},
                        {ScalarType::FLOAT8E5M2FNUZ, "f8e5m2fnuz", 1},
                        {ScalarType::FLOAT8E8M0FNU, "f8e8m0fnu", 1},
                        {ScalarType::UINT32, "u32", 4},
                        {ScalarType::UINT64, "u64", 8}};
  for (const Case& c : cases) {
    CHECK(pt2::dtype_text(c.dtype) == c.name);
    CHECK(pt2::element_bytes(c.dtype) == c.bytes);
  }
  CHECK(pt2::dtype_text(ScalarType::UNKNOWN) == "unknown");
  CHECK_FALSE(pt2::element_bytes(ScalarType::UNKNOWN));
}

TEST_CASE("shows numbers without a name") {
  CHECK(pt2::dtype_text(static_cast<ScalarType>(99)) == "dtype(99)");
  CHECK_FALSE(pt2::element_bytes(static_cast<ScalarType>(99)));
  CHECK(pt2::layout_text(static_cast<pt2::Layout>(-1)) == "layout(-1)");
  CHECK(pt2::memory_format_text(static_cast<pt2::MemoryFormat>(7)) == "memory_format(7)");
}

TEST_CASE("names layouts and memory formats as torch does") {
  CHECK(pt2::layout_text(pt2::Layout::SparseCsr) == "sparse_csr");
  CHECK(pt2::layout_text(pt2::Layout::_mkldnn) == "_mkldnn");
  CHECK(pt2::memory_format_text(pt2::MemoryFormat::ChannelsLast3d) == "channels_last_3d");
  CHECK(pt2::memory_format_text(pt2::MemoryFormat::PreserveFormat) == "preserve_format");
}

TEST_CASE("writes a tensor's dtype and sizes") {
  CHECK(pt2::tensor_type_text(meta_of(ScalarType::FLOAT, {})) == "f32[]");
  CHECK(
      pt2::tensor_type_text(meta_of(ScalarType::LONG, {size_of("Symbol('s58', positive=True, integer=True)"),
                                                       size_of(4), pt2::SymInt()})) == "i64[s58, 4, ?]");
}

TEST_CASE("writes device and layout only if they are not the default") {
  TensorMeta meta = meta_of(ScalarType::FLOAT, {size_of(3)});
  meta.device = {"cuda", 0};
  CHECK(pt2::tensor_type_text(meta) == "f32[3]@cuda:0");
  meta.layout = pt2::Layout::SparseCoo;
  CHECK(pt2::tensor_type_text(meta) == "f32[3]{sparse_coo}@cuda:0");
  meta.device = {"meta", std::nullopt};
  meta.layout = pt2::Layout::Unknown;
  CHECK(pt2::tensor_type_text(meta) == "f32[3]@meta");
}

TEST_CASE("counts elements if all sizes are known") {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK(pt2::element_count(meta_of(ScalarType::FLOAT, {})) == 1);
  CHECK(pt2::element_count(meta_of(ScalarType::FLOAT, {size_of(2), size_of(3)})) == 6);
  CHECK(pt2::element_count(meta_of(ScalarType::FLOAT, {size_of(0), size_of(3)})) == 0);
  CHECK(pt2::element_count(meta_of(ScalarType::FLOAT, {size_of(most)})) == most);
  CHECK_FALSE(pt2::element_count(meta_of(ScalarType::FLOAT, {size_of(most), size_of(2)})));
  CHECK_FALSE(pt2::element_count(meta_of(ScalarType::FLOAT, {size_of(-1)})));
  CHECK_FALSE(pt2::element_count(meta_of(ScalarType::FLOAT, {size_of("s0")})));
  CHECK_FALSE(pt2::element_count(meta_of(ScalarType::FLOAT, {pt2::SymInt()})));
}
