#include "pt2/strings/argument_text.h"

#include <catch2/catch.hpp>
#include <set>

#include "pt2/json.h"
#include "pt2/schema_info.h"

using pt2::Argument;
using pt2::argument_text;

namespace {

struct Case {
  const char* json;
  const char* text;
};

const Case kArguments[] = {
    {R"({"as_none": true})", "None"},
    {R"({"as_tensor": {"name": "x"}})", "x"},
    {R"({"as_tensors": [{"name": "x"}, {"name": "y"}]})", "[x, y]"},
    {R"({"as_tensors": []})", "[]"},
    {R"({"as_int": -3})", "-3"},
    {R"({"as_ints": [1, 2]})", "[1, 2]"},
    {R"({"as_float": 1e-05})", "1e-05"},
    {R"({"as_float": "-Infinity"})", "-inf"},
    {R"({"as_floats": [1.0, "NaN"]})", "[1.0, nan]"},
    {R"({"as_string": "a\"b"})", R"("a\"b")"},
    {R"({"as_strings": ["a", ""]})", R"(["a", ""])"},
    {R"({"as_sym_int": {"as_name": "s"}})", "s"},
    {R"({"as_sym_int": {"as_int": 4}})", "4"},
    {R"({"as_sym_ints": [{"as_name": "s"}, {"as_int": -1}]})", "[s, -1]"},
    {R"({"as_scalar_type": 6})", "f16"},
    {R"({"as_memory_format": 2})", "channels_last"},
    {R"({"as_layout": 7})", "strided"},
    {R"({"as_device": {"type": "cuda", "index": 1}})", "cuda:1"},
    {R"({"as_bool": true})", "True"},
    {R"({"as_bools": [true, false]})", "[True, False]"},
    {R"({"as_sym_bool": {"as_name": "b"}})", "b"},
    {R"({"as_sym_bools": [{"as_bool": false}, {"as_name": "b"}]})", "[False, b]"},
    {R"({"as_graph": {"name": "true_graph_0", "graph": {"inputs": [], "outputs": [], "nodes": [],
        "tensor_values": {}, "sym_int_values": {}, "sym_bool_values": {}}}})",
     "true_graph_0"},
    {R"({"as_optional_tensors": [{"as_tensor": {"name": "x"}}, {"as_none": true}]})", "[x, None]"},
    {R"({"as_custom_obj": {"name": "obj", "class_fqn": "ns.Class"}})", "obj"},
    {R"({"as_operator": "torch.ops.aten._print.default"})", "aten._print.default"},
    {R"({"as_sym_float": {"as_name": "f"}})", "f"},
    {R"({"as_sym_floats": [{"as_name": "f"}, {"as_float": 0.5}]})", "[f, 0.5]"},
    {R"({"as_optional_tensor": {"as_none": true}})", "None"},
    {R"({"as_optional_tensor": {"as_tensor": {"name": "x"}}})", "x"},
    {R"({"as_complex": {"real": 1.0, "imag": -2.5}})", "(1-2.5j)"},
    {R"({"as_nested_tensors": [[{"name": "x"}], []]})", "[[x], []]"},
    {R"({"as_int_lists": [[1, 2], [3]]})", "[[1, 2], [3]]"},
    {R"({"as_string_to_argument": {"k": {"as_sym_ints": [{"as_name": "s"}, {"as_int": 2}]},
        "l\n": {"as_string_to_argument": {}}}})",
     R"({"k": [s, 2], "l\n": {}})"},
    {R"({"as_float_lists": [[0.5], [1.0, 2.0]]})", "[[0.5], [1.0, 2.0]]"},
};

Argument argument_of(const char* json) {
  return schemagen::from_json<Argument>(json);
}

}  // namespace

TEST_CASE("writes every kind of argument") {
  for (const Case& c : kArguments) {
    CAPTURE(c.json);
    CHECK(argument_text(argument_of(c.json)) == c.text);
  }
}

