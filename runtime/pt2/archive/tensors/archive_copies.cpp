#include "pt2/archive/tensors/weights.h"

#include "pt2/archive/archive_rewrite.h"
#include "pt2/archive/contents.h"
#include "pt2/archive/crc32.h"
#include "pt2/archive/record_names.h"
#include "pt2/archive/tensors/model_writer.h"
#include "pt2/archive/tensors/tensor_files.h"
#include "pt2/json.h"
#include "pt2/text/affix.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using schemagen::DataError;

/// Adds a torch.save file of the part's weights.
template <class Writer>
void add_part_file(Writer& out, const std::string& name, const std::vector<Weight>& weights,
                   PayloadPart part) {
  std::vector<const Weight*> chosen;
  for (const Weight& weight : weights) {
    if (weight.persistent == (part == PayloadPart::weights)) chosen.push_back(&weight);
  }
  std::uint64_t size = 0;
  std::uint32_t crc32 = 0;
  write_torch_file(chosen, [&](std::string_view bytes) {
    size += bytes.size();
    crc32 = crc32_of(bytes, crc32);
  });
  out.add(
      name, size, [&](const ByteSink& sink) { write_torch_file(chosen, sink); }, crc32);
}

struct NewModel {
  const std::string& name;
  const ExportedProgram& program;
  const std::vector<NamedTensor>& constants;
};

/// Only the pickle tells which tensors of other models are parameters.
std::vector<Weight> weights_of(const Archive& archive, const std::string& model, const NewModel& changed,
                               const schemagen::Limits& limits) {
  if (model != changed.name) return weights_of(archive, model, GraphSignature(), limits);
  std::vector<Weight> weights = weights_of(archive, model, changed.program.graph_module.signature, limits);
  append_constants(weights, changed.constants, "");
  return weights;
}

void move_old_zip(const Archive& archive, const NewModel& model, ArchiveWriter& out,
                  const schemagen::Limits& limits) {
  const std::vector<Weight> weights = weights_of(archive, model.name, model, limits);
  write_weights(out, PayloadPart::weights, model.name, weights);
  write_weights(out, PayloadPart::constants, model.name, weights);
  out.add(record::joined(record::kModels, model.name, record::kJson), schemagen::to_json(model.program));
  const std::string inputs = record::joined(record::kSampleInputs, model.name, record::kPickle);
  for (const ZipMember& member : archive.zip.members()) {
    const bool is_inputs = starts_with(member.name, record::kOldInputs) && out.count(inputs) == 0;
    const std::string name = is_inputs ? inputs : name_in_copy(archive, member);
    if (!name.empty()) out.copy(archive.zip, member, name);
  }
}

/// The pickled parts of models by record.
std::map<std::string, std::pair<std::string, PayloadPart>> pickled_parts(const Archive& archive) {
  std::map<std::string, std::pair<std::string, PayloadPart>> pickled;
  for (const ArchivedModel& model : archive.models) {
    for (const PayloadPart part : kPayloadParts) {
      if (const std::optional<std::string> record = find_pickled_payload(archive, part, model.name))
        pickled.try_emplace(*record, model.name, part);
    }
  }
  return pickled;
}

void add_constants(const Archive& archive, const NewModel& model, const std::optional<std::string>& config,
                   ArchiveWriter& out, const schemagen::Limits& limits) {
  std::vector<Weight> constants;
  append_constants(constants, model.constants, "");
  write_weights(out, PayloadPart::constants, model.name, constants,
                config ? read_payload_config(archive, *config, limits) : PayloadConfig());
}

void move_archive(const Archive& archive, const NewModel& model, ArchiveWriter& out,
                  const schemagen::Limits& limits) {
  const auto pickled = pickled_parts(archive);
  const std::string own = find_model(archive, model.name).member;
  const bool adds_constants =
      !model.constants.empty() && !find_pickled_payload(archive, PayloadPart::constants, model.name);
  const std::optional<std::string> config =
      adds_constants ? find_payload_config(archive, PayloadPart::constants, model.name) : std::nullopt;
  for (const ZipMember& member : archive.zip.members()) {
    const std::string record(record_name(archive, member));
    if (const auto found = pickled.find(record); found != pickled.end()) {
      const auto& [name, part] = found->second;
      write_weights(out, part, name, weights_of(archive, name, model, limits));
    } else if (member.name == own) {
      out.add(record, schemagen::to_json(model.program));
    } else if (record != config && !name_in_copy(archive, member).empty()) {
      out.copy(archive.zip, member, record);
    }
  }
  if (adds_constants) add_constants(archive, model, config, out, limits);
}

struct Replaced {
  const Weight* weight;
  const Tensor* elements;
};

std::string type_text(const TensorLayout& layout) {
  return std::string(torch_name(layout.dtype)) + shape_text(layout.shape);
}

void require_raw(const Weight& weight) {
  if (!weight.pickled) return;
  throw DataError("tensor " + schemagen::quoted(weight.name) +
                  " is pickled; convert the archive to raw weights with pt2 convert first");
}

