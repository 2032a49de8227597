#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "common/command_line.h"
#include "input.h"
#include "pt2/operators/operators.h"

namespace pt2::tool {

using namespace tools;

/// From now on, signals end the process.
int run_pt2(int argc, char** argv);

int reported(const std::string& command, const std::string* file, const std::function<int()>& run);

/// Arguments that many commands have.
struct FileArguments {
  std::string in;
  std::vector<std::string> files;
  std::string out;
  LoadOptions loading;
  std::optional<std::string> operators;
  bool json = false;
};

/// Returns arguments that live as long as the command, which passes them to run(), a function of their
/// namespace. DataErrors are about the file that the member `file` names.
template <class Arguments, class Owner = Arguments>
Arguments& add_arguments(Command command, std::string Owner::*file = nullptr) {
  const auto arguments = std::make_shared<Arguments>();
  const std::string* const path = file == nullptr ? nullptr : &(arguments.get()->*file);
  command.set_action([name = command.name(), arguments, path] {
    return reported(name, path, [&]() -> int {
      if constexpr (!std::is_void_v<decltype(run(*arguments))>) return run(*arguments);
      run(*arguments);
      return kDone;
    });
  });
  return *arguments;
}

void add_program_argument(Command command, const std::string& name, std::string& file);

/// Like add_arguments(), with the argument `name` for the program.
template <class Arguments>
Arguments& add_file_arguments(Command command, const std::string& name) {
  Arguments& arguments = add_arguments<Arguments>(command, &Arguments::in);
  add_program_argument(command, name, arguments.in);
  return arguments;
}

void add_program_arguments(Command command, std::vector<std::string>& files, const std::string& what);
/// Throws UsageError unless at most one of `files` is `-`.
void require_one_input(const std::vector<std::string>& files);
void add_model_option(Command command, std::optional<std::string>& model);
void add_operators_option(Command command, std::optional<std::string>& file);
/// Includes PyTorch's operators. Throws FileError or IoError.
OperatorSet operators_of(const std::optional<std::string>& file);

}  // namespace pt2::tool
