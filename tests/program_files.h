#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

/// The programs below `folder` of tests/data, sorted, so that a seed means the same on every file system.
inline std::vector<std::filesystem::path> program_files(const std::string& folder = "programs",
                                                        const std::string& extension = ".json") {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(PT2_SOURCE_DIR "/tests/data/" + folder)) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() == extension && path.filename() != "about.json") files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}
