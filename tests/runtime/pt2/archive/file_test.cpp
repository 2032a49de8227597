#include "pt2/archive/file.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <stdexcept>
#include <thread>
#include <utility>

#include "folder.h"
#include "is_writable.h"
#include "schemagen/base/error.h"
#include "thrown.h"

using pt2::FileBytes;
using pt2::read_file;
using pt2::write_file_atomically;

namespace {

template <class Action>
std::string io_error(Action action) {
  return error_of<schemagen::IoError>(action);
}

template <class Action>
std::string data_error(Action action) {
  return error_of<schemagen::DataError>(action);
}

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

TEST_CASE("a watcher of a file is called for each part that is processed, and can stop it") {
  const Folder folder;
  const std::string bytes(1000001, 'x');
  write_file_atomically(folder / "a", bytes);
  const auto check = [&](FileBytes file) {
    std::size_t told = 0;
    file.watch([&](std::string_view part) {
      told += part.size();
      if (told > 1500000) throw std::runtime_error("enough");
    });
    const FileBytes moved = std::move(file);
    std::size_t gone_through = 0;
    const auto count = [&](std::string_view part) { gone_through += part.size(); };
    pt2::for_each_part(moved.view(), moved.pages(), count);
    CHECK(told == bytes.size());
    CHECK_THROWS_WITH(pt2::for_each_part(moved.view(), moved.pages(), count), "enough");
    CHECK(gone_through == told);
  };
  check(read_file(folder / "a"));
  check(FileBytes(bytes));
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
        "'/dev/zero' exceeds the limit of 100000 bytes (input_bytes)");
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

TEST_CASE("changes to a copy of a part reach neither the file nor other copies, and releasing keeps them") {
  const Folder folder;
  std::string bytes(1000001, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251);
  write_file_atomically(folder / "a", bytes);
  for (const bool is_mapped : {true, false}) {
    FileBytes file = is_mapped ? read_file(folder / "a") : FileBytes(bytes);
    write_file_atomically(folder / "a", "another file");
    const auto rest = [&](std::size_t at) { return bytes.size() - at; };
    std::vector<std::shared_ptr<char>> copies;
    for (const std::size_t at : {0u, 1u, 16u, 4095u, 4096u, 500000u, 1000001u}) {
      for (const std::size_t size :
           {std::size_t{0}, std::size_t{100}, std::size_t{4096}, std::size_t{300000}, rest(at)}) {
        CAPTURE(is_mapped, at, size);
        const std::string_view part = file.view().substr(at, std::min(size, rest(at)));
        const std::shared_ptr<char> copy = file.pages().own_copy(part);
        CHECK(reinterpret_cast<std::uintptr_t>(copy.get()) % 16 == 0);
        REQUIRE(std::string_view(copy.get(), part.size()) == part);
        std::fill_n(copy.get(), part.size(), 'x');
        file.pages().release(part);
        CHECK(std::string_view(copy.get(), part.size()) == std::string(part.size(), 'x'));
        CHECK(file.view() == bytes);
        for (const std::size_t place : {at, at + part.size()}) {
          if (is_mapped && place < bytes.size()) CHECK_FALSE(is_writable(file.view().data() + place));
        }
        copies.push_back(file.pages().own_copy(part));
        CHECK(std::string_view(copies.back().get(), part.size()) == part);
      }
    }
    file = FileBytes("");
    for (const std::shared_ptr<char>& copy : copies) *copy = 'x';
    write_file_atomically(folder / "a", bytes);
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
        "'standard input' exceeds the limit of 199999 bytes (input_bytes)");
  std::fclose(stream);
}

TEST_CASE("reports a stream that cannot be read") {
  const Folder folder;
  std::FILE* const stream = std::fopen((folder / "a").c_str(), "wb");
  CHECK(io_error([&] { pt2::read_all(stream, "standard input"); }) ==
        "cannot read 'standard input': Bad file descriptor");
  std::fclose(stream);
}

TEST_CASE("writes over the file that it reads from") {
  const Folder folder;
  write_file_atomically(folder / "a", std::string(100000, 'a'));
  const FileBytes bytes = read_file(folder / "a");
  write_file_atomically(folder / "a", bytes.view().substr(50000));
  CHECK(content(folder / "a") == std::string(50000, 'a'));
}

TEST_CASE("a file that is replaced can still be read where it was opened before") {
  const Folder folder;
  write_file_atomically(folder / "a", "old");
  const FileBytes before = read_file(folder / "a");
  write_file_atomically(folder / "a", "new");
  CHECK(before.view() == "old");
  CHECK(content(folder / "a") == "new");
}
