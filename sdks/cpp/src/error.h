#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include "codes.h"

namespace signet::internal {

/// The one exception within the library; the C interface turns it into a signet_error.
class Error : public std::exception {
 public:
  /// An error of the client itself.
  Error(std::string code, std::string message) : code(std::move(code)), message(std::move(message)) {}

  const char* what() const noexcept override { return message.c_str(); }

  /// Whether the server said it, in a verified answer.
  bool is_signed() const { return status != 0; }
  /// A code that the client raises by itself ends no session, and a signed answer comes from the server.
  Verdict verdict() const {
    const auto known = verdict_of(code, status);
    return known == (is_signed() ? Verdict::kUnverified : Verdict::kLost) ? Verdict::kRequest : known;
  }
  /// Whether the session is over, so that only a new one helps.
  bool is_session_gone() const {
    return is_signed() && (code == "SESSION_REQUIRED" || code == "SESSION_EXPIRED" || code == "SESSION_ENDED" ||
                           code == "SESSION_REPLACED");
  }

  std::string code;
  std::string message;
  /// The HTTP status of a verified answer; 0 for errors of the client itself.
  int status = 0;
  std::optional<std::string> request_id;
  std::optional<double> retry_after;
  std::optional<std::string> download_url;
  /// The other fields of a verified answer, as a JSON object.
  std::string details = "{}";
};

/// Signed, but not within a minute of the corrected clock.
class StaleReply : public Error {
 public:
  explicit StaleReply(std::int64_t server_time)
      : Error("STALE_RESPONSE", "The server's answer is more than 60 seconds off. Is this computer's clock right?"),
        server_time(server_time) {}

  /// Unix milliseconds.
  std::int64_t server_time;
};

}  // namespace signet::internal
