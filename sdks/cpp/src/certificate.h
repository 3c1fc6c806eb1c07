#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace signet::internal {

/// The root key's certificate for a signing key. Times are epoch seconds.
struct Certificate {
  std::string kid;
  /// 32 bytes.
  std::string public_key;
  std::int64_t serial = 0;
  std::int64_t not_before = 0;
  std::int64_t not_after = 0;

  /// Both ends are inside, to the millisecond: `not_after` + 1 ms is outside.
  bool is_valid_at(std::int64_t unix_ms) const;
};

/// A certificate, and the root key that signed it: the pinned one, or one that it announced.
struct CertifiedKey {
  Certificate certificate;
  /// 32 bytes.
  std::string root_public_key;
};

/// Follows the announcements of replaced root keys, which stand before the certificate, then verifies the root's
/// signature and reads. Throws `UNKNOWN_KEY`.
CertifiedKey read_certificate(std::string_view text, std::string_view root_public_key);

}  // namespace signet::internal
