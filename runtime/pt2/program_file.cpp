#include "pt2/program_file.h"

#include "pt2/archive/file_kind.h"
#include "schemagen/base/attempt.h"
#include "schemagen/base/text_file.h"

namespace pt2 {
namespace {

using schemagen::DataError;

bool looks_like_json(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != bytes.npos && std::string_view("{[\"-0123456789tfnNI").find(bytes[first]) != bytes.npos;
}

}  // namespace

ProgramFile::ProgramFile(FileBytes bytes, const FileOptions& options)
    : bytes_(std::move(bytes)), limits_(options.limits.for_file(bytes_.sparse().most_bytes())) {
  if (options.watcher) bytes_.watch(options.watcher);
  const SparseBytes all = bytes_.sparse();
  if (all.size() == 0) throw DataError("the file is empty");
  if (looks_like_zip(all)) {
    archive_ = open_archive(all, limits_, options.checksums, bytes_.pages());
    return;
  }
  const std::string_view view = all.whole();
  if (bytes_.view().empty()) bytes_ = FileBytes::borrowed(view);
  if (looks_like(kPt2b, view)) {
    binary_file_.emplace(kPt2b, view, limits_);
  } else if (const std::optional<std::string> other = other_format(view)) {
    throw DataError(*other);
  } else {
    const std::string_view text = schemagen::plain_text(view);
    if (!looks_like_json(text)) throw DataError("expected JSON, a zip archive or a .pt2b file");
    bytes_.skip(view.size() - text.size());
  }
}

ProgramFile open_program_file(const std::string& path, const FileOptions& options) {
  return ProgramFile(read_file(path, options.limits.input_bytes), options);
}

schemagen::Result<ProgramFile> try_open_program_file(const std::string& path,
                                                     const FileOptions& options) noexcept {
  return schemagen::attempt([&] { return open_program_file(path, options); });
}

}  // namespace pt2
