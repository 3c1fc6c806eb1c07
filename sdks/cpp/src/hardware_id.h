#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace signet::internal {

/// SHA-256 of owner and machine ID in hex; nothing for a machine ID that many machines share, as in unprepared images.
std::optional<std::string> hardware_id_of(std::string_view owner_id, std::string_view machine_id);

/// Of this machine. Throws `HWID_UNAVAILABLE`.
std::string hardware_id(std::string_view owner_id);

}  // namespace signet::internal
