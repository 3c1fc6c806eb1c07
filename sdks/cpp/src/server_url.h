#pragma once

#include <string>
#include <string_view>

namespace signet::internal {

struct ServerUrl {
  /// `https://signet.example.com:8443`, without a path.
  std::string origin;
  bool is_encrypted = true;
  /// localhost, 127.0.0.0/8, or [::1].
  bool is_loopback = false;
};

/// Throws `INVALID_CONFIGURATION` for anything but scheme, host, and port.
ServerUrl read_server_url(std::string_view text);

}  // namespace signet::internal
