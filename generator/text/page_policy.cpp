#include "text/page_policy.h"
#include <array>

#include "schemagen/base/base64.h"
#include "schemagen/base/sha256.h"

namespace generator {
namespace {

std::string source(std::string_view content) {
  schemagen::Sha256 hash;
  hash.update(content);
  const std::array<unsigned char, 32> digest = hash.digest();
  return " 'sha256-" + schemagen::to_base64({digest.begin(), digest.end()}) + "'";
}

}  // namespace

std::string page_policy(const std::vector<std::string>& scripts, const std::string& style) {
  std::string policy = "default-src 'none'; style-src" + source(style);
  if (!scripts.empty()) policy += "; script-src";
  for (const std::string& script : scripts) policy += source(script);
  return "<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy + "\">\n";
}

}  // namespace generator
