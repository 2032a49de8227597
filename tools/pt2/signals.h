// What signals do to the command.
#pragma once

namespace pt2::tool {

/// From now on, signals that end this process remove what it has written in part, and a file that grows
/// beyond the limit on its size (SIGXFSZ) is an IoError.
void handle_signals();

}  // namespace pt2::tool
