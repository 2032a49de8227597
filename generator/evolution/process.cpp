#include "evolution/process.h"

#include <system_error>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

// POSIX has it, but no header need declare it. NOLINTNEXTLINE(readability-redundant-declaration)
extern char** environ;
#endif

namespace generator {

#if defined(__unix__) || defined(__APPLE__)
namespace {

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

class Pipe {
 public:
  Pipe() {
    if (::pipe(ends_.data()) != 0) fail(errno, "cannot make a pipe");
    for (const int end : ends_) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(0);
    close(1);
  }

  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_writing() { close(1); }

 private:
  void close(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }

  std::array<int, 2> ends_ = {-1, -1};
};

class SpawnActions {
 public:
  SpawnActions() { ::posix_spawn_file_actions_init(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }

  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

pid_t spawn(const std::vector<std::string>& arguments, const Pipe& out, const Pipe& err) {
  SpawnActions actions;
  ::posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(actions.get(), out.writing(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(actions.get(), err.writing(), STDERR_FILENO);
  std::vector<std::string> copies = arguments;  // posix_spawn takes non-const strings
  std::vector<char*> pointers;
  for (std::string& copy : copies) pointers.push_back(copy.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, pointers.front(), actions.get(), nullptr, pointers.data(), environ);
  if (error != 0) fail(error, "cannot run " + arguments.front());
  return child;
}

/// As data arrives, so that the child never blocks.
void read_all(int out, std::string& out_text, int err, std::string& err_text) {
  std::array<pollfd, 2> open = {pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
  const std::array<std::string*, 2> texts = {&out_text, &err_text};
  std::array<char, 65536> buffer{};
  while (open[0].fd >= 0 || open[1].fd >= 0) {
    if (::poll(open.data(), open.size(), -1) < 0 && errno != EINTR) fail(errno, "cannot wait for a program");
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open[i].fd < 0 || open[i].revents == 0) continue;
      const ssize_t count = ::read(open[i].fd, buffer.data(), buffer.size());
      if (count > 0) texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
      if (count == 0 || (count < 0 && errno != EINTR)) open[i].fd = -1;
    }
  }
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments) {
  Pipe out;
  Pipe err;
  const pid_t child = spawn(arguments, out, err);
  out.close_writing();
  err.close_writing();
  ProcessResult result;
  read_all(out.reading(), result.out, err.reading(), result.err);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail(errno, "cannot wait for " + arguments.front());
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

#else

ProcessResult run_process(const std::vector<std::string>& arguments) {
  throw std::system_error(std::make_error_code(std::errc::function_not_supported),
                          "cannot run " + arguments.front());
}

#endif

}  // namespace generator
