#include "common/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <sstream>
#include <system_error>
#include <utility>

#include "common/exit.h"
#include "schemagen/base/near_name.h"
#include "schemagen/base/quote.h"
#include "text/message.h"

namespace tools {
namespace {

/// Otherwise, the parser prints a CLI::ValidationError's message without context.
class WrongValue : public CLI::ParseError {
 public:
  WrongValue(const std::string& message, std::string advice)
      : CLI::ParseError("WrongValue", message, CLI::ExitCodes::ValidationError), hint(std::move(advice)) {}
  const std::string hint;
};

std::string near_hint(const std::string& word, const std::vector<std::string>& names) {
  return schemagen::did_you_mean(word, {names.begin(), names.end()});
}

/// Single letters are similar to any other.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string parser_message(const CLI::App& command, const CLI::ParseError& error) {
  const bool is_required = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  const bool is_mismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
  for (const CLI::Option* option : command.get_options()) {
    const auto count = static_cast<int>(option->count());
    if (is_mismatch && count > std::max(option->get_items_expected_max(), 1))
      return option->get_name() + ": expected once, got " + std::to_string(count) + " times";
    if (!is_required || !option->get_required() || count != 0) continue;
    // The error is about the first missing one: "OLD=NEW is required".
    const std::string form = option->get_type_name();
    if (option->get_positional() && form.find('=') != form.npos) return CLI::RequiredError(form).what();
    break;
  }
  return error.what();
}

std::string check_not_empty(const std::string& value) {
  return value.empty() ? "expected a value, got an empty one" : "";
}

std::optional<std::size_t> number_of(const std::string& text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && last == end ? std::optional(number) : std::nullopt;
}

std::string without_form(const std::string& name) {
  return name.substr(0, name.find(' '));
}

CLI::Option& with_form(CLI::Option& option, const std::string& name) {
  const std::size_t space = name.find(' ');
  if (space != name.npos) option.type_name(name.substr(space + 1));
  return option;
}

std::vector<std::string> items_of(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    items.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

Check for_each_item(const Check& check) {
  return [check](const std::string& list) {
    for (const std::string& item : items_of(list)) {
      if (std::string wrong = check(item); !wrong.empty()) return wrong;
    }
    return std::string();
  };
}

std::string explained(const Program& program, const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> called = app.get_subcommands();
  const CLI::App& command = called.empty() ? app : *called.front();
  const std::string name = called.empty() ? "" : command.get_name();
  const auto explain = [&](const std::string& message, const std::string& hint = "") {
    return usage_error(program.name, name, message, hint);
  };
  if (const auto* const wrong = dynamic_cast<const WrongValue*>(&error)) {
    return explain(wrong->what(), wrong->hint);
  }
  const std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty()) return explain(called.empty() ? "expected a command" : parser_message(command, error));
  const std::string& word = unknown.front();
  if (word.size() > 1 && word[0] == '-') {
    const std::string option = word.substr(0, word.find('='));
    return explain("unknown option " + schemagen::quoted(option), near_hint(option, option_names(command)));
  }
  if (!called.empty()) return explain("unexpected argument " + schemagen::quoted(word));
  const std::string message = "unknown command " + schemagen::quoted(word);
  if (word.find_first_of("./") != std::string::npos)
    return explain(message,
                   "put a command before the file; '" + program.name + " --help' lists the commands");
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands(nullptr)) names.push_back(each->get_name());
  const std::string near = near_hint(word, names);
  return explain(message, near.empty() ? "expected one of " + generator::joined(names, ", ") : near);
}

/// `help` becomes `--help`, and `help COMMAND` becomes `COMMAND --help`. After `--`, names that look like
/// options get a `./`, because the parser would end a list at its own `--`. It would take the next argument
/// as the value of `--name=`.
std::vector<std::string> normalized(const std::vector<std::string>& arguments) {
  std::vector<std::string> all;
  bool options_ended = false;
  for (const std::string& argument : arguments) {
    const bool looks_like_option = argument.size() > 1 && argument.front() == '-';
    const bool has_empty_value =
        argument.size() > 3 && argument.compare(0, 2, "--") == 0 && argument.find('=') == argument.size() - 1;
    if (options_ended) {
      all.push_back(looks_like_option ? "./" + argument : argument);
    } else if (argument == "--") {
      options_ended = true;
    } else {
      all.push_back(has_empty_value ? argument.substr(0, argument.size() - 1) : argument);
      if (has_empty_value) all.emplace_back();
    }
  }
  if (!all.empty() && all.front() == "help") {
    all.erase(all.begin());
    all.emplace_back("--help");
  }
  return all;
}

}  // namespace

