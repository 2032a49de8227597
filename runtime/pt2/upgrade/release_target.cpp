#include "pt2/upgrade/release_target.h"

#include <optional>
#include <string_view>

#include "pt2/schema_info.h"
#include "pt2/text/affix.h"
#include "pt2/text/numbers.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

/// The last one with a schema up to `minor`.
int torch_minor_of(std::int32_t minor) {
  const std::vector<Release> releases = first_releases();
  int torch_minor = releases.front().torch_minor;
  for (const Release& release : releases) {
    if (release.schema.minor <= minor) torch_minor = release.torch_minor;
  }
  return torch_minor;
}

std::optional<int> number_after(std::string_view prefix, std::string_view text) {
  if (!starts_with(text, prefix)) return std::nullopt;
  const auto number = integer_of_text<int>(text.substr(prefix.size()));
  return number && *number >= 0 ? number : std::nullopt;
}

}  // namespace

std::vector<Release> first_releases() {
  std::vector<Release> first;
  for (const Release& release : kReleases) {
    if (release.schema.major != kSchemaMajor) continue;
    if (first.empty() || first.back().schema != release.schema) first.push_back(release);
  }
  return first;
}

ReleaseTarget parse_release_target(const std::string& text) {
  const std::string major = std::to_string(kSchemaMajor) + ".";
  if (const auto minor = number_after(major, text)) return {{kSchemaMajor, *minor}, torch_minor_of(*minor)};
  if (const auto torch_minor = number_after("torch-2.", text)) {
    for (const Release& release : kReleases) {
      if (release.torch_minor == *torch_minor && release.schema.major == kSchemaMajor) {
        return {release.schema, release.torch_minor};
      }
    }
    throw schemagen::UsageError("cannot downgrade to " + schemagen::quoted(text) + ": expected torch-2." +
                                std::to_string(first_releases().front().torch_minor) + " to torch-" +
                                latest_torch());
  }
  throw schemagen::UsageError("--to: expected a version of schema " + std::to_string(kSchemaMajor) +
                              ", such as " + major + "14, or a release, such as torch-2.9, got " +
                              schemagen::quoted(text));
}

}  // namespace pt2
