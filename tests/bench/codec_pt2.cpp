#include <pt2/json.h>
#include <pt2/program.h>

#include "codecs.h"

namespace bench {
namespace {

class Pt2Codec : public Codec {
 public:
  Pt2Codec() { options_.readable_after = kReadableAfter; }
  std::string name() const override { return "libpt2"; }
  void load_file(const char* path) override { loaded_ = pt2::load_program(path).program; }
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

class Copy : public Codec {
 public:
  std::string name() const override { return "a copy"; }
  void load_file(const char* path) override { loaded_ = pt2::load_program(path).program; }
  void load(std::string_view) override { loaded_ = kept_; }
  void drop() override { loaded_ = {}; }
  void keep(std::string_view text) override {
    text_ = text;
    kept_ = schemagen::from_json<pt2::ExportedProgram>(text);
  }
  std::size_t write() override { return std::string(text_).size(); }

 private:
  std::string text_;
  pt2::ExportedProgram loaded_;
  pt2::ExportedProgram kept_;
};

}  // namespace

std::unique_ptr<Codec> make_pt2() {
  return std::make_unique<Pt2Codec>();
}

std::unique_ptr<Codec> make_copy() {
  return std::make_unique<Copy>();
}

}  // namespace bench
