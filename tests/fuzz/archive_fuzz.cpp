// Archives are rejected, or their copies can be read. The mutator corrects checksums and sizes, which a
// fuzzer cannot guess.
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "document_mutator.h"
#include "fault.h"
#include "pt2/archive/archive.h"
#include "pt2/archive/archive_rewrite.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "runtime/pt2/archive/zip_builder.h"
#include "schemagen/base/error.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

constexpr std::size_t kMaxInflated = std::size_t{4} << 20;

schemagen::Limits small_limits() {
  schemagen::Limits limits;
  limits.container_items = 1000;
  limits.input_bytes = kMaxInflated;
  limits.memory_bytes = kMaxInflated;
  return limits;
}

struct Member {
  std::string name;
  std::string content;
};

std::vector<Member> members_of(const pt2::ZipReader& zip, std::size_t archive_size) {
  std::vector<Member> members;
  for (const pt2::ZipMember& member : zip.members()) {
    try {
      members.push_back({std::string(member.name), std::string(zip.read(member).view())});
      require(members.back().content.size() <= std::max(kMaxInflated, archive_size), "limits hold");
    } catch (const schemagen::DataError& error) {
      require_message(error);
      if (error.place().offset) require(*error.place().offset <= archive_size, "a place is in the archive");
    }
  }
  return members;
}

void check_copy(const pt2::Archive& archive, std::size_t archive_size) {
  const std::vector<Member> members = members_of(archive.zip, archive_size);
  if (members.size() != archive.zip.members().size()) return;
  std::string copy;
  pt2::rewrite_archive(archive, {}, [&](std::string_view bytes) { copy += bytes; });
  const pt2::ZipReader again(copy, small_limits());
  const std::vector<Member> copied = members_of(again, copy.size());
  require(members.size() == copied.size() && std::equal(members.begin(), members.end(), copied.begin(),
                                                        [](const Member& a, const Member& b) {
                                                          return a.name == b.name && a.content == b.content;
                                                        }),
          "a copy has the same members");
}

void check_archive(std::string_view bytes, pt2::Checksums checksums) {
  try {
    const pt2::Archive archive = pt2::open_archive(bytes, small_limits(), checksums);
    check_copy(archive, bytes.size());
  } catch (const schemagen::DataError& error) {
    require_message(error);
    if (error.place().offset) require(*error.place().offset <= bytes.size(), "a place is in the archive");
  }
}

void check_programs(std::string_view bytes) {
  try {
    const pt2::ProgramFile file(pt2::FileBytes(std::string(bytes)), {small_limits(), pt2::Checksums::verify});
    pt2::LoadOptions options;
    const pt2::Archive* const archive = file.archive();
    if (archive != nullptr && !archive->models.empty()) options.model = archive->models.front().name;
    schemagen::to_json(pt2::load_program(file, options).program);
  } catch (const schemagen::DataError& error) {
    require_message(error);
  }
}

std::vector<zip_builder::Entry> entries_of(const std::string& archive) {
  std::vector<zip_builder::Entry> entries;
  try {
    const pt2::ZipReader zip(archive, small_limits(), pt2::Checksums::ignore);
    for (const pt2::ZipMember& member : zip.members()) {
      entries.push_back(zip_builder::stored(std::string(member.name), std::string(zip.read(member).view())));
    }
  } catch (const schemagen::DataError&) {
  }
  return entries;
}

std::string mutated_bytes(std::string bytes) {
  const std::size_t size = bytes.size();
  bytes.resize(size + 64);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, bytes.size()));
  return bytes;
}

std::string folder_of(const std::string& name) {
  return name.substr(0, name.rfind('/') + 1);
}

void change_entries(std::vector<zip_builder::Entry>& entries, DocumentMutator& mutator) {
  const std::size_t chosen = mutator.below(entries.size());
  zip_builder::Entry& entry = entries[chosen];
  switch (mutator.below(7)) {
    case 0:
      entry.name = mutated_bytes(entry.name);
      return;
    case 1:
      entry.name = folder_of(entry.name) + entries[mutator.below(entries.size())].name;
      return;
    case 2:
      entries.push_back(entry);
      return;
    case 3:
      entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(chosen));
      return;
    case 4:
      std::swap(entry.content, entries[mutator.below(entries.size())].content);
      return;
    default:
      const std::optional<std::string> document = mutated_document(entry.content, {}, mutator);
      entry.content = document ? *document : mutated_bytes(entry.content);
  }
}

/// With other members, and correct checksums and sizes. Empty if `archive` cannot be read.
std::string rebuilt(const std::string& archive, DocumentMutator& mutator) {
  std::vector<zip_builder::Entry> entries = entries_of(archive);
  if (entries.empty()) return {};
  change_entries(entries, mutator);
  for (zip_builder::Entry& entry : entries) {
    if (entry.name.size() > 0xFFFF) return {};
    entry.deflated = mutator.below(4) == 0;
    entry.streamed = mutator.below(8) == 0;
    entry.zip64 = mutator.below(8) == 0;
  }
  zip_builder::Options options;
  options.zip64 = mutator.below(4) == 0;
  return zip_builder::build(entries, options);
}

std::uint64_t number_at(const std::string& bytes, std::size_t at, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned i = width; i > 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
  return value;
}

std::string mended(std::string archive) {
  for (std::size_t at = archive.find(zip_builder::kDirectoryEntry);
       at != std::string::npos && at + 46 <= archive.size();
       at = archive.find(zip_builder::kDirectoryEntry, at + 46)) {
    const std::uint64_t local = number_at(archive, at + 42, 4);
    const std::uint64_t size = number_at(archive, at + 20, 4);
    if (number_at(archive, at + 10, 2) != 0 || local + 30 > archive.size()) continue;
    const std::uint64_t content =
        local + 30 + number_at(archive, local + 26, 2) + number_at(archive, local + 28, 2);
    if (content > archive.size() || size > archive.size() - content) continue;
    const std::uint64_t crc = zip_builder::crc_of(archive.substr(content, size));
    archive = zip_builder::patched(archive, at + 16, 4, crc);
    archive = zip_builder::patched(archive, at + 24, 4, size);
    archive = zip_builder::patched(archive, local + 14, 4, crc);
    archive = zip_builder::patched(archive, local + 18, 4, size);
    archive = zip_builder::patched(archive, local + 22, 4, size);
  }
  return archive;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  DocumentMutator mutator(seed);
  const std::size_t choice = mutator.below(8);
  std::string archive(reinterpret_cast<const char*>(data), size);
  if (choice > 1) {
    try {
      archive = rebuilt(archive, mutator);
    } catch (const schemagen::DataError&) {
      archive.clear();
    }
  }
  if (choice <= 1 || archive.empty() || archive.size() > max_size) {
    size = LLVMFuzzerMutate(data, size, max_size);
    if (choice == 0) return size;
    archive = mended(std::string(reinterpret_cast<const char*>(data), size));
  }
  std::memcpy(data, archive.data(), archive.size());
  return archive.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // An exact copy lets sanitizers notice reads past the end.
  const std::vector<char> copy(data, data + size);
  const std::string_view bytes(copy.data(), copy.size());
  check_archive(bytes, pt2::Checksums::verify);
  check_archive(bytes, pt2::Checksums::ignore);
  check_programs(bytes);
  return 0;
}
