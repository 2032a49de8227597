#include "evolution/compat_report.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <variant>

#include "front/yaml.h"
#include "schemagen/base/quote.h"
#include "text/message.h"

namespace generator {
namespace {

const std::vector<Allowance> kNothingAllowed;

std::string path_of(const Scope& scope, const Definition& type, std::string_view member) {
  return (scope.is_whole() ? type.name : scope.prefix) + "." + std::string(member);
}

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

template <typename Item>
std::string listed(const std::vector<Item>& items) {
  std::string out;
  for (const Item& item : items) {
    if (!out.empty()) out += ", ";
    if constexpr (std::is_same_v<Item, std::string>) {
      out += yaml_text(item);
    } else {
      out += std::to_string(item);
    }
  }
  return out;
}

template <typename Item>
void sort_unique(std::vector<Item>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

void add_numbers(const Definition& type, std::set<std::int64_t>& used) {
  for (const Field& field : type.fields()) used.insert(field.id);
  if (const auto* body = std::get_if<Enum>(&type.body)) {
    for (const EnumValue& value : body->values) used.insert(value.number);
  }
  used.insert(type.reserved.ids.begin(), type.reserved.ids.end());
}

}  // namespace

Finding Report::make(const Subject& subject, const std::string& message) const {
  Finding finding;
  finding.rule = rule_;
  finding.level = rule_->level;
  finding.path = subject.path;
  finding.message = shown(message);
  finding.after = subject.after;
  finding.before = subject.before;
  finding.before_text = subject.before_text;
  finding.effects = rule_->effects;
  finding.bump = rule_->bump;
  return finding;
}

void Report::add(const Subject& subject, Finding finding) {
  if (policy_ == Policy::pytorch && finding.rule->torch == TorchVerdict::unseen) return;
  apply_policy(finding);
  if (finding.paste != shown(finding.paste)) finding.paste.clear();  // do not offer truncated text
  const auto allowance =
      std::find_if(subject.allowed->begin(), subject.allowed->end(),
                   [&](const Allowance& allowed) { return allowed.rule == finding.rule->id; });
  if (allowance != subject.allowed->end()) {
    used_.insert(&*allowance);
    finding.allowed = shown(allowance->reason);
  }
  findings_.push_back(std::move(finding));
}

void Report::apply_policy(Finding& finding) const {
  switch (policy_) {
    case Policy::backward:
      finding.bump = std::min(finding.bump, finding.rule->bump_backward);
      return limit_to_effects(finding);
    case Policy::full:
      return limit_to_effects(finding);
    case Policy::pytorch:
      break;
  }
  switch (finding.rule->torch) {
    case TorchVerdict::unseen:
      break;
    case TorchVerdict::minor:
      finding.level = Level::note;
      finding.bump = Bump::minor;
      break;
    case TorchVerdict::major:
      finding.level = Level::breaking;
      finding.bump = Bump::major;
      break;
    case TorchVerdict::error:
      finding.level = Level::error;
      finding.bump = Bump::error;
      break;
    case TorchVerdict::wrong_version:
      finding.level = Level::error;
      break;
  }
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

bool Report::is_refused() const {
  return std::any_of(findings_.begin(), findings_.end(),
                     [](const Finding& finding) { return !finding.allowed && finding.bump == Bump::error; });
}

Bump Report::required() const {
  Bump required = Bump::none;
  for (const Finding& finding : findings_) {
    if (!finding.allowed && finding.bump != Bump::error) required = std::max(required, finding.bump);
  }
  return required;
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

namespace {

Verdict verdict_of(const Effects& effects, Flow flow) {
  switch (flow) {
    case Flow::new_reads_old_json:
      return effects.json_backward;
    case Flow::new_reads_old_binary:
      return effects.binary_backward;
    case Flow::old_reads_new_json:
      return effects.json_forward;
    case Flow::old_reads_new_binary:
      break;
  }
  return effects.binary_forward;
}

}  // namespace

MakeExample with_field(const Definition& type, const Field& field) {
  return [&](Flow, const SmallValues& values) -> std::optional<std::string> {
    if (!values.has(type)) return std::nullopt;
    std::string value = values.not_empty(field.type);
    const bool is_default =
        field.fallback && value == json_text(values.model(), field.type, *field.fallback, false);
    if (is_default) value = values.of(field.type);
    return values.with(type, field, value);
  };
}

void set_example(const Scope& scope, const TypePair& pair, Finding& finding, const MakeExample& make) {
  for (const Flow flow : {Flow::new_reads_old_json, Flow::new_reads_old_binary, Flow::old_reads_new_json,
                          Flow::old_reads_new_binary}) {
    if (verdict_of(finding.effects, flow) == Verdict::yes) continue;
    auto value = make(flow, scope.examples.written(flow));
    if (!value || value->size() > kLongestExample) continue;
    const std::string& old_name = pair.old_type->name;
    const std::string& new_name = pair.new_type->name;
    finding.example = is_backward(flow) ? Example{flow, old_name, new_name, *std::move(value)}
                                        : Example{flow, new_name, old_name, *std::move(value)};
    return;
  }
}

Subject whole_schema(const Scope& scope) {
  return {"", &scope.after.model.allowed, scope.after.at({}), scope.before.at({}), ""};
}

Subject about_type(const Scope& scope, const TypePair& pair) {
  return {scope.is_whole() ? pair.new_type->name : scope.prefix, allowed_by(scope, pair.new_type->allowed),
          scope.after.at(pair.new_type->span), scope.before.at(pair.old_type->span)};
}

Subject about_field(const Scope& scope, const TypePair& pair, const FieldPair& fields) {
  return {path_of(scope, *pair.new_type, fields.second->name), allowed_by(scope, fields.second->allowed),
          scope.after.at(fields.second->span), scope.before.at(fields.first->span)};
}

Subject about_added(const Scope& scope, const TypePair& pair, const Field& field) {
  return {path_of(scope, *pair.new_type, field.name), allowed_by(scope, field.allowed),
          scope.after.at(field.span), scope.before.at(pair.old_type->span), ""};
}

Subject about_removed(const Scope& scope, const TypePair& pair, const Field& field) {
  return {path_of(scope, *pair.old_type, field.name), allowed_by(scope, pair.new_type->allowed),
          scope.after.at(pair.new_type->span), scope.before.at(field.span)};
}

Subject about_value(const Scope& scope, const TypePair& pair, const ValuePair& values) {
  return {path_of(scope, *pair.new_type, values.second->name), allowed_by(scope, pair.new_type->allowed),
          scope.after.at(values.second->span), scope.before.at(values.first->span)};
}

Subject about_added(const Scope& scope, const TypePair& pair, const EnumValue& value) {
  return {path_of(scope, *pair.new_type, value.name), allowed_by(scope, pair.new_type->allowed),
          scope.after.at(value.span), scope.before.at(pair.old_type->span), ""};
}

Subject about_removed(const Scope& scope, const TypePair& pair, const EnumValue& value) {
  return {path_of(scope, *pair.old_type, value.name), allowed_by(scope, pair.new_type->allowed),
          scope.after.at(pair.new_type->span), scope.before.at(value.span)};
}

Subject about_old_type(const Scope& scope, const Definition& type) {
  return {type.name, &scope.after.model.allowed, scope.after.at({}), scope.before.at(type.span)};
}

Subject about_new_type(const Scope& scope, const Definition& type) {
  return {type.name, &type.allowed, scope.after.at(type.span), scope.before.at({}), ""};
}

Finding only_warning_in_new_major(const Scope& scope, Finding finding) {
  if (scope.is_new_major()) {
    finding.level = Level::warning;
    finding.bump = Bump::none;
  }
  return finding;
}

std::string noun_of(const Definition& owner) {
  return std::holds_alternative<Struct>(owner.body) ? "field" : "member";
}

std::string quoted_path(const Definition& owner, std::string_view member) {
  return schemagen::quoted(owner.name + "." + std::string(member));
}

std::string absent_value(const Field& field) {
  return field.fallback ? spelled(*field.fallback) : "";
}

std::string reserved_line(const Definition& type, std::vector<std::int32_t> ids,
                          std::vector<std::string> names) {
  ids.insert(ids.end(), type.reserved.ids.begin(), type.reserved.ids.end());
  names.insert(names.end(), type.reserved.names.begin(), type.reserved.names.end());
  sort_unique(ids);
  sort_unique(names);
  std::string out = "reserved: {";
  if (!ids.empty()) out += "ids: [" + listed(ids) + "]";
  if (!ids.empty() && !names.empty()) out += ", ";
  if (!names.empty()) out += "names: [" + listed(names) + "]";
  return out + "}";
}

void FreeNumbers::find_used() {
  add_numbers(*pair_.old_type, used_);
  add_numbers(*pair_.new_type, used_);
  for (std::size_t i = 0; i < scope_.earlier.releases().size(); ++i) {
    if (const Definition* const type = scope_.earlier.find(i, pair_.old_type->name))
      add_numbers(*type, used_);
  }
  const bool is_enum = std::holds_alternative<Enum>(pair_.new_type->body);
  max_ = is_enum ? std::numeric_limits<std::int32_t>::max() : kMaxId;
  const bool tens = std::all_of(used_.begin(), used_.end(), [](auto id) { return id % 10 == 0; });
  step_ = !is_enum && tens ? 10 : 1;
}

std::int32_t FreeNumbers::next() {
  if (step_ == 0) find_used();
  std::int64_t next = used_.empty() ? step_ : (*used_.rbegin() / step_ + 1) * step_;
  if (next > max_) next = 1;
  while (used_.count(next) > 0) ++next;
  used_.insert(next);
  return static_cast<std::int32_t>(next);
}

std::string type_text(const Model& model, const Type& type) {
  const std::string text = spelled(model, type);
  return text.find('[') == std::string::npos ? text : "\"" + text + "\"";
}

std::string field_line(const Model& model, const Field& field, std::string_view name, std::int32_t id) {
  std::string out =
      std::string(name) + ": {id: " + std::to_string(id) + ", type: " + type_text(model, field.type);
  if (field.fallback) out += ", default: " + spelled(*field.fallback);
  if (field.boxed) out += ", boxed: true";
  if (field.states_version) out += ", states_version: true";
  return out + "}";
}

}  // namespace generator
