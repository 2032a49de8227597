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

/// What whoever started this process wishes to be ignored, as `nohup` does, stays so.
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
  // A reader that has seen enough, as `head` does, ends this process without a word, whoever started it.
  std::signal(SIGPIPE, clean_up_and_end);
#endif
#if defined(SIGXFSZ)
  std::signal(SIGXFSZ, SIG_IGN);  // then the write fails and says why
#endif
}

}  // namespace pt2::tool
