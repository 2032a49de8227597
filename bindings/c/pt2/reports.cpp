#include "pt2/handles.h"

#include "pt2/report/page_data.h"
#include "pt2/report/reports.h"
#include "pt2/show/diagram.h"
#include "pt2/show/print.h"
#include "pt2/text/literal.h"

namespace pt2::c {
namespace {

StatsOptions stats_options_of(const char* by, const pt2_str* symbols, const std::int64_t* values,
                              std::size_t count) {
  StatsOptions options;
  const std::string_view word = by == nullptr ? "operator" : by;
  const std::optional<StatsKey> key = find_stats_key(word);
  if (!key) throw schemagen::UsageError(unknown_stats_key(word));
  options.by = *key;
  if (count != 0) require(values, "values");
  const std::vector<std::string> names = texts_of(symbols, count, "symbols");
  for (std::size_t i = 0; i < count; ++i) options.bindings[names[i]] = values[i];
  return options;
}

std::string operators_asked(const ExportedProgram& program, const char* asked) {
  AskedOperators held_against;
  if (asked != nullptr) {
    const bool is_core = std::string_view(asked) == "core-aten";
    held_against = is_core ? AskedOperators{"Core ATen", supported_by_core_aten(), true}
                           : AskedOperators{"torch " + std::string(asked), supported_by_torch(asked), false};
  }
  return operators_json(operator_report(program, held_against.support), held_against);
}

std::string page_of(const ExportedProgram& program, const std::string& title, const pt2_weights* weights) {
  PageProgram page{printable(title), &program, diagram_of(program), {}};
  for (std::size_t i = 0; weights != nullptr && i < weights->tensors.size(); ++i)
    page.weights.push_back(weights->tensors[i]->weight);
  return page_data(page, PageStatistics::none);
}

std::string info_of(const pt2_file* file, const pt2_program* program, const std::string& name) {
  const Archive* const archive = file == nullptr ? nullptr : file->opened->archive();
  if (program == nullptr) require(file, "file");
  if (program == nullptr && archive == nullptr)
    throw schemagen::UsageError("the file is not an archive; hint: load it as a program");
  return info_json(name, program == nullptr ? nullptr : &program->loaded, archive);
}

template <class Report>
pt2_error* reported(const pt2_program* program, pt2_bytes* out, const Report& report) noexcept {
  return given(out, [&] {
    require(program, "program");
    return report(program->loaded.program);
  });
}

template <class Report>
pt2_error* compared(const pt2_program* a, const pt2_program* b, pt2_bytes* out,
                    const Report& report) noexcept {
  return given(out, [&] {
    require(a, "a");
    require(b, "b");
    return report(diff_programs(normalize(a->loaded.program), normalize(b->loaded.program)));
  });
}

}  // namespace
}  // namespace pt2::c

using namespace pt2::c;

extern "C" {

pt2_error* pt2_program_hash(const pt2_program* program, pt2_bytes* out) {
  return reported(program, out, [](const pt2::ExportedProgram& whole) { return pt2::content_hash(whole); });
}

pt2_error* pt2_program_diff(const pt2_program* a, const pt2_program* b, pt2_bytes* out) {
  return compared(a, b, out, pt2::differences_json);
}

pt2_error* pt2_info(const pt2_file* file, const pt2_program* program, pt2_str name, pt2_bytes* out) {
  return given(out, [&] { return info_of(file, program, std::string(view_of(name, "name"))); });
}

pt2_error* pt2_program_stats(const pt2_program* program, const char* by, const pt2_str* symbols,
                             const int64_t* values, size_t count, pt2_bytes* out) {
  return reported(program, out, [&](const pt2::ExportedProgram& whole) {
    return pt2::stats_json(pt2::stats_of(whole, stats_options_of(by, symbols, values, count)));
  });
}

pt2_error* pt2_program_operators(const pt2_program* program, const char* asked, pt2_bytes* out) {
  return reported(program, out,
                  [&](const pt2::ExportedProgram& whole) { return operators_asked(whole, asked); });
}

pt2_error* pt2_program_signature(const pt2_program* program, pt2_bytes* out) {
  return reported(program, out, [](const pt2::ExportedProgram& whole) {
    return pt2::signature_json(whole.graph_module.signature);
  });
}

pt2_error* pt2_program_page(const pt2_program* program, pt2_str title, const pt2_weights* weights,
                            pt2_bytes* out) {
  return reported(program, out, [&](const pt2::ExportedProgram& whole) {
    return page_of(whole, std::string(view_of(title, "title")), weights);
  });
}

pt2_error* pt2_program_page_costs(const pt2_program* program, pt2_bytes* out) {
  return reported(program, out, pt2::page_costs);
}

pt2_error* pt2_program_page_differences(const pt2_program* a, const pt2_program* b, pt2_bytes* out) {
  return compared(a, b, out, pt2::page_differences);
}

pt2_error* pt2_program_text(const pt2_program* program, pt2_bytes* out) {
  return reported(program, out, [](const pt2::ExportedProgram& whole) { return pt2::program_text(whole); });
}

}  // extern "C"
