// Moves weights between archives and files of tensors: safetensors, or NumPy's .npz.
#pragma once

#include "pt2/archive/tensors/weights.h"
#include "pt2/edit/file_operations.h"

namespace pt2 {

/// Throws UsageError unless the name ends in .safetensors or .npz.
void require_tensor_file(const std::string& path);

/// Writes tensors called `names`, or all if that is empty, to a file that appears either complete or not at
/// all. Passes a warning about each object and each tensor on meta, which have no bytes, to
/// `notify_of_tensor`. Throws UsageError for an unknown name.
void export_weights(const FileSource& source, const std::vector<std::string>& names, const std::string& path,
                    const NoticeSink& notify_of_tensor);

/// Loads weights, and tells about skipped fields and compiled models without weights. Throws UsageError for
/// an unknown name in `names`.
std::vector<Weight> load_named_weights(const FileSource& source, const std::vector<std::string>& names);

/// Writes the archive without the bytes of its weights, see write_stripped(). If `weights` is not empty, also
/// writes these to that file: both files appear, or none. Passes a warning about each tensor on meta to
/// `notify_of_tensor`. Throws UsageError if both are the same file.
void strip_file(const FileSource& source, const SaveTarget& target, const std::string& weights,
                const NoticeSink& notify_of_tensor);

/// Writes the archive with the tensors of the file `weights`, see write_attached(). An error about that file
/// names it.
void attach_file(const FileSource& source, const std::string& weights, const SaveTarget& target);

}  // namespace pt2