Option Option::required() {
  option_->required();
  return *this;
}

Option Option::type_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option Option::option_text(const std::string& text) {
  option_->option_text(text);
  return *this;
}

Option Option::show_default() {
  option_->capture_default_str();
  return *this;
}

Option Option::check(const Check& check) {
  option_->check(is_list_ ? for_each_item(check) : check);
  return *this;
}

Option Option::one_of(const std::vector<std::string>& names) {
  const std::string listed = "{" + generator::joined(names, ",") + "}";
  std::string expected = names.front();
  for (std::size_t i = 1; i < names.size(); ++i)
    expected += (i + 1 == names.size() ? " or " : ", ") + names[i];
  const Check check = [option = option_, names, expected](const std::string& value) {
    if (std::find(names.begin(), names.end(), value) != names.end()) return std::string();
    throw WrongValue(
        option->get_name() + ": expected " + expected + ", got '" + generator::shown(value) + "'",
        near_hint(value, names));
  };
  option_->check(is_list_ ? for_each_item(check) : check, listed);
  return *this;
}

Option Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

std::string Command::name() const {
  return app_->get_name();
}

Option Command::add_option(const std::string& name, std::string& value, const std::string& what) {
  CLI::Option& option = with_form(*app_->add_option(without_form(name), value, what), name);
  // Detects `-o "$UNSET"`.
  if (name.front() == '-') option.check(check_not_empty);
  return Option(option);
}

Option Command::add_option(const std::string& name, std::optional<std::string>& value,
                           const std::string& what) {
  return Option(with_form(*app_->add_option(without_form(name), value, what), name));
}

Option Command::add_option(const std::string& name, std::optional<std::size_t>& value,
                           const std::string& what) {
  const auto take = [&value](const std::string& text) { value = number_of(text); };
  const auto check = [](const std::string& text) {
    return number_of(text) ? std::string()
                           : "expected a non-negative integer, got " + schemagen::quoted(text);
  };
  return add_option(name, take, what).check(check);
}

Option Command::add_option(const std::string& name, std::vector<std::string>& values,
                           const std::string& what) {
  if (name.front() != '-')
    return Option(with_form(*app_->add_option(without_form(name), values, what), name));
  const auto take = [&values](const std::vector<std::string>& lists) {
    for (const std::string& list : lists) {
      for (std::string& item : items_of(list)) values.push_back(std::move(item));
    }
  };
  CLI::Option& option =
      with_form(*app_->add_option_function<std::vector<std::string>>(without_form(name), take, what), name);
  option.allow_extra_args(false);
  return Option(option, true).check([](const std::string& item) {
    return item.empty() ? "expected a comma-separated list without empty items" : "";
  });
}

Option Command::add_option(const std::string& name, const std::function<void(const std::string&)>& take,
                           const std::string& what) {
  return Option(with_form(*app_->add_option_function<std::string>(without_form(name), take, what), name));
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& what) {
  return Option(*app_->add_flag(name, value, what));
}

void Command::footer(const std::string& text) {
  app_->footer(text);
}

void Command::set_action(std::function<int()> run) {
  app_->callback([exit_code = exit_code_, run = std::move(run)] { *exit_code = run(); });
}

int Program::run(std::vector<std::string> arguments, const std::function<void(std::string_view)>& print,
                 const std::function<void(std::string_view)>& report) const {
  CLI::App app(what, name);
  app.set_version_flag("--version", version);
  app.require_subcommand(1);
  app.footer(footer);
  int exit_code = kDone;
  for (const Subcommand& subcommand : subcommands) {
    CLI::App* const command = app.add_subcommand(subcommand.name, subcommand.what);
    command->set_version_flag("--version", version);
    subcommand.add({*command, exit_code});
  }
  arguments = normalized(arguments);
  try {
    // The parser takes the last argument first.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    // No help for an unknown command.
    const bool is_called = !app.get_subcommands().empty() || app.remaining(true).empty();
    if (error.get_exit_code() != 0 || !is_called) {
      report(explained(*this, app, error));
      return kUsage;
    }
    std::ostringstream answer;
    app.exit(error, answer, answer);
    print(answer.str());
    return kDone;
  }
  return exit_code;
}

}  // namespace tools
