#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bounded_json.h"

namespace signet::internal {

// What the server says, as typed values. Times are epoch seconds. The readers throw `MALFORMED_REPLY`.

struct App {
  std::string name;
  std::string version;
  std::optional<std::string> webloader_url;
};

struct Subscription {
  std::int64_t level = 0;
  std::string name;
  /// Nothing for a lifetime.
  std::optional<std::int64_t> expires_at;
};

struct User {
  std::string username;
  std::optional<std::string> email;
  std::vector<Subscription> subscriptions;
  std::optional<std::int64_t> created_at;
  std::optional<std::int64_t> last_login_at;
};

struct Session {
  User user;
  /// The end of the session, not of a subscription.
  std::int64_t expires_at = 0;
};

struct WebhookAnswer {
  int status = 0;
  std::string body;
};

/// A file that the server offers: its bytes are at `url` on the same server, for a minute.
struct FileOffer {
  std::string file_name;
  std::int64_t size = 0;
  std::string sha256;
  std::string url;
};

std::string session_token_of(const Json& fields);
App app_of(const Json& fields);
Session session_of(const Json& fields);
WebhookAnswer webhook_answer_of(const Json& fields);
FileOffer file_offer_of(const Json& fields);

}  // namespace signet::internal