/// Pickled parts stay as they are.
void take_parts(const Weight& weight, std::map<std::string_view, const Tensor*>& given,
                const schemagen::Limits& limits) {
  for (const NamedTensor& part : weight.parts) {
    const std::string name = weight.name + "." + part.name;
    const auto found = given.find(name);
    if (found == given.end()) continue;
    const Tensor& theirs = *found->second;
    if (theirs.layout.dtype != part.tensor.layout.dtype || theirs.layout.shape != part.tensor.layout.shape ||
        contiguous_bytes(theirs, limits) != contiguous_bytes(part.tensor, limits)) {
      throw DataError("tensor " + schemagen::quoted(name) +
                      " differs from the archive's, which is part of a " + weight.class_name +
                      " and cannot be replaced");
    }
    given.erase(found);
  }
}

std::map<const ZipMember*, std::vector<Replaced>> matches_of(const Archive& archive,
                                                             const std::vector<Weight>& weights,
                                                             const std::vector<NamedTensor>& tensors,
                                                             const schemagen::Limits& limits) {
  std::map<std::string_view, const Tensor*> by_name;
  for (const NamedTensor& named : tensors) by_name.emplace(named.name, &named.tensor);
  std::map<const ZipMember*, std::vector<Replaced>> matches;
  std::vector<std::string_view> missing;
  for (const Weight& weight : weights) {
    take_parts(weight, by_name, limits);
    if (!weight.tensor) continue;
    require_raw(weight);
    const auto found = by_name.find(weight.name);
    if (weight.tensor->is_on_meta()) {
      if (found == by_name.end()) continue;
      throw DataError("tensor " + schemagen::quoted(weight.name) + ": " + why_absent(*weight.tensor));
    }
    if (found == by_name.end()) {
      missing.push_back(weight.name);
      continue;
    }
    const TensorLayout& theirs = found->second->layout;
    if (theirs.dtype != weight.tensor->layout.dtype || theirs.shape != weight.tensor->layout.shape) {
      throw DataError("tensor " + schemagen::quoted(weight.name) + " is " + type_text(theirs) +
                      " in the weights file, expected " + type_text(weight.tensor->layout));
    }
    matches[find_record(archive, weight.record)].push_back({&weight, found->second});
    by_name.erase(found);
  }
  if (!missing.empty()) throw DataError("the weights file has no " + schemagen::quoted_list(missing));
  if (!by_name.empty()) {
    std::vector<std::string_view> more;
    for (const auto& [name, tensor] : by_name) more.push_back(name);
    throw DataError("the weights file has " + schemagen::quoted_list(more) + ", but the archive does not");
  }
  return matches;
}

std::uint64_t storage_size(const std::vector<Replaced>& matches) {
  std::uint64_t size = matches.front().weight->tensor->storage->size();
  for (const Replaced& match : matches)
    size = std::max(size, extent_of(match.weight->tensor->layout).storage);
  return size;
}

bool fills(const TensorLayout& layout, std::uint64_t size) {
  return is_contiguous(layout) && layout.offset == 0 && extent_of(layout).bytes == size;
}

bool are_storage(const Replaced& match, std::uint64_t size) {
  const Tensor& elements = *match.elements;
  return fills(match.weight->tensor->layout, size) && fills(elements.layout, elements.storage->size()) &&
         elements.storage->size() == size && elements.storage->order() != ByteOrder::big;
}

std::shared_ptr<const Storage> scattered(const std::vector<Replaced>& matches, std::uint64_t size,
                                         const schemagen::Limits& limits) {
  if (size > limits.memory_bytes)
    throw DataError(schemagen::too_many_bytes("a storage", size, limits.memory_bytes));
  std::string bytes(static_cast<std::size_t>(size), '\0');
  for (const Replaced& match : matches) {
    const std::string elements = contiguous_bytes(*match.elements, limits);
    scatter(match.weight->tensor->layout, elements, bytes);
  }
  return std::make_shared<const Storage>(MemberBytes(std::move(bytes)));
}

void require_elements(const Replaced& match, const std::shared_ptr<const Storage>& storage,
                      const schemagen::Limits& limits) {
  Tensor made = *match.weight->tensor;
  made.storage = storage;
  if (contiguous_bytes(made, limits) == contiguous_bytes(*match.elements, limits)) return;
  throw DataError("tensor " + schemagen::quoted(match.weight->name) +
                  " shares elements with another tensor, but their values differ");
}

std::shared_ptr<const Storage> storage_for(const std::vector<Replaced>& matches,
                                           const schemagen::Limits& limits) {
  const std::uint64_t size = storage_size(matches);
  const auto whole = std::find_if(matches.begin(), matches.end(),
                                  [&](const Replaced& match) { return are_storage(match, size); });
  std::shared_ptr<const Storage> storage =
      whole != matches.end() ? whole->elements->storage : scattered(matches, size, limits);
  if (matches.size() > 1) {
    for (const Replaced& match : matches) require_elements(match, storage, limits);
  } else if (whole == matches.end()) {
    require_elements(matches.front(), storage, limits);
  }
  return storage;
}

}  // namespace

