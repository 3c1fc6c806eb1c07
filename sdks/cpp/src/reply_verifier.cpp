#include "reply_verifier.h"

#include <algorithm>
#include <cstdlib>

#include "bounded_json.h"
#include "crypto.h"
#include "error.h"
#include "merkle_path.h"
#include "wire.h"

namespace signet::internal {
namespace {

constexpr std::int64_t kToleranceMs = 60'000;
constexpr std::size_t kMaxCachedCertificates = 16;

std::string header(const Reply& reply, const char* name) {
  const auto found = reply.headers.find(name);
  return found == reply.headers.end() ? std::string() : found->second;
}

bool is_time(const std::string& text) {
  return !text.empty() && text.size() <= 15 && text.find_first_not_of("0123456789") == std::string::npos;
}

/// The answer that tells the server's clock, so its time may be any.
bool is_clock_skew(const Reply& reply) {
  if (reply.status != 400) return false;
  const auto fields = parse_object(reply.body);
  return fields && fields->value("code", Json()) == "CLOCK_SKEW";
}

Error unsigned_response(long status) {
  return {"UNSIGNED_RESPONSE",
          status == 429
              ? "The server has too many requests to answer this one. Try again in a minute."
              : "The answer isn't signed. Check server URL, owner ID, and app name, and that no proxy answers."};
}

}  // namespace

std::int64_t ReplyVerifier::check(const Request& request, const Reply& reply, std::int64_t now_ms) {
  const auto kid = header(reply, "x-signet-key");
  const auto time = header(reply, "x-signet-time");
  const auto signature_text = header(reply, "x-signet-signature");
  const auto certificate_text = header(reply, "x-signet-certificate");
  if (kid.empty() || time.empty() || signature_text.empty() || certificate_text.empty()) {
    throw unsigned_response(reply.status);
  }

  // One reply after the other: each can replace the root key that the next one is checked with.
  const std::lock_guard lock(mutex_);
  const auto [certificate, root_public_key] = certified_key_of(certificate_text);
  if (certificate.kid != kid) throw Error("UNKNOWN_KEY", "The certificate is for another key.");

  const auto signature = decode_base64url(signature_text);
  const auto root =
      merkle_root(reply_message(request, kid, time, reply.status, reply.body), header(reply, "x-signet-path"));
  if (!signature || !root || !is_time(time) ||
      !verify_ed25519(certificate.public_key, length_prefixed({"signet/v1/replies", *root}), *signature)) {
    throw Error("BAD_SIGNATURE", "The answer was altered, or it answers another request.");
  }

  const std::int64_t server_time = std::strtoll(time.c_str(), nullptr, 10);
  if (!certificate.is_valid_at(server_time)) {
    throw Error("UNKNOWN_KEY", "The server signs with a key outside its period of validity.");
  }
  if (certificate.serial < highest_serial_ - 1) {
    throw Error("UNKNOWN_KEY", "The server signs with a key that was replaced.");
  }
  if (std::abs(server_time - now_ms) > kToleranceMs && !is_clock_skew(reply)) throw StaleReply(server_time);
  highest_serial_ = std::max(highest_serial_, certificate.serial);
  trust(root_public_key);
  return server_time;
}

void ReplyVerifier::trust(const std::string& root_public_key) {
  if (root_public_key == root_public_key_) return;
  certified_keys_.clear();
  root_public_key_ = root_public_key;
}

CertifiedKey ReplyVerifier::certified_key_of(const std::string& text) {
  const auto found = certified_keys_.find(text);
  if (found != certified_keys_.end()) return found->second;
  auto key = read_certificate(text, root_public_key_);
  if (certified_keys_.size() >= kMaxCachedCertificates) certified_keys_.clear();
  return certified_keys_.emplace(text, std::move(key)).first->second;
}

}  // namespace signet::internal
