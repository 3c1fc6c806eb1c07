#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signet::internal {

/// What the operating system calls this installation, the best source first: Linux's machine-id, macOS's
/// IOPlatformUUID, Windows' MachineGuid. Empty if it can't be read.
std::vector<std::string> machine_id_candidates();

}  // namespace signet::internal
