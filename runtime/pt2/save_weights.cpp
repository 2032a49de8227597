#include "pt2/weights.h"

#include <algorithm>

#include "pt2/archive/archive.h"
#include "pt2/archive/file.h"
#include "pt2/archive/tensors/model_writer.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/graph/signature.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

void require_archive_name(const std::string& path) {
  if (format_of_name(path) == FileFormat::archive) return;
  throw schemagen::UsageError("cannot write " + schemagen::quoted(path) +
                              ": a program with its tensors is an archive: .pt2");
}

}  // namespace

void save_program(const ExportedProgram& program, const std::vector<NamedTensor>& tensors,
                  const std::string& path) {
  require_archive_name(path);
  const std::vector<Weight> weights = weights_for(program, tensors);
  write_file_atomically(path, [&](const ByteSink& sink) {
    ArchiveWriter writer(sink);
    write_model(writer, "model", program, weights);
    writer.finish();
  });
}

void save_part(const ExportedProgram& part, const std::string& path, const ProgramFile& source,
               const std::optional<std::string>& model) {
  require_archive_name(path);
  std::vector<Weight> weights = load_weights(source, model);
  const ExportGraphSignature signature(part.graph_module.signature);
  const auto is_unread = [&](const Weight& weight) {
    return signature.input_of_target(weight.name) == nullptr;
  };
  weights.erase(std::remove_if(weights.begin(), weights.end(), is_unread), weights.end());
  for (const Weight& weight : weights) {
    if (weight.class_name.empty()) continue;
    throw schemagen::UsageError("the part needs " + schemagen::quoted(weight.name) + ", a " +
                                weight.class_name +
                                ", which only a pickle can hold: write the part alone, as .json or .pt2b");
  }
  save_program(part, tensors_of(weights), path);
}

void save_raw(const ExportedProgram& program, const std::string& path, const ProgramFile& source,
              const std::optional<std::string>& model, const std::vector<NamedTensor>& constants) {
  require_archive_name(path);
  if (source.archive() == nullptr)
    throw schemagen::UsageError("the source is not an archive, which has weights");
  const Archive& archive = *source.archive();
  const std::string name = find_model(archive, model).name;
  const std::vector<NamedTensor> kept = constants.empty() ? constants_in_program(source, name) : constants;
  write_file_atomically(path, [&](const ByteSink& sink) {
    write_raw_archive(archive, name, program, kept, sink, source.limits());
  });
}

}  // namespace pt2
