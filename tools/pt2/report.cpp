#include "report.h"

#include <exception>
#include <new>

#include "console.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {

int report_usage_error(const std::string& command, const std::string& message) {
  const std::string called = command.empty() ? "pt2" : "pt2 " + command;
  write_diagnostic(called + ": error: " + schemagen::printable(message) + "\nRun '" + called +
                   " --help' for how it is used.\n");
  return kUsage;
}

int reported(const std::string& command, const std::string* file, const std::function<int()>& run) {
  const std::string about = file == nullptr ? "pt2" : shown_path(*file);
  const auto report = [](const std::string& subject, const std::string& message) {
    write_diagnostic(subject + ": error: " + schemagen::printable(message) + "\n");
  };
  try {
    return run();
  } catch (const schemagen::UsageError& error) {
    return report_usage_error(command, error.what());
  } catch (const schemagen::DataError& error) {
    report(about, error.what());
    return kBadInput;
  } catch (const FileError& error) {
    report("pt2", error.what());
    return kBadInput;
  } catch (const std::bad_alloc&) {
    report(about, "not enough memory");
  } catch (const std::exception& error) {
    report("pt2", error.what());
  }
  return kIoProblem;
}

}  // namespace pt2::tool
