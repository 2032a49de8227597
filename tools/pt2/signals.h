#pragma once

namespace pt2::tool {

/// Makes fatal signals remove partial output. A file that exceeds the size limit (SIGXFSZ) becomes an
/// IoError.
void handle_signals();

}  // namespace pt2::tool
