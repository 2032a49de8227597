#include <pt2/json.h>
#include <pt2/program.h>

#include "codecs.h"

namespace bench {
namespace {

class Pt2Codec : public Codec {
 public:
  explicit Pt2Codec(schemagen::JsonBackend backend) {
    options_.backend = backend;
    options_.readable_after = kReadableAfter;
  }
  std::string name() const override {
    return options_.backend == schemagen::JsonBackend::rapidjson ? "libpt2 (RapidJSON)" : "libpt2";
  }
  void load_file(const char* path) override {
    pt2::LoadOptions options;
    options.backend = options_.backend;
    loaded_ = pt2::load_program(path, options).program;
  }
  void load(std::string_view text) override {
    loaded_ = schemagen::from_json<pt2::ExportedProgram>(text, options_);
  }
  void drop() override { loaded_ = {}; }
  void keep(std::string_view text) override {
    kept_ = schemagen::from_json<pt2::ExportedProgram>(text, options_);
  }
  std::size_t write() override { return schemagen::to_json(kept_).size(); }

 private:
  schemagen::JsonReadOptions options_;
  pt2::ExportedProgram loaded_;
  pt2::ExportedProgram kept_;
};

}  // namespace

std::unique_ptr<Codec> make_pt2() {
  return std::make_unique<Pt2Codec>(schemagen::JsonBackend::automatic);
}
std::unique_ptr<Codec> make_pt2_rapidjson() {
  return std::make_unique<Pt2Codec>(schemagen::JsonBackend::rapidjson);
}

}  // namespace bench
