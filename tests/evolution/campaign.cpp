// evolution_campaign [EDITS [SEED [FIRST]]]: writes values with one schema and reads them with another, to
// check the verdicts of `schemagen diff` on random edits. FIRST is the first edit's number, to repeat one.
//
// `yes`: every value is read with the same meaning. `depends` and `no`: some value is rejected or misread.
// `depends`: some value is read, perhaps by a reader that skips unknown fields.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "evolution/compat.h"
#include "evolution/compat_match.h"
#include "evolution/compat_report.h"
#include "front/resolve.h"
#include "generator/boundary_value.h"
#include "generator/free_edit.h"
#include "generator/meaning.h"
#include "generator/random_schema.h"
#include "generator/reflective_codec.h"
#include "runtime/test_seed.h"
#include "schemagen/base/error.h"

using generator::Definition;
using generator::Effects;
using generator::Field;
using generator::Finding;
using generator::Match;
using generator::Model;
using generator::Release;
using generator::Type;
using generator::Verdict;
using schemagen::UnknownFields;
using schemagen_test::boundary_value;
using schemagen_test::Direction;
using schemagen_test::edit_kinds;
using schemagen_test::edited;
using schemagen_test::edited_freely;
using schemagen_test::FreelyEdited;
using schemagen_test::Meaning;
using schemagen_test::Random;
using schemagen_test::random_schema;
using schemagen_test::ReflectiveCodec;
using schemagen_test::Value;
using schemagen_test::yaml_text;

namespace {

constexpr int kValues = 6;
constexpr int kSearched = 1500;  // to find a value that breaks, or one that does not

std::optional<Release> release(const Model& model, const std::string& file) {
  generator::Diagnostics diagnostics(file, yaml_text(model));
  auto loaded = generator::load_model(diagnostics, generator::rule_ids());
  if (!loaded) return std::nullopt;
  // Reservations that precede both schemas are not about their data.
  for (Definition& type : loaded->types) type.reserved = {};
  return Release{file, diagnostics.text(), *std::move(loaded)};
}

enum class Wire { json, binary };

struct Flow {
  const char* name;
  Wire wire;
  Direction direction;
  Verdict Effects::*verdict;
};

/// In the order of generator::Flow.
constexpr Flow kFlows[] = {
    {"new reads old JSON", Wire::json, Direction::backward, &Effects::json_backward},
    {"old reads new JSON", Wire::json, Direction::forward, &Effects::json_forward},
    {"new reads old binary", Wire::binary, Direction::backward, &Effects::binary_backward},
    {"old reads new binary", Wire::binary, Direction::forward, &Effects::binary_forward},
};

/// The old types that can read new data. A type's copy is not its partner, but may require a field that the
/// partner lacks.
enum class Readers { all, partners };

struct TypeInBoth {
  Type before;
  Type after;
  bool is_root;
  bool is_changed;
};

bool contains(const std::vector<std::size_t>& roots, std::size_t type) {
  return std::find(roots.begin(), roots.end(), type) != roots.end();
}

struct Fault {
  std::string kind;
  std::string value;
};

class Edit {
 public:
  Edit(const Release& before, const Release& after, std::vector<Finding> findings, Random& random)
      : before_(before.model),
        after_(after.model),
        match_(generator::match(before.model, after.model, generator::Renames::found)),
        meaning_(before_, after_, match_),
        findings_(std::move(findings)),
        random_(random) {
    const std::vector<std::size_t> old_roots = roots_of(before.model);
    const std::vector<std::size_t> new_roots = roots_of(after.model);
    for (const generator::TypePair& pair : match_.pairs) {
      const bool is_root = contains(old_roots, pair.before) && contains(new_roots, pair.after);
      const bool is_called_so =
          before.model.name == after.model.name && pair.old_type->name == pair.new_type->name;
      const bool is_alike =
          definition_text(before.model, *pair.old_type) == definition_text(after.model, *pair.new_type);
      types_.push_back({{Type::Kind::named, {}, pair.before},
                        {Type::Kind::named, {}, pair.after},
                        is_root,
                        !is_alike || (is_root && !is_called_so)});
    }
    const bool are_listed = !before.model.roots.empty() && !after.model.roots.empty();
    for (const std::size_t root : old_roots) {
      const auto partner = match_.partner[root];
      lacks_root_ = lacks_root_ || !partner || (are_listed && !contains(new_roots, *partner));
    }
  }

