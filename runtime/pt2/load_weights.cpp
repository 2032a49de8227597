#include "pt2/load_weights.h"

#include "schemagen/value/error.h"

namespace pt2 {

std::vector<Weight> load_weights(const ProgramFile& file, const std::optional<std::string>& model) {
  const Archive* const archive = file.archive();
  if (archive == nullptr) {
    throw schemagen::DataError("there are no weights: this is a program by itself, not an archive");
  }
  LoadOptions options;
  options.model = model;
  const LoadedProgram loaded = load_program(file, options);
  return weights_of(*archive, loaded.source.model, loaded.program.graph_module.signature, file.limits());
}

}  // namespace pt2
