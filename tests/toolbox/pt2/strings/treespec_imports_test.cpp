#include "pt2/strings/treespec_imports.h"

#include <catch2/catch.hpp>

#include "schemagen/base/error.h"

namespace {

void check(const std::string& type, const std::string& context) {
  check_imports(pt2::parse_treespec(
      R"([1, {"type": "builtins.tuple", "context": "null", "children_spec": [{"type": ")" + type +
      R"(", "context": )" + context + R"(, "children_spec": []}]}])"));
}

std::string factory(const std::string& module, const std::string& name) {
  return R"({"default_factory_module": ")" + module + R"(", "default_factory_name": ")" + name +
         R"(", "dict_context": []})";
}

}  // namespace

TEST_CASE("registered types import nothing") {
  CHECK_NOTHROW(check("builtins.dict", R"("[\"a\", {\"b\": \"c\"}]")"));
  CHECK_NOTHROW(check("transformers.modeling_outputs.BaseModelOutput", R"("[\"logits\"]")"));
  CHECK_NOTHROW(check("collections.namedtuple", R"("my.Point")"));
  CHECK_NOTHROW(check("my.Type", R"("a text of its own")"));
  CHECK_NOTHROW(check("collections.defaultdict", factory("builtins", "list")));
  CHECK_NOTHROW(
      check("builtins.dict", R"("[{\"__enum__\": true, \"fqn\": \"http:HTTPStatus\", \"name\": \"OK\"}]")"));
}

TEST_CASE("enums and factories must be known, because they are imported") {
  using schemagen::DataError;
  for (
      const char* const context : {
          R"("[{\"__enum__\": true, \"fqn\": \"ctypes:cdll\", \"name\": \"x.so\"}]")",
          R"("[{\"name\": \"x.so\", \"fqn\": \"ctypes:cdll\", \"\\u005f_enum__\": true}]")",
          R"("{\"a\": {\"__enum__\": false, \"fqn\": \"my:Color\", \"name\": \"RED\"}}")",
          R"("[{\"__enum__\": true, \"fqn\": \"http:HTTPStatus\", \"fqn\": \"ctypes:cdll\", \"name\": \"x\"}]")",
          R"("[{\"__enum__\": true}]")",
          R"("[NaN, {\"__enum__\": true, \"fqn\": \"ctypes:cdll\", \"name\": \"x\"}")",
      }) {
    INFO(context);
    CHECK_THROWS_AS(check("my.Type", context), DataError);
    CHECK_THROWS_AS(check("builtins.dict", context), DataError);
  }
  CHECK_THROWS_AS(check("collections.defaultdict", factory("os", "system")), DataError);
  CHECK_THROWS_AS(check("collections.defaultdict", factory("builtins", "exec")), DataError);
  CHECK_THROWS_AS(
      check("collections.defaultdict", R"({"default_factory_module": "this", "dict_context": []})"),
      DataError);
}
