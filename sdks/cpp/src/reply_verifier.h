#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "certificate.h"
#include "request_hash.h"

namespace signet::internal {

/// An answer as received; nothing in it is believed yet. Header names are in lower case, repeated ones joined.
struct Reply {
  long status = 0;
  std::map<std::string, std::string> headers;
  std::string body;
};

/// Checks 2 to 7 of docs/protocol.md. Thread-safe.
class ReplyVerifier {
 public:
  explicit ReplyVerifier(std::string root_public_key, std::int64_t highest_serial = 0)
      : root_public_key_(std::move(root_public_key)), highest_serial_(highest_serial) {}

  /// Throws unless `reply` is the server's answer to `request`, of this minute. Returns the server's time. Both times
  /// are unix milliseconds; `now_ms` is the corrected clock when the answer was complete.
  std::int64_t check(const Request& request, const Reply& reply, std::int64_t now_ms);

 private:
  CertifiedKey certified_key_of(const std::string& text);
  /// The root keys before this one count no more.
  void trust(const std::string& root_public_key);

  std::mutex mutex_;
  /// The pinned key, later the one that it announced.
  std::string root_public_key_;
  std::int64_t highest_serial_;
  /// By their exact text, read under the current root key.
  std::map<std::string, CertifiedKey> certified_keys_;
};

}  // namespace signet::internal
