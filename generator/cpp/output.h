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

std::string origin_of(const Model& model);

/// Returns a file whose first line names the generator, the schema and the hash of `body`, which reveals
/// edits by hand.
std::string with_provenance(std::string_view origin, std::string_view comment, const std::string& body);

bool content_hash_matches(std::string_view text);

std::vector<std::string> check_outputs(const std::vector<OutputFile>& files);

/// Writes the files whose contents differ, and creates missing folders. Throws IoError or std::system_error.
void write_outputs(const std::vector<OutputFile>& files);

void write_output(const OutputFile& file);

std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& sources);

}  // namespace generator
