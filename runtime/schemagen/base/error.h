// Defines the exceptions of this library: a base class, and a derived class for each kind of error.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

namespace schemagen {

/// A position in the input: a byte offset counted from 0 (binary data, archives), or a line and column
/// counted from 1 (JSON).
struct Place {
  std::optional<std::size_t> offset;
  std::size_t line = 0;  // 0 if unknown
  std::size_t column = 0;
};

/// The base of all exceptions of this library except std::bad_alloc. `what()` is a single printable line,
/// which quotes at most a few hundred bytes of the offending data.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Returns the position as it appears at the end of messages, e.g. "(line 1, column 840)" or "(byte 12)".
/// Returns an empty string if the position is unknown.
std::string place_text(const Place& place);

/// Machine-readable facts about bad data. Programs should test these instead of the message.
struct DataFault {
  // The data has a field or union member that the schema lacks, and the options do not let the reader skip
  // it.
  bool is_unknown_field = false;
  bool names_versions = false;  // whether the reason names the writer's schema version
};

/// Thrown for bad data, i.e. an input or a value to write that breaks a rule of its format.
///
/// `what()` returns the whole message, e.g. `graph_module.graph.nodes[3].name: expected a string, found null
/// (line 1, column 840)`. The parts of the message are also available separately.
class DataError : public Error {
 public:
  /// Creates an error about the value at the JSON path `path`; an empty path means the whole document.
  /// `what()` omits the middle of a long path.
  explicit DataError(std::string reason, std::string path = {}, Place place = {}, DataFault fault = {});

  const std::string& reason() const noexcept { return reason_; }
  const std::string& path() const noexcept { return path_; }
  const Place& place() const noexcept { return place_; }
  const DataFault& fault() const noexcept { return fault_; }

 private:
  friend class Failure;  // moves the parts out

  std::string reason_;
  std::string path_;
  Place place_;
  DataFault fault_;
};

/// Thrown for a mistake in the calling program rather than in the data: the caller asked for something that
/// does not exist or is not possible.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// Thrown when the operating system fails to open, read or write a file.
class IoError : public Error {
 public:
  using Error::Error;
};

/// Thrown when the operating system fails to perform an operation on a file.
class FileIoError : public IoError {
 public:
  /// Builds the message: for the action `cannot open` and the error number ENOENT, it is `cannot open 'PATH':
  /// No such file or directory`.
  FileIoError(const std::string& action, const std::string& path, int error_number);

  const std::string& path() const noexcept { return path_; }
  /// Returns the reason for the failure as a value of `errno`, e.g. ENOENT.
  int error_number() const noexcept { return error_number_; }

 private:
  std::string path_;
  int error_number_;
};

}  // namespace schemagen
