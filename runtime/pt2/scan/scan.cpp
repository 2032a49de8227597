#include "pt2/scan/scan.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "pt2/archive/inflate.h"
#include "pt2/graph/operators.h"
#include "pt2/pickle/pickle_scan.h"
#include "pt2/scan/code.h"
#include "pt2/scan/json_strings.h"
#include "pt2/scan/scan_rules.h"
#include "pt2/scan/zip_layout.h"
#include "pt2/text/affix.h"
#include "pt2/text/expression.h"
#include "schemagen/json/base64.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2 {
namespace {

constexpr std::size_t kMaxDepth = 16;
constexpr std::size_t kMaxFindings = 1000;  // of a rule
constexpr std::size_t kMaxPickles = 1000;   // one after the other
constexpr std::size_t kMinBase64 = 12;      // characters; no pickle that calls something is shorter
constexpr unsigned kEncryptedBits = 1u << 0 | 1u << 6 | 1u << 13;

/// What is looked at: a file, a member, or a text of JSON.
struct Part {
  std::string_view bytes;
  std::string record;
  std::string name;  // its last part
  std::size_t depth = 0;
  bool is_pickle = false;  // torch unpickles what has this name
};

bool begins_as_pickle(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 0 && bytes[1] <= 5;
}

/// What torch, or who wrote the archive, calls pickles.
bool names_pickle(std::string_view name) {
  for (const std::string_view end : {".pkl", ".pt", ".pth", ".pickle"}) {
    if (ends_with(name, end)) return true;
  }
  return starts_with(name, "opaque_obj_") || starts_with(name, "custom_obj_");
}

bool begins_as_json(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != bytes.npos && (bytes[first] == '{' || bytes[first] == '[');
}

bool is_tar(std::string_view bytes) {
  return bytes.size() > 512 && bytes.substr(257, 5) == "ustar";
}

/// A name that Python could import: random bytes and prose have others.
bool is_plausible(const PickleDanger& danger) {
  return std::none_of(danger.what.begin(), danger.what.end(),
                      [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7F'; });
}

bool is_base64(std::string_view text) {
  return text.size() >= kMinBase64 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
                  c == '/' || c == '=';
         });
}

/// Whether torch would look the target of a node up in Python's modules, where all of Python can be reached.
/// Source: GraphModuleDeserializer.deserialize_operator (torch/_export/serde/serialize.py).
bool reaches_python(std::string_view target) {
  // Functions that torch's exports leave in graphs, which are no operators. The last is an operator as
  // torch 2.4 named it. Source: Verifier (torch/_export/verifier.py), without
  // _call_custom_autograd_function_in_pre_dispatch, which calls what its first argument names.
  static constexpr std::string_view kPlain[] = {
      "torch._C._set_grad_enabled",
      "torch._functorch.predispatch._add_batch_dim",
      "torch._functorch.predispatch._enter_dual_level",
      "torch._functorch.predispatch._exit_dual_level",
      "torch._functorch.predispatch._jvp_decrement_nesting",
      "torch._functorch.predispatch._jvp_increment_nesting",
      "torch._functorch.predispatch._make_dual",
      "torch._functorch.predispatch._remove_batch_dim",
      "torch._functorch.predispatch._unpack_dual",
      "torch._functorch.predispatch._unwrap_for_grad",
      "torch._functorch.predispatch._vmap_decrement_nesting",
      "torch._functorch.predispatch._vmap_increment_nesting",
      "torch._functorch.predispatch.lazy_load_decompositions",
      "torch.amp.autocast_mode._enter_autocast",
      "torch.amp.autocast_mode._exit_autocast",
      "torch.autograd.grad_mode.set_grad_enabled",
      "torch._higher_order_ops.effects.with_effects",
  };
  constexpr std::string_view kOps = "torch.ops.";
  const bool is_resolved =
      starts_with(target, "torch") || starts_with(target, "_operator") || starts_with(target, "math");
  if (!is_resolved || target.find('.') == target.npos || find_operator(target) != nullptr) return false;
  if (std::find(std::begin(kPlain), std::end(kPlain), target) != std::end(kPlain)) return false;
  const bool is_private = target.find("__") != target.npos;
  const auto dots = std::count(target.begin(), target.end(), '.');
  if (starts_with(target, kOps)) return is_private || dots < 3 || dots > 4;
  return !starts_with(target, "math.") || is_private || dots > 1;
}

class Scanner {
 public:
  explicit Scanner(const schemagen::Limits& limits) : limits_(limits), inflating_(limits.memory_bytes) {}

