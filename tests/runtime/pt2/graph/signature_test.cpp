#include "pt2/graph/signature.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/program_builder.h"

using pt2::InputSpec;
using pt2::OutputSpec;

TEST_CASE("a buffer's spec has a name, a target and persistence") {
  InputSpec spec;
  auto& buffer = spec.emplace<InputSpec::buffer>();
  buffer.arg.name = "b_mean";
  buffer.buffer_name = "bn.mean";
  buffer.persistent = false;
  const auto parts = pt2::parts_of(spec);
  CHECK(parts.kind == InputSpec::buffer);
  CHECK(parts.persistent == false);
  CHECK_FALSE(parts.target_is_input);
  *parts.name = "renamed";
  *parts.target = "bn.renamed";
  CHECK(buffer.arg.name == "renamed");
  CHECK(buffer.buffer_name == "bn.renamed");
}

TEST_CASE("the target of a mutated user input is an input's name") {
  OutputSpec spec;
  auto& mutation = spec.emplace<OutputSpec::user_input_mutation>();
  mutation.arg.name = "add";
  mutation.user_input_name = "x";
  const auto parts = pt2::parts_of(std::as_const(spec));
  CHECK(*parts.name == "add");
  CHECK(*parts.target == "x");
  CHECK(parts.target_is_input);
}

TEST_CASE("user values have names, literals and lists do not") {
  OutputSpec spec;
  auto& output = spec.emplace<OutputSpec::user_output>();
  output.arg = tensor("x");
  CHECK(*pt2::parts_of(spec).name == "x");
  output.arg = number(3);
  CHECK(pt2::parts_of(spec).name == nullptr);
  CHECK(pt2::parts_of(spec).argument == &output.arg);
  output.arg.emplace<pt2::Argument::as_tensors>().resize(2);
  CHECK(pt2::parts_of(spec).name == nullptr);
}

TEST_CASE("an input that the export fixed has a name and its value") {
  InputSpec spec;
  auto& constant = spec.emplace<InputSpec::constant_input>();
  constant.name = "flag";
  constant.value.emplace<pt2::ConstantValue::as_bool>(true);
  const auto parts = pt2::parts_of(spec);
  CHECK(*parts.name == "flag");
  CHECK(parts.constant == &constant.value);
}

TEST_CASE("a spec without a member has no parts") {
  const InputSpec spec;
  const auto parts = pt2::parts_of(spec);
  CHECK(parts.kind == InputSpec::unset);
  CHECK(parts.name == nullptr);
  CHECK(parts.target == nullptr);
}
