// make_experiments SEED FOLDER PARTS SCHEMA: random schemas with edits, for evolution_test.
//
// FOLDER gets codecs_0.cpp to codecs_<PARTS - 1>.cpp, each for several schemas, to compile shared headers
// only a few times; experiments.cpp, with the pairs, and additions to random schemas and to SCHEMA; and, for
// torch's checker, NAME_old.yaml and NAME_new.yaml in PyTorch's schema language, listed in edits.txt.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cpp/generate.h"
#include "evolution/compat.h"
#include "front/resolve.h"
#include "newer_schema.h"
#include "random_schema.h"
#include "random_value.h"

using generator::Comparison;
using generator::Definition;
using generator::Diagnostics;
using generator::Effects;
using generator::Field;
using generator::Finding;
using generator::Model;
using generator::OutputFile;
using generator::Release;
using generator::Type;
using generator::Verdict;
using Kind = Type::Kind;
using schemagen_test::edit_kinds;
using schemagen_test::edited;
using schemagen_test::newer_schema;
using schemagen_test::Random;
using schemagen_test::random_schema;
using schemagen_test::random_value;
using schemagen_test::yaml_text;

namespace fs = std::filesystem;

namespace {

constexpr int kValues = 24;
constexpr int kSeveralEdits = 11;
constexpr int kAdditions = 4;
constexpr std::size_t kLongestValue = 60000;  // compilers limit the length of a literal

struct Pair {
  std::string edits;
  Model before;
  Model after;
};

std::string raw_string(const std::string& text) {
  return "R\"~~(" + text + ")~~\"";
}

Release release(const Model& model, const std::string& file) {
  Diagnostics diagnostics(file, yaml_text(model));
  auto loaded = generator::load_model(diagnostics, generator::rule_ids());
  if (!loaded) throw std::runtime_error(diagnostics.render());
  return {file, diagnostics.text(), *std::move(loaded)};
}

Release unreserved(Release release) {
  for (Definition& type : release.model.types) type.reserved = {};
  return release;
}

Effects effects_of(const Release& before, const Release& after) {
  Effects all;
  const auto add = [](Verdict& total, Verdict one) { total = std::max(total, one); };
  for (const Finding& finding : compare(unreserved(before), unreserved(after), {}, generator::Policy::full)) {
    add(all.json_backward, finding.effects.json_backward);
    add(all.json_forward, finding.effects.json_forward);
    add(all.binary_backward, finding.effects.binary_backward);
    add(all.binary_forward, finding.effects.binary_forward);
  }
  return all;
}

std::string verdicts_text(const Effects& effects) {
  std::string out;
  for (const Verdict verdict :
       {effects.json_backward, effects.json_forward, effects.binary_backward, effects.binary_forward}) {
    out += (out.empty() ? "{\"" : ", \"") + std::string(name_of(verdict)) + "\"";
  }
  return out + "}";
}

bool is_renumbered(const Definition& before, const Definition& after) {
  const auto* old_enum = before.is_enum() ? &before : nullptr;
  const auto* new_enum = after.is_enum() ? &after : nullptr;
  if (old_enum == nullptr || new_enum == nullptr) return false;
  for (const Field& value : old_enum->values) {
    for (const Field& other : new_enum->values) {
      if (other.name == value.name && other.id != value.id) return true;
    }
  }
  return false;
}

bool is_respelled(const Definition& before, const Definition& after) {
  return before.is_named_in_json != after.is_named_in_json;
}

/// In JSON, base64 is text, and Any accepts null as an Optional does.
bool looks_alike_in_json(const Type& a, const Type& b) {
  const auto is_optional_any = [](const Type& type) {
    return type.kind == Kind::optional && type.args.front().kind == Kind::any;
  };
  if (a.kind == Kind::string) return b.kind == Kind::bytes;
  return a.kind == Kind::any && is_optional_any(b);
}

bool has_alike_in_json(const Definition& before, const Definition& after) {
  if (before.is_enum() || after.is_enum()) return false;
  for (const Field& field : before.fields) {
    for (const Field& other : after.fields) {
      if (other.name == field.name &&
          (looks_alike_in_json(field.type, other.type) || looks_alike_in_json(other.type, field.type))) {
        return true;
      }
    }
  }
  return false;
}

Kind wire_kind(const Type& type) {
  switch (type.kind) {
    case Kind::optional:
      return wire_kind(type.args.front());
    case Kind::bytes:
    case Kind::any:
      return Kind::string;
    case Kind::unit:
      return Kind::named;
    case Kind::int8:
    case Kind::int16:
    case Kind::int32:
    case Kind::uint8:
    case Kind::uint16:
    case Kind::uint32:
    case Kind::uint64:
      return Kind::integer;
    case Kind::float32:
      return Kind::floating;
    default:
      return type.kind;
  }
}

bool has_reused_id(const Definition& before, const Definition& after) {
  if (before.is_enum() || after.is_enum()) return false;
  for (const Field& field : before.fields) {
    for (const Field& other : after.fields) {
      if (other.id == field.id && other.name != field.name &&
          wire_kind(field.type) == wire_kind(other.type)) {
        return true;
      }
    }
  }
  return false;
}

bool in_any_type(const Pair& pair, bool (*has)(const Definition& before, const Definition& after)) {
  for (const Definition& before : pair.before.types) {
    const auto after = pair.after.find(before.name);
    if (after && has(before, pair.after.types[*after])) return true;
  }
  return false;
}

/// Compiling each schema's codec takes time, so reuses the first schemas of pairs.
class PairMaker {
 public:
  explicit PairMaker(Random& random) : random_(random) {
    constexpr int kShared = 6;
    for (int i = 0; i < kShared; ++i) shared_.push_back(random_schema(random_));
  }

