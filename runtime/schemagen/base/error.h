// The errors that this library raises: one base class, and one class for each kind of fault.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace schemagen {

/// Where in the input: a byte offset from 0 (binary, archives), or a line and column from 1 (JSON).
struct Place {
  std::optional<std::size_t> offset;
  std::size_t line = 0;  // 0: no line is known
  std::size_t column = 0;
};

/// What all exceptions of this library are, but for std::bad_alloc. `what()` is one line, printable, and
/// holds at most a few hundred bytes of the data that it is about.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "(line 1, column 840)" or "(byte 12)", as it stands at the end of messages; empty for no place.
std::string place_text(const Place& place);

/// What is known of bad data apart from the message, which is for people: decide by these, not by its text.
struct DataFault {
  bool is_unknown_field = false;  // the reader's schema lacks a field or union member, which it may not skip
  bool names_versions = false;    // the reason says which version wrote the data
};

/// Bad data: the input, or a value that is to be written, breaks a rule of its format.
///
/// `what()` is the whole message, e.g. `graph_module.graph.nodes[3].name: expected a string, found null
/// (line 1, column 840)`; the parts can be had one by one.
class DataError : public Error {
 public:
  /// `path`: the JSON path of the value, empty for the whole document; `what()` leaves out the middle of a
  /// long one.
  explicit DataError(std::string reason, std::string path = {}, Place place = {}, DataFault fault = {});

  const std::string& reason() const noexcept { return reason_; }
  const std::string& path() const noexcept { return path_; }
  const Place& place() const noexcept { return place_; }
  const DataFault& fault() const noexcept { return fault_; }

 private:
  friend class Failure;  // which takes them over

  std::string reason_;
  std::string path_;
  Place place_;
  DataFault fault_;
};

/// The caller asked for what is not there, or what cannot be done: a fault of the program, not of its data.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// The operating system refused: a file cannot be opened, read or written.
class IoError : public Error {
 public:
  using Error::Error;
};

}  // namespace schemagen