  /// Whether the part is of a format that was looked into.
  bool scan(const Part& part);

  std::vector<ScanFinding> take() { return std::move(findings_); }

 private:
  void add(ScanRule rule, const Part& part, std::string what, std::string message,
           std::optional<std::size_t> position = std::nullopt) {
    if (counts_.at(static_cast<std::size_t>(rule))++ >= kMaxFindings) return;
    findings_.push_back({&scan_rule(rule), part.record, std::move(what), std::move(message), position});
  }

  void scan_zip(const Part& part);
  void scan_members(const Part& part, const ZipLayout& layout);
  void scan_member(const Part& part, const ZipLayout& layout, const ZipMember& member,
                   std::string_view folder);
  void scan_tar(const Part& part);
  void scan_json(const Part& part);
  void scan_string(const Part& part, const JsonString& string);
  bool scan_pickles(const Part& part);
  void report_pickle(const Part& part, std::size_t at, const PickleScan& found);

  schemagen::Limits limits_;
  schemagen::MemoryBudget inflating_;  // what archives in archives may inflate to, all together
  std::array<std::size_t, 7> counts_{};
  std::vector<ScanFinding> findings_;
};

/// A file can be of several formats at once: which one counts is for its reader to say.
bool Scanner::scan(const Part& part) {
  const std::string_view bytes = part.bytes;
  const std::string_view native = native_code(bytes);
  if (!native.empty()) add(ScanRule::native_code, part, part.name, "this is " + std::string(native));
  const bool is_zip = looks_like_zip(bytes);
  const bool has_zip = is_zip || ends_like_zip(bytes);
  if (has_zip) scan_zip(part);
  if (is_zip) return true;
  const bool has_tar = is_tar(bytes);
  if (has_tar) scan_tar(part);
  const bool has_json = begins_as_json(bytes);
  if (has_json) scan_json(part);
  const bool has_pickle = scan_pickles(part);
  if (has_zip || has_tar || has_json || has_pickle || !native.empty()) return true;
  const std::string_view language = source_language(bytes);
  if (!language.empty())
    add(ScanRule::source_code, part, part.name, "this is source code: " + std::string(language));
  return !language.empty();
}

// ---- Archives ----

/// The folder of a PT2 archive with its slash, or of a file of torch.save that is not in another one; else
/// empty.
std::string top_folder(const std::vector<ZipMember>& members) {
  constexpr std::string_view kFormat = "/archive_format";
  for (const ZipMember& member : members) {
    const std::size_t slash = member.name.find('/');
    if (slash != member.name.npos && member.name.substr(slash) == kFormat) {
      return std::string(member.name.substr(0, slash + 1));
    }
  }
  return {};
}

bool is_saved_by_torch(const std::vector<ZipMember>& members) {
  return std::any_of(members.begin(), members.end(),
                     [](const ZipMember& member) { return ends_with(member.name, "/data.pkl"); });
}

void Scanner::scan_zip(const Part& part) {
  try {
    const ZipLayout layout = lay_out_zip(part.bytes, limits_);
    for (const ZipTrick& trick : layout.tricks) {
      add(ScanRule::zip_trick, part, trick.what, trick.message, static_cast<std::size_t>(trick.position));
    }
    if (part.depth > 0 && !is_saved_by_torch(layout.members)) {
      add(ScanRule::nested_archive, part, part.name, "this is a zip archive");
    }
    scan_members(part, layout);
  } catch (const schemagen::DataError& error) {
    if (part.depth == 0 && looks_like_zip(part.bytes)) throw;
    add(ScanRule::zip_trick, part, part.name,
        std::string("this is a zip archive that cannot be read: ") + error.what());
  }
}

void Scanner::scan_members(const Part& part, const ZipLayout& layout) {
  if (part.depth == kMaxDepth) {
    add(ScanRule::zip_trick, part, part.name,
        "archives in archives are more than " + std::to_string(kMaxDepth) +
            " levels deep, and not looked into");
    return;
  }
  const std::string folder = part.depth == 0 ? top_folder(layout.members) : "";
  std::uint64_t left = layout.bytes.size();  // members that overlap would be looked into again and again
  for (const ZipMember& member : layout.members) {
    if (member.compressed_size > left) {
      add(ScanRule::zip_trick, part, std::string(member.name),
          "the members have more bytes than the archive; from this one on they are not looked into");
      return;
    }
    left -= member.compressed_size;
    scan_member(part, layout, member, folder);
  }
}

/// `folder` is that of the archive, which records are named without.
void Scanner::scan_member(const Part& part, const ZipLayout& layout, const ZipMember& member,
                          std::string_view folder) {
  const std::string_view name =
      starts_with(member.name, folder) ? member.name.substr(folder.size()) : member.name;
  Part inner;
  inner.record = (part.record.empty() ? "" : part.record + "!") + std::string(name);
  inner.name = std::string(name.substr(name.rfind('/') + 1));
  inner.depth = part.depth + 1;
  inner.is_pickle = names_pickle(inner.name);
  inner.bytes = packed_member(layout.bytes, member);
  const auto refuse = [&](const std::string& why) {
    add(ScanRule::zip_trick, inner, inner.name, why + ", and is not looked into");
  };
  if ((member.flags & kEncryptedBits) != 0) return refuse("the member is encrypted");
  if (member.method == 0) {
    scan(inner);
    return;
  }
  if (member.method != 8)
    return refuse("the member is compressed by method " + std::to_string(member.method));
  const bool fits =
      member.size / kMaxInflateRatio <= inner.bytes.size() && member.size <= limits_.memory_bytes;
  if (!fits || (part.depth > 0 && !inflating_.take(1, static_cast<std::size_t>(member.size)))) {
    return refuse("the member inflates to " + std::to_string(member.size) + " bytes");
  }
  std::string inflated;
  const std::string fault =
      inflate(inner.bytes, member.size, [&](std::string_view bytes) { inflated.append(bytes); });
  if (!fault.empty()) add(ScanRule::zip_trick, inner, inner.name, fault);
  inner.bytes = inflated;
  scan(inner);
}

/// What torch.save wrote before zip was a tar archive for some time. Source: POSIX, "ustar Interchange
/// Format".
void Scanner::scan_tar(const Part& part) {
  constexpr std::size_t kBlock = 512;
  add(ScanRule::nested_archive, part, part.name, "this is a tar archive");
  if (part.depth == kMaxDepth) return;
  for (std::size_t at = 0; at + kBlock <= part.bytes.size();) {
    const std::string_view header = part.bytes.substr(at, kBlock);
    const std::string_view name = header.substr(0, std::min<std::size_t>(header.find('\0'), 100));
    std::size_t size = 0;
    for (const char c : header.substr(124, 11)) {
      if (c >= '0' && c <= '7') size = size * 8 + static_cast<std::size_t>(c - '0');
    }
    at += kBlock;
    Part inner;
    inner.record = (part.record.empty() ? "" : part.record + "!") + std::string(name);
    inner.name = std::string(name);
    inner.depth = part.depth + 1;
    inner.is_pickle = true;
    inner.bytes = part.bytes.substr(at, size);
    if (!inner.bytes.empty()) scan(inner);
    at += std::min((size + kBlock - 1) / kBlock * kBlock, part.bytes.size() - at);
  }
}

// ---- Texts of JSON ----

void Scanner::scan_json(const Part& part) {
  for_each_string(part.bytes, [&](const JsonString& string) { scan_string(part, string); });
}

void Scanner::scan_string(const Part& part, const JsonString& string) {
  if (string.key == "target" && string.has_inputs) {
    const std::string target = plain_text(string.raw);
    if (reaches_python(target)) {
      add(ScanRule::source_code, part, target,
          "a node calls what Python finds as " + schemagen::quoted(target), string.position);
    }
    return;
  }
  if (string.key == "expr_str") {
    const std::string expression = plain_text(string.raw);
    try {
      static_cast<void>(parse_expression(expression));
    } catch (const schemagen::DataError& error) {
      add(ScanRule::source_code, part, schemagen::printable_start(expression),
          std::string("Python evaluates an expression that is not sympy's: ") + error.what(),
          string.position);
    }
    return;
  }
  const std::string text = string.raw.find('\\') == string.raw.npos ? "" : plain_text(string.raw);
  const std::string_view plain = text.empty() ? string.raw : std::string_view(text);
  if (!is_base64(plain) || part.depth == kMaxDepth) return;
  const std::optional<schemagen::Bytes> decoded = schemagen::from_base64(plain);
  if (!decoded) return;
  Part inner;
  inner.bytes = {reinterpret_cast<const char*>(decoded->data()), decoded->size()};
  inner.record = (part.record.empty() ? "" : part.record + "!") + "byte " + std::to_string(string.position);
  inner.name = string.key;
  inner.depth = part.depth + 1;
  const bool may_be_more = looks_like_zip(inner.bytes) || !native_code(inner.bytes).empty();
  may_be_more ? static_cast<void>(scan(inner)) : static_cast<void>(scan_pickles(inner));
}

// ---- Pickles ----

/// Torch wrote several pickles one after the other before it wrote zip archives.
bool Scanner::scan_pickles(const Part& part) {
  std::size_t at = 0;
  bool is_pickle = false;
  for (std::size_t count = 0; count < kMaxPickles && at < part.bytes.size(); ++count) {
    const std::string_view rest = part.bytes.substr(at);
    const bool has_version = begins_as_pickle(rest);
    if (count > 0 && !has_version) break;
    const PickleScan found = scan_pickle(rest, limits_);
    const bool has_dangers = std::any_of(found.dangers.begin(), found.dangers.end(), is_plausible);
    const bool is_one = part.is_pickle ? count == 0 || !found.fault || has_dangers
                        : has_version  ? !found.fault || has_dangers
                                       : found.calls && has_dangers;
    if (!is_one) break;
    is_pickle = true;
    report_pickle(part, at, found);
    at += found.end;
  }
  return is_pickle;
}

void Scanner::report_pickle(const Part& part, std::size_t at, const PickleScan& found) {
  for (const PickleDanger& danger : found.dangers) {
    add(ScanRule::pickle_global, part, danger.what, danger.message, at + danger.position);
  }
  if (found.fault) {
    add(ScanRule::pickle_malformed, part, part.name, "the pickle is broken: " + *found.fault,
        at + found.fault_position);
  } else if (found.dangers.empty()) {
    add(ScanRule::pickle_legacy, part, part.name, "this is a pickle of what weights_only takes", at);
  }
}

}  // namespace

std::vector<ScanFinding> scan_file(std::string_view bytes, const schemagen::Limits& limits) {
  Scanner scanner(limits);
  Part file;
  file.bytes = bytes;
  file.is_pickle = begins_as_pickle(bytes);
  if (!scanner.scan(file)) {
    throw schemagen::DataError(
        "not a file that torch loads: expected an archive, a pickle, JSON, native code or source code");
  }
  return scanner.take();
}

}  // namespace pt2
