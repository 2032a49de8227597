#include "command.h"

#include "pt2/archive/several_models.h"

namespace pt2::tool {

int reported(const std::string& command, const std::string* file, const std::function<int()>& run) {
  const auto choosing = [&] {
    try {
      return run();
    } catch (const SeveralModels& error) {
      throw schemagen::UsageError(
          command == "join" ? error.choose_with("pt2 convert IN OUT.pt2 --model ", ", and join that")
                            : error.choose_with("--model "));
    }
  };
  return tools::exit_code_of({"pt2", command, file == nullptr ? "" : shown_path(*file)}, choosing,
                             write_diagnostic);
}

void add_program_argument(Command command, const std::string& name, std::string& file) {
  command.add_option(name, file, "Program to read; - for standard input").required().type_name("");
}

void add_program_arguments(Command command, std::vector<std::string>& files, const std::string& what) {
  command.add_option("FILE", files, what).required().type_name("");
}

void require_one_input(const std::vector<std::string>& files) {
  if (std::count(files.begin(), files.end(), "-") > 1) {
    throw schemagen::UsageError("standard input (-) can be read only once");
  }
}

void add_model_option(Command command, std::optional<std::string>& model) {
  command.add_option("--model NAME", model, "Model to use if the archive has several");
}

void add_operators_option(Command command, std::optional<std::string>& file) {
  command.add_option("--operators FILE", file,
                     "Operator schemas to add, one per line: my::scale(Tensor x, int n=1) -> Tensor");
}

OperatorSet operators_of(const std::optional<std::string>& file) {
  return file ? read_beside(*file, read_operators) : OperatorSet();
}

}  // namespace pt2::tool
