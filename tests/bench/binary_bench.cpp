// binary_bench PROGRAM.json ROUNDS PROGRAM.protobuf.json
//
// Times JSON, binary and Protocol Buffers in turn, because the machine's speed drifts. Prints sizes, medians,
// ratios, and the peak memory of one load in a separate process. protobuf_program.py writes the last
// argument. Leaves two .pt2b files next to PROGRAM.json.
#include <google/protobuf/arena.h>
#include <google/protobuf/util/json_util.h>
#include <pt2/binary.h>
#include <pt2/json.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "medians.h"
#include "pt2/archive/file.h"
#include "pt2/binary/binary_file.h"
#include "pt2/program.h"
#include "pt2_program.pb.h"

namespace {

using pt2::ExportedProgram;

double milliseconds(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

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

/// In MiB, including this process's memory.
double peak_memory(const std::function<void()>& work) {
  const std::string peak = in_child([&] {
    work();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::to_string(usage.ru_maxrss);
  });
  return std::strtod(peak.c_str(), nullptr) / 1024;
}

constexpr std::size_t kReadableAfter = 64;

double mebibytes(std::size_t bytes) {
  return static_cast<double>(bytes) / (1024 * 1024);
}

std::string read_file(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Forms {
  std::string json;
  std::string payload;
  std::string file;
  std::string small_file;
  std::string protobuf;
};

Forms make_forms(const char* json_path, const char* protobuf_json_path) {
  Forms forms;
  forms.json = read_file(json_path);
  const auto program = schemagen::from_json<ExportedProgram>(forms.json);
  forms.payload = schemagen::to_binary(program);
  forms.file = pt2::to_pt2b(program);
  pt2::BinaryFileWriteOptions compress;
  compress.compression = pt2::Compression::zstd;
  forms.small_file = pt2::to_pt2b(program, compress);
  pt2_protobuf::ExportedProgram message;
  const auto status = google::protobuf::util::JsonStringToMessage(read_file(protobuf_json_path), &message);
  if (!status.ok()) throw std::runtime_error(std::string(protobuf_json_path) + ": " + status.ToString());
  forms.protobuf = message.SerializeAsString();
  return forms;
}

double ratio(std::size_t a, std::size_t b) {
  return static_cast<double>(a) / static_cast<double>(b);
}

void print_sizes(const Forms& forms) {
  std::printf("size\n");
  const auto print = [&](const char* name, const std::string& bytes) {
    std::printf("  %-36s %9zu bytes, 1/%.2f of JSON\n", name, bytes.size(),
                ratio(forms.json.size(), bytes.size()));
  };
  print("JSON", forms.json);
  print(".pt2b", forms.file);
  print(".pt2b, zstd", forms.small_file);
  print("Protocol Buffers", forms.protobuf);
}

struct Memory {
  double value = 0;
  double json = 0;
  double file = 0;
  double small_file = 0;
};

/// Call it first: a child starts with its parent's memory.
Memory measure_memory(const std::string& json, const std::string& file, const std::string& small_file) {
  const auto load = [](const std::string& path) { return pt2::load_program(path).program; };
  const double idle = peak_memory([] {});
  Memory memory;
  memory.json = peak_memory([&] { load(json); }) - idle;
  memory.file = peak_memory([&] { load(file); }) - idle;
  memory.small_file = peak_memory([&] { load(small_file); }) - idle;
  const auto copied = [&](std::size_t times) {
    return peak_memory([&] { const std::vector<ExportedProgram> copies(times, load(file)); });
  };
  memory.value = copied(2) - copied(1);
  return memory;
}

void print_memory(const Memory& memory, double payload) {
  std::printf("\npeak memory of one load, including the file\n");
  std::printf("  %-36s %7.2f MiB\n", "the payload alone", payload);
  std::printf("  %-36s %7.2f MiB\n", "the value alone", memory.value);
  std::printf("  %-36s %7.2f MiB\n", "JSON", memory.json);
  std::printf("  %-36s %7.2f MiB\n", ".pt2b", memory.file);
  std::printf("  %-36s %7.2f MiB\n", ".pt2b, zstd", memory.small_file);
}

using Made = std::shared_ptr<const void>;

struct Work {
  std::string name;
  std::function<Made()> make;
  std::vector<double> makes;
  std::vector<double> drops;
};

template <class Make>
Work work(std::string name, Make make) {
  using Value = decltype(make());
  return {std::move(name), [make]() -> Made { return std::make_shared<const Value>(make()); }, {}, {}};
}

template <class MakeOver>
Work work_over(std::string name, MakeOver make_over) {
  const auto value = std::make_shared<ExportedProgram>();
  make_over(*value);
  return {std::move(name),
          [value, make_over]() -> Made {
            make_over(*value);
            return nullptr;
          },
          {},
          {}};
}

void time_once(Work& work) {
  Made made;
  work.makes.push_back(milliseconds([&] { made = work.make(); }));
  work.drops.push_back(milliseconds([&] { made.reset(); }));
}

double speed(const Work& work, const Work& reference) {
  std::vector<double> ratios;
  for (std::size_t r = 0; r < work.makes.size(); ++r) ratios.push_back(reference.makes[r] / work.makes[r]);
  return median(ratios);
}

double speed_with_drop(const Work& work, const Work& reference) {
  std::vector<double> ratios;
  for (std::size_t r = 0; r < work.makes.size(); ++r) {
    ratios.push_back((reference.makes[r] + reference.drops[r]) / (work.makes[r] + work.drops[r]));
  }
  return median(ratios);
}

void print_times(const char* what, const std::vector<Work>& works) {
  std::printf("\n%s, median of %zu rounds\n", what, works.front().makes.size());
  for (const Work& work : works) {
    std::printf("  %-30s %7.3f ms, %5.2f times as fast as JSON; %7.3f ms to free\n", work.name.c_str(),
                median(work.makes), speed(work, works.front()), median(work.drops));
  }
}

enum Load { kJson, kPayload, kFile, kSmallFile, kProtobuf, kProtobufOnArena, kCopy, kJsonOver, kPayloadOver };

struct OnArena {
  explicit OnArena(const std::string& bytes) : arena(std::make_unique<google::protobuf::Arena>()) {
    google::protobuf::Arena::CreateMessage<pt2_protobuf::ExportedProgram>(arena.get())
        ->ParseFromString(bytes);
  }
  std::unique_ptr<google::protobuf::Arena> arena;
};

std::vector<Work> loads(const Forms& forms, std::string_view json, const ExportedProgram& program) {
  schemagen::JsonReadOptions options;
  options.readable_after = kReadableAfter;
  std::vector<Work> works;
  works.push_back(work("JSON", [=] { return schemagen::from_json<ExportedProgram>(json, options); }));
  works.push_back(work("payload", [&] { return schemagen::from_binary<ExportedProgram>(forms.payload); }));
  works.push_back(work(".pt2b", [&] { return pt2::from_pt2b<ExportedProgram>(forms.file); }));
  works.push_back(work(".pt2b, zstd", [&] { return pt2::from_pt2b<ExportedProgram>(forms.small_file); }));
  works.push_back(work("Protocol Buffers", [&] {
    pt2_protobuf::ExportedProgram message;
    message.ParseFromString(forms.protobuf);
    return message;
  }));
  works.push_back(work("Protocol Buffers, on an arena", [&] { return OnArena(forms.protobuf); }));
  works.push_back(work("a copy of the value", [&] { return program; }));
  works.push_back(work_over("JSON, into the last value",
                            [=](ExportedProgram& into) { schemagen::from_json(json, into, options); }));
  works.push_back(work_over("payload, into the last value",
                            [&](ExportedProgram& into) { schemagen::from_binary(forms.payload, into); }));
  return works;
}

std::vector<Work> writes(const ExportedProgram& program, const pt2_protobuf::ExportedProgram& message) {
  pt2::BinaryFileWriteOptions compress;
  compress.compression = pt2::Compression::zstd;
  std::vector<Work> works;
  works.push_back(work("JSON", [&] { return schemagen::to_json(program); }));
  works.push_back(work("payload", [&] { return schemagen::to_binary(program); }));
  works.push_back(work(".pt2b", [&] { return pt2::to_pt2b(program); }));
  works.push_back(work(".pt2b, zstd", [&, compress] { return pt2::to_pt2b(program, compress); }));
  works.push_back(work("Protocol Buffers", [&] { return message.SerializeAsString(); }));
  return works;
}

void time_in_turn(std::vector<Work>& first, std::vector<Work>& second, std::size_t rounds) {
  for (std::size_t round = 0; round < rounds; ++round) {
    for (auto* works : {&first, &second}) {
      for (Work& work : *works) time_once(work);
    }
  }
}

void print_ratios(const Forms& forms, const Memory& memory, const std::vector<Work>& load,
                  const std::vector<Work>& write) {
  const double allowed = memory.value + 2 * mebibytes(forms.payload.size());
  const double protobuf =
      std::min(speed(load[kPayload], load[kProtobuf]), speed(load[kPayload], load[kProtobufOnArena]));
  std::printf("\nratios\n");
  const auto print = [](const char* name, double value) { std::printf("  %s %.3f\n", name, value); };
  print("decode", speed(load[kPayload], load[kJson]));
  print("decode_protobuf", protobuf);
  print("decode_copy", speed(load[kPayload], load[kCopy]));
  print("over_json", speed_with_drop(load[kJsonOver], load[kJson]));
  print("over", speed_with_drop(load[kPayloadOver], load[kPayload]));
  print("decode_file", speed(load[kFile], load[kJson]));
  print("decode_compressed", speed(load[kSmallFile], load[kJson]));
  print("encode", speed(write[kPayload], write[kJson]));
  print("size", ratio(forms.json.size(), forms.file.size()));
  print("size_compressed", ratio(forms.json.size(), forms.small_file.size()));
  print("memory", allowed / memory.file);
  print("memory_compressed", allowed / memory.small_file);
}

void run(const std::string& json_path, std::size_t rounds, const char* protobuf_json_path) {
  const std::string file_path = json_path + ".pt2b";
  const std::string small_path = json_path + ".zstd.pt2b";
  in_child([&] {
    const Forms forms = make_forms(json_path.c_str(), protobuf_json_path);
    pt2::write_file_atomically(file_path, forms.file);
    pt2::write_file_atomically(small_path, forms.small_file);
    return std::string();
  });
  const Memory memory = measure_memory(json_path, file_path, small_path);

  const Forms forms = make_forms(json_path.c_str(), protobuf_json_path);
  const std::string padded = forms.json + std::string(kReadableAfter, ' ');
  const auto program = schemagen::from_binary<ExportedProgram>(forms.payload);
  pt2_protobuf::ExportedProgram message;
  message.ParseFromString(forms.protobuf);
  std::vector<Work> load = loads(forms, std::string_view(padded).substr(0, forms.json.size()), program);
  std::vector<Work> write = writes(program, message);
  time_in_turn(load, write, rounds);

  print_sizes(forms);
  print_memory(memory, mebibytes(forms.payload.size()));
  print_times("load", load);
  print_times("write", write);
  print_ratios(forms, memory, load, write);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: binary_bench PROGRAM.json ROUNDS PROGRAM.protobuf.json\n");
    return 2;
  }
  try {
    run(argv[1], std::strtoul(argv[2], nullptr, 10), argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "binary_bench: %s\n", error.what());
    return 3;
  }
  return 0;
}
