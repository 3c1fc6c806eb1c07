#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "call.h"
#include "clock.h"
#include "reply_verifier.h"
#include "settings.h"

namespace signet::internal {

struct HttpRequest {
  std::string url;
  std::vector<std::string> headers;
  /// Sent by POST; a request without a body is a GET.
  std::optional<std::string_view> body;
};

/// One kept-alive connection: a libcurl handle, used by one thread at a time. If the kept connection turns out to be
/// closed before anything was received, libcurl opens another one and sends the very same bytes, once.
class HttpConnection {
 public:
  HttpConnection(const Config& config, const Clock& clock);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  /// Receives the body piece by piece; what it throws ends the transfer and comes out of `send`.
  using BodySink = std::function<void(const Reply& head, std::string_view piece)>;

  /// Returns status and headers. Throws `NETWORK`, `FINGERPRINT_MISMATCH`, or `CANCELLED`. `silence_ms` limits how long
  /// nothing may arrive.
  Reply send(const HttpRequest& request, const BodySink& sink, Call& call,
             std::optional<std::int64_t> silence_ms = std::nullopt);

 private:
  struct Handles;
  struct Transfer;

  void set_options();
  void run(Transfer& transfer, Call& call, std::optional<std::int64_t> silence_ms);

  const Config& config_;
  const Clock& clock_;
  std::unique_ptr<Handles> handles_;
};

/// Whether this libcurl can check fingerprints before anything is sent.
bool can_check_fingerprints();

}  // namespace signet::internal
