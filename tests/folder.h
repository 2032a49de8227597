#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("pt2_test-" + std::to_string(std::random_device{}()));

  Folder() { std::filesystem::create_directory(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }

  std::string operator/(const char* name) const { return (path / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
  std::ptrdiff_t count() const {
    using std::filesystem::recursive_directory_iterator;
    return std::distance(recursive_directory_iterator(path), recursive_directory_iterator());
  }
};

inline std::string content(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}