  const std::vector<Finding>& findings() const { return findings_; }

  /// `has_one_change`: nothing else can hide an example's effect.
  std::vector<Fault> check(bool has_one_change) {
    std::vector<Fault> faults;
    for (const Flow& flow : kFlows) {
      const Verdict verdict = worst(flow);
      auto fault = verdict == Verdict::yes ? find_loss(flow) : search(flow, verdict);
      if (!fault) continue;
      fault->kind = std::string(flow.name) + ": '" + std::string(name_of(verdict)) + "', but " + fault->kind;
      faults.push_back(*std::move(fault));
    }
    if (has_one_change) check_examples(findings_, faults);
    check_versions(findings_, faults);
    return faults;
  }

 private:
  struct Outcome {
    bool is_read = false;
    bool is_kept = false;
    std::string text;
  };

  void check_examples(const std::vector<Finding>& findings, std::vector<Fault>& faults) {
    for (const Finding& finding : findings) {
      const std::string rule(finding.rule->id);
      if (finding.example) {
        const Outcome outcome = show(*finding.example);
        if (outcome.is_kept) faults.push_back({"the example of " + rule + " is read", outcome.text});
      } else if (finding.causes.empty() && finding.level >= generator::Level::breaking &&
                 has_broken_data(finding.effects)) {
        faults.push_back({rule + " has no example", finding.message});
      }
      check_examples(finding.causes, faults);
    }
  }

  /// The flows that are checked by reading decide about the version.
  static void check_versions(const std::vector<Finding>& findings, std::vector<Fault>& faults) {
    for (const Finding& finding : findings) {
      const bool is_broken = has_broken_data(finding.effects);
      if (finding.bump == (is_broken ? generator::Bump::none : generator::Bump::major)) {
        faults.push_back(
            {std::string(finding.rule->id) + (is_broken ? " needs no version, but breaks data"
                                                        : " needs a major version, but breaks nothing"),
             finding.message});
      }
      check_versions(finding.causes, faults);
    }
  }

  static bool has_broken_data(const Effects& effects) {
    return std::any_of(std::begin(kFlows), std::end(kFlows),
                       [&](const Flow& flow) { return effects.*flow.verdict != Verdict::yes; });
  }

  Outcome show(const generator::Example& example) {
    const bool is_of_old = is_backward(example.flow);
    if (example.read_type.empty()) return {};  // nothing reads it
    const ReflectiveCodec& writer = is_of_old ? before_ : after_;
    const ReflectiveCodec& reader = is_of_old ? after_ : before_;
    const Type written{Type::Kind::named, {}, writer.model().find(example.type).value()};
    const Type read{Type::Kind::named, {}, reader.model().find(example.read_type).value()};
    const Value value = writer.from_json(written, example.value, UnknownFields::error);
    const auto has = [&](const std::string& name) {
      return example.value.find("\"" + name + "\"") != std::string::npos;
    };
    const ReflectiveCodec::LeavesOut leaves_out = [&](const Definition&, const Field& field) {
      return !has(field.name);
    };
    const std::size_t flow = static_cast<std::size_t>(example.flow);
    return pass({kFlows[flow], writer, reader, written, read, is_root(example), UnknownFields::error}, value,
                leaves_out);
  }

  bool is_root(const generator::Example& example) const {
    const std::string& old_name = is_backward(example.flow) ? example.type : example.read_type;
    return std::any_of(types_.begin(), types_.end(), [&](const TypeInBoth& type) {
      return type.is_root && before_.model().types[type.before.named].name == old_name;
    });
  }

  Verdict worst(const Flow& flow) const {
    Verdict verdict = Verdict::yes;
    for (const Finding& finding : findings_) {
      if (finding.rule->id == "CONSTANT_CHANGED") continue;
      verdict = std::max(verdict, finding.effects.*flow.verdict);
    }
    return verdict;
  }

  bool loses_files(const Flow& flow) const {
    return (flow.wire == Wire::binary && before_.model().name != after_.model().name) ||
           (flow.direction == Direction::backward && lacks_root_);
  }

