#include "schemagen/base/atomic_file.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "folder.h"
#include "schemagen/base/error.h"
#include "thrown.h"

namespace fs = std::filesystem;
using schemagen::AtomicFile;
using schemagen::write_file_atomically;

namespace {

template <class Action>
std::string io_error(Action action) {
  return error_of<schemagen::IoError>(action);
}

unsigned mode_of(const std::string& path) {
  return static_cast<unsigned>(fs::status(path).permissions());
}

struct FileSizeLimit {
  rlimit old = {};

  explicit FileSizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    rlimit limit = old;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, SIG_DFL);
  }
};

}  // namespace

TEST_CASE("writes new files with the mode that the umask leaves") {
  const Folder folder;
  const mode_t old = umask(027);
  write_file_atomically(folder / "a", "new");
  umask(old);
  CHECK(content(folder / "a") == "new");
  CHECK(mode_of(folder / "a") == 0640);
  CHECK(folder.count() == 1);
}

TEST_CASE("replaces files and keeps their mode") {
  const Folder folder;
  write_file_atomically(folder / "a", "old and longer");
  for (const unsigned mode : {0600u, 0664u, 0755u}) {
    fs::permissions(folder / "a", static_cast<fs::perms>(mode));
    write_file_atomically(folder / "a", "new");
    CHECK(mode_of(folder / "a") == mode);
    CHECK(content(folder / "a") == "new");
  }
  CHECK(folder.count() == 1);
}

TEST_CASE("leaves an old file as it was until the new one is complete") {
  const Folder folder;
  write_file_atomically(folder / "a", "old");
  {
    AtomicFile file(folder / "a");
    file.write("half of ");
    CHECK(content(folder / "a") == "old");
  }
  CHECK(content(folder / "a") == "old");
  CHECK(folder.count() == 1);

  AtomicFile file(folder / "a");
  file.write("all ");
  file.write("");
  file.write("of it");
  file.commit();
  CHECK(content(folder / "a") == "all of it");
  CHECK(folder.count() == 1);
}

TEST_CASE("leaves the old file and no other when the disk is full") {
  const Folder folder;
  write_file_atomically(folder / "a", "old");
  const std::string path = folder / "a";
  for (const std::size_t size : {2000u, 2000000u}) {  // found on close, and on write
    const std::string bytes(size, 'n');
    std::string message;
    {
      const FileSizeLimit limit(1000);
      message = io_error([&] { write_file_atomically(path, bytes); });
    }
    CHECK(message == "cannot write '" + path + "': File too large");
    CHECK(content(path) == "old");
    CHECK(folder.count() == 1);
  }
}

TEST_CASE("says which file cannot be written and why") {
  const Folder folder;
  const std::string missing = folder / "missing/a";
  CHECK(io_error([&] { write_file_atomically(missing, "x"); }) ==
        "cannot create a temporary file to write '" + missing + "': No such file or directory");
  CHECK(io_error([&] { write_file_atomically(folder.path.string(), "x"); }) ==
        "cannot write '" + folder.path.string() + "': Is a directory");
  CHECK(folder.count() == 0);
}

TEST_CASE("refuses to replace a file that may not be written") {
  if (geteuid() == 0) return;  // root may write all files
  const Folder folder;
  const std::string path = folder / "a";
  write_file_atomically(path, "old");
  fs::permissions(path, fs::perms::owner_read);
  CHECK(io_error([&] { write_file_atomically(path, "x"); }) ==
        "cannot write '" + path + "': Permission denied");
  CHECK(content(path) == "old");
}

TEST_CASE("removes the temporary file when it cannot be renamed") {
  const Folder folder;
  const std::string path = folder / "a";
  {
    AtomicFile file(path);
    file.write("x");
    fs::create_directory(path);
    CHECK(io_error([&] { file.commit(); }) == "cannot write '" + path + "': Is a directory");
  }
  CHECK(folder.count() == 1);
}

TEST_CASE("follows symbolic links and leaves them") {
  const Folder folder;
  fs::create_directory(folder / "sub");
  write_file_atomically(folder / "sub/a", "old");
  fs::create_symlink("sub/a", folder / "link");
  write_file_atomically(folder / "link", "new");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(content(folder / "sub/a") == "new");
  CHECK(folder.count() == 3);
}

TEST_CASE("writes the file that a symbolic link names, whether or not there is one yet") {
  const Folder folder;
  fs::create_directory(folder / "sub");
  fs::create_symlink("sub/second", folder / "first");
  fs::create_symlink(folder / "sub/a", folder / "sub/second");
  write_file_atomically(folder / "first", "new");
  CHECK(fs::is_symlink(folder / "first"));
  CHECK(fs::is_symlink(folder / "sub/second"));
  CHECK_FALSE(fs::is_symlink(folder / "sub/a"));
  CHECK(content(folder / "sub/a") == "new");

  const std::string loop = folder / "loop";
  fs::create_symlink("loop", loop);
  CHECK(io_error([&] { write_file_atomically(loop, "x"); }) ==
        "cannot write '" + loop + "': Too many levels of symbolic links");
}

TEST_CASE("a handler of signals can remove what is not complete") {
  const Folder folder;
  write_file_atomically(folder / "a", "old");
  const std::string path = folder / "a";
  const pid_t child = fork();
  if (child == 0) {
    AtomicFile first(path);
    AtomicFile second(path);
    first.write("half of ");
    schemagen::remove_unfinished_files();
    std::_Exit(0);
  }
  REQUIRE(waitpid(child, nullptr, 0) == child);
  CHECK(content(path) == "old");
  CHECK(folder.count() == 1);
}

TEST_CASE("writes files with names of maximum length, and in the current folder") {
  const Folder folder;
  write_file_atomically(folder / std::string(255, 'n').c_str(), "x");
  CHECK(folder.count() == 1);
  const fs::path old = fs::current_path();
  fs::current_path(folder.path);
  write_file_atomically("a", "here");
  fs::current_path(old);
  CHECK(content(folder / "a") == "here");
}

TEST_CASE("writes to devices directly") {
  write_file_atomically("/dev/null", "x");
  CHECK(fs::is_character_file("/dev/null"));
  CHECK(io_error([] { write_file_atomically("/dev/full", "x"); }) ==
        "cannot write '/dev/full': No space left on device");
}

TEST_CASE("writes to a pipe by the path of its descriptor") {
  int ends[2] = {};
  REQUIRE(pipe(ends) == 0);
  write_file_atomically("/proc/self/fd/" + std::to_string(ends[1]), "through it");
  char text[20] = {};
  CHECK(read(ends[0], text, sizeof text) == 10);
  CHECK(std::string(text) == "through it");
  close(ends[0]);
  close(ends[1]);
}
