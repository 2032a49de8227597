// From the header in PyTorch's wheel.
#include <torch/csrc/utils/generated_serialization_types.h>

#include <fstream>

#include "codecs.h"

namespace bench {
namespace {

class TorchCodec : public Codec {
 public:
  std::string name() const override { return "PyTorch's generated C++ (nlohmann)"; }
  void load_file(const char* path) override {
    std::ifstream in(path, std::ios::binary);
    nlohmann::json::parse(in).get_to(loaded_);
  }
  void load(std::string_view text) override { nlohmann::json::parse(text).get_to(loaded_); }
  void drop() override { loaded_ = {}; }
  void keep(std::string_view text) override { nlohmann::json::parse(text).get_to(kept_); }
  std::size_t write() override { return nlohmann::json(kept_).dump().size(); }

 private:
  torch::_export::ExportedProgram loaded_;
  torch::_export::ExportedProgram kept_;
};

}  // namespace

std::unique_ptr<Codec> make_torch() {
  return std::make_unique<TorchCodec>();
}

}  // namespace bench
