#pragma once

namespace pt2::tool {

/// Fatal signals remove partial output, and exceeding the file size limit (SIGXFSZ) becomes an IoError.
void handle_signals();

}  // namespace pt2::tool