  std::optional<Fault> find_loss(const Flow& flow) {
    if (loses_files(flow)) return Fault{"files are refused", ""};
    for (const TypeInBoth& type : types_) {
      for (int i = 0; i < kValues; ++i) {
        const Outcome outcome = pass(flow, type, reading(flow));
        if (!outcome.is_kept) return Fault{outcome.is_read ? "misread" : "refused", outcome.text};
      }
    }
    return std::nullopt;
  }

  /// `depends` also needs a value that is not lost.
  std::optional<Fault> search(const Flow& flow, Verdict verdict) {
    bool is_any_lost = loses_files(flow);
    bool is_any_kept = verdict == Verdict::no;
    for (int i = 0; i < kSearched && !(is_any_lost && is_any_kept); ++i) {
      const TypeInBoth* const type = any_changed();
      if (type == nullptr) return std::nullopt;
      const UnknownFields unknown = random_.chance(50) ? UnknownFields::error : reading(flow);
      const Readers readers = random_.chance(50) ? Readers::all : Readers::partners;
      is_any_lost = is_any_lost || !pass(flow, *type, unknown, readers).is_kept;
      is_any_kept = is_any_kept || pass(flow, *type, UnknownFields::skip).is_kept;
    }
    if (!is_any_lost) return Fault{"all is read", ""};
    return is_any_kept ? std::nullopt : std::optional(Fault{"nothing is read", ""});
  }

  const TypeInBoth* any_changed() {
    std::vector<const TypeInBoth*> changed;
    for (const TypeInBoth& type : types_) {
      if (type.is_changed) changed.push_back(&type);
    }
    return changed.empty() ? nullptr : changed[random_.below(changed.size())];
  }

  static UnknownFields reading(const Flow& flow) {
    return flow.direction == Direction::backward ? UnknownFields::error : UnknownFields::skip_empty;
  }

  struct Passage {
    const Flow& flow;
    const ReflectiveCodec& writer;
    const ReflectiveCodec& reader;
    Type written;
    Type read;
    bool is_root;
    UnknownFields unknown;
  };

  Outcome pass(const Flow& flow, const TypeInBoth& types, UnknownFields unknown,
               Readers readers = Readers::all) {
    const bool is_old = flow.direction == Direction::backward;
    const Passage passage = {flow,
                             is_old ? before_ : after_,
                             is_old ? after_ : before_,
                             is_old ? types.before : types.after,
                             is_old ? types.after : types.before,
                             types.is_root,
                             unknown};
    const Value value = boundary_value(passage.writer, passage.written, passage.reader, random_);
    return pass(passage, value, what_is_left_out(flow, readers));
  }

  Outcome pass(const Passage& one, const Value& value, const ReflectiveCodec::LeavesOut& leaves_out) const {
    Outcome outcome;
    outcome.text = one.writer.to_json(one.written, value, leaves_out);
    try {
      const Value read = one.flow.wire == Wire::json
                             ? one.reader.from_json(one.read, outcome.text, one.unknown)
                             : read_binary(one, value, leaves_out);
      outcome.is_read = true;
      outcome.is_kept = meaning_.is_same(one.flow.direction, one.unknown == UnknownFields::skip, one.written,
                                         value, one.read, read);
      outcome.text += " is read as " + one.reader.to_json(one.read, read);
    } catch (const schemagen::DataError& error) {
      outcome.text += " is refused: " + std::string(error.what());
    }
    return outcome;
  }

  static Value read_binary(const Passage& one, const Value& value,
                           const ReflectiveCodec::LeavesOut& leaves_out) {
    if (one.is_root)
      return one.reader.from_binary_file(one.read, one.writer.to_binary_file(one.written, value, leaves_out),
                                         one.unknown);
    return one.reader.from_binary(one.read, one.writer.to_binary(one.written, value, leaves_out),
                                  one.unknown);
  }

  /// Old data may lack fields with defaults; new data has all fields that old readers require.
  ReflectiveCodec::LeavesOut what_is_left_out(const Flow& flow, Readers readers) {
    if (random_.chance(60)) return {};
    return [this, flow, readers](const Definition&, const Field& field) {
      return flow.direction == Direction::backward || may_lack(flow.wire, readers, field.name);
    };
  }

