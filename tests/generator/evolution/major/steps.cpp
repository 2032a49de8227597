// The bodies of the steps that `schemagen bump --major` asks for, and one that it cannot know about.
// major_test.py puts them into the files that hold the skeletons.

/// SymExprHint: as_bool is gone. Only hints of a SymBool had it.
void sym_expr_hint_to_9(DomValue& hint, const UpgradeContext& context) {
  const DomValue flag = hint.take("as_bool");
  if (flag.is_null()) return;
  hint = DomValue::object_of("as_int", std::int64_t{flag.boolean().value_or(false)});
  context.report("turned a bool into an int");
}

/// ArgumentKind: KEYWORD and POSITIONAL have swapped numbers.
void argument_kind_to_9(DomValue& kind, const UpgradeContext& context) {
  const std::int64_t number = kind.integer().value_or(0);
  if (number != 1 && number != 2) return;
  kind = 3 - number;
  context.report("renumbered");
}

/// Node: is_hop_single_tensor_return is an enum.
void node_to_9(DomValue& node, const UpgradeContext& context) {
  DomValue* const is_single = node.find("is_hop_single_tensor_return");
  if (is_single == nullptr || !is_single->boolean()) return;
  *is_single = std::int64_t{*is_single->boolean() ? 1 : 2};
  context.report("turned a bool into a HopReturn", "is_hop_single_tensor_return");
}

/// InputToBufferSpec: persistent is called is_persistent.
void input_to_buffer_spec_to_9(DomValue& spec, const UpgradeContext& context) {
  if (spec.find("persistent") == nullptr) return;
  spec.set("is_persistent", spec.take("persistent"));
  context.report("renamed", "is_persistent");
}

/// ModuleCallEntry: depth follows from the name.
void module_call_entry_to_9(DomValue& entry, const UpgradeContext& context) {
  const DomValue* const fqn = entry.find("fqn");
  const std::string_view name = fqn == nullptr ? std::string_view() : fqn->text();
  const auto dots = std::count(name.begin(), name.end(), '.');
  add_missing_member(entry, "depth", std::int64_t{name.empty() ? 0 : dots + 1},
                     "added: from the module's name", context);
}

/// GraphModule: metadata is gone.
void graph_module_to_9(DomValue& module, const UpgradeContext& context) {
  const DomValue metadata = module.take("metadata");
  if (metadata.object() == nullptr) return;
  if (!metadata.object()->empty()) context.fail("schema 9 has no place for the metadata of a module");
  context.report("removed empty metadata");
}

/// SchemaVersion: it has a third part.
void schema_version_to_9(DomValue& version, const UpgradeContext& context) {
  add_missing_member(version, "patch", std::int64_t{0}, "added: 0", context);
}

/// ArgumentKind: as in the upgrade.
std::string argument_kind_to_8(DomValue& kind) {
  const std::int64_t number = kind.integer().value_or(0);
  if (number == 1 || number == 2) kind = 3 - number;
  return "";
}

/// Node: a HopReturn becomes a bool.
std::string node_to_8(DomValue& node) {
  DomValue* const returned = node.find("is_hop_single_tensor_return");
  if (returned == nullptr || returned->is_null()) return "";
  if (returned->integer() == 0) return "a higher-order operator returns something unknown";
  *returned = returned->integer() == 1;
  return "";
}

/// InputToBufferSpec: the old name.
std::string input_to_buffer_spec_to_8(DomValue& spec) {
  if (spec.find("is_persistent") != nullptr) spec.set("persistent", spec.take("is_persistent"));
  return "";
}

/// GraphModule: the default.
std::string graph_module_to_8(DomValue& module) {
  module.set("metadata", DomValue::Object{});
  return "";
}

/// ModuleCallEntry: depth is new.
std::string module_call_entry_to_8(DomValue& entry) {
  entry.take("depth");
  return "";
}

/// SchemaVersion: patch is new.
std::string schema_version_to_8(DomValue& version) {
  return version.take("patch").integer() == 0 ? "" : "a patch version";
}

/// SymBool: its hint is a bool again.
std::string sym_bool_to_8(DomValue& symbol) {
  DomValue* const expression = symbol.find("as_expr");
  DomValue* const hint = expression == nullptr ? nullptr : expression->find("hint");
  if (hint == nullptr || hint->find("as_int") == nullptr) return "";
  *hint = DomValue::object_of("as_bool", hint->find("as_int")->integer() == 1);
  return "";
}
