#include "common/exit.h"

#include <exception>
#include <new>

#include "text/message.h"

namespace tools {

std::string usage_error(const std::string& program, const std::string& command, const std::string& message,
                        const std::string& hint) {
  const std::string called = command.empty() ? program : program + " " + command;
  return called + ": error: " + generator::shown(message) +
         "\nhint: " + (hint.empty() ? "run '" + called + " --help' for usage" : generator::shown(hint)) +
         "\n";
}

int exit_code_of(const Running& running, const std::function<int()>& run,
                 const std::function<void(std::string_view)>& report) {
  const std::string& about = running.file.empty() ? running.program : running.file;
  const auto say = [&](const std::string& subject, const std::string& message) {
    report(subject + ": error: " + generator::shown(message) + "\n");
  };
  try {
    return run();
  } catch (const schemagen::UsageError& error) {
    report(usage_error(running.program, running.command, error.what()));
    return kUsage;
  } catch (const schemagen::DataError& error) {
    say(about, error.what());
    return kBadInput;
  } catch (const FileError& error) {
    say(running.program, error.what());
    return kBadInput;
  } catch (const std::bad_alloc&) {
    say(about, "not enough memory");
  } catch (const std::exception& error) {
    say(running.program, error.what());
  }
  return kIoError;
}

}  // namespace tools
