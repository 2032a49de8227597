#include "pt2/upgrade/release_target.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "pt2/schema_info.h"
#include "pt2/text/affix.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

/// The last of these that is sure to read the schema's `minor`, and no more than it.
int torch_minor_of(std::int32_t minor) {
  const std::vector<Release> releases = first_releases();
  int torch_minor = releases.front().torch_minor;
  for (const Release& release : releases) {
    if (release.schema.minor <= minor) torch_minor = release.torch_minor;
  }
  return torch_minor;
}

/// The number that `text` is behind `start`; nullopt: it is something else.
std::optional<int> number_behind(std::string_view start, std::string_view text) {
  if (!starts_with(text, start)) return std::nullopt;
  const char* const end = text.data() + text.size();
  int number = 0;
  const auto [rest, error] = std::from_chars(text.data() + start.size(), end, number);
  if (error != std::errc() || rest != end || number < 0) return std::nullopt;
  return number;
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
  if (const auto minor = number_behind(major, text)) return {{kSchemaMajor, *minor}, torch_minor_of(*minor)};
  if (const auto torch_minor = number_behind("torch-2.", text)) {
    for (const Release& release : kReleases) {
      if (release.torch_minor == *torch_minor && release.schema.major == kSchemaMajor) {
        return {release.schema, release.torch_minor};
      }
    }
    throw schemagen::UsageError("cannot downgrade to " + schemagen::quoted(text) + ": torch-2." +
                                std::to_string(first_releases().front().torch_minor) + " to torch-" +
                                latest_torch() + " can be written for");
  }
  throw schemagen::UsageError("--to takes a version of schema " + std::to_string(kSchemaMajor) +
                              ", such as " + major + "14, or a release, such as torch-2.9, not " +
                              schemagen::quoted(text));
}

}  // namespace pt2
