// Builds the models of torch_builder_test.py, with weights from <model>.safetensors.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pt2/archive/tensors/tensor_files.h"
#include "pt2/edit/builder.h"
#include "pt2/save_program.h"
#include "pt2/verify/verify.h"
#include "schemagen/base/error.h"

namespace {

namespace fs = std::filesystem;

using pt2::GraphBuilder;
using pt2::ScalarType;
using pt2::Size;
using pt2::Value;

constexpr ScalarType kFloat = ScalarType::FLOAT;

class Weights {
 public:
  explicit Weights(const std::vector<pt2::NamedTensor>& tensors) {
    for (const pt2::NamedTensor& named : tensors) tensors_.emplace(named.name, named.tensor);
  }
  const pt2::Tensor& operator[](const std::string& name) const { return tensors_.at(name); }

 private:
  std::map<std::string, pt2::Tensor> tensors_;
};

Value linear(pt2::ProgramBuilder& model, const Weights& weights, const std::string& name, const Value& x) {
  return model.call("aten.linear.default", {x, model.parameter(name + ".weight", weights[name + ".weight"]),
                                            model.parameter(name + ".bias", weights[name + ".bias"])});
}

void mlp(pt2::ProgramBuilder& model, const Weights& weights) {
  const Size batch = model.symbol("s0", 2, 64);
  const Value x = model.input("x", {kFloat, {batch, 4}});
  const Value hidden = model.call("aten.relu.default", {linear(model, weights, "first", x)});
  model.output(linear(model, weights, "second", hidden));
}

/// In training mode without in-place updates, new buffer values are outputs.
void conv_bn(pt2::ProgramBuilder& model, const Weights& weights) {
  const Size batch = model.symbol("s0", 2, 64);
  const Value x = model.input("x", {kFloat, {batch, 3, 9, 8}});
  const auto parameter = [&](const char* name) { return model.parameter(name, weights[name]); };
  const auto buffer = [&](const char* name) { return model.buffer(name, weights[name]); };
  const Value y = model.call("aten.conv2d.default", {x, parameter("conv.weight"), parameter("conv.bias")},
                             {{"stride", 2}, {"padding", {1, 0}}});
  const Value mean = buffer("norm.running_mean");
  const Value variance = buffer("norm.running_var");
  const Value count = buffer("norm.num_batches_tracked");
  const std::vector<Value> normed =
      model.call_all("aten._native_batch_norm_legit_functional.default",
                     {y, parameter("norm.weight"), parameter("norm.bias"), mean, variance, true, 0.1, 1e-5});
  model.mutate(mean, normed[3]);
  model.mutate(variance, normed[4]);
  model.mutate(count, model.call("aten.add.Tensor", {count, 1}));
  const Value pooled =
      model.call("aten.max_pool2d.default", {model.call("aten.relu.default", {normed[0]}), 2});
  model.output(model.call("aten.flatten.using_ints", {pooled, 1}));
}

void transformer(pt2::ProgramBuilder& model, const Weights& weights) {
  const Size length_size = model.symbol("s0", 2, 512);
  const Value x = model.input("x", {kFloat, {2, length_size, 16}});
  const Value length = model.call("aten.sym_size.int", {x, 1});
  const auto norm = [&](const std::string& name, const Value& value) {
    return model.call("aten.layer_norm.default",
                      {value,
                       {16},
                       model.parameter(name + ".weight", weights[name + ".weight"]),
                       model.parameter(name + ".bias", weights[name + ".bias"])});
  };
  const auto heads = [&](const Value& value) {
    const Value parts = model.call("aten.view.default", {value, {2, length, 4, -1}});
    return model.call("aten.transpose.int", {parts, 1, 2});
  };
  const Value normed = norm("norm1", x);
  const Value query = heads(linear(model, weights, "query", normed));
  const Value key = heads(linear(model, weights, "key", normed));
  const Value value = heads(linear(model, weights, "value", normed));
  const Value attended =
      model.call("aten.scaled_dot_product_attention.default", {query, key, value}, {{"is_causal", true}});
  const Value joined = model.call("aten.reshape.default",
                                  {model.call("aten.transpose.int", {attended, 1, 2}), {2, length, 16}});
  const Value y = model.call("aten.add.Tensor", {x, linear(model, weights, "out", joined)});
  const Value hidden = model.call("aten.gelu.default", {linear(model, weights, "up", norm("norm2", y))});
  model.output(model.call("aten.add.Tensor", {y, linear(model, weights, "down", hidden)}));
}

void cond(pt2::ProgramBuilder& model, const Weights&) {
  const Value p = model.input("p", {ScalarType::BOOL, {}});
  const Value x = model.input("x", {kFloat, {3}});
  const auto branch = [&](const char* name, const char* function, const char* operation) {
    return model.subgraph(name, [&](GraphBuilder& graph) {
      const Value own = graph.input("x", model.type_of(x));
      graph.output(graph.call(operation, {graph.call(function, {own}), 1}));
    });
  };
  model.output(
      model.call("higher_order.cond", {p,
                                       branch("true_graph_0", "aten.sin.default", "aten.add.Tensor"),
                                       branch("false_graph_0", "aten.cos.default", "aten.sub.Tensor"),
                                       {x}}));
}

void map(pt2::ProgramBuilder& model, const Weights&) {
  const Value xs = model.input("xs", {kFloat, {5, 3}});
  const Value y = model.input("y", {kFloat, {3}});
  const pt2::GraphArgument body = model.subgraph("body_graph_0", [&](GraphBuilder& graph) {
    const Value item = graph.input("item", {kFloat, {3}});
    graph.output(graph.call("aten.mul.Tensor", {item, graph.input("y", {kFloat, {3}})}));
    graph.output(graph.call("aten.sum.default", {item}));
  });
  for (const Value& result : model.call_all("higher_order.map_impl", {body, {xs}, {y}})) model.output(result);
}

void while_loop(pt2::ProgramBuilder& model, const Weights&) {
  const Value steps = model.input("steps", {ScalarType::LONG, {}});
  const Value x = model.input("x", {kFloat, {3}});
  const Value w = model.input("w", {kFloat, {3}});
  const auto carried = [&](GraphBuilder& graph) {
    std::vector<Value> values = {graph.input("steps", model.type_of(steps)),
                                 graph.input("x", model.type_of(x))};
    values.push_back(graph.input("w", model.type_of(w)));
    return values;
  };
  const pt2::GraphArgument condition = model.subgraph("while_loop_cond_graph_0", [&](GraphBuilder& graph) {
    graph.only_output(graph.call("aten.gt.Scalar", {carried(graph)[0], 0}));
  });
  const pt2::GraphArgument body = model.subgraph("while_loop_body_graph_0", [&](GraphBuilder& graph) {
    const std::vector<Value> values = carried(graph);
    graph.output(graph.call("aten.sub.Tensor", {values[0], 1}));
    graph.output(graph.call("aten.mul.Tensor", {values[1], values[2]}));
  });
  const auto results = model.call_all("higher_order.while_loop", {condition, body, {steps, x}, {w}});
  for (const Value& result : results) model.output(result);
}

void outputs(pt2::ProgramBuilder& model, const Weights& weights) {
  const Size size = model.symbol("s0", 2, 64);
  const Value x = model.input("x", {kFloat, {size, 4}});
  const Value y = model.input("y", {kFloat, {4}});
  model.fixed_input("scale", 3);
  const Value offset = model.buffer("offset", weights["offset"], false);
  const Value table = model.constant("table", weights["table"]);
  const Value rows = model.call("aten.sym_size.int", {x, 0});
  const Value doubled = model.call("_operator.mul", {rows, 2});
  model.mutate(y, model.call("aten.add.Tensor", {y, offset}));
  model.output(model.call("aten.mul.Tensor", {x, 3}));
  model.output(x);
  model.output(table);
  model.output(model.call("_operator.add", {doubled, 1}));
  model.output(model.call("_operator.truediv", {rows, 2}));
  for (const Value& part : model.call_all("aten.split.Tensor", {y, 3})) model.output(part);
  for (const Value& result : model.call_all("aten.max.dim", {x, 1})) model.output(result);
  model.output(model.call("aten.full.default", {{rows, 2}, 0.5}));
  model.output(nullptr);
  model.output(7);
  model.output(0.25);
  model.output(true);
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw schemagen::IoError("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

using Make = void (*)(pt2::ProgramBuilder& model, const Weights& weights);

const std::vector<std::pair<const char*, Make>> kModels = {
    {"mlp", mlp}, {"conv_bn", conv_bn},       {"transformer", transformer}, {"cond", cond},
    {"map", map}, {"while_loop", while_loop}, {"outputs", outputs}};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) throw schemagen::UsageError("usage: built_programs FOLDER");
  const fs::path folder = argv[1];
  for (const auto& [name, make] : kModels) {
    const std::string bytes = bytes_of(folder / (std::string(name) + ".safetensors"));
    pt2::ProgramBuilder model;
    make(model, Weights(pt2::read_safetensors(bytes)));
    const pt2::BuiltProgram built = model.finish();
    for (const pt2::Finding& finding : pt2::verify(built.program)) {
      if (finding.severity == pt2::Severity::error) {
        throw schemagen::UsageError(std::string(name) + ": " + finding.path + ": " + finding.message);
      }
    }
    pt2::save_program(built.program, (folder / (std::string(name) + ".pt2")).string(),
                      pt2::SaveOptions::with_tensors(built.tensors));
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << "built_programs: " << error.what() << "\n";
  return 1;
}
