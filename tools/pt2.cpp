// The `pt2` command: arguments, and how errors are reported.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <new>

#include "commands.h"
#include "console.h"
#include "near_name.h"
#include "pt2/schema_info.h"
#include "pt2/text/literal.h"
#include "schemagen/value/error.h"
#include "signals.h"
#include "value_types.h"

namespace {

using namespace pt2::tool;

constexpr const char* kExitCodes =
    "Exit codes: 0 done; 1 the answer is no; 2 usage; 3 the input is malformed or of a version that\n"
    "cannot be read; 4 a file cannot be read or written.";

constexpr const char* kFiles =
    "A FILE is a program's JSON, a PT2 archive (torch 2.8 and later), a zip of torch.export (torch up to "
    "2.7),\n"
    "or a program in binary (.pt2b); - is standard input. Its content tells which; its name does not matter.";

/// A command: what to run, and the file that its errors are about.
struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;
  const std::string* file = nullptr;
};

void add_model_option(CLI::App& app, std::optional<std::string>& model) {
  app.add_option("--model", model, "Which model, where an archive holds several")->type_name("NAME");
}

Command add_info(CLI::App& app, InfoArguments& arguments) {
  CLI::App* const command =
      app.add_subcommand("info", "What a program is: versions, inputs, outputs, weights, operators");
  command->add_option("FILE", arguments.file, "The program, - for standard input")->required()->type_name("");
  command->add_flag("--json", arguments.json, "Print one JSON object instead");
  add_model_option(*command, arguments.model);
  command->footer(
      "Examples:\n"
      "  pt2 info model.pt2\n"
      "  pt2 info model.pt2 --json | jq .operators");
  return {command, [&] { return run_info(arguments); }, &arguments.file};
}

Command add_show(CLI::App& app, ShowArguments& arguments) {
  CLI::App* const command = app.add_subcommand("show", "The graph as readable text");
  command->add_option("FILE", arguments.file, "The program, - for standard input")->required()->type_name("");
  command->add_flag("--signature", arguments.signature, "Print ep.graph_signature instead, as torch does");
  add_model_option(*command, arguments.model);
  command->footer(
      "One line is one node, with the types of its results:\n"
      "  add: f32[s0, 4] = aten.add.Tensor(x, 1)\n"
      "Subgraphs are indented below their node. Types are dim on a terminal; NO_COLOR=1 turns that off.\n\n"
      "Examples:\n"
      "  pt2 show model.pt2 | less\n"
      "  unzip -p model.pt2 '*/models/model.json' | pt2 show -");
  return {command, [&] { return run_show(arguments); }, &arguments.file};
}

Command add_validate(CLI::App& app, ValidateArguments& arguments) {
  CLI::App* const command =
      app.add_subcommand("validate", "Whether files hold sound programs: by the schema, and by rules");
  command->add_option("FILE", arguments.files, "The programs; of archives, all models")
      ->required()
      ->type_name("");
  command->add_flag("--json", arguments.json, "Print a JSON array instead, with an object for each file");
  command->final_callback([&] {
    if (std::count(arguments.files.begin(), arguments.files.end(), "-") > 1) {
      throw CLI::ValidationError("standard input (-) can be read only once");
    }
  });
  command->footer(
      "All files are looked at; the exit code is the worst: 4 if one cannot be read, else 3 if one breaks\n"
      "the schema, else 1 if a rule finds an error. `pt2 rules` lists the rules, `pt2 explain` tells about "
      "one.\n"
      "Notes are in the JSON only.\n\n"
      "Examples:\n"
      "  pt2 validate *.pt2\n"
      "  pt2 validate model.json --json");
  return {command, [&] { return run_validate(arguments); }, nullptr};
}

Command add_rules(CLI::App& app, RulesArguments& arguments) {
  CLI::App* const command = app.add_subcommand("rules", "The rules of validate");
  command->add_flag("--json", arguments.json, "Print a JSON array instead, with the explanations");
  command->footer("Examples:\n  pt2 rules\n  pt2 rules --json | jq '.[].rule'");
  return {command, [&] { return run_rules(arguments); }, nullptr};
}

