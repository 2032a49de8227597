#pragma once

namespace pt2::tool {

/// Fatal signals remove partial output; a file that exceeds the size limit (SIGXFSZ) is an IoError.
void handle_signals();

}  // namespace pt2::tool
