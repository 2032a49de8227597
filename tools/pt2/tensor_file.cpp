#include "tensor_file.h"

#include <algorithm>

#include "common/exit.h"
#include "console.h"
#include "output.h"
#include "pt2/archive/tensors/tensor_files.h"
#include "pt2/text/affix.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

bool is_npz(const std::string& path) {
  return ends_with(path, ".npz");
}

}  // namespace

void require_tensor_file(const std::string& path) {
  require_no_folder(path);
  if (is_npz(path) || ends_with(path, ".safetensors")) return;
  throw schemagen::UsageError("cannot write " + schemagen::quoted(path) +
                              ": expected a name that ends in .safetensors or .npz");
}

std::vector<NamedTensor> without_meta(std::vector<NamedTensor> tensors) {
  for (const NamedTensor& named : tensors) {
    if (!named.tensor.is_on_meta()) continue;
    write_diagnostic("pt2: warning: " + schemagen::quoted(named.name) +
                     " was skipped: it is on the meta device and has no bytes\n");
  }
  tensors.erase(std::remove_if(tensors.begin(), tensors.end(),
                               [](const NamedTensor& named) { return named.tensor.is_on_meta(); }),
                tensors.end());
  return tensors;
}

void write_tensor_file(const std::vector<NamedTensor>& tensors, const std::string& path,
                       const ByteSink& out) {
  is_npz(path) ? write_npz(tensors, out) : write_safetensors(tensors, out);
}

std::vector<NamedTensor> read_tensor_file(const std::string& path, const FileBytes& bytes,
                                          const std::vector<NamedTensor>& known) {
  try {
    return is_npz(path) ? read_npz(bytes.view(), known, bytes.pages())
                        : read_safetensors(bytes.view(), bytes.pages());
  } catch (const schemagen::DataError& error) {
    throw tools::FileError(shown_path(path) + ": " + error.what());
  }
}

}  // namespace pt2::tool
