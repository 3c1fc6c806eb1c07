#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace signet::internal {

/// The root that `X-Signet-Path` (empty for a reply signed alone) leads to from a reply's message; nothing if the path
/// is invalid.
std::optional<std::string> merkle_root(std::string_view message, std::string_view path);

}  // namespace signet::internal