  bool may_lack(Wire wire, Readers readers, const std::string& name) const {
    const auto may_lack_field = [&](const Field& field) {
      return field.fallback || (wire == Wire::binary && field.type.kind == Type::Kind::optional);
    };
    bool is_known = false;
    for (const generator::TypePair& pair : match_.pairs) {
      for (const auto& [from, to] : pair.fields) {
        if (to->name != name) continue;
        if (!may_lack_field(*from)) return false;
        is_known = true;
      }
    }
    if (readers == Readers::partners) return is_known;
    for (const Definition& type : before_.model().types) {
      for (const Field& field : type.fields) {
        if (field.name != name) continue;
        if (!may_lack_field(field)) return false;
        is_known = true;
      }
    }
    return is_known;
  }

  static std::string definition_text(const Model& model, const Definition& type) {
    std::string text = std::string(name_of(type.kind)) + (type.is_named_in_json ? " by name" : "");
    for (const Field& field : type.fields) {
      text += ", " + field.name + " " + std::to_string(field.id) + " " + spelled(model, field.type);
      if (field.fallback) text += " = " + json_text(model, *field.fallback, false);
    }
    if (type.is_enum()) {
      for (const auto& value : type.values) text += ", " + value.name + " " + std::to_string(value.id);
    }
    return text;
  }

  ReflectiveCodec before_;
  ReflectiveCodec after_;
  Match match_;
  Meaning meaning_;
  std::vector<Finding> findings_;
  std::vector<TypeInBoth> types_;
  bool lacks_root_ = false;
  Random& random_;
};

struct Counts {
  std::map<std::string, int> rules;
  std::map<std::string, int> faults;
  int wrong = 0;
};

void count(const std::vector<Finding>& findings, std::set<std::string>& rules) {
  for (const Finding& finding : findings) {
    rules.emplace(finding.rule->id);
    count(finding.causes, rules);
  }
}

std::string rules_text(const std::vector<Finding>& findings) {
  std::set<std::string> rules;
  count(findings, rules);
  std::string text;
  for (const std::string& rule : rules) text += " " + rule;
  return text;
}

std::string lines_without(const std::string& text, const std::string& other, const std::string& mark) {
  std::istringstream in(text);
  std::string out;
  for (std::string line; std::getline(in, line);) {
    if (other.find(line + "\n") == std::string::npos) out += mark + line + "\n";
  }
  return out;
}

std::vector<Finding> findings_of(Release before, Release after, Random& random) {
  before.model.version.minor_ = static_cast<std::int32_t>(random.below(3));
  after.model.version.minor_ = static_cast<std::int32_t>(random.below(5));
  if (random.chance(10)) after.model.allowed.push_back({"FIELD_ID_CHANGED", "never written", {}});
  return compare(before, after, {}, generator::Policy::full);
}

bool has_one_change(const std::string& name) {
  const std::size_t first = name.find(", ");
  return name.find(", ", first + 1) == std::string::npos && name.find("exchange") == std::string::npos;
}

void check(const Release& before, const Release& after, Random& random, const std::string& name,
           Counts& counts) {
  Edit edit(before, after, findings_of(before, after, random), random);
  std::set<std::string> rules;
  count(edit.findings(), rules);
  for (const std::string& rule : rules) ++counts.rules[rule];
  for (const Fault& fault : edit.check(has_one_change(name))) {
    ++counts.wrong;
    if (++counts.faults[fault.kind + rules_text(edit.findings())] > 1) continue;
    std::cout << "\n"
              << name << ":" << rules_text(edit.findings()) << "\n"
              << fault.kind << "\n"
              << fault.value << "\n"
              << lines_without(before.text, after.text, "-") << lines_without(after.text, before.text, "+")
              << std::flush;
  }
}

/// Then exchanging them has no effect.
bool has_one_value(const Model& model, const Type& type) {
  if (type.kind != Type::Kind::named) return type.kind == Type::Kind::unit;
  const generator::Definition& body = model.types[type.named];
  return body.is_struct() && std::all_of(body.fields.begin(), body.fields.end(), [&](const Field& field) {
           return has_one_value(model, field.type);
         });
}

bool moves_one_value(const Model& before, const Model& after) {
  const Match match = generator::match(before, after, generator::Renames::found);
  for (const generator::TypePair& pair : match.pairs) {
    for (const Field& field : pair.new_type->fields) {
      const Field* const old = pair.old_fields.numbered(field.id);
      const bool is_other = old != nullptr && old->name != field.name;
      if (is_other && (has_one_value(before, old->type) || has_one_value(after, field.type))) return true;
    }
  }
  return false;
}

std::optional<FreelyEdited> edited_any_way(const Model& before, Random& random) {
  if (random.chance(70)) return edited_freely(before, random);
  std::set<std::string> touched;
  const std::size_t kind = random.below(edit_kinds().size());
  auto after = edited(before, kind, random, touched);
  if (!after) return std::nullopt;
  return FreelyEdited{*std::move(after), std::string(edit_kinds()[kind].name)};
}

/// The third generation reuses what the second removes and reserves.
struct Reuse {
  Model first;
  Model second;
  Model third;
  std::size_t owner;
  std::size_t old_index;  // of the field in the first one
};

std::vector<Field>& fields_of(Model& model, std::size_t type) {
  return model.types[type].fields;
}

std::optional<Reuse> reuse_of_field(Random& random) {
  Reuse reuse;
  reuse.first = random_schema(random);
  reuse.owner = random.below(reuse.first.types.size());
  const generator::Definition& body = reuse.first.types[reuse.owner];
  if (!body.is_struct() || body.fields.empty()) return std::nullopt;
  reuse.old_index = random.below(body.fields.size());
  const Field old = body.fields[reuse.old_index];
  reuse.second = reuse.first;
  std::vector<Field>& fields = fields_of(reuse.second, reuse.owner);
  fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(reuse.old_index));
  reuse.third = reuse.second;
  reuse.second.types[reuse.owner].reserved = {{old.id}, {old.name}, {}};
  Field field;
  const bool is_name = random.chance(50);
  field.name = is_name ? old.name : "another";
  field.id = is_name ? old.id + 1000 : old.id;
  field.type = {random.chance(50) ? Type::Kind::string : Type::Kind::integer, {}, 0};
  if (spelled(reuse.first, old.type) == spelled(reuse.third, field.type)) return std::nullopt;
  if (random.chance(80)) fields_of(reuse.third, reuse.owner).push_back(std::move(field));
  return reuse;
}

