#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <future>
#include <system_error>
#include <thread>

#include "command.h"

namespace pt2::tool {

/// Calls `work(path)` on one thread per processor, including this one, and `take(path, result)` on this
/// thread, in the order of the files. `result.get()` returns or throws what `work` did. If `take` throws,
/// starts no other file and passes the exception on. Returns the highest exit code that `take` returned.
/// Throws UsageError, before all calls, if several files are standard input.
template <class Work, class Take>
int for_each_file(const std::vector<std::string>& files, const Work& work, const Take& take) {
  require_one_input(files);
  using Result = decltype(work(files.front()));
  std::vector<std::packaged_task<Result()>> tasks;
  std::vector<std::future<Result>> results;
  for (const std::string& file : files) {
    tasks.emplace_back([&work, &file] { return work(file); });
    results.push_back(tasks.back().get_future());
  }
  std::atomic<std::size_t> next = 0;
  const auto run_next = [&] {
    const std::size_t number = next++;
    if (number >= tasks.size()) return false;
    tasks[number]();
    return true;
  };

  struct Threads {
    std::atomic<std::size_t>& next;
    const std::size_t end;
    std::vector<std::thread> threads;

    ~Threads() {
      next = end;
      for (std::thread& thread : threads) thread.join();
    }
  } others = {next, tasks.size(), {}};
  const std::size_t wanted = std::min<std::size_t>(files.size(), std::thread::hardware_concurrency());
  try {
    while (others.threads.size() + 1 < wanted) {
      others.threads.emplace_back([&run_next] {
        while (run_next()) {
        }
      });
    }
  } catch (const std::system_error&) {
    // There are no more threads; this one does the rest.
  }

  int exit_code = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    while (results[i].wait_for(std::chrono::seconds(0)) != std::future_status::ready && run_next()) {
    }
    exit_code = std::max<int>(exit_code, take(files[i], results[i]));
  }
  return exit_code;
}

}  // namespace pt2::tool
