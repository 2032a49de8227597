// The C API's handles. A handle shares ownership of the data that it uses, so it stays valid after the handle
// from which it was made is freed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pt2.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/findings/finding.h"
#include "pt2/program.h"
#include "schemagen/base/mutex.h"
#include "schemagen/c/error.h"
#include "schemagen/c/lifetime.h"

struct pt2_file {
  std::shared_ptr<const pt2::ProgramFile> opened;
};

struct pt2_program {
  pt2_program(pt2::LoadedProgram&& loaded_, const schemagen::Limits& limits_)
      : loaded(std::move(loaded_)), limits(limits_) {}

  pt2::LoadedProgram loaded;
  schemagen::Limits limits;
  schemagen::c::Lifetime life;

  void replace(pt2::ExportedProgram&& program) noexcept;
};

struct pt2_tensor {
  pt2_tensor(pt2::Weight weight_, std::shared_ptr<const void> source_, const schemagen::Limits& limits_);

  pt2::Weight weight;
  std::shared_ptr<const void> source;
  schemagen::Limits limits;
  std::string device;
  std::uint64_t bytes = 0;
  std::vector<std::unique_ptr<const pt2_tensor>> parts;
  mutable schemagen::Mutex mutex;
  mutable std::shared_ptr<const pt2::MemberBytes> read;
};

struct pt2_weights {
  std::vector<std::unique_ptr<const pt2_tensor>> tensors;

  pt2_weights(std::vector<pt2::Weight> weights, const std::shared_ptr<const void>& source,
              const schemagen::Limits& limits);
  std::vector<pt2::NamedTensor> named() const;
};

struct pt2_findings {
  std::vector<pt2::Finding> all;
};

namespace pt2::c {

using schemagen::c::borrowed;
using schemagen::c::given;
using schemagen::c::guarded;
using schemagen::c::made;
using schemagen::c::owned;
using schemagen::c::require;
using schemagen::c::view_of;

/// Throws UsageError if unknown fields were preserved. Preserved fields refer to places in the program as it
/// was when it was read.
void require_nothing_kept(const LoadedProgram& loaded);

/// Throws UsageError if fields were skipped when the program was loaded, because the output would lack them.
void require_whole(const LoadedProgram& loaded);

std::unique_ptr<pt2_file> file_of(FileBytes bytes, const pt2_file_options* options);

std::unique_ptr<pt2_program> copy_of(const pt2_program& program);

/// Tells whether a change can move values to other places in the program.
enum class Places { change, stay };

/// Applies `change` to a copy of the program, and replaces the program with the copy only if `change`
/// succeeds.
template <class Change>
pt2_error* changed(pt2_program* program, const Change& change, Places places = Places::change) noexcept {
  return guarded([&] {
    require(program, "program");
    if (places == Places::change) require_nothing_kept(program->loaded);
    ExportedProgram copy = program->loaded.program;
    change(copy);
    program->replace(std::move(copy));
  });
}

std::optional<std::string> optional_of(pt2_str text, const char* name);
/// Throws UsageError if `texts` is null but `count` is not 0.
std::vector<std::string> texts_of(const pt2_str* texts, std::size_t count, const char* name);

}  // namespace pt2::c
