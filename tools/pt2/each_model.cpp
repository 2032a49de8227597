#include "each_model.h"

#include "pt2/edit/file_operations.h"
#include "pt2/report/report_writer.h"
#include "pt2/text/literal.h"

namespace pt2::tool {

int print_each_model(const FileArguments& arguments,
                     const std::function<ModelReport(const ProgramFile&, const LoadOptions&)>& report,
                     Colours colours) {
  const ProgramFile file = open_input(arguments.in);
  LoadOptions loading = arguments.loading;
  const std::vector<std::optional<std::string>> models = models_of(file, loading.model);
  const bool has_several = models.size() > 1;
  ReportWriter documents;
  if (has_several) documents.begin('{');
  std::string texts;
  int exit_code = 0;
  for (const std::optional<std::string>& model : models) {
    loading.model = model;
    const ModelReport made = report(file, loading);
    exit_code = std::max(exit_code, made.exit_code);
    if (has_several && arguments.json) documents.key(*model);
    if (arguments.json) documents.raw(made.text);
    if (has_several) texts += (texts.empty() ? "model " : "\nmodel ") + string_literal(*model) + "\n";
    texts += made.text;
  }
  if (has_several) documents.end('}');
  arguments.json ? write_output(std::string(documents.view()) + "\n") : write_text(texts, colours);
  return exit_code;
}

}  // namespace pt2::tool
