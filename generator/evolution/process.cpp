#include "evolution/process.h"

#include <system_error>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

// POSIX has it, but no header need declare it. NOLINTNEXTLINE(readability-redundant-declaration)
extern char** environ;
#endif

namespace generator {

#if defined(__unix__) || defined(__APPLE__)
namespace {

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

/// Output goes to files, because a child can block on two pipes.
class OutputOfChild {
 public:
  OutputOfChild() {
    if (file_ == nullptr) fail(errno, "cannot make a temporary file");
  }

  int descriptor() const { return ::fileno(file_.get()); }

  std::string read() const {
    std::string text;
    std::array<char, 65536> buffer{};
    std::rewind(file_.get());
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file_.get()))
      text.append(buffer.data(), count);
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{std::tmpfile(), std::fclose};
};

pid_t spawn(std::vector<std::string> arguments, const OutputOfChild& out, const OutputOfChild& err) {
  std::vector<char*> pointers;  // posix_spawn takes non-const strings
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, pointers.front(), &actions, nullptr, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail(error, "cannot run " + arguments.front());
  return child;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments) {
  const OutputOfChild out;
  const OutputOfChild err;
  const pid_t child = spawn(arguments, out, err);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail(errno, "cannot wait for " + arguments.front());
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), out.read(), err.read()};
}

#else

ProcessResult run_process(const std::vector<std::string>& arguments) {
  throw std::system_error(std::make_error_code(std::errc::function_not_supported),
                          "cannot run " + arguments.front());
}

#endif

}  // namespace generator