Command add_explain(CLI::App& app, ExplainArguments& arguments) {
  CLI::App* const command = app.add_subcommand("explain", "What a rule of validate means");
  command->add_option("RULE", arguments.rule, "E.g. NAME_UNDEFINED")->required()->type_name("");
  command->final_callback([&] {
    const std::string wrong = check_explain(arguments);
    if (!wrong.empty()) throw CLI::ValidationError(wrong);
  });
  command->footer("Examples:\n  pt2 explain NAME_UNDEFINED");
  return {command, [&] { return run_explain(arguments); }, nullptr};
}

Command add_convert(CLI::App& app, ConvertArguments& arguments) {
  CLI::App* const command = app.add_subcommand("convert", "Write a program in another format");
  command->add_option("IN", arguments.in, "The program, - for standard input")->required()->type_name("");
  command
      ->add_option(
          "OUT", arguments.out,
          "What to write: FILE.json, FILE.pt2b, FILE.pt2 where IN is an archive, or - for\nstandard output")
      ->required()
      ->type_name("");
  add_model_option(*command, arguments.model);
  const auto is_type = [](const std::string& name) {
    if (find_value_type(name) != nullptr) return std::string();
    return "there is no struct or union '" + name + "' in the schema" +
           did_you_mean(name, value_type_names());
  };
  command
      ->add_option("--root", arguments.root,
                   "IN, JSON or .pt2b, is a value of this type of the schema, not a program")
      ->type_name("TYPE")
      ->check(CLI::Validator(is_type, ""));
  command->add_option("--to", arguments.to, "What to write where the name of OUT does not tell: json or pt2b")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"json", "pt2b"}));
  command->add_flag("--no-compress", arguments.no_compress, ".pt2b without zstd: larger, quicker to read");
  command->add_flag("--canonical", arguments.canonical,
                    ".pt2b whose bytes are the same for equal values: map keys sorted, not compressed");
  command->final_callback([&] {
    const std::string complaint = check_convert(arguments);
    if (!complaint.empty()) throw CLI::ValidationError(complaint);
  });
  command->footer(
      "JSON is written as torch 2.13 writes it, to the byte. A .pt2b file holds the same in Thrift's "
      "compact\n"
      "protocol, which is far smaller and faster to read. FILE.pt2 is a copy of the archive IN with its "
      "program\n"
      "written anew. On standard output JSON is written unless --to says otherwise. A file appears whole or "
      "not\nat all.\n\n"
      "Examples:\n"
      "  pt2 convert model.pt2 model.json\n"
      "  pt2 convert model.json model.pt2b\n"
      "  pt2 convert model.pt2b - | jq .torch_version\n"
      "  pt2 convert model.pt2 - | jq .graph_module.signature\n"
      "  pt2 convert --root PayloadConfig model_weights_config.json -");
  return {command, [&] { return run_convert(arguments); }, &arguments.in};
}

Command add_upgrade(CLI::App& app, UpgradeArguments& arguments) {
  CLI::App* const command =
      app.add_subcommand("upgrade", "Bring a program of an older torch to the newest schema");
  command->add_option("IN", arguments.in, "The program, - for standard input")->required()->type_name("");
  command
      ->add_option("-o", arguments.out,
                   "What to write: an archive where IN is one, else JSON; - is standard output")
      ->type_name("OUT");
  command->add_flag("--dry-run", arguments.dry_run, "Write nothing; print each change with its path");
  add_model_option(*command, arguments.model);
  command->callback([&arguments] {
    if (arguments.out.empty() && !arguments.dry_run) throw CLI::RequiredError("-o OUT, or --dry-run,");
  });
  command->footer(
      "Programs of torch 2.1 to 2.5 (schemas 1, 2, 5.x, 7.x) and older minors of schema 8 become programs "
      "of\n"
      "schema " +
      std::to_string(pt2::kSchemaMajor) + "." + std::to_string(pt2::kSchemaMinor) +
      ". In an archive, all members but the programs are copied byte for byte, members that\n"
      "today's torch asks for are added; of an archive, OUT.json is the program alone. What an operator "
      "means is\n"
      "not changed: the few that torch itself has changed since may not run.\n\n"
      "Examples:\n"
      "  pt2 upgrade old.pt2 -o new.pt2\n"
      "  pt2 upgrade old.json --dry-run");
  return {command, [&] { return run_upgrade(arguments); }, &arguments.in};
}

