#include "pt2/handles.h"

namespace pt2::c {

std::optional<std::string> optional_of(pt2_str text, const char* name) {
  const std::string_view view = view_of(text, name);
  if (text.data == nullptr) return std::nullopt;
  return std::string(view);
}

std::vector<std::string> texts_of(const pt2_str* texts, std::size_t count, const char* name) {
  if (count != 0) require(texts, name);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) all.emplace_back(view_of(texts[i], name));
  return all;
}

}  // namespace pt2::c

extern "C" {

int32_t pt2_abi_version(void) {
  return PT2_ABI_VERSION;
}
pt2_str pt2_version(void) {
  return pt2::c::borrowed(PT2_VERSION);
}

int32_t pt2_error_kind(const pt2_error* error) {
  return schemagen_error_kind(error);
}
pt2_str pt2_error_message(const pt2_error* error) {
  return schemagen_error_message(error);
}
pt2_str pt2_error_reason(const pt2_error* error) {
  return schemagen_error_reason(error);
}
pt2_str pt2_error_path(const pt2_error* error) {
  return schemagen_error_path(error);
}
size_t pt2_error_line(const pt2_error* error) {
  return schemagen_error_line(error);
}
size_t pt2_error_column(const pt2_error* error) {
  return schemagen_error_column(error);
}
int64_t pt2_error_offset(const pt2_error* error) {
  return schemagen_error_offset(error);
}
void pt2_error_free(pt2_error* error) {
  schemagen_error_free(error);
}

pt2_str pt2_text(const char* text) {
  return schemagen_text(text);
}
void pt2_bytes_free(pt2_bytes* bytes) {
  schemagen_bytes_free(bytes);
}

}  // extern "C"
