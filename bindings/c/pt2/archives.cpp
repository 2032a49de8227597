#include "pt2/handles.h"

#include "pt2/edit/file_operations.h"
#include "pt2/report/report_writer.h"
#include "pt2/scan/harden.h"
#include "pt2/weights.h"
#include "schemagen/base/quote.h"

namespace pt2::c {
namespace {

const Archive& require_archive(const pt2_file* file) {
  require(file, "file");
  if (file->opened->archive() == nullptr) throw schemagen::UsageError("the file is not an archive");
  return *file->opened->archive();
}

template <class Write>
pt2_error* written(const pt2_file* file, const char* path, const Write& write) noexcept {
  return guarded([&] {
    const Archive& archive = require_archive(file);
    require(path, "path");
    write_file_atomically(path, [&](const ByteSink& sink) { write(archive, sink); });
  });
}

/// Runs `work(source, target)`, and gives its notices.
template <class Work>
pt2_error* converted(const pt2_file* file, pt2_str model, const char* path, pt2_bytes* notices,
                     const Work& work) noexcept {
  return guarded([&] {
    if (notices != nullptr) *notices = {nullptr, 0};
    require(file, "file");
    require(path, "path");
    ReportWriter json;
    json.begin('[');
    const NoticeSink notify = [&](const std::string& notice) { json.string(schemagen::printable(notice)); };
    work(FileSource{*file->opened, optional_of(model, "model"), notify}, SaveTarget(path));
    json.end(']');
    if (notices != nullptr) *notices = owned(json.view());
  });
}

std::string left_out_json(const std::vector<LeftOut>& left_out) {
  ReportWriter json;
  json.list(left_out, [&](const LeftOut& each) {
    json.object("record", schemagen::printable(each.record), "why", schemagen::printable(each.why));
  });
  return json.text();
}

}  // namespace
}  // namespace pt2::c

using namespace pt2::c;

extern "C" {

pt2_error* pt2_file_save_part(const pt2_file* file, pt2_str model, const pt2_program* part,
                              const char* path) {
  return guarded([&] {
    require_archive(file);
    require(part, "part");
    require(path, "path");
    require_whole(part->loaded);
    require_nothing_kept(part->loaded);
    if (pt2::format_of_name(path) != pt2::FileFormat::archive) {
      throw schemagen::UsageError("cannot write " + schemagen::quoted(path) +
                                  ": a program with tensors must be written to an archive (.pt2)");
    }
    pt2::save_program(part->loaded.program, path,
                      {file->opened.get(), optional_of(model, "model"), pt2::SaveWeights::used});
  });
}

pt2_error* pt2_file_retype(const pt2_file* file, pt2_str model, int32_t dtype, const pt2_str* keep,
                           size_t count, const char* path) {
  return written(file, path, [&](const pt2::Archive&, const pt2::ByteSink& sink) {
    const pt2::DtypeChange change{static_cast<pt2::ScalarType>(dtype), texts_of(keep, count, "keep")};
    pt2::retarget_archive(*file->opened, change, optional_of(model, "model"), sink);
  });
}

pt2_error* pt2_file_upgrade(const pt2_file* file, pt2_str model, const char* path, pt2_bytes* notices) {
  return converted(file, model, path, notices,
                   [](const pt2::FileSource& source, const pt2::SaveTarget& target) {
                     pt2::upgrade_file(source, &target, false);
                   });
}

pt2_error* pt2_file_downgrade(const pt2_file* file, pt2_str model, pt2_str to, const char* path,
                              pt2_bytes* notices) {
  return converted(
      file, model, path, notices, [&](const pt2::FileSource& source, const pt2::SaveTarget& target) {
        const pt2::ReleaseTarget release = pt2::parse_release_target(std::string(view_of(to, "to")));
        pt2::require_none_refused(pt2::downgrade_file(source, release, target));
      });
}

pt2_error* pt2_file_retarget(const pt2_file* file, pt2_str model, pt2_str to, pt2_str from, const char* path,
                             pt2_bytes* notices) {
  return converted(
      file, model, path, notices, [&](const pt2::FileSource& source, const pt2::SaveTarget& target) {
        pt2::retarget_file(source, pt2::device_change(view_of(to, "to"), optional_of(from, "from")), target);
      });
}

pt2_error* pt2_files_join(const pt2_file* a, const pt2_file* b, const pt2_str* outputs, const pt2_str* inputs,
                          size_t count, const char* path, pt2_bytes* notices) {
  return converted(a, {nullptr, 0}, path, notices,
                   [&](const pt2::FileSource& first, const pt2::SaveTarget& target) {
                     require(b, "b");
                     const std::vector<std::string> from = texts_of(outputs, count, "outputs");
                     const std::vector<std::string> to = texts_of(inputs, count, "inputs");
                     std::optional<std::vector<pt2::Connection>> connections;
                     if (count != 0) connections.emplace();
                     for (size_t i = 0; i < count; ++i) connections->push_back({from[i], to[i]});
                     pt2::join_files(first, {*b->opened, std::nullopt, first.notify}, connections, target);
                   });
}

pt2_error* pt2_file_strip(const pt2_file* file, pt2_str model, const char* path) {
  return written(file, path, [&](const pt2::Archive& archive, const pt2::ByteSink& sink) {
    pt2::write_stripped(archive, pt2::load_weights(*file->opened, optional_of(model, "model")), sink);
  });
}

pt2_error* pt2_file_attach(const pt2_file* file, pt2_str model, const pt2_tensor* const* tensors,
                           size_t count, const char* path) {
  return written(file, path, [&](const pt2::Archive& archive, const pt2::ByteSink& sink) {
    if (count != 0) require(tensors, "tensors");
    std::vector<pt2::NamedTensor> named;
    for (size_t i = 0; i < count; ++i) {
      require(tensors[i], "a tensor");
      if (tensors[i]->weight.tensor) named.push_back({tensors[i]->weight.name, *tensors[i]->weight.tensor});
    }
    pt2::write_attached(archive, pt2::load_weights(*file->opened, optional_of(model, "model")), named, sink);
  });
}

pt2_error* pt2_file_harden(const pt2_file* file, pt2_str model, bool drop_native, const char* path,
                           pt2_bytes* left_out) {
  return guarded([&] {
    if (left_out != nullptr) *left_out = {nullptr, 0};
    require_archive(file);
    require(path, "path");
    pt2::HardenOptions options;
    options.drop_native = drop_native;
    options.model = optional_of(model, "model");
    std::vector<pt2::LeftOut> gone;
    pt2::write_file_atomically(
        path, [&](const pt2::ByteSink& sink) { gone = pt2::harden_archive(*file->opened, sink, options); },
        [&](std::string_view archive) { pt2::require_harmless(archive, file->opened->limits()); });
    if (left_out != nullptr) *left_out = owned(left_out_json(gone));
  });
}

}  // extern "C"
