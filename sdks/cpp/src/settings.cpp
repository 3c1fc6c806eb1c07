#include "settings.h"

#include "bounded_json.h"
#include "public_keys.h"
#include "wire.h"

namespace signet::internal {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;

void require(bool is_valid, const char* message) {
  if (!is_valid) throw Error("INVALID_CONFIGURATION", message);
}

bool is_owner_id(const std::string& text) {
  constexpr auto letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return text.size() == 10 && text.find_first_not_of(letters) == std::string::npos;
}

bool is_text(const std::string& text) {
  return !text.empty() && is_utf8(text);
}

std::set<std::string> read_fingerprints(const std::set<std::string>& texts) {
  std::set<std::string> fingerprints;
  for (const auto& text : texts) {
    std::string hex;
    for (const char c : lower_ascii(text)) {
      if (c != ':') hex.push_back(c);
    }
    require(is_hex_sha256(hex), "A fingerprint is the SHA-256 of a TLS certificate in hex.");
    fingerprints.insert(hex);
  }
  return fingerprints;
}

}  // namespace

Config check_settings(Settings settings) {
  Config config;
  require(is_owner_id(settings.owner_id), "The owner ID is 10 letters and digits.");
  require(is_text(settings.app_name), "The app name is missing.");
  require(is_text(settings.version), "The version is missing.");
  config.server = read_server_url(settings.server_url);
  require(config.server.is_encrypted || config.server.is_loopback || settings.allow_http,
          "A server URL with http:// needs the option to allow it, except for this computer itself.");

  const auto root = read_ed25519_public_key(settings.verification_key);
  require(root.has_value(), "The verification key is invalid. Copy it again from the dashboard.");
  const auto sealing = read_x25519_public_key(settings.sealing_key);
  require(sealing.has_value(), "The sealing key is invalid. Copy it again from the dashboard.");
  config.root_public_key = *root;
  config.sealing_public_key = *sealing;

  require(settings.timeout_ms > 0 && settings.timeout_ms <= kDayMs, "The timeout is above 0 and at most a day.");
  require(settings.heartbeat_interval_ms >= 0 && settings.heartbeat_interval_ms <= kDayMs,
          "The heartbeat interval is at most a day, or 0 for none.");
  require(settings.grace_ms > 0 && settings.grace_ms <= kDayMs, "The grace period is positive, and at most a day.");
  if (settings.program_hash) {
    require(is_hex_sha256(*settings.program_hash), "The program hash is a SHA-256 in hex.");
    settings.program_hash = lower_ascii(*settings.program_hash);
  }
  if (settings.hwid) require(is_text(*settings.hwid), "The hardware ID is empty.");
  settings.fingerprints = read_fingerprints(settings.fingerprints);
  require(settings.fingerprints.empty() || config.server.is_encrypted, "A fingerprint needs an https:// server URL.");
  auto language = Language::kEnglish;
  require(read_language(settings.language, language), "The language is en, pt, or es.");

  config.app = app_header(settings.owner_id, settings.app_name);
  config.settings = std::move(settings);
  return config;
}

std::string customer_message_of(const Settings& settings, const std::string& code) {
  const auto own = settings.customer_messages.find(code);
  if (own != settings.customer_messages.end()) return own->second;
  auto language = Language::kEnglish;
  (void)read_language(settings.language, language);
  return std::string(customer_message(code, language));
}

}  // namespace signet::internal
