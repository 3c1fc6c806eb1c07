#include "exchange.h"

#include <algorithm>
#include <iterator>

#include "error.h"
#include "hpke.h"
#include "version.h"
#include "wire.h"

namespace signet::internal {
namespace {

constexpr std::int64_t kMaxTransferMs = 60'000;

/// Asking twice is the same as asking once.
bool is_repeatable(const std::string& name) {
  constexpr const char* names[] = {"init", "heartbeat", "renew", "variable", "user-variable", "download"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::optional<std::string> text_of(const Json& fields, const char* name) {
  const auto found = fields.find(name);
  if (found == fields.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

/// An empty text says nothing.
std::optional<std::string> filled_text_of(const Json& fields, const char* name) {
  auto text = text_of(fields, name);
  return text == "" ? std::nullopt : text;
}

Error rejection(long status, Json fields) {
  const auto code = text_of(fields, "code");
  const auto message = text_of(fields, "message");
  if (!code || code->empty() || !message) {
    return {"MALFORMED_REPLY", "The server's signed error has no code or message."};
  }
  Error error(*code, *message);
  error.status = static_cast<int>(status);
  error.request_id = filled_text_of(fields, "requestId");
  error.download_url = filled_text_of(fields, "downloadUrl");
  const auto wait = fields.find("retryAfterSeconds");
  if (wait != fields.end() && wait->is_number() && wait->get<double>() > 0) error.retry_after = wait->get<double>();
  for (const char* name : {"success", "code", "message"}) fields.erase(name);
  error.details = fields.dump();
  return error;
}

}  // namespace

Json fields_of_verified(long status, const std::string& body) {
  auto fields = parse_object(body);
  const auto success = fields ? fields->value("success", Json()) : Json();
  if (success == true && status == 200) return *std::move(fields);
  if (success != false) throw Error("MALFORMED_REPLY", "The server's signed answer isn't of this protocol.");
  throw rejection(status, *std::move(fields));
}

Json Exchange::call(const std::string& name, const Json& fields, const std::string& session, Call& call) {
  const auto body = json_text(fields);
  bool has_corrected_clock = false;
  bool has_renewed_nonce = false;
  for (;;) {
    try {
      return call_once(name, body, session, call);
    } catch (const StaleReply&) {
      if (has_corrected_clock || !is_repeatable(name)) throw;
      has_corrected_clock = true;
    } catch (const Error& error) {
      if (error.is_signed() && error.code == "CLOCK_SKEW" && !has_corrected_clock) {
        has_corrected_clock = true;
      } else if (error.is_signed() && error.code == "NONCE_REUSED" && !has_renewed_nonce && is_repeatable(name)) {
        // The server had received the first of two identical requests; its answer is gone.
        has_renewed_nonce = true;
      } else {
        throw;
      }
    }
  }
}

Json Exchange::call_once(const std::string& name, const std::string& body, const std::string& session, Call& call) {
  call.check();
  const auto request = new_request(name, body, session);
  const auto started_wall = clock_.wall_ms();
  const auto started = clock_.steady_ms();
  const auto reply = transport_.post(request.path, headers_of(request), request.body, call);
  const auto took = clock_.steady_ms() - started;
  if (took > kMaxTransferMs) throw Error("STALE_RESPONSE", "The server's answer took more than 60 seconds.");
  const auto middle = started_wall + took / 2;
  std::int64_t server_time = 0;
  try {
    server_time = verifier_.check(request, reply, now_ms());
  } catch (const StaleReply& stale) {
    offset_ms_ = stale.server_time - middle;
    throw;
  }
  try {
    return fields_of_verified(reply.status, reply.body);
  } catch (const Error& error) {
    if (error.is_signed() && error.code == "CLOCK_SKEW") offset_ms_ = server_time - middle;
    throw;
  }
}

Request Exchange::new_request(const std::string& name, const std::string& body, const std::string& session) const {
  Request request{"/api/1.0/client/" + name, config_.app, new_nonce(), std::to_string(now_ms()), session, body};
  if (config_.settings.seal_requests) {
    request.body = hpke_seal(config_.sealing_public_key, body, sealing_context(request));
  }
  return request;
}

std::vector<std::string> Exchange::headers_of(const Request& request) const {
  std::vector<std::string> headers = {
      config_.settings.seal_requests ? "Content-Type: application/octet-stream" : "Content-Type: application/json",
      std::string("User-Agent: signet-") + kSdk,
      "X-Signet-App: " + request.app,
      "X-Signet-Nonce: " + request.nonce,
      "X-Signet-Time: " + request.time,
  };
  if (!request.session.empty()) headers.push_back("X-Signet-Session: " + request.session);
  return headers;
}

}  // namespace signet::internal
