// The exceptions of this library: one base class, and one class per kind of fault.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace schemagen {

/// A position in the input: a byte offset from 0 (binary, archives), or a line and column from 1 (JSON).
struct Place {
  std::optional<std::size_t> offset;
  std::size_t line = 0;  // 0: unknown
  std::size_t column = 0;
};

/// The base of all exceptions of this library except std::bad_alloc. `what()` is one printable line with at
/// most a few hundred bytes of the offending data.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Returns the position as it appears at the end of messages: "(line 1, column 840)" or "(byte 12)"; empty if
/// it is unknown.
std::string place_text(const Place& place);

/// Machine-readable facts about bad data. Programs should test these and never the message.
struct DataFault {
  bool is_unknown_field = false;  // the schema lacks a field or union member that the reader may not skip
  bool names_versions = false;    // the reason names the version that wrote the data
};

/// Thrown for bad data: input, or a value to write, that breaks a rule of its format.
///
/// `what()` is the whole message, e.g. `graph_module.graph.nodes[3].name: expected a string, found null (line
/// 1, column 840)`; its parts are available separately.
class DataError : public Error {
 public:
  /// `path` is the JSON path of the value, empty for the whole document. `what()` omits the middle of a long
  /// path.
  explicit DataError(std::string reason, std::string path = {}, Place place = {}, DataFault fault = {});

  const std::string& reason() const noexcept { return reason_; }
  const std::string& path() const noexcept { return path_; }
  const Place& place() const noexcept { return place_; }
  const DataFault& fault() const noexcept { return fault_; }

 private:
  friend class Failure;  // which moves the parts out

  std::string reason_;
  std::string path_;
  Place place_;
  DataFault fault_;
};

/// Thrown for a mistake in the program rather than in the data: the caller asked for something that does not
/// exist or is not possible.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// Thrown when the operating system fails to open, read or write a file.
class IoError : public Error {
 public:
  using Error::Error;
};

}  // namespace schemagen
