#include "pt2/edit/file_operations.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "notices_as_warnings.h"
#include "program_value.h"
#include "pt2/edit/weight_files.h"
#include "pt2/text/type_names.h"

namespace pt2::python {
namespace {

using Model = std::optional<std::string>;
using NamePairs = std::vector<std::pair<std::string, std::string>>;

/// Runs `work(source, out)` without the interpreter's lock, and issues its notices as warnings.
template <class Work>
void with_files(nb::handle path, Model model, nb::handle out, const Work& work) {
  const ProgramFile file = open_file(path);
  const std::string to = path_of(out);
  Notices notices(path_of(path));
  without_gil([&] { work(FileSource{file, std::move(model), notices.notify()}, to); });
  notices.warn();
}

void upgrade(nb::handle path, nb::handle out) {
  with_files(path, std::nullopt, out, [](const FileSource& source, const std::string& to) {
    const SaveTarget target(to);
    upgrade_file(source, &target, false);
  });
}

void downgrade(nb::handle path, const std::string& to, nb::handle out) {
  with_files(path, std::nullopt, out, [&](FileSource source, const std::string& written) {
    std::vector<std::string> notices;
    const NoticeSink notify =
        std::exchange(source.notify, [&](const std::string& text) { notices.push_back(text); });
    const std::vector<std::string> refused = downgrade_file(source, parse_release_target(to), written);
    require_none_refused(refused);
    for (const std::string& notice : notices) notify(notice);
  });
}

void retarget_device(nb::handle path, const std::string& device, const std::optional<std::string>& from,
                     nb::handle out) {
  const DeviceChange change = device_change(device, from);
  with_files(path, std::nullopt, out,
             [&](const FileSource& source, const std::string& to) { retarget_file(source, change, to); });
}

void retarget_dtype(nb::handle path, std::int32_t dtype, const std::vector<std::string>& keep,
                    bool keep_unconvertible, nb::handle out) {
  const DtypeChange change{static_cast<ScalarType>(dtype), keep, keep_unconvertible};
  with_files(path, std::nullopt, out,
             [&](const FileSource& source, const std::string& to) { retarget_file(source, change, to); });
}

nb::object extract(nb::handle path, const std::vector<std::string>& inputs,
                   const std::vector<std::string>& outputs, nb::handle out) {
  ExportedProgram part;
  with_files(path, std::nullopt, out, [&](const FileSource& source, const std::string& to) {
    part = extract_file(source, inputs, outputs, declared_operators(), to);
  });
  return to_python(std::move(part));
}

nb::object join(nb::handle a, nb::handle b, const std::optional<NamePairs>& pairs, nb::handle out) {
  std::optional<std::vector<Connection>> connections;
  if (pairs) connections.emplace();
  for (const auto& [output, input] : pairs.value_or(NamePairs())) connections->push_back({output, input});
  const ProgramFile second = open_file(b);
  Notices notices(path_of(b));
  JoinedProgram joined;
  with_files(a, std::nullopt, out, [&](const FileSource& first, const std::string& to) {
    joined = join_files(first, {second, std::nullopt, notices.notify()}, connections, to);
  });
  notices.warn();
  return to_python(std::move(joined.program));
}

std::vector<std::pair<std::string, std::uint64_t>> slim(nb::handle path, nb::handle out,
                                                        const std::vector<std::string>& drop,
                                                        bool reproducible, Model model) {
  SlimOptions options;
  options.reproducible = reproducible;
  for (const std::string& name : drop) options.parts.push_back(slim_part_named(name));
  std::vector<std::pair<std::string, std::uint64_t>> savings;
  with_files(path, std::move(model), out, [&](const FileSource& source, const std::string& to) {
    for (const SlimSaving& saving : slim_file(source, options, to))
      savings.emplace_back(name_of(saving.part), saving.bytes);
  });
  return savings;
}

void strip(nb::handle path, nb::handle out, nb::handle weights, Model model) {
  const std::string tensors = weights.is_none() ? "" : path_of(weights);
  with_files(path, std::move(model), out, [&](const FileSource& source, const std::string& to) {
    strip_file(source, SaveTarget(to, FileFormat::archive), tensors, source.notify);
  });
}

void attach(nb::handle path, nb::handle weights, nb::handle out, Model model) {
  const std::string tensors = path_of(weights);
  with_files(path, std::move(model), out, [&](const FileSource& source, const std::string& to) {
    attach_file(source, tensors, SaveTarget(to, FileFormat::archive));
  });
}

void export_weights(nb::handle path, nb::handle out, const std::vector<std::string>& names, Model model) {
  with_files(path, std::move(model), out, [&](const FileSource& source, const std::string& to) {
    pt2::export_weights(source, names, to, source.notify);
  });
}

}  // namespace

void bind_file_operations(nb::module_& module) {
  module.def("upgrade_file", upgrade, nb::arg().none(), nb::arg().none());
  module.def("downgrade_file", downgrade, nb::arg().none(), nb::arg(), nb::arg().none());
  module.def("retarget_file_device", retarget_device, nb::arg().none(), nb::arg(), nb::arg().none(),
             nb::arg().none());
  module.def("retarget_file_dtype", retarget_dtype, nb::arg().none(), nb::arg(), nb::arg(), nb::arg(),
             nb::arg().none());
  module.def("extract_file", extract, nb::arg().none(), nb::arg(), nb::arg(), nb::arg().none());
  module.def("join_files", join, nb::arg().none(), nb::arg().none(), nb::arg().none(), nb::arg().none());
  module.def("slim_file", slim, nb::arg().none(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg().none());
  module.def("strip_file", strip, nb::arg().none(), nb::arg().none(), nb::arg().none(), nb::arg().none());
  module.def("attach_file", attach, nb::arg().none(), nb::arg().none(), nb::arg().none(), nb::arg().none());
  module.def("export_weights", export_weights, nb::arg().none(), nb::arg().none(), nb::arg(),
             nb::arg().none());
}

}  // namespace pt2::python
