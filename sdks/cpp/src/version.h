#pragma once

#include "signet/signet.h"

namespace signet::internal {

/// The `sdk` field of `init`; the user agent is `signet-` and this.
inline constexpr auto kSdk = "cpp/" SIGNET_VERSION;

}  // namespace signet::internal
