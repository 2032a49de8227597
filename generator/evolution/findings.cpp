#include "evolution/findings.h"

#include "schemagen/base/counted.h"

namespace generator {
Findings::Findings(const Comparison& comparison_, const Release& before_, const Release& after_,
                   const std::vector<Release>& earlier_)
    : comparison(comparison_), before(before_), after(after_), earlier(earlier_) {
  // Two with the same name (a schema compared with itself) are one file.
  const auto add = [&](const Release& release) {
    sources.emplace(release.file, release.text);
    for (const SourceText& imported : release.imported) sources.emplace(imported.file, imported.text);
  };
  add(after);
  add(before);
  for (const Release& release : earlier) add(release);
}

std::string_view plain_level(Level level) {
  return name_of(level == Level::breaking ? Level::error : level);
}

std::string effects_text(const Effects& effects) {
  const auto both = [](Verdict json, Verdict binary) {
    return "JSON " + std::string(name_of(json)) + ", binary " + std::string(name_of(binary));
  };
  return "new reads old: " + both(effects.json_backward, effects.binary_backward) +
         "; old reads new: " + both(effects.json_forward, effects.binary_forward) + "; source " +
         std::string(name_of(effects.source));
}

std::string example_text(const Example& example) {
  const std::string form = is_json(example.flow) ? " JSON" : " binary data";
  return (is_backward(example.flow) ? "new readers reject or misread this old" + form
                                    : "old readers reject or misread this new" + form) +
         " of " + quoted(example.type) + ": " + example.value;
}

bool is_harmless(const Effects& effects) {
  return std::all_of(std::begin(kEffects), std::end(kEffects),
                     [&](const auto effect) { return effects.*effect == Verdict::yes; });
}

std::string verdict_text(const Findings& findings) {
  const Comparison& comparison = findings.comparison;
  const Version before = findings.before.model.version;
  const Version after = findings.after.model.version;
  if (comparison.required == Bump::error) {
    return comparison.policy == Policy::pytorch ? "PyTorch's checker rejects this, whatever the version"
                                                : "no version number is enough: fix the errors first";
  }
  const std::string next = spelled(comparison.suggested);
  const bool moved = spelled(before) != next;
  std::string needed = "needs no new version";
  if (moved && comparison.policy == Policy::pytorch) {
    needed = "needs version " + next;
  } else if (moved) {
    const std::string bump(name_of(comparison.required));
    needed = "needs a new " + bump + " version (" + next + " or higher)";
  }
  return needed + "; " + spelled(after) + (comparison.version_suffices ? " suffices" : " does not suffice");
}

std::string counts_text(const Comparison& comparison) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  if (const std::size_t count = comparison.count(Level::error)) add(schemagen::counted(count, "error"));
  if (const std::size_t count = comparison.count(Level::breaking)) add(std::to_string(count) + " breaking");
  if (const std::size_t count = comparison.count(Level::warning)) add(schemagen::counted(count, "warning"));
  if (const std::size_t count = comparison.count(Level::note)) add(schemagen::counted(count, "note"));
  if (out.empty()) out = "no findings";
  if (const std::size_t count = comparison.count_allowed()) out += " (" + std::to_string(count) + " allowed)";
  return out;
}

}  // namespace generator
