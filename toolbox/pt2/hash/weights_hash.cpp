#include "pt2/hash/weights_hash.h"

#include "pt2/canonical/canonical.h"
#include "pt2/report/report_writer.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/sha256.h"

namespace pt2 {
namespace {

void write_hashed_weight(const Weight& weight, const Archive& archive, ElementBudget& budget,
                         const ByteSink& sink) {
  ReportWriter line;
  line.begin('[').string(weight.name).string(name_of(weight.kind)).boolean(weight.persistent);
  if (weight.tensor) {
    line.string(torch_name(weight.tensor->layout.dtype)).begin('[');
    for (const std::int64_t size : weight.tensor->layout.shape) line.integer(size);
    line.end(']');
    if (weight.tensor->is_on_meta()) line.string("meta");
  }
  line.end(']');
  sink(line.view());
  sink("\n");
  if (weight.tensor && weight.tensor->is_on_meta()) return;
  try {
    if (weight.tensor) budget.take(*weight.tensor);
    weight.tensor ? write_row_major(*weight.tensor, sink)
                  : archive.zip.copy(*find_record(archive, weight.record), sink);
  } catch (const schemagen::DataError& error) {
    throw schemagen::DataError("tensor " + schemagen::quoted(weight.name) + ": " + error.what());
  }
}

}  // namespace

std::string hash_with_weights(ExportedProgram program, const ProgramFile& file,
                              const std::optional<std::string>& model) {
  schemagen::Sha256 hash;
  hash.update(content_text(std::move(program)));
  std::vector<Weight> weights = load_weights(file, model);
  std::stable_sort(weights.begin(), weights.end(),
                   [](const Weight& a, const Weight& b) { return a.name < b.name; });
  const ByteSink sink = [&](std::string_view part) { hash.update(part); };
  ElementBudget budget;
  for (const Weight& weight : weights) write_hashed_weight(weight, *file.archive(), budget, sink);
  return "sha256:" + hash.hex();
}

}  // namespace pt2
