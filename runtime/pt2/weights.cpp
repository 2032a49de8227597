#include "pt2/weights.h"

#include "pt2/archive/contents.h"
#include "pt2/archive/several_models.h"
#include "pt2/visit.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/visit.h"

namespace pt2 {
namespace {

std::string compiled_model(const Archive& archive, const std::optional<std::string>& model) {
  const std::vector<std::string> names = contents_of(archive).aotinductor;
  if (!model && names.size() == 1) return names.front();
  if (names.empty()) find_model(archive);  // throws
  if (model && std::find(names.begin(), names.end(), *model) != names.end()) return *model;
  if (!model) throw SeveralModels(names);
  throw schemagen::UsageError("unknown compiled model " + schemagen::quoted(*model) + ": the archive has " +
                              schemagen::quoted_list({names.begin(), names.end()}));
}

}  // namespace

std::vector<Weight> load_weights(const ProgramFile& file, const std::optional<std::string>& model,
                                 LoadedProgram* read) {
  const Archive* const archive = file.archive();
  if (archive == nullptr) {
    throw schemagen::DataError("expected an archive with weights, got a bare program");
  }
  if (archive->models.empty())
    return compiled_weights_of(*archive, compiled_model(*archive, model), file.limits());
  LoadOptions options;
  options.model = model;
  options.newer_fields = schemagen::UnknownFields::skip;
  // Only the signature is needed.
  options.leave_out = {schemagen::field_name<&Graph::nodes>, schemagen::field_name<&Graph::tensor_values>};
  LoadedProgram loaded = load_program(file, options);
  std::vector<Weight> weights =
      weights_of(*archive, loaded.source.model, loaded.program.graph_module.signature, file.limits());
  append_constants(
      weights, loaded.constants,
      std::string(record_name(*archive, *archive->zip.find(find_model(*archive, model).member))));
  if (read != nullptr) *read = std::move(loaded);
  return weights;
}

std::vector<std::string> tied_weights_of(const ProgramFile& file, const std::optional<std::string>& model) {
  if (file.archive() == nullptr) return {};
  try {
    return tied_weights(load_weights(file, model));
  } catch (const schemagen::DataError&) {
    return {};
  }
}

std::vector<NamedTensor> constants_in_program(const ProgramFile& file,
                                              const std::optional<std::string>& model) {
  const Archive* const archive = file.archive();
  if (archive == nullptr || archive->container != Container::old_zip || archive->version != "1") return {};
  LoadOptions options;
  options.model = model;
  return load_program(file, options).constants;
}

}  // namespace pt2
