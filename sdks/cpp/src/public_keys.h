#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace signet::internal {

/// The 32 bytes of an Ed25519 key in base64url; nothing unless they are the canonical encoding of a point on the curve
/// that doesn't have small order (anybody could sign under such a key).
std::optional<std::string> read_ed25519_public_key(std::string_view text);

/// The 32 bytes of an X25519 key in base64url; nothing for one of small order, unreduced, or with its top bit set.
std::optional<std::string> read_x25519_public_key(std::string_view text);

}  // namespace signet::internal
