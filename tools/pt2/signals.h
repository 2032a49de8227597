// Signal handling of the command.
#pragma once

namespace pt2::tool {

/// From now on, fatal signals remove partial output, and exceeding the file size limit (SIGXFSZ) is an
/// IoError.
void handle_signals();

}  // namespace pt2::tool