void write_pickled_archive(const Archive& archive, const std::string& model, std::string_view json,
                           const ByteSink& out, const schemagen::Limits& limits) {
  const std::string own = find_model(archive, model).member;
  ArchiveWriter writer(out, archive.top_folder);
  std::set<std::string> payloads;
  for (const ArchivedModel& each : archive.models) {
    const std::vector<Weight> weights = weights_of(archive, each.name, {}, limits);
    for (const PayloadPart part : kPayloadParts) {
      add_part_file(writer, record::joined(payload_folder(part), each.name, record::kPickle), weights, part);
    }
    payloads.merge(payload_records(archive, each.name, limits));
  }
  for (const ZipMember& member : archive.zip.members()) {
    const std::string record(record_name(archive, member));
    if (member.name == own) {
      writer.add(record, json);
    } else if (payloads.count(record) == 0 && !name_in_copy(archive, member).empty()) {
      writer.copy(archive.zip, member, record);
    }
  }
  add_missing_inputs(archive, writer);
  writer.finish();
}

void write_old_zip(const Archive& archive, std::string_view json, std::string_view version,
                   const ByteSink& out, const schemagen::Limits& limits) {
  if (archive.models.size() != 1) {
    throw DataError("the archive has " + std::to_string(archive.models.size()) +
                    " models, but a file for torch 2.7 or earlier must contain exactly one");
  }
  const ArchivedModel& model = archive.models.front();
  const std::vector<Weight> weights = weights_of(archive, model.name, {}, limits);
  const std::set<std::string> payloads = payload_records(archive, model.name, limits);
  ZipWriter writer(out);
  writer.add(record::kOldProgram, json);
  const auto old_name = [](std::string_view name) { return std::string(name).append(record::kPickle); };
  add_part_file(writer, old_name(record::kOldStateDict), weights, PayloadPart::weights);
  add_part_file(writer, old_name(record::kOldConstants), weights, PayloadPart::constants);
  const std::string inputs = record::joined(record::kSampleInputs, model.name, record::kPickle);
  const std::string old_inputs = old_name(record::kOldInputs);
  if (find_record(archive, inputs) == nullptr) writer.add(old_inputs, "");  // torch reads it as no samples
  for (const ZipMember& member : archive.zip.members()) {
    const std::string record(record_name(archive, member));
    if (record == inputs) {
      copy_member(archive.zip, member, old_inputs, writer);
    } else if (starts_with(record, record::kExtra)) {
      copy_member(archive.zip, member, std::string(record::kOldExtra).append(record, record::kExtra.size()),
                  writer);
    } else if (member.name != model.member && payloads.count(record) == 0 && !is_of_archive(record) &&
               !name_in_copy(archive, member).empty()) {
      copy_member(archive.zip, member, record, writer);
    }
  }
  writer.add(record::kOldVersion, version);
  writer.finish();
}

bool has_pickled_weights(const Archive& archive) {
  return archive.container == Container::old_zip || !pickled_parts(archive).empty();
}

void require_raw_weights(const Archive& archive) {
  if (!has_pickled_weights(archive)) return;
  throw DataError("the weights are pickled; convert the archive to raw weights with pt2 convert first");
}

void write_raw_archive(const Archive& archive, const std::string& model, const ExportedProgram& program,
                       const std::vector<NamedTensor>& constants, const ByteSink& out,
                       const schemagen::Limits& limits) {
  if (archive.byte_order == ByteOrder::big) {
    throw DataError("cannot copy weights from a big-endian archive to a little-endian one");
  }
  const bool is_old = archive.container == Container::old_zip;
  ArchiveWriter writer(out, is_old ? "archive" : archive.top_folder);
  (is_old ? move_old_zip : move_archive)(archive, {model, program, constants}, writer, limits);
  add_missing_inputs(archive, writer);
  writer.finish();
}

void write_stripped(const Archive& archive, const std::vector<Weight>& weights, const ByteSink& out) {
  std::vector<NewMember> changed;
  for (const Weight& weight : weights) {
    if (!weight.tensor) continue;
    require_raw(weight);
    changed.push_back({std::string(find_record(archive, weight.record)->name), ""});
  }
  rewrite_archive(archive, changed, out);
}

void write_attached(const Archive& archive, const std::vector<Weight>& weights,
                    const std::vector<NamedTensor>& tensors, const ByteSink& out,
                    const schemagen::Limits& limits) {
  if (archive.byte_order == ByteOrder::big)
    throw DataError("the archive is big-endian, but the weights file is not");
  const std::map<const ZipMember*, std::vector<Replaced>> matches =
      matches_of(archive, weights, tensors, limits);
  ZipWriter writer(out);
  for (const ZipMember& member : archive.zip.members()) {
    const auto changed = matches.find(&member);
    if (changed == matches.end()) {
      copy_member(archive.zip, member, member.name, writer);
    } else {
      const std::shared_ptr<const Storage> storage = storage_for(changed->second, limits);
      writer.add(member.name, storage->size(), [&](const ByteSink& sink) { storage->copy(sink); });
    }
  }
  writer.finish();
}

}  // namespace pt2
