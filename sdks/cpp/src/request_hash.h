#pragma once

#include <string>
#include <string_view>

namespace signet::internal {

/// One request as it is sent. `time` is unix milliseconds in decimal; an empty `session` means none.
struct Request {
  std::string path;
  std::string app;
  std::string nonce;
  std::string time;
  std::string session;
  std::string body;
};

/// H of docs/protocol.md, 32 bytes that stand for the whole request.
std::string request_hash(const Request& request);

/// The additional data of a sealed body, which binds it to one request. `request.body` isn't part of it.
std::string sealing_context(const Request& request);

/// M of docs/protocol.md, the bytes that stand for a reply under the server's signature.
std::string reply_message(const Request& request, std::string_view kid, std::string_view server_time, long status,
                          std::string_view body);

}  // namespace signet::internal
