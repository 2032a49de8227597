// Upgrades JSON from older versions of a schema, for any schema.
#pragma once

#include <functional>

#include "schemagen/base/limits.h"
#include "schemagen/base/reflection.h"
#include "schemagen/base/schema_version.h"
#include "schemagen/json/json.h"
#include "schemagen/tree/dom_value.h"

namespace schemagen {

class WalkPath;

/// The context that a step receives in addition to the value.
class UpgradeContext {
 public:
  explicit UpgradeContext(const WalkPath& path) : path_(path) {}

  const WalkPath& path() const { return path_; }

  /// Rejects the document by throwing DataError with the value's path.
  [[noreturn]] void fail(std::string reason) const;

 private:
  const WalkPath& path_;
};

/// A step that upgrades values of one type to the next version.
struct UpgradeStep {
  Version from;           // the last version whose documents need the step
  std::string_view type;  // the type's name in the schema of this version
  /// Changes a value in place. The values that it contains have already been changed.
  std::function<void(DomValue& value, const UpgradeContext& context)> apply;
};

/// Applies the steps whose `from` is not before `version`, oldest first, to every value of their types.
/// `schema_for` returns the schema for reading documents of a step's version. Throws DataError if this schema
/// lacks the step's type, and whatever the functions throw.
void apply_upgrade_steps(DomValue& document, std::string_view root, const Version& version,
                         const std::vector<UpgradeStep>& steps,
                         const std::function<const Reflection&(const Version& version)>& schema_for);

/// Everything that upgraded_json() needs to know about a schema.
struct Upgrades {
  std::string_view root;                   // the type of the documents
  std::string_view version_field;          // the root's field with `states_version`
  std::vector<const Reflection*> schemas;  // of all releases, oldest first; the last is the current one
  std::vector<UpgradeStep> steps;
};

/// Returns a document in the current version. Throws DataError if the text is not JSON or does not state a
/// version, if no release has its major version, or if there is no step from this major version or from a
/// released one after it. Throws whatever the steps throw. Reading the result validates it.
std::string upgraded_json(std::string_view json, const Upgrades& upgrades, const Limits& limits = {});

/// Replaces the value by what `convert` makes of its JSON. If `convert` throws DataError, rejects the
/// document.
void convert_json(DomValue& value, const UpgradeContext& context,
                  const std::function<std::string(const std::string& json)>& convert);

/// Returns the `apply` of a step that converts a value of generated type From, with everything inside it, to
/// type To. Types inside it need no steps from the same version.
template <class From, class To>
std::function<void(DomValue&, const UpgradeContext&)> typed_step(To (*convert)(const From& old)) {
  return [convert](DomValue& value, const UpgradeContext& context) {
    convert_json(value, context,
                 [convert](const std::string& json) { return to_json(convert(from_json<From>(json))); });
  };
}

}  // namespace schemagen
