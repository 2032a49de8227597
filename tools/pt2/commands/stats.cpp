#include "each_model.h"
#include "pt2/edit/symbols.h"
#include "pt2/report/reports.h"
#include "pt2/text/literal.h"
#include "pt2/text/numbers.h"
#include "pt2/weights.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

struct StatsArguments : FileArguments {
  StatsOptions stats;
  std::vector<std::string> bindings;
};

std::string stats_text(const ProgramStats& stats, const char* by) {
  std::string text = table(stats_rows(stats)) + "\n";
  std::vector<Row> rows = {{by, "nodes", "parameters", "multiply-adds", "bytes"}};
  for (const StatsRow& row : stats.by) {
    rows.push_back({row.key.empty() ? "(root)" : printable(row.key), std::to_string(row.nodes),
                    shown(row.parameters), shown(row.multiply_adds), shown(row.bytes)});
  }
  return text + table(rows);
}

bool bind(Bindings& bindings, const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == 0 || at == text.npos) return false;
  const std::optional<std::int64_t> value = integer_of_text(text.substr(at + 1));
  if (value) bindings[text.substr(0, at)] = *value;
  return value.has_value();
}

ProgramStats count(const LoadedProgram& loaded, const StatsOptions& options) {
  try {
    return stats_of(loaded.program, options);
  } catch (const schemagen::DataError&) {
    require_whole_unions(loaded, "measured");
    throw;
  }
}

int run(const StatsArguments& arguments) {
  StatsOptions options = arguments.stats;
  options.operators = operators_of(arguments.operators);
  for (const std::string& binding : arguments.bindings) bind(options.bindings, binding);
  const auto report = [&](const ProgramFile& file, const LoadOptions& loading) -> ModelReport {
    const LoadedProgram loaded = load_to_read(arguments.in, file, loading);
    options.tied = tied_weights_of(file, loading.model);
    require_symbols(loaded.program, options.bindings);
    const ProgramStats stats = count(loaded, options);
    if (arguments.json) return {stats_json(stats)};
    return {stats_text(stats, kStatsKeys[static_cast<std::size_t>(options.by)])};
  };
  return print_each_model(arguments, report);
}

std::string check_key(const std::string& name) {
  return find_stats_key(name) ? std::string() : unknown_stats_key(name);
}

std::string check_binding(const std::string& text) {
  Bindings bindings;
  if (bind(bindings, text)) return {};
  return "expected SYMBOL=INTEGER, such as s0=8, got " + schemagen::quoted(text);
}

}  // namespace

void add_stats_command(Command command) {
  auto& arguments = add_file_arguments<StatsArguments>(command, "FILE");
  command
      .add_option(
          "--by KEY", [&arguments](const std::string& key) { arguments.stats.by = *find_stats_key(key); },
          "Group by operator, module or node (default: operator)")
      .check(check_key);
  command
      .add_option("--bind SYMBOL=VALUE,...", arguments.bindings,
                  "Value of a symbol, such as s0=8; separate several with commas")
      .check(check_binding);
  command.add_flag("--json", arguments.json, "Print a JSON object");
  add_operators_option(command, arguments.operators);
  add_model_option(command, arguments.loading.model);
  command.footer(
      "Counts the multiply-adds of matrix products, convolutions and attention, which is half of what\n"
      "torch.utils.flop_counter counts. Operators without a formula are listed as not counted. Sizes with\n"
      "symbols are expressions unless --bind gives values. Results that may be views count as 0 bytes.\n"
      "The cost of a module includes its inner modules. For a cond, the larger branch counts; loop bodies\n"
      "count once.\n\n"
      "Examples:\n"
      "  pt2 stats model.pt2\n"
      "  pt2 stats model.pt2 --bind s0=8 --by module\n"
      "  pt2 stats model.pt2 --json | jq .multiply_adds");
}

}  // namespace pt2::tool
