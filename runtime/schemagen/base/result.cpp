#include "schemagen/base/result.h"

#include <exception>
#include <new>

namespace schemagen {

const char* Failure::what() const noexcept {
  if (message_) return message_->what();
  return kind_ == out_of_memory ? "out of memory" : "an exception of unknown type";
}

Failure Failure::of_current_exception() noexcept {
  try {
    throw;
  } catch (DataError& error) {
    Failure failure(data, error);
    failure.reason_ = std::move(error.reason_);
    failure.path_ = std::move(error.path_);
    failure.place_ = error.place_;
    return failure;
  } catch (const UsageError& error) {
    return {usage, error};
  } catch (const IoError& error) {
    return {io, error};
  } catch (const std::bad_alloc&) {
    return Failure(out_of_memory);
  } catch (const std::runtime_error& error) {
    return {other, error};
  } catch (const std::exception& error) {
    try {
      return {other, std::runtime_error(error.what())};
    } catch (const std::bad_alloc&) {
      return Failure(out_of_memory);
    }
  } catch (...) {
    return Failure(other);
  }
}

}  // namespace schemagen
