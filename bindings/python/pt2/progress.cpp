#include "progress.h"

#include <chrono>

#include "schemagen/python/gil.h"

namespace pt2::python {

namespace nb = nanobind;

namespace {

/// Waiting for the GIL can take milliseconds.
constexpr std::chrono::milliseconds kBetween{50};

}  // namespace

struct Progress::State {
  nb::object callable;
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> total{0};
  std::atomic<std::int64_t> next{0};

  void notify(std::uint64_t bytes) {
    if (total == 0) return;  // a file that was just opened
    done += bytes;
    std::int64_t due = next;
    const std::int64_t time =
        std::chrono::steady_clock::now().time_since_epoch() / std::chrono::milliseconds(1);
    // Only one of several threads asks.
    if (time < due || !next.compare_exchange_strong(due, time + kBetween.count())) return;
    const schemagen::python::WithGil held;
    schemagen::python::outliving_python([&] {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      call(std::min(done.load(), total.load()));
    });
  }

  void call(std::uint64_t bytes) const {
    if (callable) callable(bytes, total.load());
  }
};

Progress::Progress(nb::handle callable) : state_(std::make_shared<State>()) {
  if (callable && !callable.is_none()) state_->callable = nb::borrow(callable);
}

void Progress::expect(std::uint64_t bytes) const {
  state_->total += bytes;
}

ByteSink Progress::watcher() const {
  return [state = state_](std::string_view part) { state->notify(part.size()); };
}

void Progress::finish() const {
  schemagen::python::outliving_python([this] { state_->call(state_->total); });
}

}  // namespace pt2::python
