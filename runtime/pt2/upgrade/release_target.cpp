#include "pt2/upgrade/release_target.h"

#include <algorithm>

#include "pt2/text/affix.h"
#include "pt2/text/numbers.h"
#include "pt2/upgrade/downgrade_steps.h"
#include "pt2/versions/version.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

/// The last one with a schema up to `version`.
int torch_minor_of(const SchemaVersion& version) {
  const std::vector<Release> releases = first_releases();
  int torch_minor = releases.front().torch_minor;
  for (const Release& release : releases) {
    if (!is_before(version, release.schema)) torch_minor = release.torch_minor;
  }
  return torch_minor;
}

std::optional<int> number_after(std::string_view prefix, std::string_view text) {
  if (!starts_with(text, prefix)) return std::nullopt;
  const auto number = integer_of_text<int>(text.substr(prefix.size()));
  return number && *number >= 0 ? number : std::nullopt;
}

}  // namespace

std::vector<std::int64_t> writable_majors() {
  std::vector<std::int64_t> majors = {kSchemaMajor};
  const auto has_steps = [](std::int64_t major) {
    const auto is_from = [&](const DowngradeStep& step) { return step.major == major; };
    return std::any_of(downgrade_steps().begin(), downgrade_steps().end(), is_from);
  };
  for (auto release = std::rbegin(kReleases); release != std::rend(kReleases); ++release) {
    if (release->schema.major == majors.front()) continue;
    if (!has_steps(majors.front())) break;
    majors.insert(majors.begin(), release->schema.major);
  }
  return majors;
}

std::vector<Release> first_releases() {
  std::vector<Release> first;
  for (const Release& release : kReleases) {
    if (release.schema.major < writable_majors().front()) continue;
    if (first.empty() || first.back().schema != release.schema) first.push_back(release);
  }
  return first;
}

void require_current_major(const ReleaseTarget& target) {
  if (target.schema.major == kSchemaMajor) return;
  throw schemagen::UsageError("cannot hold a program of schema " + version_text(target.schema) +
                              " in memory or in a .pt2b file; hint: write it to a .json or .pt2 file");
}

ReleaseTarget parse_release_target(const std::string& text) {
  std::string majors;
  for (const std::int64_t major : writable_majors()) {
    const std::string number = std::to_string(major);
    majors += (majors.empty() ? "" : " or ") + number;
    const auto minor = number_after(number + ".", text);
    if (minor) return {{major, *minor}, torch_minor_of({major, *minor})};
  }
  const Release oldest = first_releases().front();
  if (const auto torch_minor = number_after("torch-2.", text)) {
    for (const Release& release : kReleases) {
      if (release.torch_minor == *torch_minor && !is_before(release.schema, oldest.schema)) {
        return {release.schema, release.torch_minor};
      }
    }
    throw schemagen::UsageError("cannot downgrade to " + schemagen::quoted(text) + ": expected torch-2." +
                                std::to_string(oldest.torch_minor) + " to torch-" + latest_torch());
  }
  throw schemagen::UsageError("cannot downgrade to " + schemagen::quoted(text) +
                              ": expected a version of schema " + majors + ", such as " +
                              version_text(oldest.schema) + ", or a release, such as torch-2." +
                              std::to_string(oldest.torch_minor));
}

}  // namespace pt2