struct Generations {
  Release first;
  Release second;
  Release third;
};

std::optional<Generations> generations(const Reuse& reuse) {
  auto first = release(reuse.first, "first.yaml");
  auto second = release(reuse.second, "second.yaml");
  auto third = release(reuse.third, "third.yaml");
  if (!first || !second || !third) return std::nullopt;
  second->model.types[reuse.owner].reserved = reuse.second.types[reuse.owner].reserved;
  return Generations{*std::move(first), *std::move(second), *std::move(third)};
}

template <class IsTaken>
void check_reuse(const Reuse& reuse, const Generations& all, Random& random, const std::string& name,
                 Counts& counts, IsTaken is_taken) {
  const std::vector<Finding> findings = compare(all.second, all.third, {all.first}, generator::Policy::full);
  std::set<std::string> rules;
  count(findings, rules);
  for (const std::string& rule : rules) ++counts.rules[rule];
  const ReflectiveCodec old_codec(all.first.model);
  const ReflectiveCodec new_codec(all.third.model);
  const Type type{Type::Kind::named, {}, reuse.owner};
  for (const Finding& finding : findings) {
    if (finding.rule->id.find("_REUSED") == std::string_view::npos) continue;
    for (const Flow& flow : kFlows) {
      if (finding.effects.*flow.verdict == Verdict::yes) continue;
      const bool is_backward = flow.direction == Direction::backward;
      const ReflectiveCodec& writer = is_backward ? old_codec : new_codec;
      const ReflectiveCodec& reader = is_backward ? new_codec : old_codec;
      bool is_any_taken = false;
      for (int i = 0; i < kSearched && !is_any_taken; ++i) {
        const Value value = boundary_value(writer, type, reader, random);
        try {
          const Value read =
              flow.wire == Wire::json
                  ? reader.from_json(type, writer.to_json(type, value), UnknownFields::skip)
                  : reader.from_binary(type, writer.to_binary(type, value), UnknownFields::skip);
          is_any_taken = is_taken(writer, value, reader, read);
        } catch (const schemagen::DataError&) {
          is_any_taken = true;
        }
      }
      if (is_any_taken) continue;
      ++counts.wrong;
      std::cout << "\n" << name << ": " << flow.name << ": " << finding.message << ", but nothing is lost\n";
    }
  }
}