TEST_CASE("the cases above cover all kinds") {
  std::set<int> kinds;
  for (const Case& c : kArguments) kinds.insert(argument_of(c.json).kind());
  for (int kind = 1; !pt2::name_of(static_cast<Argument::Kind>(kind)).empty(); ++kind) {
    CAPTURE(pt2::name_of(static_cast<Argument::Kind>(kind)));
    CHECK(kinds.count(kind) == 1);
  }
}

TEST_CASE("shows unions without a member") {
  CHECK(argument_text(Argument()) == "<unset>");
  Argument sym_int;
  sym_int.emplace<Argument::as_sym_int>();
  CHECK(argument_text(sym_int) == "<unset>");
  CHECK(pt2::constant_text(pt2::ConstantValue()) == "<unset>");
}

TEST_CASE("makes names printable") {
  Argument tensor;
  tensor.emplace<Argument::as_tensor>().name = "x\x1b";
  CHECK(argument_text(tensor) == "x\\x1b");
  CHECK(pt2::operator_text("torch.ops.a\nb") == "a\\nb");
}

TEST_CASE("shows values with a custom function") {
  const auto text = [](const pt2::ValueName& value) {
    return std::string(value.name) + "/" + std::to_string(static_cast<int>(value.table));
  };
  CHECK(argument_text(argument_of(R"({"as_sym_ints": [{"as_name": "s"}, {"as_int": 2}]})"), text) ==
        "[s/1, 2]");
  CHECK(argument_text(argument_of(R"({"as_nested_tensors": [[{"name": "x"}]]})"), text) == "[[x/0]]");
  CHECK(argument_text(argument_of(R"({"as_sym_float": {"as_name": "f"}})"), text) == "f/2");
  CHECK(argument_text(argument_of(R"({"as_sym_bool": {"as_name": "b"}})"), text) == "b/3");
  CHECK(argument_text(argument_of(R"({"as_custom_obj": {"name": "o", "class_fqn": ""}})"), text) == "o/4");
}

TEST_CASE("finds the types of values in the tables of the graph") {
  using Table = pt2::ValueName::Table;
  pt2::Graph graph;
  graph.tensor_values["x"].dtype = pt2::ScalarType::FLOAT;
  graph.tensor_values["x"].device.type = "cpu";
  graph.sym_int_values["x"].emplace<pt2::SymInt::as_expr>().expr_str = "Mul(Integer(2), Symbol('s0'))";
  graph.sym_float_values["x"].emplace<pt2::SymFloat::as_float>(0.5);
  graph.sym_bool_values["x"].emplace<pt2::SymBool::as_bool>(true);
  graph.custom_obj_values["x"].class_fqn = "ns.Class";
  CHECK(pt2::type_text(graph, {Table::tensors, "x"}) == "f32[]");
  CHECK(pt2::type_text(graph, {Table::sym_ints, "x"}) == "int(2*s0)");
  CHECK(pt2::type_text(graph, {Table::sym_floats, "x"}) == "float(0.5)");
  CHECK(pt2::type_text(graph, {Table::sym_bools, "x"}) == "bool(True)");
  CHECK(pt2::type_text(graph, {Table::custom_objects, "x"}) == "ns.Class");
  for (const Table table :
       {Table::tensors, Table::sym_ints, Table::sym_floats, Table::sym_bools, Table::custom_objects}) {
    CHECK(pt2::type_text(graph, {table, "y"}).empty());
  }
}

TEST_CASE("writes constants of the signature") {
  const Case cases[] = {{R"({"as_none": true})", "None"},
                        {R"({"as_int": 3})", "3"},
                        {R"({"as_float": 3})", "3.0"},
                        {R"({"as_string": "s"})", "\"s\""},
                        {R"({"as_bool": false})", "False"}};
  for (const Case& c : cases)
    CHECK(pt2::constant_text(schemagen::from_json<pt2::ConstantValue>(c.json)) == c.text);
}

TEST_CASE("shortens the names of operators only") {
  CHECK(pt2::operator_text("torch.ops.aten.add.Tensor") == "aten.add.Tensor");
  CHECK(pt2::operator_text("_operator.mul") == "_operator.mul");
  CHECK(pt2::operator_text("torch.sym_float") == "torch.sym_float");
}
