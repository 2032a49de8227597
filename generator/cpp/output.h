#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace generator {

struct OutputFile {
  std::string path;
  std::string text;
};

/// Name, version and hash, for with_provenance().
std::string origin_of(const Model& model);

/// The first line names the generator, the schema and the hash of `body`, which reveals edits by hand.
/// `comment` begins it ("//").
std::string with_provenance(std::string_view origin, std::string_view comment, const std::string& body);

/// Also if there is no such line.
bool content_hash_matches(std::string_view text);

/// One message per file on disk that differs.
std::vector<std::string> check_outputs(const std::vector<OutputFile>& files);

/// Only files whose content differs. Creates folders. Throws IoError, and std::system_error for a folder.
void write_outputs(const std::vector<OutputFile>& files);

/// In an existing folder. Throws IoError.
void write_output(const OutputFile& file);

/// A Make rule: `targets` depend on the schema's files.
std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& sources);

/// Creates the empty file, or sets its time to now. Throws IoError.
void touch(const std::string& path);

}  // namespace generator