const std::map<std::string, pt2::CanonicalForm> kForms = {{"torch", pt2::CanonicalForm::torch},
                                                          {"names", pt2::CanonicalForm::names},
                                                          {"normal", pt2::CanonicalForm::normal}};

/// Why `name` is no form; empty if it is one.
std::string check_form(const std::string& name) {
  if (kForms.count(name) != 0) return {};
  std::vector<std::string> names;
  for (const auto& [form, value] : kForms) names.push_back(form);
  return "there is no form '" + name + "'" + did_you_mean(name, names);
}

Command add_canonicalize(CLI::App& app, CanonicalizeArguments& arguments) {
  CLI::App* const command =
      app.add_subcommand("canonicalize", "Write a program in a canonical form, to compare or to hash");
  command->add_option("IN", arguments.in, "The program, - for standard input")->required()->type_name("");
  command
      ->add_option("-o", arguments.out,
                   "What to write: FILE.json, FILE.pt2, or - for JSON on standard output")
      ->required()
      ->type_name("OUT")
      ->check(CLI::Validator(check_canonical_output, ""));
  command
      ->add_option_function<std::string>(
          "--form", [&](const std::string& name) { arguments.form = kForms.at(name); },
          "torch, names or normal (default: normal)")
      ->type_name("FORM")
      ->check(CLI::Validator(check_form, ""));
  command->add_flag("--keep-provenance", arguments.keep_provenance,
                    "Keep stack traces and what else tells where nodes came from, and torch_version");
  add_model_option(*command, arguments.model);
  command->footer(
      "Forms:\n"
      "  names   values, symbols, nodes and subgraphs are named by their place (_0, s0, ...); what has no\n"
      "          order is sorted; nodes stay in order\n"
      "  normal  the same, and nodes in an order that only their structure decides: programs that differ in\n"
      "          names and in the order of independent nodes give the same text\n"
      "  torch   what torch 2.13's canonicalize gives, to the byte, with its faults\n\n"
      "FILE.pt2 is a copy of the archive IN with the program in that form.\n\n"
      "Examples:\n"
      "  pt2 canonicalize model.pt2 -o model.normal.json\n"
      "  pt2 canonicalize model.pt2 --form torch -o - | sha256sum");
  return {command, [&] { return run_canonicalize(arguments); }, &arguments.in};
}

Command add_hash(CLI::App& app, HashArguments& arguments) {
  CLI::App* const command =
      app.add_subcommand("hash", "What a program hashes to, whatever its names and the order of its nodes");
  command->add_option("FILE", arguments.file, "The program, - for standard input")->required()->type_name("");
  add_model_option(*command, arguments.model);
  command->footer(
      "The SHA-256 of the program's form normal (see pt2 canonicalize --help), without its weights.\n\n"
      "Examples:\n"
      "  pt2 hash model.pt2\n"
      "  test \"$(pt2 hash a.pt2)\" = \"$(pt2 hash b.pt2)\" && echo same program");
  return {command, [&] { return run_hash(arguments); }, &arguments.file};
}

