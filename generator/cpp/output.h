// Texts to files: written only if changed, or compared with what is there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace generator {

/// A generated file, whole.
struct OutputFile {
  std::string path;
  std::string text;
};

/// Returns the name, version and hash of a schema, for with_provenance().
std::string origin_of(const Model& model);

/// Returns `body` below a line that names the generator, the schema and the hash of `body`, which reveals
/// edits by hand. `comment` begins a line of comment ("//").
std::string with_provenance(std::string_view origin, std::string_view comment, const std::string& body);

/// Whether the first line's content hash is that of the rest; true as well where there is no such line.
bool content_hash_matches(std::string_view text);

/// What is wrong with the files on disk, a sentence each; empty: all are as generated.
std::vector<std::string> check_outputs(const std::vector<OutputFile>& files);

/// Writes the files whose content differs, as write_file_atomically() does; folders are made.
/// Errors: IoError; std::system_error of a folder.
void write_outputs(const std::vector<OutputFile>& files);

/// Likewise one file, in a folder that is there.
/// Errors: IoError.
void write_output(const OutputFile& file);

/// A Make rule: `targets` depend on the files of the schema.
std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& sources);

/// Makes the empty file `path`, or sets its time to now.
/// Errors: IoError.
void touch(const std::string& path);

}  // namespace generator
