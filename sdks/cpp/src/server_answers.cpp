#include "server_answers.h"

#include "error.h"

namespace signet::internal {
namespace {

constexpr std::string_view kBase64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::string_view kUrlPrefix = "/api/1.0/download/";
constexpr std::size_t kMaxUrlBytes = 500;

bool consists_of(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

/// A path of this server; other characters could change the host or split the request.
bool is_download_url(std::string_view url) {
  if (url.substr(0, kUrlPrefix.size()) != kUrlPrefix) return false;
  const auto rest = url.substr(kUrlPrefix.size());
  const std::string allowed = std::string(kBase64url) + ".~?=&%";
  return !rest.empty() && rest.size() <= kMaxUrlBytes && consists_of(rest, allowed);
}

Subscription subscription_of(const Json& item) {
  if (!item.is_object()) throw Error("MALFORMED_REPLY", "The server's signed answer has no valid \"subscriptions\".");
  return {integer_field(item, "level"), text_field(item, "name"), optional_integer_field(item, "expiresAt")};
}

}  // namespace

std::string session_token_of(const Json& fields) {
  auto token = text_field(fields, "session");
  if (token.size() < 22 || token.size() > 128 || !consists_of(token, kBase64url)) {
    throw Error("MALFORMED_REPLY", "The server's signed answer has no valid \"session\".");
  }
  return token;
}

App app_of(const Json& fields) {
  const auto& app = object_field(fields, "app");
  return {text_field(app, "name"), text_field(app, "version"), optional_text_field(app, "webloaderUrl")};
}

Session session_of(const Json& fields) {
  const auto& user = object_field(fields, "user");
  const auto subscriptions = user.find("subscriptions");
  if (subscriptions == user.end() || !subscriptions->is_array()) {
    throw Error("MALFORMED_REPLY", "The server's signed answer has no valid \"subscriptions\".");
  }
  Session session;
  session.user.username = text_field(user, "username");
  session.user.email = optional_text_field(user, "email");
  // The server stores no address as an empty one.
  if (session.user.email == "") session.user.email.reset();
  for (const auto& item : *subscriptions) session.user.subscriptions.push_back(subscription_of(item));
  session.user.created_at = optional_integer_field(user, "createdAt");
  session.user.last_login_at = optional_integer_field(user, "lastLoginAt");
  session.expires_at = integer_field(fields, "expiresAt");
  return session;
}

WebhookAnswer webhook_answer_of(const Json& fields) {
  return {static_cast<int>(integer_field(fields, "status")), text_field(fields, "body")};
}

FileOffer file_offer_of(const Json& fields) {
  FileOffer offer{text_field(fields, "fileName"), integer_field(fields, "size"), text_field(fields, "sha256"),
                  text_field(fields, "url")};
  const bool is_hash = offer.sha256.size() == 64 && consists_of(offer.sha256, "0123456789abcdef");
  if (offer.size < 0 || !is_hash || !is_download_url(offer.url)) {
    throw Error("MALFORMED_REPLY", "The server's signed answer has no valid file.");
  }
  return offer;
}

}  // namespace signet::internal