  Pair one_edit(std::size_t kind) {
    const std::size_t first = random_.below(shared_.size());
    for (std::size_t i = 0; i < shared_.size(); ++i) {
      if (auto pair = one_edit(kind, shared_[(first + i) % shared_.size()])) return *std::move(pair);
    }
    constexpr int kTries = 2000;
    for (int i = 0; i < kTries; ++i) {
      if (auto pair = one_edit(kind, random_schema(random_))) return *std::move(pair);
    }
    throw std::runtime_error("no schema fits an edit");
  }

  Pair several_edits() {
    const Model& before = shared_[random_.below(shared_.size())];
    Pair pair = {"", before, before};
    std::set<std::string> touched;
    for (std::size_t tries = 2 + random_.below(4); tries > 0; --tries) {
      const std::size_t kind = random_.below(edit_kinds().size());
      auto after = edited(pair.after, kind, random_, touched);
      if (!after) continue;
      pair.after = *std::move(after);
      pair.edits += (pair.edits.empty() ? "" : ", ") + std::string(edit_kinds()[kind].name);
    }
    return pair;
  }

 private:
  std::optional<Pair> one_edit(std::size_t kind, const Model& before) {
    std::set<std::string> touched;
    auto after = edited(before, kind, random_, touched);
    if (!after) return std::nullopt;
    return Pair{std::string(edit_kinds()[kind].name), before, *std::move(after)};
  }

  Random& random_;
  std::vector<Model> shared_;
};

std::vector<Pair> make_pairs(Random& random) {
  PairMaker maker(random);
  std::vector<Pair> pairs;
  for (std::size_t kind = 0; kind < edit_kinds().size(); ++kind) pairs.push_back(maker.one_edit(kind));
  for (int i = 0; i < kSeveralEdits; ++i) pairs.push_back(maker.several_edits());
  return pairs;
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  if (!(std::ofstream(path, std::ios::binary) << text << std::flush)) {
    throw std::runtime_error("cannot write " + path.string());
  }
}

class Writer {
 public:
  Writer(fs::path folder, std::size_t parts, Random& random)
      : folder_(std::move(folder)), parts_(parts), random_(random) {}

  void add(const Pair& pair) {
    const Release before = release(pair.before, "old.yaml");
    const Release after = release(pair.after, "new.yaml");
    const bool renumbered = in_any_type(pair, is_renumbered);
    const auto flag = [](bool is_set) { return std::string(is_set ? ", true" : ", false"); };
    const std::string& old_name = schema(before);
    const std::string& new_name = schema(after);
    experiments_ +=
        "      {" + raw_string(pair.edits) + ", " + old_name + "(), " + new_name + "(), " +
        verdicts_text(effects_of(before, after)) + ", " + verdicts_text(effects_of(after, before)) +
        flag(renumbered || in_any_type(pair, has_alike_in_json)) +
        flag(renumbered || in_any_type(pair, has_reused_id)) + flag(in_any_type(pair, is_respelled)) + "},\n";
  }

