#include "pt2/text/type_names.h"

#include <catch2/catch.hpp>

using pt2::ScalarType;

TEST_CASE("dtypes, layouts and memory formats are found by name") {
  for (int number = 0; number < 40; ++number) {
    const auto dtype = static_cast<ScalarType>(number);
    if (torch_name(dtype).empty()) continue;
    CHECK(pt2::dtype_named(torch_name(dtype)) == dtype);
    CHECK(pt2::dtype_named("torch." + std::string(torch_name(dtype))) == dtype);
  }
  CHECK(pt2::dtype_named("float8_e4m3fn") == ScalarType::FLOAT8E4M3FN);
  CHECK(pt2::dtype_named("half") == ScalarType::HALF);
  CHECK(pt2::layout_named("torch._mkldnn") == pt2::Layout::_mkldnn);
  CHECK(torch_name(pt2::Layout::SparseCsr) == "sparse_csr");
  CHECK(pt2::memory_format_named("channels_last_3d") == pt2::MemoryFormat::ChannelsLast3d);
  CHECK(torch_name(pt2::MemoryFormat::PreserveFormat) == "preserve_format");
}

TEST_CASE("unknown names and numbers are not found") {
  CHECK_FALSE(pt2::dtype_named("float33"));
  CHECK_FALSE(pt2::dtype_named(""));
  CHECK_FALSE(pt2::layout_named("torch.torch.strided"));
  CHECK_FALSE(pt2::memory_format_named("strided"));
  CHECK(torch_name(static_cast<ScalarType>(99)).empty());
  CHECK(torch_name(static_cast<pt2::Layout>(99)).empty());
}
