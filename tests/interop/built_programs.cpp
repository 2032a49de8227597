// Writes programs that were built here, as archives for torch: each is what a model of torch_builder_test.py
// computes, whose weights it reads from <model>.safetensors.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pt2/edit/builder.h"
#include "pt2/save_weights.h"
#include "pt2/tensors/safetensors.h"
#include "pt2/verify/verify.h"
#include "schemagen/value/error.h"

namespace {

namespace fs = std::filesystem;

using pt2::GraphBuilder;
using pt2::ScalarType;
using pt2::Size;
using pt2::Value;

constexpr ScalarType kFloat = ScalarType::FLOAT;

/// A model's weights by name.
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

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw schemagen::IoError("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

using Make = void (*)(pt2::ProgramBuilder& model, const Weights& weights);

const std::vector<std::pair<const char*, Make>> kModels = {{"mlp", mlp}};

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
      if (finding.level == pt2::Level::error) {
        throw schemagen::UsageError(std::string(name) + ": " + finding.path + ": " + finding.message);
      }
    }
    pt2::save_program(built.program, built.tensors, (folder / (std::string(name) + ".pt2")).string());
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << "built_programs: " << error.what() << "\n";
  return 1;
}
