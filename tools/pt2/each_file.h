#pragma once

#include <atomic>
#include <future>
#include <thread>

#include "command.h"

namespace pt2::tool {

/// Calls `work(path)` on one thread per processor, and `take(path, result)` on this thread, in the order of
/// the files. `result.get()` returns or throws what `work` did. If `take` throws, starts no other file and
/// passes the exception on. Returns the highest exit code that `take` returned. Throws UsageError, before all
/// calls, if several files are standard input.
template <class Work, class Take>
int for_each_file(const std::vector<std::string>& files, const Work& work, const Take& take) {
  require_one_input(files);
  using Result = decltype(work(files.front()));
  std::vector<std::shared_future<Result>> results;  // whoever waits for one first does the work
  for (const std::string& file : files) {
    results.push_back(std::async(std::launch::deferred, [&work, &file] { return work(file); }));
  }
  std::atomic<std::size_t> next = 0;
  const auto work_on_all = [&] {
    for (std::size_t i = next++; i < files.size(); i = next++) std::shared_future<Result>(results[i]).wait();
  };
  // Without more threads, these do nothing. They end before the results do.
  std::vector<std::future<void>> others;
  const std::size_t wanted = std::min<std::size_t>(files.size(), std::thread::hardware_concurrency());
  try {
    while (files.size() > 1 && others.size() < wanted) others.push_back(std::async(work_on_all));
    int exit_code = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
      exit_code = std::max<int>(exit_code, take(files[i], results[i]));
    }
    return exit_code;
  } catch (...) {
    next = files.size();
    throw;
  }
}

}  // namespace pt2::tool
