// Operations that also change the archive's tables of weights.
#include "pt2/edit/edited_models.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "pt2/archive/archive.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

bool is_on_meta(const PayloadMeta& payload) {
  return payload.tensor_meta && payload.tensor_meta->device.type == "meta";
}

/// On meta, torch gives all tensors the same empty record: their storages are all at address 0
/// (group_weights() in torch/export/pt2_archive/_package_weights.py). Elsewhere, they need separate records.
/// Adds the names of new records to `made`.
std::size_t retarget_config(const Archive& archive, const DeviceChange& change, EditedConfig& table,
                            std::set<std::string>& made) {
  const std::string folder = table.record.substr(0, table.record.rfind('/') + 1);
  std::map<std::string, std::size_t> users;
  std::vector<PayloadMeta*> on_meta;
  for (auto& [name, payload] : table.config.config) {
    ++users[payload.path_name];
    const ZipMember* const record = find_record(archive, folder + payload.path_name);
    if (!payload.use_pickle && is_on_meta(payload) && record != nullptr && record->size == 0)
      on_meta.push_back(&payload);
  }
  const std::size_t changed = retarget(table.config, change);
  std::size_t number = 0;
  for (PayloadMeta* const payload : on_meta) {
    std::size_t& sharing = users[payload->path_name];
    if (is_on_meta(*payload) || sharing == 1) continue;
    --sharing;
    const std::string prefix =
        payload->path_name.substr(0, payload->path_name.find_last_not_of("0123456789") + 1);
    do {
      payload->path_name = prefix + std::to_string(number++);
    } while (find_record(archive, folder + payload->path_name) != nullptr ||
             !made.insert(folder + payload->path_name).second);
    users[payload->path_name] = 1;
    table.empty_records.push_back(folder + payload->path_name);
  }
  return changed;
}

void rename_weights(EditedModel& edited, const std::vector<NameChange>& changes) {
  if (changes.empty()) return;
  if (edited.configs.empty()) {
    throw schemagen::UsageError(
        "the weights are pickled; convert the archive with 'pt2 convert' first, or write only the program, "
        "as "
        ".json or .pt2b");
  }
  for (EditedConfig& table : edited.configs) {
    schemagen::Map<PayloadMeta> renamed;
    for (auto& [name, payload] : table.config.config) {
      std::string new_name = name;
      for (const NameChange& change : changes) {
        if (change.old_name == name) new_name = change.new_name;
      }
      renamed.insert(new_name, std::move(payload));
    }
    table.config.config = std::move(renamed);
  }
}

}  // namespace

std::size_t retarget_file(const FileSource& source, const DeviceChange& change, const SaveTarget& target) {
  std::vector<EditedModel> edited = models_to_edit(source, target);
  std::size_t changed = 0;
  std::set<std::string> made;
  for (EditedModel& each : edited) {
    changed += retarget(each.loaded.program, change);
    for (EditedConfig& table : each.configs)
      changed += retarget_config(*source.file.archive(), change, table, made);
  }
  write_edited(source.file, edited, target);
  return changed;
}

std::vector<NameChange> rename_file(const FileSource& source, const std::vector<NameChange>& changes,
                                    const SaveTarget& target) {
  std::vector<EditedModel> edited;
  EditedModel& only = edited.emplace_back(model_to_edit(source, target));
  std::vector<std::string> weights;
  for (const EditedConfig& table : only.configs) {
    for (const auto& [name, payload] : table.config.config) weights.push_back(name);
  }
  std::vector<NameChange> of_weights = rename(only.loaded, changes, weights);
  if (target.format() == FileFormat::archive) rename_weights(only, of_weights);
  write_edited(source.file, edited, target);
  return of_weights;
}

}  // namespace pt2
