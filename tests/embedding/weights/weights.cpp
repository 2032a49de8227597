// Lists a file's tensors, and writes a copy in which one parameter is zero.
#include <pt2/program.h>
#include <pt2/text/type_names.h>
#include <pt2/weights.h>

#include <algorithm>
#include <iostream>

namespace {

void print(const pt2::Weight& weight) {
  std::cout << weight.name << ": " << name_of(weight.kind);
  if (weight.tensor) {  // objects have no tensor
    const pt2::TensorLayout& layout = weight.tensor->layout;
    std::cout << ", " << pt2::torch_name(layout.dtype) << " [";
    for (std::size_t i = 0; i < layout.shape.size(); ++i)
      std::cout << (i == 0 ? "" : ", ") << layout.shape[i];
    const std::string elements = contiguous_bytes(*weight.tensor);  // row-major, little-endian
    std::cout << "], " << elements.size() << " bytes";
    if (std::all_of(elements.begin(), elements.end(), [](char byte) { return byte == 0; }))
      std::cout << ", all zero";
  }
  std::cout << "\n";
}

/// The others are still views of the file.
std::vector<pt2::NamedTensor> with_zeros(const std::vector<pt2::Weight>& weights, const std::string& name) {
  std::vector<pt2::NamedTensor> tensors;
  for (const pt2::Weight& weight : weights) {
    if (!weight.tensor) continue;
    pt2::Tensor tensor = *weight.tensor;
    if (weight.name == name) {
      const std::string zeros(static_cast<std::size_t>(extent_of(tensor.layout).bytes), '\0');
      tensor = pt2::make_tensor(tensor.layout.dtype, tensor.layout.shape, zeros);
    }
    tensors.push_back({weight.name, tensor});
  }
  return tensors;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: weights IN.pt2 NAME OUT.pt2\n";
    return 2;
  }
  try {
    const pt2::ProgramFile file = pt2::open_program_file(argv[1]);
    const pt2::ExportedProgram program = pt2::load_program(file).program;
    const std::vector<pt2::Weight> weights = pt2::load_weights(file);
    find_weight(weights, argv[2]);
    save_program(program, argv[3], pt2::SaveOptions::with_tensors(with_zeros(weights, argv[2])));
    const pt2::ProgramFile written = pt2::open_program_file(argv[3]);
    for (const pt2::Weight& weight : pt2::load_weights(written)) print(weight);
  } catch (const schemagen::Error& error) {
    std::cerr << argv[1] << ": " << error.what() << "\n";
    return 1;
  }
}