Command add_diff(CLI::App& app, DiffArguments& arguments) {
  CLI::App* const command =
      app.add_subcommand("diff", "What differs between two programs, but for names and node order");
  command->add_option("A", arguments.a, "A program, - for standard input")->required()->type_name("");
  command->add_option("B", arguments.b, "The other one")->required()->type_name("");
  command->add_flag("--json", arguments.json, "Print one JSON object instead");
  add_model_option(*command, arguments.model);
  command->final_callback([&] {
    if (arguments.a == "-" && arguments.b == "-") {
      throw CLI::ValidationError("A and B cannot both be standard input");
    }
  });
  command->footer(
      "Both are brought to the form normal first (see pt2 canonicalize --help); weights are not compared.\n"
      "Lines of A begin with -, lines of B with +, as pt2 show has them; values are called as in their "
      "files,\n"
      "symbols by their place (s0, u0):\n"
      "  nodes\n"
      "  - add: f32[3] = aten.add.Tensor(x, 1)\n"
      "  + add_7: f32[3] = aten.add.Tensor(x, 2)\n"
      "      (argument \"other\")\n"
      "The exit code is 1 if they differ.\n\n"
      "Examples:\n"
      "  pt2 diff old.pt2 new.pt2\n"
      "  pt2 diff old.pt2 new.pt2 --json | jq '.differences[].part'");
  return {command, [&] { return run_diff(arguments); }, nullptr};
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

/// What is wrong with the arguments, in words that name the nearest right ones.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  const std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty()) return commands.empty() ? "a command is missing" : error.what();
  const std::string& word = unknown.front();
  const CLI::App& command = commands.empty() ? app : *commands.front();
  if (word.size() > 1 && word[0] == '-') {
    const std::string name = word.substr(0, word.find('='));
    return "unknown option '" + name + "'" + did_you_mean(name, option_names(command));
  }
  if (commands.empty()) return "unknown command '" + word + "'" + did_you_mean(word, command_names(app));
  return "unexpected argument '" + word + "'";
}

/// Help and version are "errors" too, of exit code 0.
int report_usage(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    app.exit(error);
    std::cout.flush();
    if (std::cout) return kDone;
    write_diagnostic("pt2: error: cannot write to standard output\n");
    return kIoProblem;
  }
  const std::vector<CLI::App*> commands = app.get_subcommands();
  const std::string command = commands.empty() ? "pt2" : "pt2 " + commands.front()->get_name();
  write_diagnostic(command + ": error: " + pt2::printable(explain(app, error)) + "\nRun '" + command +
                   " --help' for how it is used.\n");
  return kUsage;
}

int run_command(const Command& command) {
  const std::string about = command.file == nullptr ? "pt2" : shown_path(*command.file);
  try {
    return command.run();
  } catch (const schemagen::DataError& error) {
    write_diagnostic(about + ": error: " + pt2::printable(error.what()) + "\n");
    return kBadInput;
  } catch (const schemagen::IoError& error) {
    write_diagnostic("pt2: error: " + pt2::printable(error.what()) + "\n");
    return kIoProblem;
  } catch (const std::bad_alloc&) {
    write_diagnostic(about + ": error: not enough memory\n");
    return kIoProblem;
  }
}

int run(int argc, char** argv) {
  CLI::App app("Reads, checks and converts PyTorch exported programs (torch.export.save), without PyTorch.",
               "pt2");
  const std::string version = "pt2 " PT2_VERSION " (schema " + std::to_string(pt2::kSchemaMajor) + "." +
                              std::to_string(pt2::kSchemaMinor) + ", " + std::string(pt2::kSchemaHash) + ")";
  app.set_version_flag("--version", version);
  app.require_subcommand(1);
  app.footer(std::string(kFiles) +
             "\n\nExamples:\n"
             "  pt2 info model.pt2\n"
             "  pt2 show model.pt2 | less\n"
             "  pt2 validate *.pt2\n"
             "  pt2 convert model.pt2 model.json\n"
             "  pt2 upgrade old.pt2 -o new.pt2\n"
             "  pt2 diff old.pt2 new.pt2\n\n" +
             kExitCodes);
  InfoArguments info;
  ShowArguments show;
  ValidateArguments validate;
  RulesArguments rules;
  ExplainArguments explain;
  ConvertArguments convert;
  UpgradeArguments upgrade;
  CanonicalizeArguments canonicalize;
  HashArguments hash;
  DiffArguments diff;
  const std::vector<Command> commands = {add_info(app, info),         add_show(app, show),
                                         add_validate(app, validate), add_convert(app, convert),
                                         add_upgrade(app, upgrade),   add_canonicalize(app, canonicalize),
                                         add_hash(app, hash),         add_diff(app, diff),
                                         add_rules(app, rules),       add_explain(app, explain)};
  for (const Command& command : commands) command.app->set_version_flag("--version", version);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error);
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return run_command(command);
  }
  return kUsage;  // one command is required
}

}  // namespace

int main(int argc, char** argv) {
  handle_signals();
  return run(argc, argv);
}
