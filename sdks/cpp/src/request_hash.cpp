#include "request_hash.h"

#include "crypto.h"
#include "wire.h"

namespace signet::internal {
namespace {

std::string session_hash(const Request& request) {
  return request.session.empty() ? std::string() : sha256(request.session);
}

}  // namespace

std::string request_hash(const Request& request) {
  return sha256(length_prefixed(
      {"POST", request.path, request.app, request.nonce, request.time, session_hash(request), request.body}));
}

std::string sealing_context(const Request& request) {
  return length_prefixed({request.path, request.app, request.nonce, request.time, session_hash(request)});
}

std::string reply_message(const Request& request, std::string_view kid, std::string_view server_time, long status,
                          std::string_view body) {
  return length_prefixed({"signet/v1/response", request.app, kid, request_hash(request), server_time,
                          std::to_string(status), sha256(body)});
}

}  // namespace signet::internal
