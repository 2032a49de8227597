#include "schemagen/c/error.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace schemagen::c {
namespace {

// No failure means out of memory. Never freed.
schemagen_error out_of_memory;

}  // namespace

schemagen_error* error_of_current_exception() noexcept {
  Failure failure = Failure::of_current_exception();
  if (failure.kind() == Failure::out_of_memory) return &out_of_memory;
  auto* const error = new (std::nothrow) schemagen_error;
  if (error == nullptr) return &out_of_memory;
  error->failure.emplace(std::move(failure));
  return error;
}

void require(const void* argument, const char* name) {
  if (argument == nullptr) throw UsageError(std::string(name) + " is NULL");
}

std::string_view view_of(const void* data, std::size_t size, const char* name) {
  if (data == nullptr && size != 0) throw UsageError(std::string(name) + " is NULL, but its size is not 0");
  return data == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(data), size);
}

schemagen_bytes owned(std::string_view bytes) {
  auto* const data = static_cast<char*>(std::malloc(bytes.size() + 1));
  if (data == nullptr) throw std::bad_alloc();
  std::memcpy(data, bytes.data(), bytes.size());
  data[bytes.size()] = 0;
  return {data, bytes.size()};
}

}  // namespace schemagen::c

using schemagen::c::borrowed;

extern "C" {

schemagen_str schemagen_text(const char* text) {
  return text == nullptr ? schemagen_str{nullptr, 0} : schemagen_str{text, std::strlen(text)};
}

void schemagen_bytes_free(schemagen_bytes* bytes) {
  if (bytes == nullptr) return;
  std::free(bytes->data);
  *bytes = {nullptr, 0};
}

int32_t schemagen_error_kind(const schemagen_error* error) {
  if (error == nullptr) return SCHEMAGEN_ERROR_NONE;
  if (!error->failure) return SCHEMAGEN_ERROR_MEMORY;
  // In the order of Failure::Kind.
  constexpr std::int32_t kKinds[] = {SCHEMAGEN_ERROR_DATA, SCHEMAGEN_ERROR_USAGE, SCHEMAGEN_ERROR_IO,
                                     SCHEMAGEN_ERROR_MEMORY, SCHEMAGEN_ERROR_OTHER};
  return kKinds[error->failure->kind()];
}

schemagen_str schemagen_error_message(const schemagen_error* error) {
  if (error == nullptr) return borrowed({});
  return borrowed(error->failure ? error->failure->what() : "out of memory");
}

schemagen_str schemagen_error_reason(const schemagen_error* error) {
  return borrowed(error != nullptr && error->failure ? std::string_view(error->failure->reason()) : "");
}

schemagen_str schemagen_error_path(const schemagen_error* error) {
  return borrowed(error != nullptr && error->failure ? std::string_view(error->failure->path()) : "");
}

size_t schemagen_error_line(const schemagen_error* error) {
  return error != nullptr && error->failure ? error->failure->place().line : 0;
}

size_t schemagen_error_column(const schemagen_error* error) {
  return error != nullptr && error->failure ? error->failure->place().column : 0;
}

int64_t schemagen_error_offset(const schemagen_error* error) {
  if (error == nullptr || !error->failure || !error->failure->place().offset) return -1;
  return static_cast<int64_t>(*error->failure->place().offset);
}

void schemagen_error_free(schemagen_error* error) {
  if (error != nullptr && error->failure) delete error;
}

}  // extern "C"
