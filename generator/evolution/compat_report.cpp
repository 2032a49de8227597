#include "evolution/compat_report.h"

namespace generator {
namespace {

const std::vector<Allowance> kNothingAllowed;

/// Allowances belong to the type, not to the field that refers to it.
const std::vector<Allowance>* allowed_by(const Scope& scope, const std::vector<Allowance>& allowed) {
  return scope.is_whole() ? &allowed : &kNothingAllowed;
}

std::string yaml_text(const std::string& text) {
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.text = text;
  return is_null(node) || is_ambiguous_as_string(node) ? "\"" + text + "\"" : text;
}

void add_numbers(const Definition& type, std::set<std::int64_t>& used) {
  for (const Field& member : type.members()) used.insert(member.id);
  used.insert(type.reserved.ids.begin(), type.reserved.ids.end());
}

}  // namespace

void Report::check(const Rule& rule, const Scope& scope) {
  if (policy_ == Policy::pytorch && rule.torch == TorchVerdict::unseen) return;
  rule_ = &rule;
  std::size_t next = findings_.size();
  rule.check(scope, *this);
  for (; next < findings_.size(); ++next) finish(findings_[next]);
}

Finding& Report::add(const Subject& subject, const std::string& message) {
  return findings_.emplace_back(
      Finding{subject, rule_, rule_->level, shown(message), rule_->effects, rule_->bump});
}

void Report::finish(Finding& finding) {
  apply_policy(finding);
  if (finding.paste != shown(finding.paste)) finding.paste.clear();  // do not offer truncated text
  for (const Allowance& allowance : *finding.allowances) {
    if (allowance.rule != finding.rule->id) continue;
    used_.insert(&allowance);
    finding.allowed = shown(allowance.reason);
    return;
  }
}

void Report::apply_policy(Finding& finding) const {
  if (policy_ == Policy::backward) finding.bump = std::min(finding.bump, finding.rule->bump_backward);
  if (policy_ != Policy::pytorch) return limit_to_effects(finding);
  // In the order of TorchVerdict.
  constexpr Level kLevels[] = {Level::note, Level::note, Level::breaking, Level::error, Level::error};
  constexpr Bump kBumps[] = {Bump::none, Bump::minor, Bump::major, Bump::error};
  const auto verdict = static_cast<std::size_t>(finding.rule->torch);
  finding.level = kLevels[verdict];
  if (finding.rule->torch != TorchVerdict::wrong_version) finding.bump = kBumps[verdict];
}

/// Only lost data can need a major version: of old files or, under `full`, of new files in old readers.
void Report::limit_to_effects(Finding& finding) const {
  if (finding.level != Level::breaking) return;
  const Effects& effects = finding.effects;
  const bool loses_new = std::max(effects.json_forward, effects.binary_forward) != Verdict::yes;
  const bool loses_old = std::max(effects.json_backward, effects.binary_backward) != Verdict::yes;
  if (!loses_old && !loses_new) {
    finding.bump = Bump::none;
    finding.level = Level::note;
    finding.fix = "no action is needed for files";
    finding.paste.clear();
  } else if (!loses_old && policy_ == Policy::backward) {
    finding.bump = std::min(finding.bump, Bump::minor);
  }
  if (finding.level == Level::breaking && finding.bump < Bump::major) finding.level = Level::warning;
}

History::History(const std::vector<Release>& releases) : releases_(releases), types_(releases.size()) {
  for (std::size_t i = 0; i < releases.size(); ++i) {
    for (const Definition& type : releases[i].model.types) types_[i].emplace(type.name, &type);
  }
}

const Definition* History::find(std::size_t release, std::string_view type_name) const {
  const auto found = types_[release].find(type_name);
  return found == types_[release].end() ? nullptr : found->second;
}

MakeExample with_field(const Definition& type, const Field& field) {
  return [&](Flow, const SmallValues& values) -> std::optional<std::string> {
    if (!values.has(type)) return std::nullopt;
    std::string value = values.not_empty(field.type);
    const bool is_default = field.fallback && value == json_text(values.model(), *field.fallback, false);
    if (is_default) value = values.of(field.type);
    return values.with(type, field, value);
  };
}

std::int32_t TypeCheck::free_number() {
  if (!free) {
    std::set<std::int64_t> used;
    add_numbers(before, used);
    add_numbers(after, used);
    for (std::size_t i = 0; i < scope.earlier.releases().size(); ++i) {
      if (const Definition* const type = scope.earlier.find(i, before.name)) add_numbers(*type, used);
    }
    const bool is_enum = after.is_enum();
    free.emplace(std::move(used), !is_enum, is_enum ? std::numeric_limits<std::int32_t>::max() : kMaxId);
  }
  return static_cast<std::int32_t>(free->next());
}

std::string TypeCheck::old_path(std::string_view member) const {
  return quoted(before.name + "." + std::string(member));
}
std::string TypeCheck::new_path(std::string_view member) const {
  return quoted(after.name + "." + std::string(member));
}

Subject TypeCheck::type() const {
  return {scope.is_whole() ? after.name : scope.prefix, allowed_by(scope, after.allowed),
          scope.after.at(after.span), scope.before.at(before.span)};
}
Subject TypeCheck::changed(const FieldPair& fields) const {
  const auto& [from, to] = fields;
  const std::string& owner = to == nullptr ? before.name : after.name;
  const bool has_allowances = to != nullptr && !after.is_enum();
  return {(scope.is_whole() ? owner : scope.prefix) + "." + (to == nullptr ? from : to)->name,
          allowed_by(scope, has_allowances ? to->allowed : after.allowed),
          scope.after.at(to == nullptr ? after.span : to->span),
          scope.before.at(from == nullptr ? before.span : from->span), from == nullptr ? "" : "it was here"};
}

OldUse TypeCheck::reserved() const {
  return {"reserved", "", scope.before.at(before.reserved.span), true};
}

Finding& TypeCheck::add_reuse(Subject subject, const OldUse& use, const std::string& message) const {
  subject.before = use.place;
  subject.before_text = use.is_reserved ? "reserved here" : "used here";
  return report.add(subject, message);
}

void TypeCheck::set_example(Finding& finding, const MakeExample& make) const {
  for (const Flow flow : kFlows) {
    if (finding.effects.*effect_on(flow) == Verdict::yes) continue;
    auto value = make(flow, scope.examples.written(flow));
    if (!value || value->size() > kLongestExample) continue;
    finding.example = is_backward(flow) ? Example{flow, before.name, after.name, *std::move(value)}
                                        : Example{flow, after.name, before.name, *std::move(value)};
    return;
  }
}

Subject about_schema(const Scope& scope, const std::string& path, const Span& after, const Span& before,
                     const std::string& before_text) {
  return {path, &scope.after.model.allowed, scope.after.at(after), scope.before.at(before), before_text};
}

void only_warn_in_new_major(const Scope& scope, Finding& finding) {
  if (!scope.is_new_major()) return;
  finding.level = Level::warning;
  finding.bump = Bump::none;
}

std::string noun_of(const Definition& owner) {
  return owner.is_struct() ? "field" : "member";
}

std::string absent_value(const Field& field) {
  return field.fallback ? spelled(*field.fallback) : "";
}

std::string reserved_line(const Definition& type, std::set<std::int32_t> ids, std::set<std::string> names) {
  ids.insert(type.reserved.ids.begin(), type.reserved.ids.end());
  names.insert(type.reserved.names.begin(), type.reserved.names.end());
  std::string out = "reserved: {";
  if (!ids.empty())
    out += "ids: [" + joined(ids, ", ", [](std::int32_t id) { return std::to_string(id); }) + "]";
  if (!ids.empty() && !names.empty()) out += ", ";
  if (!names.empty()) out += "names: [" + joined(names, ", ", yaml_text) + "]";
  return out + "}";
}

std::string field_line(const Model& model, const Field& field, std::string_view name, std::int32_t id) {
  const std::string type = spelled(model, field.type);
  std::string out = std::string(name) + ": {id: " + std::to_string(id) +
                    ", type: " + (type.find('[') == std::string::npos ? type : "\"" + type + "\"");
  if (field.fallback) out += ", default: " + spelled(*field.fallback);
  if (field.boxed) out += ", boxed: true";
  if (field.states_version) out += ", states_version: true";
  return out + "}";
}

std::string field_line(const Model& model, const Field& field, std::string_view name,
                       const std::string& attribute) {
  std::string line = field_line(model, field, name, field.id);
  line.back() = ',';
  return line + " " + attribute + "}";
}

}  // namespace generator
