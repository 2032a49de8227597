// Bytes that are handed on in parts, so that no more of them is in memory than one part. An object is for one
// thread at a time.
#pragma once

#include <functional>
#include <string_view>

namespace pt2 {

/// Where bytes go, in order.
using ByteSink = std::function<void(std::string_view)>;

/// Gives all of a content to a sink, the same whenever it is called.
using ByteSource = std::function<void(const ByteSink&)>;

}  // namespace pt2
