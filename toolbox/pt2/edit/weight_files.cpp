#include "pt2/edit/weight_files.h"

#include "pt2/archive/contents.h"
#include "pt2/archive/tensors/tensor_files.h"
#include "pt2/text/affix.h"
#include "pt2/weights.h"
#include "schemagen/base/file_system.h"
#include "schemagen/base/near_name.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

bool is_npz(const std::string& path) {
  return ends_with(path, ".npz");
}

void write_tensor_file(std::vector<NamedTensor> tensors, const std::string& path, AtomicFile& file,
                       const NoticeSink& notify_of_tensor) {
  const auto has_no_bytes = [](const NamedTensor& named) { return named.tensor.is_on_meta(); };
  for (const NamedTensor& named : tensors) {
    if (has_no_bytes(named))
      notify_of_tensor("warning: " + schemagen::quoted(named.name) +
                       " was skipped: it is on the meta device and has no bytes");
  }
  tensors.erase(std::remove_if(tensors.begin(), tensors.end(), has_no_bytes), tensors.end());
  const ByteSink sink = [&](std::string_view part) { file.write(part); };
  is_npz(path) ? write_npz(tensors, sink) : write_safetensors(tensors, sink);
}

}  // namespace

void require_tensor_file(const std::string& path) {
  if (is_npz(path) || ends_with(path, ".safetensors")) return;
  throw schemagen::UsageError("cannot write " + schemagen::quoted(path) +
                              ": expected a name that ends in .safetensors or .npz");
}

std::vector<Weight> load_named_weights(const FileSource& source, const std::vector<std::string>& names) {
  LoadedProgram loaded;
  std::vector<Weight> weights = load_weights(source.file, source.model, &loaded);
  for (const std::string& notice : skipped_notices(loaded.skipped, writer_of(loaded))) source.notify(notice);
  if (weights.empty() && source.file.archive()->models.empty()) {
    source.notify("note: " + schemagen::printable(compiled_package_text(*source.file.archive())) +
                  " lists no weights: the compiled code contains them");
  }
  if (names.empty()) return weights;
  weights = with_parts(std::move(weights));
  std::vector<std::string_view> known;
  for (const Weight& weight : weights) known.push_back(weight.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw schemagen::UsageError(
        schemagen::with_suggestion("unknown tensor " + schemagen::quoted(name), name, known));
  }
  const auto is_other = [&](const Weight& weight) {
    return std::find(names.begin(), names.end(), weight.name) == names.end();
  };
  weights.erase(std::remove_if(weights.begin(), weights.end(), is_other), weights.end());
  return weights;
}

void export_weights(const FileSource& source, const std::vector<std::string>& names, const std::string& path,
                    const NoticeSink& notify_of_tensor) {
  require_tensor_file(path);
  const std::vector<Weight> weights = load_named_weights(source, names);
  for (const Weight& weight : weights) {
    if (weight.tensor || !weight.class_name.empty()) continue;
    notify_of_tensor("warning: " + schemagen::quoted(weight.name) +
                     " was skipped: it is an object, not a tensor");
  }
  AtomicFile file(path);
  write_tensor_file(tensors_of(with_parts(weights)), path, file, notify_of_tensor);
  file.commit();
}

void attach_file(const FileSource& source, const std::string& weights, const SaveTarget& target) {
  const FileBytes bytes = read_file(weights);
  const std::vector<Weight> known = load_weights(source.file, source.model);
  std::vector<NamedTensor> tensors;
  try {
    tensors = is_npz(weights) ? read_npz(bytes.view(), tensors_of(with_parts(known)), bytes.pages())
                              : read_safetensors(bytes.view(), bytes.pages());
  } catch (const schemagen::DataError& error) {
    throw schemagen::DataError(schemagen::printable(weights) + ": " + error.what());
  }
  target.write([&](const ByteSink& sink) { write_attached(*source.file.archive(), known, tensors, sink); });
}

void strip_file(const FileSource& source, const SaveTarget& target, const std::string& weights,
                const NoticeSink& notify_of_tensor) {
  const bool has_file = !weights.empty();
  if (has_file) require_tensor_file(weights);
  if (has_file && schemagen::is_same_output(target.path(), weights)) {
    throw schemagen::UsageError("the archive and its weights cannot be the same file, " +
                                schemagen::quoted(weights) + "; write to two files");
  }
  std::vector<Weight> stored;
  const auto models =
      has_file ? std::vector<std::optional<std::string>>{source.model} : models_of(source.file, source.model);
  for (const std::optional<std::string>& model : models) {
    for (Weight& weight : load_weights(source.file, model)) stored.push_back(std::move(weight));
  }
  // Both or none: the first file is renamed last.
  std::optional<AtomicFile> tensors;
  if (has_file) write_tensor_file(tensors_of(stored), weights, tensors.emplace(weights), notify_of_tensor);
  target.write([&](const ByteSink& sink) {
    write_stripped(*source.file.archive(), stored, sink);
    if (tensors) tensors->commit();
  });
  std::vector<std::string_view> pickled;
  for (const Weight& weight : stored) {
    if (!weight.class_name.empty()) pickled.push_back(weight.name);
  }
  if (!pickled.empty())
    source.notify("note: pickled tensor subclasses keep their bytes: " + schemagen::quoted_list(pickled));
}

}  // namespace pt2
