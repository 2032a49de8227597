// The commands: each takes its arguments, does its work, and gives the exit code.
//
// Bad input and I/O problems are exceptions (DataError, IoError) that main reports, but for `validate`, whose
// answer they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pt2/compare/canonical.h"

namespace pt2::tool {

enum ExitCode { kDone = 0, kNo = 1, kUsage = 2, kBadInput = 3, kIoProblem = 4 };

struct InfoArguments {
  std::string file;
  std::optional<std::string> model;
  bool json = false;
};
int run_info(const InfoArguments& arguments);

struct ShowArguments {
  std::string file;
  std::optional<std::string> model;
  bool signature = false;
};
int run_show(const ShowArguments& arguments);

struct ValidateArguments {
  std::vector<std::string> files;
  bool json = false;
};
int run_validate(const ValidateArguments& arguments);

struct RulesArguments {
  bool json = false;
};
int run_rules(const RulesArguments& arguments);

struct ExplainArguments {
  std::string rule;
};
/// Of arguments that check_explain() finds nothing wrong with.
int run_explain(const ExplainArguments& arguments);

/// Why there is nothing to explain; empty if there is.
std::string check_explain(const ExplainArguments& arguments);

struct ConvertArguments {
  std::string in;
  std::string out;
  std::optional<std::string> model;
  std::optional<std::string> root;  // a type of the schema; nullopt: a program
  std::optional<std::string> to;    // "json" or "pt2b"; nullopt: `out` tells
  bool no_compress = false;
  bool canonical = false;
};
/// Of arguments that check_convert() finds nothing wrong with.
int run_convert(const ConvertArguments& arguments);

/// Why these arguments make no sense; empty if they do. Looks at no file.
std::string check_convert(const ConvertArguments& arguments);

struct UpgradeArguments {
  std::string in;
  std::string out;  // empty: a dry run
  std::optional<std::string> model;
  bool dry_run = false;
};
int run_upgrade(const UpgradeArguments& arguments);

struct CanonicalizeArguments {
  std::string in;
  std::string out;
  std::optional<std::string> model;
  CanonicalForm form = CanonicalForm::normal;
  bool keep_provenance = false;
};
int run_canonicalize(const CanonicalizeArguments& arguments);

/// Why `out` cannot be written; empty if it can. Looks at its ending only.
std::string check_canonical_output(const std::string& out);

struct HashArguments {
  std::string file;
  std::optional<std::string> model;
};
int run_hash(const HashArguments& arguments);

struct DiffArguments {
  std::string a;
  std::string b;
  std::optional<std::string> model;
  bool json = false;
};
int run_diff(const DiffArguments& arguments);

}  // namespace pt2::tool
