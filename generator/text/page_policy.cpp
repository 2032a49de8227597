#include "text/page_policy.h"

#include "text/sha256.h"

namespace generator {
namespace {

std::string source(std::string_view content) {
  return " 'sha256-" + sha256_base64(content) + "'";
}

}  // namespace

std::string page_policy(const std::vector<std::string>& scripts, const std::string& style) {
  std::string policy = "default-src 'none'; style-src" + source(style);
  if (!scripts.empty()) policy += "; script-src";
  for (const std::string& script : scripts) policy += source(script);
  return "<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy + "\">\n";
}

}  // namespace generator
