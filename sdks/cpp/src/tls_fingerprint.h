#pragma once

#include <set>
#include <string>

namespace signet::internal {

/// Checks the server's certificate in the TLS handshake, in addition to the ordinary checks.
struct FingerprintCheck {
  const std::set<std::string>* allowed = nullptr;
  bool has_mismatch = false;
};

/// `ssl_context` is OpenSSL's SSL_CTX. `check` must outlive it.
void install_fingerprint_check(void* ssl_context, FingerprintCheck* check);

}  // namespace signet::internal