bool check_reuse_of_field(Random& random, const std::string& name, Counts& counts) {
  const auto reuse = reuse_of_field(random);
  const auto all = reuse ? generations(*reuse) : std::nullopt;
  if (!all) return false;
  check_reuse(*reuse, *all, random, name, counts,
              [&](const ReflectiveCodec&, const Value&, const ReflectiveCodec& reader, const Value& read) {
                const std::vector<Field>& fields = reader.model().types[reuse->owner].fields;
                const bool is_new = &reader.model() == &all->third.model;
                const std::size_t taken = is_new ? fields.size() - 1 : reuse->old_index;
                return read.items[taken] != reader.absent(fields[taken]);
              });
  return true;
}

bool check_reuse_of_number(Random& random, const std::string& name, Counts& counts) {
  Reuse reuse;
  reuse.first = random_schema(random);
  reuse.owner = random.below(reuse.first.types.size());
  const generator::Definition& body = reuse.first.types[reuse.owner];
  if (!body.is_enum() || body.values.size() < 2) return false;
  const generator::Field old = body.values.back();
  reuse.second = reuse.first;
  reuse.second.types[reuse.owner].values.pop_back();
  reuse.third = reuse.second;
  reuse.third.types[reuse.owner].values.push_back({"ANOTHER", old.id, {}});
  reuse.second.types[reuse.owner].reserved = {{old.id}, {old.name}, {}};
  const auto all = generations(reuse);
  if (!all) return false;
  const auto name_of = [&](const ReflectiveCodec& codec, const Value& value) -> std::string {
    for (const auto& one : codec.model().types[reuse.owner].values) {
      if (one.id == value.integer()) return one.name;
    }
    return "";
  };
  check_reuse(reuse, *all, random, name, counts,
              [&](const ReflectiveCodec& writer, const Value& value, const ReflectiveCodec& reader,
                  const Value& read) { return name_of(writer, value) != name_of(reader, read); });
  return true;
}

bool check_one(std::uint64_t seed, int number, Counts& counts) {
  Random random(seed * 1000003 + static_cast<std::uint64_t>(number));
  if (random.chance(3)) return check_reuse_of_field(random, "edit " + std::to_string(number), counts);
  if (random.chance(2)) return check_reuse_of_number(random, "edit " + std::to_string(number), counts);
  Model before = random_schema(random);
  if (random.chance(20)) before.constants.push_back({"C0", 7, {}});
  const auto after = edited_any_way(before, random);
  if (!after) return false;
  const auto old_release = release(before, "old.yaml");
  const auto new_release = release(after->model, "new.yaml");
  if (!old_release || !new_release || moves_one_value(old_release->model, new_release->model)) return false;
  const std::string name = "edit " + std::to_string(number) + ", " + after->edits;
  check(*old_release, *new_release, random, name, counts);
  check(*new_release, *old_release, random, name + " undone", counts);
  return true;
}

int run(int edits, std::uint64_t seed, int number) {
  Counts counts;
  for (int done = 0; done < edits; ++number) done += check_one(seed, number, counts) ? 1 : 0;
  for (const generator::Rule& rule : generator::rules()) {
    std::cout << counts.rules[std::string(rule.id)] << " " << rule.id << "\n";
  }
  for (const auto& [fault, count] : counts.faults) std::cout << count << " " << fault << "\n";
  std::cout << edits << " edits, seed " << seed << ": " << counts.wrong << " wrong verdicts" << std::endl;
  return counts.wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int edits = argc > 1 ? std::stoi(argv[1]) : 100;
    const std::uint64_t seed = argc > 2 ? std::stoull(argv[2]) : test_seed();
    return run(edits, seed, argc > 3 ? std::stoi(argv[3]) : 0);
  } catch (const std::exception& error) {
    std::cerr << "evolution_campaign: " << error.what() << "\n";
    return 2;
  }
}
