#include "pt2/graph/walk.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/program_builder.h"

using pt2::Argument;

namespace {

std::vector<std::string> slots(const Argument& argument) {
  std::vector<std::string> names;
  pt2::for_each_slot(argument, [&](const std::string* name, pt2::ValueName::Table) {
    names.push_back(name == nullptr ? "-" : *name);
  });
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("an argument other than a list is one slot") {
  CHECK(slots(tensor("x")) == Names{"x"});
  CHECK(slots(optional_tensor("x")) == Names{"x"});
  CHECK(slots(number(3)) == Names{"-"});
  CHECK(slots(Argument()) == Names{"-"});
  CHECK(slots(subgraph("g", graph_of({"a"}, {}, {"a"}))) == Names{"-"});
  Argument ints;
  ints.emplace<Argument::as_ints>() = {1, 2, 3};
  CHECK(slots(ints) == Names{"-"});
}

TEST_CASE("a list has one slot per item, named or not") {
  Argument tensors;
  tensors.emplace<Argument::as_tensors>() = {{"a"}, {"b"}};
  CHECK(slots(tensors) == Names{"a", "b"});
  Argument nested;
  nested.emplace<Argument::as_nested_tensors>() = {{{"a"}}, {}, {{"b"}, {"c"}}};
  CHECK(slots(nested) == Names{"a", "b", "c"});
  Argument optional;
  auto& items = optional.emplace<Argument::as_optional_tensors>();
  items.emplace_back().emplace<pt2::OptionalTensorArgument::as_none>(true);
  items.emplace_back().emplace<pt2::OptionalTensorArgument::as_tensor>().name = "a";
  CHECK(slots(optional) == Names{"-", "a"});
  Argument sizes;
  auto& sym_ints = sizes.emplace<Argument::as_sym_ints>();
  sym_ints.emplace_back().emplace<pt2::SymIntArgument::as_int>(4);
  sym_ints.emplace_back().emplace<pt2::SymIntArgument::as_name>("s");
  CHECK(slots(sizes) == Names{"-", "s"});
}

TEST_CASE("dicts are entered, at any depth") {
  CHECK(slots(dict("k", dict("l", tensor("x")))) == Names{"x"});
}

TEST_CASE("names can be changed in place and come with their table") {
  Argument argument;
  argument.emplace<Argument::as_sym_bool>().emplace<pt2::SymBoolArgument::as_name>("old");
  pt2::for_each_slot(argument, [](std::string* name, pt2::ValueName::Table table) {
    CHECK(table == pt2::ValueName::Table::sym_bools);
    *name = "new";
  });
  CHECK(slots(argument) == Names{"new"});
}
