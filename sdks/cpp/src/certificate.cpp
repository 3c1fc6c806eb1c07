#include "certificate.h"

#include "bounded_json.h"
#include "crypto.h"
#include "error.h"
#include "public_keys.h"
#include "wire.h"

namespace signet::internal {
namespace {

Error unknown_key(const char* message) {
  return {"UNKNOWN_KEY", message};
}

std::optional<std::string> text_of(const Json& fields, const char* name) {
  const auto found = fields.find(name);
  if (found == fields.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

/// A whole number from 0 to 2^53 - 1.
std::optional<std::int64_t> number_of(const Json& fields, const char* name) {
  constexpr std::int64_t max = 9'007'199'254'740'991;
  const auto found = fields.find(name);
  const auto number = found == fields.end() ? std::nullopt : integer_of(*found);
  return number && *number >= 0 && *number <= max ? number : std::nullopt;
}

std::optional<Certificate> certificate_of(std::string_view payload) {
  const auto fields = parse_object(payload);
  if (!fields || number_of(*fields, "v") != 1) return std::nullopt;
  const auto kid = text_of(*fields, "kid");
  const auto key = text_of(*fields, "key");
  const auto serial = number_of(*fields, "serial");
  const auto not_before = number_of(*fields, "notBefore");
  const auto not_after = number_of(*fields, "notAfter");
  if (!kid || kid->empty() || !key || !serial || !not_before || !not_after) return std::nullopt;
  const auto public_key = read_ed25519_public_key(*key);
  if (!public_key) return std::nullopt;
  return Certificate{*kid, *public_key, *serial, *not_before, *not_after};
}

}  // namespace

bool Certificate::is_valid_at(std::int64_t unix_ms) const {
  return not_before * 1000 <= unix_ms && unix_ms <= not_after * 1000;
}

Certificate read_certificate(std::string_view text, std::string_view root_public_key) {
  const auto dot = text.find('.');
  const auto payload = decode_base64url(text.substr(0, dot));
  const auto signature = dot == std::string_view::npos ? std::nullopt : decode_base64url(text.substr(dot + 1));
  if (!payload || payload->empty() || !signature) throw unknown_key("The certificate of the server's key is invalid.");
  if (!verify_ed25519(root_public_key, length_prefixed({"signet/v1/key", *payload}), *signature)) {
    throw unknown_key("The server's key isn't certified by this app. Is the verification key right?");
  }
  const auto certificate = certificate_of(*payload);
  if (!certificate) throw unknown_key("The certificate of the server's key has another version.");
  return *certificate;
}

}  // namespace signet::internal
