// Times JSON, binary and Protocol Buffers on one program in turn, round by round, so that a machine whose
// speed drifts slows all of them alike; prints sizes, medians and ratios, and the peak memory of one load
// each, in a process of its own.
//
// binary_bench PROGRAM.json [ROUNDS [PROGRAM.protobuf.json]]
//   The last is what protobuf_program.py makes of the program.
#include <google/protobuf/arena.h>
#include <google/protobuf/util/json_util.h>
#include <pt2/binary.h>
#include <pt2/json.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/binary_file.h"
#include "pt2_program.pb.h"

namespace {

using pt2::ExportedProgram;

double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// What `work` returns in a process of its own, so that this one stays as small as it is.
std::string in_child(const std::function<std::string()>& work) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const std::string result = work();
    for (std::size_t at = 0; at < result.size();) {
      const ssize_t written = write(ends[1], result.data() + at, result.size() - at);
      if (written <= 0) _exit(1);
      at += static_cast<std::size_t>(written);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string result;
  char buffer[1 << 16];
  for (ssize_t size = 0; (size = read(ends[0], buffer, sizeof buffer)) > 0;) {
    result.append(buffer, static_cast<std::size_t>(size));
  }
  waitpid(child, nullptr, 0);
  close(ends[0]);
  return result;
}

/// Peak resident memory in MiB of a process that only does `work`; what this one has is part of it.
double peak_memory(const std::function<void()>& work) {
  const std::string peak = in_child([&] {
    work();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::to_string(usage.ru_maxrss);
  });
  return std::strtod(peak.c_str(), nullptr) / 1024;
}

constexpr std::size_t kReadableAfter = 64;  // so that simdjson copies nothing

std::string read_file(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// One thing that is timed.
struct Work {
  std::string name;
  std::function<void()> run;
  std::vector<double> times;
};

void print(const char* what, const std::vector<Work>& works) {
  const Work& reference = works.front();
  std::printf("\n%s, median of %zu rounds\n", what, reference.times.size());
  for (const Work& work : works) {
    std::vector<double> ratios;
    for (std::size_t r = 0; r < work.times.size(); ++r) ratios.push_back(reference.times[r] / work.times[r]);
    std::printf("  %-36s %7.3f ms   %5.2f times as fast as JSON\n", work.name.c_str(), median(work.times),
                median(ratios));
  }
}

/// Called first, as a child starts with what its parent has.
void print_memory(const char* path) {
  const auto program = [&] { return schemagen::from_json<ExportedProgram>(read_file(path)); };
  const std::string payload = in_child([&] { return schemagen::to_binary(program()); });
  const std::string file = in_child([&] {
    pt2::BinaryFileWriteOptions options;
    options.compression = pt2::Compression::zstd;
    return pt2::to_pt2b(program(), options);
  });
  const double idle = peak_memory([] {});
  const double json = peak_memory([&] { program(); });
  const double binary = peak_memory([&] { schemagen::from_binary<ExportedProgram>(payload); });
  const double both = peak_memory([&] {
    const auto value = schemagen::from_binary<ExportedProgram>(payload);
    const ExportedProgram copy = value;
  });
  const double small_file = peak_memory([&] { pt2::from_pt2b<ExportedProgram>(file); });
  std::printf("\npeak memory of one load, input included\n");
  constexpr double kMiB = 1024 * 1024;
  const double payload_size = static_cast<double>(payload.size()) / kMiB;
  std::printf("  %-36s %7.2f MiB\n", "the payload alone", payload_size);
  std::printf("  %-36s %7.2f MiB\n", "the value alone", both - binary);
  std::printf("  %-36s %7.2f MiB\n", "JSON", json - idle);
  std::printf("  %-36s %7.2f MiB\n", "binary payload", binary - idle + payload_size);
  std::printf("  %-36s %7.2f MiB\n", ".pt2b, zstd",
              small_file - idle + static_cast<double>(file.size()) / kMiB);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: binary_bench PROGRAM.json [ROUNDS [PROGRAM.protobuf.json]]\n");
    return 2;
  }
  const std::size_t rounds = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 51;

  print_memory(argv[1]);

  std::string text = read_file(argv[1]);
  const std::size_t json_size = text.size();
  text.resize(json_size + kReadableAfter);
  const std::string_view json(text.data(), json_size);
  schemagen::JsonReadOptions options;
  options.readable_after = kReadableAfter;
  const auto program = schemagen::from_json<ExportedProgram>(json, options);

  const std::string payload = schemagen::to_binary(program);
  const std::string file = pt2::to_pt2b(program);
  pt2::BinaryFileWriteOptions compress;
  compress.compression = pt2::Compression::zstd;
  const std::string small_file = pt2::to_pt2b(program, compress);

  std::vector<Work> loads;
  loads.push_back({"JSON", [&] { schemagen::from_json<ExportedProgram>(json, options); }, {}});
  loads.push_back({"binary payload", [&] { schemagen::from_binary<ExportedProgram>(payload); }, {}});
  loads.push_back({".pt2b", [&] { pt2::from_pt2b<ExportedProgram>(file); }, {}});
  loads.push_back({".pt2b, zstd", [&] { pt2::from_pt2b<ExportedProgram>(small_file); }, {}});
  std::vector<Work> writes;
  writes.push_back({"JSON", [&] { schemagen::to_json(program); }, {}});
  writes.push_back({"binary payload", [&] { schemagen::to_binary(program); }, {}});
  writes.push_back({".pt2b", [&] { pt2::to_pt2b(program); }, {}});
  writes.push_back({".pt2b, zstd", [&] { pt2::to_pt2b(program, compress); }, {}});

  const auto print_size = [&](const char* name, std::size_t size) {
    std::printf("  %-36s %9zu bytes, 1/%.2f of JSON\n", name, size,
                static_cast<double>(json_size) / static_cast<double>(size));
  };
  std::printf("\n%s\n", argv[1]);
  print_size("JSON", json_size);
  print_size("binary payload", payload.size());
  print_size(".pt2b, zstd", small_file.size());

  pt2_protobuf::ExportedProgram message;
  if (argc > 3) {
    const auto status = google::protobuf::util::JsonStringToMessage(read_file(argv[3]), &message);
    if (!status.ok()) {
      std::fprintf(stderr, "%s: %s\n", argv[3], status.ToString().c_str());
      return 3;
    }
  }
  const std::string protobuf = message.SerializeAsString();
  if (argc > 3) {
    print_size("Protocol Buffers", protobuf.size());
    loads.push_back(
        {"Protocol Buffers", [&] { pt2_protobuf::ExportedProgram().ParseFromString(protobuf); }, {}});
    loads.push_back(
        {"Protocol Buffers, on an arena",
         [&] {
           google::protobuf::Arena arena;
           google::protobuf::Arena::CreateMessage<pt2_protobuf::ExportedProgram>(&arena)->ParseFromString(
               protobuf);
         },
         {}});
    writes.push_back({"Protocol Buffers", [&] { static_cast<void>(message.SerializeAsString()); }, {}});
  }

  for (std::size_t round = 0; round < rounds; ++round) {
    for (auto* works : {&loads, &writes}) {
      for (Work& work : *works) work.times.push_back(milliseconds(work.run));
    }
  }
  print("load and drop", loads);
  print("write", writes);
  return 0;
}
