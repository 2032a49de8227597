#include <everything/binary.h>
#include <everything/json.h>
#include <everything/visit.h>
#include <pt2/binary.h>
#include <pt2/json.h>
#include <pt2/visit.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "program_files.h"
#include "runtime/schemagen/json/json_parsers.h"
#include "schemagen/base/visit.h"
#include "schemagen/thrift/binary.h"

namespace fs = std::filesystem;
using everything::Containers;
using pt2::ExportedProgram;
using schemagen::BinaryReadOptions;
using schemagen::field_name;
using schemagen::FieldName;
using schemagen::JsonReadOptions;

namespace {

JsonReadOptions without(std::vector<FieldName> fields, std::vector<FieldName>* left_out = nullptr) {
  JsonReadOptions options;
  options.leave_out = std::move(fields);
  options.left_out = left_out;
  return options;
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void drop_metadata(pt2::Graph& graph) {
  for (pt2::Node& node : graph.nodes) {
    node.metadata.clear();
    for (pt2::NamedArgument& input : node.inputs) {
      if (auto* const subgraph = input.arg.get_if<pt2::Argument::as_graph>()) drop_metadata(*subgraph->graph);
    }
  }
}

}  // namespace

TEST_CASE("left-out fields have their defaults, all others their values, in JSON and binary") {
  std::size_t count = 0;
  for (const fs::path& path : program_files("programs/torch-2.13.0")) {
    CAPTURE(path.string());
    const std::string text = read_file(path);
    const auto whole = schemagen::from_json<ExportedProgram>(text);
    ExportedProgram expected = whole;
    drop_metadata(expected.graph_module.graph);
    const std::string expected_text = schemagen::to_json(expected);  // in JSON, NaN is equal to itself

    std::vector<FieldName> json_left_out;
    JsonReadOptions json_options = without({field_name<&pt2::Node::metadata>}, &json_left_out);
    CHECK(schemagen::to_json(read_by_tape<ExportedProgram>(text, json_options)) == expected_text);
    CHECK(json_left_out.empty() == whole.graph_module.graph.nodes.empty());
    BinaryReadOptions options;
    std::vector<FieldName> left_out;
    options.leave_out = {field_name<&pt2::Node::metadata>};
    options.left_out = &left_out;
    CHECK(schemagen::to_json(schemagen::from_binary<ExportedProgram>(schemagen::to_binary(whole), options)) ==
          expected_text);
    CHECK(left_out.empty() == whole.graph_module.graph.nodes.empty());
    ++count;
  }
  CHECK(count > 15);
}

TEST_CASE("several fields of one struct are left out, in any order, and of others") {
  const std::string text =
      R"({"matrix": [[1.5]], "flags": [true], "by_name": {"a": []}, "colors": {"r": 1}, "blobs": ["Zg=="]})";
  std::vector<FieldName> left_out;
  const std::vector<FieldName> fields = {
      field_name<&everything::Containers::by_name>, field_name<&everything::Tree::name>,
      field_name<&everything::Containers::matrix>, field_name<&everything::Containers::units>};
  CHECK(rewritten<Containers>(text, without(fields, &left_out)) ==
        rewritten<Containers>(
            R"({"flags": [true], "blobs": ["Zg=="], "matrix": [], "by_name": {}, "colors": {"r": 1}})"));
  schemagen::from_json<Containers>(text, without(fields, &left_out));
  CHECK(left_out == std::vector<FieldName>{fields[0], fields[2]});

  BinaryReadOptions options;
  options.leave_out = fields;
  left_out.clear();
  options.left_out = &left_out;
  const std::string payload = schemagen::to_binary(schemagen::from_json<Containers>(text));
  CHECK(schemagen::to_json(schemagen::from_binary<Containers>(payload, options)) ==
        schemagen::to_json(schemagen::from_json<Containers>(text, without(fields))));
  // A payload also contains empty lists.
  CHECK(left_out == std::vector<FieldName>{fields[0], fields[2], fields[3]});
}

TEST_CASE("a left-out field must be present if it is required, and must not be duplicated") {
  const std::vector<FieldName> matrix = {field_name<&everything::Containers::matrix>};
  CHECK(error_of<Containers>(R"({"flags": [], "by_name": {}})", without(matrix)) ==
        error_of<Containers>(R"({"flags": [], "by_name": {}})"));
  const std::string twice = R"({"flags": [], "matrix": [], "by_name": {}, "matrix": [[]]})";
  CHECK(error_of<Containers>(twice, without(matrix)) == error_of<Containers>(twice));
}

TEST_CASE("left-out values must be JSON, but may have any type") {
  const std::vector<FieldName> matrix = {field_name<&everything::Containers::matrix>};
  const auto around = [](const std::string& value) {
    return R"({"flags": [], "matrix": )" + value + R"(, "by_name": {}})";
  };
  for (const char* const broken :
       {"[1, 2", "\"\\x\"", "\"\\ud800\"", "tru", "[1 2]", "\"\x01\"", "{\"a\"}"}) {
    CAPTURE(broken);
    CHECK(error_of<Containers>(around(broken), without(matrix)) == error_of<Containers>(around(broken)));
  }
  CHECK(rewritten<Containers>(around(R"({"a": "not a matrix\n"})"), without(matrix)) ==
        rewritten<Containers>(around("[]")));
}

TEST_CASE("a payload that ends within a left-out field is an error") {
  BinaryReadOptions options;
  options.leave_out = {field_name<&everything::Containers::matrix>};
  const std::string payload = schemagen::to_binary(
      schemagen::from_json<Containers>(R"({"flags": [], "matrix": [[1, 2]], "by_name": {}})"));
  for (std::size_t size = 0; size < payload.size(); ++size) {
    CAPTURE(size);
    CHECK_THROWS_AS(schemagen::from_binary<Containers>(payload.substr(0, size), options),
                    schemagen::DataError);
  }
}
