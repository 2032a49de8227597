#include "pt2/archive/file.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <random>
#include <thread>
#include <utility>

#include "schemagen/value/error.h"

namespace fs = std::filesystem;
using pt2::AtomicFile;
using pt2::FileBytes;
using pt2::read_file;
using pt2::write_file_atomically;

namespace {

/// A folder that is empty at first and gone at the end.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("file_test-" + std::to_string(std::random_device{}()));

  Folder() { fs::create_directory(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }

  std::string operator/(const char* name) const { return (path / name).string(); }
  std::ptrdiff_t count() const {
    return std::distance(fs::directory_iterator(path), fs::directory_iterator());
  }
};

std::string content(const std::string& path) {
  return std::string(read_file(path).view());
}

/// The message of the IoError that `action` ends in; empty: it did not.
template <class Action>
std::string io_error(Action action) {
  try {
    action();
    return {};
  } catch (const schemagen::IoError& error) {
    return error.what();
  }
}

template <class Action>
std::string data_error(Action action) {
  try {
    action();
    return {};
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
}

unsigned mode_of(const std::string& path) {
  return static_cast<unsigned>(fs::status(path).permissions());
}

/// No file may grow beyond `bytes` while this lives.
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

TEST_CASE("reads whole files") {
  const Folder folder;
  for (const std::size_t size : {0u, 1u, 4096u, 65536u, 1000001u}) {
    const std::string bytes(size, '\xff');
    write_file_atomically(folder / "a", bytes);
    CHECK(content(folder / "a") == bytes);
  }
}

TEST_CASE("the bytes of a file stay when it is moved") {
  const Folder folder;
  write_file_atomically(folder / "a", "tiny");
  for (FileBytes* original : {new FileBytes(read_file(folder / "a")), new FileBytes("tiny")}) {
    const std::string_view view = original->view();
    FileBytes moved = std::move(*original);
    delete original;
    CHECK(moved.view().data() == view.data());
    FileBytes assigned("other");
    assigned = std::move(moved);
    CHECK(assigned.view().data() == view.data());
    CHECK(view == "tiny");
  }
}

TEST_CASE("says which file cannot be read and why") {
  const Folder folder;
  const std::string missing = folder / "missing";
  CHECK(io_error([&] { read_file(missing); }) == "cannot open '" + missing + "': No such file or directory");
  CHECK(io_error([&] { read_file(folder.path.string()); }) ==
        "cannot read '" + folder.path.string() + "': Is a directory");
}

TEST_CASE("reads what has no size up to a limit") {
  CHECK(read_file("/dev/null").view().empty());
  CHECK(data_error([] { read_file("/dev/zero", 100000); }) ==
        "'/dev/zero' has more bytes than the limit of 100000 (input_bytes)");
}

TEST_CASE("reads a named pipe, which is opened once") {
  const Folder folder;
  const std::string path = folder / "pipe";
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  for (int i = 0; i < 20; ++i) {
    std::thread writer([&] {
      std::FILE* const stream = std::fopen(path.c_str(), "wb");
      std::fputs("what the pipe has", stream);
      std::fclose(stream);
    });
    CHECK(content(path) == "what the pipe has");
    writer.join();
  }
}

TEST_CASE("reads the rest of a stream up to a limit") {
  std::FILE* const stream = std::tmpfile();
  REQUIRE(stream != nullptr);
  const std::string bytes(200000, 'b');
  std::fwrite(bytes.data(), 1, bytes.size(), stream);
  std::rewind(stream);
  std::fgetc(stream);
  CHECK(pt2::read_all(stream, "standard input", 199999) == bytes.substr(1));
  CHECK(pt2::read_all(stream, "standard input", 0).empty());
  std::rewind(stream);
  CHECK(data_error([&] { pt2::read_all(stream, "standard input", 199999); }) ==
        "'standard input' has more bytes than the limit of 199999 (input_bytes)");
  std::fclose(stream);
}

TEST_CASE("reports a stream that cannot be read") {
  const Folder folder;
  std::FILE* const stream = std::fopen((folder / "a").c_str(), "wb");
  CHECK(io_error([&] { pt2::read_all(stream, "standard input"); }) ==
        "cannot read 'standard input': Bad file descriptor");
  std::fclose(stream);
}

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
  const FileBytes before = read_file(folder / "a");
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
  CHECK(before.view() == "old");  // its mapping is of the file that was
  CHECK(folder.count() == 1);
}

TEST_CASE("writes over the file that it reads from") {
  const Folder folder;
  write_file_atomically(folder / "a", std::string(100000, 'a'));
  const FileBytes bytes = read_file(folder / "a");
  write_file_atomically(folder / "a", bytes.view().substr(50000));
  CHECK(content(folder / "a") == std::string(50000, 'a'));
}

TEST_CASE("leaves the old file and no other when the disk is full") {
  const Folder folder;
  write_file_atomically(folder / "a", "old");
  const std::string path = folder / "a";
  for (const std::size_t size : {2000u, 2000000u}) {  // found on closing, and on writing
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
  if (geteuid() == 0) return;  // who may write all files
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
  CHECK(folder.count() == 2);
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
    pt2::remove_unfinished_files();
    std::_Exit(0);
  }
  REQUIRE(waitpid(child, nullptr, 0) == child);
  CHECK(content(path) == "old");
  CHECK(folder.count() == 1);
}

TEST_CASE("writes files with names as long as can be, and in the current folder") {
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