  void add_newer(const Model& model) {
    const Model newer = newer_schema(model, random_);
    const std::string& name = schema(release(model, "old.yaml"));
    const std::string& newer_name = schema(release(newer, "new.yaml"));
    additions_ += "      {" + name + "(), " + newer_name + "()},\n";
  }

  void finish(std::uint64_t seed) const {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      write(folder_ / ("codecs_" + std::to_string(i) + ".cpp"), parts_[i]);
    }
    write(folder_ / "experiments.cpp",
          "#include \"evolution/experiment.h\"\n\n" + headers_ + "\nnamespace evolution {\nnamespace {\n\n" +
              schemas_ + "}  // namespace\n\nconst unsigned long long kSeed = " + std::to_string(seed) +
              "ULL;\n\nstd::vector<Experiment> experiments() {\n  return {\n" + experiments_ +
              "  };\n}\n\nstd::vector<Addition> additions() {\n  return {\n" + additions_ +
              "  };\n}\n\n}  // namespace evolution\n");
  }

 private:
  const std::string& schema(const Release& release) {
    const auto [found, is_new] = names_.emplace(release.text, "schema_" + std::to_string(names_.size()));
    if (is_new) add_schema(release, found->second);
    return found->second;
  }

  void add_schema(const Release& release, const std::string& name) {
    const std::string name_space = name + "_codec";
    const std::size_t root = release.model.roots.front();
    const std::string& root_name = release.model.types[root].name;
    std::string& part = parts_[names_.size() % parts_.size()];
    for (const OutputFile& file : generate(release.model, (folder_ / name).string(), name_space)) {
      write(file.path, file.text);
    }
    for (const char* const file : {"types", "json", "binary"}) {
      part += "#include \"" + name + "/" + file + ".cpp\"\n";
      headers_ += "#include \"" + name + "/" + file + ".h\"\n";
    }
    schemas_ += "Schema " + name + "() {\n  return {" + raw_string(release.text) +
                ",\n          &transcode<" + name_space + "::" + root_name + ">,\n          {";
    for (int i = 0; i < kValues; ++i) {
      const std::string value = random_value(release.model, root, random_);
      if (value.size() < kLongestValue) schemas_ += raw_string(value) + ",\n           ";
    }
    schemas_ += "}};\n}\n\n";
  }

  fs::path folder_;
  std::vector<std::string> parts_;
  Random& random_;
  std::map<std::string, std::string> names_;
  std::string headers_;
  std::string schemas_;
  std::string experiments_;
  std::string additions_;
};

Model read_schema(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  Diagnostics diagnostics(path, {std::istreambuf_iterator<char>(in), {}});
  auto model = generator::load_model(diagnostics, generator::rule_ids());
  if (!model) throw std::runtime_error(diagnostics.render());
  for (Definition& type : model->types) type.doc.clear();
  return *std::move(model);
}

void make(std::uint64_t seed, const fs::path& folder, std::size_t parts, const std::string& schema) {
  Random random(seed);
  Writer writer(folder, parts, random);
  for (const Pair& pair : make_pairs(random)) writer.add(pair);
  for (int i = 0; i < kAdditions; ++i) writer.add_newer(random_schema(random));
  writer.add_newer(read_schema(schema));
  writer.finish(seed);
}

void make_for_torch(std::uint64_t seed, const fs::path& folder) {
  Random random(seed);
  std::string names;
  for (std::size_t kind = 0; kind < edit_kinds().size(); ++kind) {
    constexpr int kTries = 200;
    std::optional<Model> after;
    Model before;
    for (int i = 0; i < kTries && !after; ++i) {
      before = random_schema(random, true);
      std::set<std::string> touched;
      after = edited(before, kind, random, touched);
    }
    if (!after) continue;
    const std::string name = "torch_" + std::to_string(kind);
    write(folder / (name + "_old.yaml"), yaml_text(before));
    write(folder / (name + "_new.yaml"), yaml_text(*after));
    names += name + "\n";
  }
  write(folder / "edits.txt", names);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: make_experiments SEED FOLDER PARTS SCHEMA\n";
    return 2;
  }
  try {
    make(std::strtoull(argv[1], nullptr, 10), argv[2], std::strtoull(argv[3], nullptr, 10), argv[4]);
    make_for_torch(std::strtoull(argv[1], nullptr, 10), argv[2]);
  } catch (const std::exception& error) {
    std::cerr << "make_experiments: " << error.what() << "\n";
    return 1;
  }
}
