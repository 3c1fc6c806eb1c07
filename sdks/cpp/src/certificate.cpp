#include "certificate.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "bounded_json.h"
#include "crypto.h"
#include "error.h"
#include "public_keys.h"
#include "wire.h"

namespace signet::internal {
namespace {

constexpr std::size_t kMaxAnnouncements = 4;
constexpr std::size_t kSignatureBytes = 64;

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

/// The fields of a payload of version 1.
std::optional<Json> fields_of(std::string_view payload) {
  auto fields = parse_object(payload);
  if (!fields || number_of(*fields, "v") != 1) return std::nullopt;
  return fields;
}

std::optional<std::string> announced_root(std::string_view payload) {
  const auto fields = fields_of(payload);
  const auto root = fields ? text_of(*fields, "root") : std::nullopt;
  return root ? read_ed25519_public_key(*root) : std::nullopt;
}

std::optional<Certificate> certificate_of(std::string_view payload) {
  const auto fields = fields_of(payload);
  if (!fields) return std::nullopt;
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

struct SignedPart {
  std::string payload;
  std::string signature;
};

/// Takes the bytes that stand before the next dot.
std::optional<std::string> take_bytes(std::string_view& text) {
  const auto dot = text.find('.');
  auto bytes = decode_base64url(text.substr(0, dot));
  text.remove_prefix(dot == std::string_view::npos ? text.size() : dot + 1);
  return bytes;
}

/// The announcements and, last, the certificate.
std::vector<SignedPart> signed_parts(std::string_view text) {
  const auto malformed = unknown_key("The certificate of the server's key is invalid.");
  const auto count = static_cast<std::size_t>(std::count(text.begin(), text.end(), '.')) + 1;
  if (count % 2 != 0 || count > 2 * (kMaxAnnouncements + 1)) throw malformed;
  std::vector<SignedPart> parts;
  while (parts.size() < count / 2) {
    auto payload = take_bytes(text);
    auto signature = take_bytes(text);
    if (!payload || payload->empty() || !signature || signature->size() != kSignatureBytes) throw malformed;
    parts.push_back({*std::move(payload), *std::move(signature)});
  }
  return parts;
}

bool is_signed_by(std::string_view root, const char* purpose, const SignedPart& part) {
  return verify_ed25519(root, length_prefixed({purpose, part.payload}), part.signature);
}

}  // namespace

bool Certificate::is_valid_at(std::int64_t unix_ms) const {
  return not_before * 1000 <= unix_ms && unix_ms <= not_after * 1000;
}

CertifiedKey read_certificate(std::string_view text, std::string_view root_public_key) {
  auto announcements = signed_parts(text);
  const auto signed_certificate = std::move(announcements.back());
  announcements.pop_back();
  std::string root(root_public_key);
  for (const auto& announcement : announcements) {
    // Those for programs with an older key are not signed by this one.
    if (!is_signed_by(root, "signet/v1/root", announcement)) continue;
    auto next = announced_root(announcement.payload);
    if (!next) throw unknown_key("The app's key was replaced by one that can't be used.");
    root = *std::move(next);
  }
  if (!is_signed_by(root, "signet/v1/key", signed_certificate)) {
    throw unknown_key("The server's key isn't certified by this app. Is the verification key right?");
  }
  auto certificate = certificate_of(signed_certificate.payload);
  if (!certificate) throw unknown_key("The certificate of the server's key has another version.");
  return {*std::move(certificate), std::move(root)};
}

}  // namespace signet::internal
