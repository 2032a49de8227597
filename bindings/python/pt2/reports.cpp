#include <nanobind/stl/map.h>

#include "program_value.h"
#include "pt2/archive/tensors/read_plan.h"
#include "pt2/edit/symbols.h"
#include "pt2/hash/weights_hash.h"
#include "pt2/json.h"
#include "pt2/nodes/arguments.h"
#include "pt2/page/dot.h"
#include "pt2/page/view_page.h"
#include "pt2/report/node_details.h"
#include "pt2/report/reports.h"
#include "pt2/report/weights_diff.h"
#include "pt2/scan/check_file.h"
#include "pt2/scan/file_findings.h"
#include "pt2/scan/harden.h"
#include "pt2/scan/scan.h"
#include "pt2/scan/validated_file.h"
#include "pt2/show/print.h"
#include "pt2/stats/stats.h"
#include "pt2/weights.h"

namespace pt2::python {
namespace {

/// `work` must not use Python.
template <class Work>
auto with_progress(nb::handle path, nb::handle callable, const Work& work) {
  const Progress progress(callable);
  const ProgramFile file = open_file(path, progress);
  auto result = without_gil([&] { return work(file, progress); });
  progress.finish();
  return result;
}

// The package makes objects from these tuples.
nb::list finding_parts(const std::vector<Finding>& findings) {
  return listed(findings, [](const Finding& found) {
    return nb::make_tuple(rule_of(found.rule).id, severity_text(found.severity), found.path,
                          shown(found.message), shown(found.record), shown(found.what), found.place.offset);
  });
}

nb::list verify_program_or_file(nb::handle program_or_path, bool checksums) {
  if (View::of(program_or_path) != nullptr) {
    const Borrowed<ExportedProgram> given(program_or_path);
    return finding_parts(without_gil([&] { return pt2::verify(*given, declared_operators()); }));
  }
  const std::string name = path_of(program_or_path);
  std::vector<Finding> findings = without_gil([&] {
    ValidatedFile file = validate_file(read_file(name), declared_operators(), schemagen::UnknownFields::skip,
                                       checksums ? RecordChecksums::compare : RecordChecksums::skip);
    if (!file.compiled.empty()) throw schemagen::DataError(file.compiled + " has no exported program");
    if (!file.unreadable.empty()) {
      const Finding& first = file.unreadable.front().finding;
      throw schemagen::DataError(first.message, first.path, first.place);
    }
    std::vector<Finding> all;
    for (GoodProgram& program : file.programs) {
      for (Finding& found : program.findings) all.push_back(std::move(found));
    }
    return all;
  });
  return finding_parts(findings);
}

std::string signature(nb::handle program) {
  const Borrowed<ExportedProgram> given(program);
  return signature_json(given->graph_module.signature);
}

nb::dict arguments_by_name(nb::handle node) {
  const Borrowed<Node> given(node);
  nb::dict all;
  const NodeArguments arguments = arguments_of(*given, declared_operators());
  for (const NodeArgument& argument : arguments.all()) {
    all[nb::str(argument.name.data(), argument.name.size())] = to_python(Argument(argument.value()));
  }
  return all;
}

std::string hash_of(nb::handle program) {
  return with_program(program, [](const ExportedProgram& given) { return content_hash(given); });
}

std::string hash_with_weights(nb::handle path, nb::handle callable) {
  return with_progress(path, callable, [](const ProgramFile& file, const Progress&) {
    return hash_with_weights(load_program(file).program, file, std::nullopt);
  });
}

nb::list diff(nb::handle a, nb::handle b, bool weights) {
  const auto normal = [](const ExportedProgram& program) { return normalize(program); };
  const NormalProgram first = with_program(a, normal);
  const NormalProgram second = with_program(b, normal);
  std::vector<Difference> differences = without_gil([&] { return diff_programs(first, second); });
  if (weights) {
    const ProgramFile left = open_file(a);
    const ProgramFile right = open_file(b);
    for (Difference& each : without_gil(
             [&] { return diff_weights(with_parts(load_weights(left)), with_parts(load_weights(right))); })) {
      differences.push_back(std::move(each));
    }
  }
  return listed(differences, [](const Difference& each) {
    return nb::make_tuple(kind_name(each.kind), each.part, each.where, each.before, each.after, each.details,
                          each.at_before, each.at_after, each.largest_absolute, each.largest_relative);
  });
}

std::string stats(nb::handle program, const std::map<std::string, std::int64_t>& bind,
                  const std::string& by) {
  StatsOptions options;
  options.operators = declared_operators();
  for (const auto& [symbol, value] : bind) options.bindings[symbol] = value;
  options.by = find_stats_key(by).value();
  const auto count = [&](const ExportedProgram& given) {
    require_symbols(given, options.bindings);
    return stats_json(stats_of(given, options));
  };
  if (View::of(program) != nullptr) return with_program(program, count);
  const ProgramFile file = open_file(program);
  return without_gil([&] {
    options.tied = tied_weights_of(file);
    return count(load_program(file).program);
  });
}

std::vector<std::pair<std::string, std::size_t>> operators(nb::handle program) {
  return with_program(program, [](const ExportedProgram& given) { return summarize(given).operators; });
}

nb::list messages_of_names(const std::string& names) {
  return listed(unknown_names(names, "names"), [](const auto& each) { return each.second; });
}

nb::list report(nb::handle program, const std::optional<std::string>& torch,
                const std::optional<std::string>& names) {
  OperatorSupport support;
  if (torch) support = supported_by_torch(*torch);
  if (names) support = *names == "core-aten" ? supported_by_core_aten() : supported_by_list(*names, "names");
  const std::vector<OperatorUse> uses =
      with_program(program, [&](const ExportedProgram& given) { return operator_report(given, support); });
  return listed(uses, [](const OperatorUse& use) {
    const std::optional<std::string> missing =
        use.missing.empty() ? std::nullopt : std::optional(use.missing);
    return nb::make_tuple(use.target, use.nodes, missing, use.missing_nodes, use.decomposes_to);
  });
}

nb::list scan(nb::handle path) {
  const std::string name = path_of(path);
  return finding_parts(without_gil([&] { return scan_file(read_file(name).view()); }));
}

nb::list check(nb::handle path, const std::string& policy, bool checksums) {
  const std::string name = path_of(path);
  const CheckOptions options{policy_named(policy), declared_operators(),
                             checksums ? RecordChecksums::compare : RecordChecksums::skip};
  return finding_parts(without_gil([&] { return check_file([&] { return read_file(name); }, options); }));
}

std::string name_in(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string info_of(nb::handle path, std::optional<std::string> model) {
  LoadOptions options;
  options.model = std::move(model);
  const std::string name = path_of(path);
  const ProgramFile file = open_file(path);
  Notices notices(name);
  std::string text = without_gil([&] {
    const std::optional<LoadedProgram> loaded = load_only_model(file, options, notices.notify());
    return info_json(schemagen::printable(name), loaded ? &*loaded : nullptr, file.archive());
  });
  notices.warn();
  return text;
}

std::string info_of_program(nb::handle program) {
  const Borrowed<ExportedProgram> given(program);
  return without_gil([&] {
    const LoadedProgram loaded = load_program(ProgramFile(FileBytes(schemagen::to_json(*given))));
    return info_json("", &loaded, nullptr);
  });
}

nb::list all_rules() {
  return listed(rules(), [](const Rule& rule) {
    return nb::make_tuple(rule.id, severity_text(rule.severity), rule.summary, rule.explanation);
  });
}

std::string dot(nb::handle program_or_path, std::optional<std::string> model) {
  const bool is_program = View::of(program_or_path) != nullptr;
  const std::string title = is_program ? "program" : name_in(path_of(program_or_path));
  return with_program(
      program_or_path, [&](const ExportedProgram& given) { return dot_text(diagram_of(given), title); },
      std::move(model));
}

nb::list pairs_of(const std::vector<ByteRange>& ranges) {
  return listed(ranges, [](const ByteRange& range) { return nb::make_tuple(range.begin, range.end); });
}

/// nanobind would otherwise copy them.
struct OwnParts : FileParts {
  using FileParts::FileParts;
  OwnParts(const OwnParts&) = delete;
  OwnParts& operator=(const OwnParts&) = delete;
};

void bind_parts(nb::module_& module) {
  nb::class_<OwnParts>(module, "FileParts")
      .def(nb::init<std::uint64_t, std::uint64_t>())
      .def("add",
           [](OwnParts& parts, std::uint64_t offset, const nb::bytes& bytes) {
             std::memcpy(parts.add(offset, bytes.size()), bytes.data(), bytes.size());
           })
      .def("to_open", [](const OwnParts& parts) { return pairs_of(ranges_to_open(parts)); })
      .def("to_scan", [](const OwnParts& parts) { return pairs_of(ranges_to_scan(parts)); })
      .def("to_read", [](const OwnParts& parts, const std::string& record) {
        return pairs_of(ranges_to_read(parts, record, RecordPart::all));
      });
}

nb::list harden(nb::handle path, nb::handle out, bool drop_native, bool keep_extra, nb::handle callable) {
  const std::string to = path_of(out);
  HardenOptions options;
  options.drop_native = drop_native;
  options.keep_extra = keep_extra;
  const auto left_out = with_progress(path, callable, [&](const ProgramFile& source, const Progress&) {
    std::vector<LeftOut> result;
    write_file_atomically(
        to, [&](const ByteSink& sink) { result = harden_archive(source, sink, options); },
        [&](std::string_view archive) { require_harmless(archive, source.limits()); });
    return result;
  });
  return listed(left_out, [](const LeftOut& each) { return nb::make_tuple(shown(each.record), each.why); });
}

std::string show(nb::handle program, const std::optional<std::string>& node,
                 std::optional<std::string> module, std::optional<std::size_t> depth, bool fold) {
  PrintOptions options;
  options.module = std::move(module);
  options.depth = depth;
  options.fold = fold;
  return with_program(program, [&](const ExportedProgram& given) {
    return node ? node_details(diagram_of(given, declared_operators()), *node) : program_text(given, options);
  });
}

std::string page_of(const std::string& title, const ExportedProgram& program, std::vector<Weight> weights,
                    std::optional<std::vector<Finding>> findings) {
  require_pages();
  return view_page({title, &program, diagram_of(program), std::move(weights)}, std::nullopt, findings);
}

std::string view_program_or_file(nb::handle program_or_path, nb::handle callable) {
  if (View::of(program_or_path) != nullptr) {
    const Borrowed<ExportedProgram> given(program_or_path);
    return without_gil([&] { return page_of("program", *given, {}, std::nullopt); });
  }
  const std::string name = path_of(program_or_path);
  return with_progress(program_or_path, callable, [&](const ProgramFile& file, const Progress& progress) {
    progress.expect(file.bytes().view().size());  // statistics read tensors twice
    const LoadedProgram loaded = load_program(file);
    std::vector<Weight> weights;
    try {
      if (file.archive() != nullptr) weights = load_weights(file);
    } catch (const schemagen::DataError&) {  // the graph is useful without them
    }
    return page_of(name_in(name), loaded.program, std::move(weights), findings_of(file, loaded));
  });
}

std::string view_difference(nb::handle a, nb::handle b) {
  const std::string names[] = {name_in(path_of(a)), name_in(path_of(b))};
  const ProgramFile files[] = {open_file(a), open_file(b)};
  return without_gil([&] {
    require_pages();
    const ExportedProgram before = load_program(files[0]).program;
    const ExportedProgram after = load_program(files[1]).program;
    return diff_page({names[0], &before, diagram_of(before), {}}, {names[1], &after, diagram_of(after), {}},
                     diff_programs(normalize(before), normalize(after)));
  });
}

}  // namespace

void bind_reports(nb::module_& module) {
  def(module, "verify", verify_program_or_file);
  def(module, "signature_json", signature);
  def(module, "arguments", arguments_by_name);
  def(module, "content_hash", hash_of);
  def(module, "hash_with_weights", hash_with_weights);
  def(module, "diff", diff);
  def(module, "stats_json", stats);
  def(module, "operators", operators);
  def(module, "unknown_names", messages_of_names);
  def(module, "operator_report", report);
  bind_parts(module);
  def(module, "scan", scan);
  def(module, "check", check);
  def(module, "info", info_of);
  def(module, "info_of_program", info_of_program);
  def(module, "rules", all_rules);
  def(
      module, "explain", +[](const std::string& id) { return explanation_of(id); });
  def(module, "dot", dot);
  def(module, "harden", harden);
  def(module, "show", show);
  def(module, "view", view_program_or_file);
  def(module, "view_difference", view_difference);
}

}  // namespace pt2::python
