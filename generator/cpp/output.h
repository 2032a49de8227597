// Writes generated files, only if they changed, or compares them with existing files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace generator {

/// A generated file.
struct OutputFile {
  std::string path;
  std::string text;
};

/// Returns the name, version and hash of a schema, for with_provenance().
std::string origin_of(const Model& model);

/// Returns `body` below a line that names the generator, the schema and the hash of `body`, which reveals
/// edits by hand. `comment` begins a line of comment ("//").
std::string with_provenance(std::string_view origin, std::string_view comment, const std::string& body);

/// Returns whether the content hash in the first line matches the rest, or there is no such line.
bool content_hash_matches(std::string_view text);

/// Returns a message for each file on disk that differs from `files`.
std::vector<std::string> check_outputs(const std::vector<OutputFile>& files);

/// Writes the files whose content differs, with write_file_atomically(), and creates folders.
/// Throws IoError; std::system_error for a folder.
void write_outputs(const std::vector<OutputFile>& files);

/// Writes one file like that, in an existing folder. Throws IoError.
void write_output(const OutputFile& file);

/// Returns a Make rule: `targets` depend on the files of the schema.
std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& sources);

/// Creates the empty file `path`, or sets its time to now. Throws IoError.
void touch(const std::string& path);

}  // namespace generator
