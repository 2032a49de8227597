#include "signals.h"

#include <csignal>

#include "pt2/archive/file.h"

namespace pt2::tool {
namespace {

void clean_up_and_end(int signal) {
  remove_unfinished_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// A signal that the parent ignores (`nohup`) stays ignored.
void end_by(int signal) {
  if (std::signal(signal, clean_up_and_end) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

void handle_signals() {
  end_by(SIGINT);
  end_by(SIGTERM);
#if defined(SIGHUP)
  end_by(SIGHUP);
#endif
#if defined(SIGPIPE)
  // Ends silently if the reader stops, like `head`.
  std::signal(SIGPIPE, clean_up_and_end);
#endif
#if defined(SIGXFSZ)
  std::signal(SIGXFSZ, SIG_IGN);  // the write fails, with a reason
#endif
}

}  // namespace pt2::tool
