#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "pt2/edit/plain_trees.h"
#include "pt2/json.h"
#include "pt2/text/treespec.h"
#include "pt2/verify/verify.h"
#include "schemagen/base/error.h"
#include "thrown.h"
#include "toolbox/pt2/edit/fixtures.h"

using pt2::ExportedProgram;
using pt2::TreeSpec;
using schemagen::Json;

namespace {

/// Called as `f({'x': ..., 'y': ...}, lst=[..., ...], k=3)`; returns four values.
ExportedProgram called_with(const TreeSpec& d, const TreeSpec& lst, const TreeSpec& result) {
  ExportedProgram program = fixture("pytree_kwargs.json");
  pt2::ModuleCallSignature& call = *program.graph_module.module_call_graph.at(0).signature;
  const TreeSpec keywords = pt2::dict_spec({{R"("lst")"}, {R"("k")"}}, {lst, {}});
  call.in_spec = pt2::treespec_json(pt2::tuple_spec({pt2::tuple_spec({d}), keywords}));
  call.out_spec = pt2::treespec_json(result);
  program.graph_module.treespec_namedtuple_fields["my.Pair"].field_names = {"first", "second"};
  return program;
}

const TreeSpec kLeaf;
const TreeSpec kBatch = {"my.Batch", Json{R"("[[\"x\", \"y\"], [\"mask\"]]")"}, {kLeaf, kLeaf}};
const TreeSpec kPair = {"collections.namedtuple", Json{R"("my.Pair")"}, {kLeaf, kLeaf}};

pt2::ModuleCallSignature signature_of(const ExportedProgram& program) {
  return *program.graph_module.module_call_graph.at(0).signature;
}

std::vector<std::string> texts_of(const pt2::PlainTrees& trees) {
  std::vector<std::string> texts;
  for (const pt2::PlainContainer& container : trees.containers) {
    std::string text = container.module + " " + container.place + ": " + container.class_name + " is a " +
                       container.type + (container.names.empty() ? "" : " of");
    for (const Json& name : container.names) text += " " + name.text;
    texts.push_back((container.is_input ? "in" : "out") + text);
  }
  return texts;
}

}  // namespace

TEST_CASE(
    "classes with names become dicts, namedtuples and all else tuples, with the values in their order") {
  const TreeSpec factory = {
      "collections.defaultdict",
      Json{R"({"default_factory_module": "my", "default_factory_name": "Thing", "dict_context": ["p"]})"},
      {kLeaf}};
  const TreeSpec cache = {"my.Cache", Json{R"("{\"length\": 3}")"}, {kLeaf, factory}};
  const TreeSpec kept = {"collections.OrderedDict", Json{R"("[\"q\"]")"}, {kLeaf}};
  const TreeSpec result = {"my.Output", Json{R"("[\"logits\", \"cache\", \"more\"]")"}, {kLeaf, cache, kept}};
  ExportedProgram program = called_with(kBatch, kPair, result);
  const pt2::PlainTrees trees = pt2::make_trees_plain(program);
  CHECK(texts_of(trees) ==
        std::vector<std::string>{R"(in args[0]: my.Batch is a dict of "x" "y")",
                                 R"(in kwargs['lst']: my.Pair is a tuple of "first" "second")",
                                 R"(out result: my.Output is a dict of "logits" "cache" "more")",
                                 R"(out result['cache']: my.Cache is a tuple)",
                                 R"(out result['cache'][1]: collections.defaultdict is a dict of "p")"});
  CHECK(trees.changes_call());
  const TreeSpec batch = pt2::dict_spec({{R"("x")"}, {R"("y")"}}, {kLeaf, kLeaf});
  const TreeSpec plain_cache = pt2::tuple_spec({kLeaf, pt2::dict_spec({{R"("p")"}}, {kLeaf})});
  const TreeSpec output =
      pt2::dict_spec({{R"("logits")"}, {R"("cache")"}, {R"("more")"}}, {kLeaf, plain_cache, kept});
  const ExportedProgram expected = called_with(batch, pt2::tuple_spec({kLeaf, kLeaf}), output);
  CHECK(signature_of(program) == signature_of(expected));
  CHECK(program.graph_module.treespec_namedtuple_fields.empty());
  CHECK(pt2::verify(program).empty());
  CHECK(pt2::make_trees_plain(program).containers.empty());
}

TEST_CASE("programs of no classes stay as they are") {
  const std::size_t count = for_each_fixture([](const ExportedProgram& original) {
    ExportedProgram program = original;
    const pt2::PlainTrees trees = pt2::make_trees_plain(program);
    CHECK(trees.containers.empty());
    CHECK(trees.guards.empty());
    CHECK(schemagen::to_json(program) == schemagen::to_json(original));  // NaN is not equal to itself
  });
  CHECK(count > 50);
}

TEST_CASE("a container whose keys need a class becomes a tuple, one of torch's own what it stands for") {
  const TreeSpec by_enum = {
      "builtins.dict",
      Json{R"("[{\"__enum__\": true, \"fqn\": \"my:Color\", \"name\": \"RED\"}, \"y\"]")"},
      {kLeaf, kLeaf}};
  const TreeSpec list = {"torch.fx.immutable_collections.immutable_list", Json{"\"null\""}, {kLeaf, kLeaf}};
  const TreeSpec twice = {"my.Twice", Json{R"("[\"a\", \"a\"]")"}, {kLeaf, kLeaf}};
  ExportedProgram program = called_with(by_enum, list, pt2::tuple_spec({twice, kLeaf, kLeaf}));
  CHECK(texts_of(pt2::make_trees_plain(program)) ==
        std::vector<std::string>{"in args[0]: builtins.dict is a tuple",
                                 "in kwargs['lst']: torch.fx.immutable_collections.immutable_list is a list",
                                 "out result[0]: my.Twice is a tuple"});
}

TEST_CASE("guards refer to the same values by their new places; guards of unknown places are removed") {
  ExportedProgram program = called_with(kBatch, kPair, pt2::tuple_spec({kLeaf, kLeaf, kLeaf, kLeaf}));
  program.guards_code = {"(L['d'].x.size()[0] // 2) != L['lst'].second.size()[1]",
                         "L['d']['y'].stride()[1] == L['lst'][0].size()[0]",
                         "L['flat_args'][0].size()[0] <= 8",
                         "L['k'] == 3",
                         "L['d'].z.size()[0] >= 2",
                         "L['other'].size()[0] >= 2"};
  const pt2::PlainTrees trees = pt2::make_trees_plain(program);
  CHECK(program.guards_code ==
        std::vector<std::string>{"(L['d']['x'].size()[0] // 2) != L['lst'][1].size()[1]",
                                 "L['d']['y'].stride()[1] == L['lst'][0].size()[0]",
                                 "L['flat_args'][0].size()[0] <= 8", "L['k'] == 3"});
  CHECK(trees.guards == std::vector<std::string>{"L['d'].z.size()[0] >= 2", "L['other'].size()[0] >= 2"});
}

TEST_CASE("guards on what *args and **kwargs have are rewritten as well") {
  ExportedProgram program = called_with(kBatch, kPair, pt2::tuple_spec({kLeaf, kLeaf, kLeaf, kLeaf}));
  program.graph_module.module_call_graph[0].signature->forward_arg_names = {"args_0", "lst", "k"};
  program.guards_code = {"L['args'][0].x.size()[0] <= 8", "L['kwargs']['lst'].first.size()[0] <= 8"};
  pt2::make_trees_plain(program);
  CHECK(program.guards_code ==
        std::vector<std::string>{"L['args'][0]['x'].size()[0] <= 8", "L['kwargs']['lst'][0].size()[0] <= 8"});
}

TEST_CASE("a tree that is malformed is named, and the program stays") {
  ExportedProgram program = called_with(kBatch, kPair, kLeaf);
  program.graph_module.module_call_graph[0].signature->out_spec = "[2, {}]";
  const ExportedProgram original = program;
  CHECK(error_of<schemagen::DataError>([&] { pt2::make_trees_plain(program); }) ==
        "graph_module.module_call_graph[0].signature: [0]: treespec protocol: expected 1, got 2 "
        "(line 1, column 2)");
  CHECK(program == original);
}
