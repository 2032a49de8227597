#include "root_argument.h"

#include "command.h"
#include "schemagen/base/quote.h"
#include "text/message.h"

namespace generator {
namespace {

std::string near_type(const Model& model, std::string_view name) {
  Names names;
  for (const Definition& type : model.types) names.push_back(type.name);
  const std::string near = did_you_mean(name, names);
  return near.empty() ? root_names(model) : near;
}

}  // namespace

std::string root_names(const Model& model) {
  std::string names;
  for (const std::size_t root : model.roots) names += (names.empty() ? "" : ", ") + model.types[root].name;
  return names.empty() ? "the schema lists no roots" : "its roots are " + names;
}

std::optional<std::size_t> find_root(std::string_view command, const std::string& schema, const Model& model,
                                     const std::string& name) {
  const std::optional<std::size_t> root = model.find(name);
  if (!root) {
    usage_error(command, "--root: " + schema + " has no type " + schemagen::quoted(name),
                near_type(model, name));
  }
  return root;
}

}  // namespace generator
