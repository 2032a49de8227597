// Prints medians, ratios, and the peak memory of one load. Each round is a separate process, because codecs
// would otherwise share a fragmented heap.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <type_traits>
#include <vector>

#include "codecs.h"
#include "medians.h"

namespace {

using bench::Codec;

double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

struct Times {
  double load;
  double write;
};

double repeated(const std::function<void()>& work, const std::function<void()>& prepare) {
  constexpr int kRuns = 5;
  std::vector<double> times;
  for (int i = 0; i < kRuns; ++i) {
    prepare();
    times.push_back(milliseconds(work));
  }
  return median(times);
}

template <class Result>
Result in_child(const std::function<Result()>& work) {
  static_assert(std::is_trivially_copyable_v<Result>);
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    const Result result = work();
    _exit(write(ends[1], &result, sizeof result) == sizeof result ? 0 : 1);
  }
  Result result{};
  if (read(ends[0], &result, sizeof result) != sizeof result) std::abort();
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  return result;
}

long peak_memory(const std::function<void()>& work) {
  return in_child<long>([&] {
    work();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  });
}

struct Text {
  std::vector<char> bytes;
  std::size_t size = 0;

  explicit Text(const char* path) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    size = static_cast<std::size_t>(in.tellg());
    bytes.resize(size + bench::kReadableAfter);
    in.seekg(0);
    in.read(bytes.data(), static_cast<std::streamsize>(size));
  }
  std::string_view view() const { return {bytes.data(), size}; }
};

double median_ratio(const std::vector<double>& of, const std::vector<double>& reference) {
  std::vector<double> ratios;
  for (std::size_t r = 0; r < of.size(); ++r) ratios.push_back(of[r] / reference[r]);
  return median(ratios);
}

void print_times(const char* what, const std::vector<std::unique_ptr<Codec>>& codecs,
                 const std::vector<std::vector<double>>& times, std::size_t text_size) {
  std::printf("\n%s, median of %zu rounds\n", what, times[0].size());
  const double reference = median(times.back());
  for (std::size_t i = 0; i < codecs.size(); ++i) {
    std::printf("  %-36s %8.2f ms   %6.1f times as fast (ratio of medians %.1f)\n", codecs[i]->name().c_str(),
                median(times[i]), median_ratio(times.back(), times[i]), reference / median(times[i]));
  }
  std::printf("  %s: %.2f GB/s, %.2f times as long as a copy\n", codecs[0]->name().c_str(),
              static_cast<double>(text_size) / median(times[0]) / 1e6, median_ratio(times[0], times[1]));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: codec_bench PROGRAM.json TINY_PROGRAM.json ROUNDS\n");
    return 2;
  }
  const std::size_t rounds = std::strtoul(argv[3], nullptr, 10);

  // Measured first, because a child starts with its parent's memory. Memory that any load needs, mostly for
  // code, is subtracted.
  std::printf("peak memory of loading the file, minus that of a tiny file\n");
  const double file_kib = static_cast<double>(Text(argv[1]).size) / 1024;
  using Make = std::unique_ptr<Codec> (*)();
  for (const Make make : {bench::make_pt2, bench::make_torch}) {
    const auto codec = make();
    const long idle = peak_memory([&] { codec->load_file(argv[2]); });
    const double beyond = static_cast<double>(peak_memory([&] { codec->load_file(argv[1]); }) - idle);
    std::printf("  %-36s %8.1f MiB, %.2f times the file\n", codec->name().c_str(), beyond / 1024,
                beyond / file_kib);
  }

  std::vector<std::unique_ptr<Codec>> codecs;
  codecs.push_back(bench::make_pt2());
  codecs.push_back(bench::make_copy());
  codecs.push_back(bench::make_torch());
  std::vector<std::vector<double>> loads(codecs.size());
  std::vector<std::vector<double>> writes(codecs.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < codecs.size(); ++i) {
      const Times times = in_child<Times>([&] {
        const Text text(argv[1]);
        codecs[i]->keep(text.view());
        const double load = repeated([&] { codecs[i]->load(text.view()); }, [&] { codecs[i]->drop(); });
        return Times{load, repeated([&] { codecs[i]->write(); }, [] {})};
      });
      loads[i].push_back(times.load);
      writes[i].push_back(times.write);
    }
  }
  const std::size_t text_size = Text(argv[1]).size;
  std::printf("\n%s: %.2f MB\n", argv[1], static_cast<double>(text_size) / 1e6);
  print_times("load (text to typed value)", codecs, loads, text_size);
  print_times("write (typed value to text)", codecs, writes, text_size);
  return 0;
}
