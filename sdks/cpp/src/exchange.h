#pragma once

#include <atomic>
#include <string>

#include "bounded_json.h"
#include "call.h"
#include "clock.h"
#include "reply_verifier.h"
#include "settings.h"
#include "transport.h"

namespace signet::internal {

/// One signed call: builds the request, sends it, and believes the answer only if every check passes. Thread-safe.
class Exchange {
 public:
  Exchange(const Config& config, const Clock& clock, Transport& transport)
      : config_(config), clock_(clock), transport_(transport), verifier_(config.root_public_key) {}

  /// The fields of a verified success; throws Error for everything else. An empty `session` means none.
  Json call(const std::string& name, const Json& fields, const std::string& session, Call& call);

  /// The clock, corrected by what the server said about its own; unix milliseconds.
  std::int64_t now_ms() const { return clock_.wall_ms() + offset_ms_; }

 private:
  Json call_once(const std::string& name, const std::string& body, const std::string& session, Call& call);
  Request new_request(const std::string& name, const std::string& body, const std::string& session) const;
  std::vector<std::string> headers_of(const Request& request) const;

  const Config& config_;
  const Clock& clock_;
  Transport& transport_;
  ReplyVerifier verifier_;
  std::atomic<std::int64_t> offset_ms_{0};
};

/// The fields of a success; throws the error that the server's verified answer contains.
Json fields_of_verified(long status, const std::string& body);

}  // namespace signet::internal
