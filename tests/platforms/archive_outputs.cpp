// Prints JSON, binary files, archives, weights, and errors for damaged copies. See
// tests/platforms/platforms.py.
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "outputs.h"
#include "pt2/pt2.h"

namespace {

using outputs::print;
using outputs::print_hash;

void print_version(const char* what, const pt2::SchemaVersion& version) {
  std::printf("%s: %s.%s\n", what, std::to_string(version.major).c_str(),
              std::to_string(version.minor).c_str());
}

void print_weight(const pt2::Weight& weight) {
  if (!weight.tensor) return print(weight.name, "no tensor");
  print_hash(weight.name + " in " + weight.record, contiguous_bytes(*weight.tensor));
  if (const auto statistics = statistics_of(*weight.tensor, 4)) {
    const double mean = statistics->mean;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &mean, sizeof bits);
    std::printf("  mean %016" PRIx64 ", %" PRIu64 " zeros\n", bits, statistics->zeros);
  }
}

std::string saved(const pt2::LoadedProgram& loaded, pt2::FileFormat format,
                  const pt2::SaveOptions& options = {}) {
  std::string bytes;
  pt2::save_program(loaded, pt2::SaveTarget::memory(bytes, format), options);
  return bytes;
}

template <class Make>
void attempt(const char* what, const Make& make) {
  try {
    make();
  } catch (const std::exception& error) {
    print(std::string(what) + ": error", error.what());
  }
}

void report(const pt2::ProgramFile& file) {
  pt2::LoadOptions options;
  options.upgrading = pt2::Upgrading::older_minors;
  options.newer_fields = pt2::schemagen::UnknownFields::skip;
  if (file.archive() != nullptr && file.archive()->models.size() > 1) {
    options.model = file.archive()->models.front().name;
  }
  const pt2::LoadedProgram loaded = pt2::load_program(file, options);
  if (loaded.upgraded_from) print_version("upgraded from", *loaded.upgraded_from);
  for (const pt2::UpgradeChange& change : loaded.changes) print(change.path, change.what);
  for (const pt2::schemagen::SkippedField& field : loaded.skipped) print("skipped", field.path);
  attempt("JSON", [&] { print_hash("JSON", saved(loaded, pt2::FileFormat::json)); });
  attempt("binary file", [&] {
    const std::string binary = saved(loaded, pt2::FileFormat::pt2b);
    print_hash("binary file", binary);
    const pt2::LoadedProgram again = pt2::load_program(pt2::ProgramFile(pt2::FileBytes(binary)));
    print_hash("JSON of it", saved(again, pt2::FileFormat::json));
  });
  if (file.archive() == nullptr) return;
  attempt("weights", [&] {
    for (const pt2::Weight& weight : pt2::load_weights(file, options.model)) print_weight(weight);
  });
  attempt("archive", [&] {
    pt2::SaveOptions saving;
    saving.source = &file;
    saving.weights = pt2::SaveWeights::raw;
    print_hash("archive", saved(loaded, pt2::FileFormat::archive, saving));
  });
}

void report_damaged(const std::string& bytes) {
  constexpr std::size_t kMost = 40000;  // bytes, to finish on emulators in a minute
  if (bytes.size() > kMost) return;
  outputs::Numbers numbers(outputs::hash_of(bytes));
  for (int i = 0; i < 6; ++i) {
    std::string wrong = outputs::damaged(bytes, numbers);
    attempt("damaged", [&] {
      const pt2::ProgramFile file{pt2::FileBytes(std::move(wrong))};
      const pt2::LoadedProgram loaded = pt2::load_program(file);
      print_hash("damaged", saved(loaded, pt2::FileFormat::json));
      if (file.archive() == nullptr) return;
      for (const pt2::Weight& weight : pt2::load_weights(file)) print_weight(weight);
    });
  }
}

void report_floats() {
  outputs::Numbers numbers(1);
  std::string all;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = numbers.next();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    pt2::Argument argument;
    argument.emplace<pt2::Argument::as_float>(value);
    const std::string text = pt2::schemagen::to_json(argument);
    all += text;
    if (pt2::schemagen::to_json(pt2::schemagen::from_json<pt2::Argument>(text)) != text) {
      print("another float is read from", text);
    }
  }
  print_hash("floats", all);
}

void report_name(const std::string& path, const std::string& folder) {
  const std::string name = folder + "/mod\u00e8le \u65e5\u672c.json";
  const pt2::LoadedProgram loaded = pt2::load_program(path);
  for (int i = 0; i < 2; ++i) pt2::save_program(loaded, name);
  print_hash("name", saved(pt2::load_program(name), pt2::FileFormat::json));
  attempt("name", [&] { pt2::load_program(name + ".missing"); });
  attempt("name", [&] { pt2::save_program(loaded, folder + "/missing/below.json"); });
}

}  // namespace

/// Paths come on standard input. The output folder has a relative name.
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  bool is_first = true;
  outputs::for_each_path([&](const std::string& path) {
    attempt("file", [&] {
      if (std::exchange(is_first, false)) {
        report_floats();
        report_name(path, argv[1]);
      }
      report(pt2::open_program_file(path));
    });
    report_damaged(outputs::bytes_of(path));
  });
}
