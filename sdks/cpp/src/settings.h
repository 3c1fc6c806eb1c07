#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "codes.h"
#include "error.h"
#include "server_url.h"

namespace signet::internal {

/// Called from any thread, never while a lock is held.
struct Events {
  std::function<void(const Error&)> on_lost;
  std::function<void(const Error&)> on_interrupted;
  std::function<void()> on_resumed;
};

/// What a program passes to a client, as it was given.
struct Settings {
  std::string owner_id;
  std::string app_name;
  std::string version;
  std::string server_url;
  std::string verification_key;
  std::string sealing_key;

  std::optional<std::string> program_hash;
  bool hash_running_program = false;
  std::set<std::string> fingerprints;
  bool seal_requests = false;
  std::int64_t timeout_ms = 15'000;
  /// 0 for no background heartbeat.
  std::int64_t heartbeat_interval_ms = 60'000;
  std::int64_t grace_ms = 180'000;
  std::optional<std::string> hwid;
  std::string proxy;
  std::string ca_file;
  bool allow_http = false;
  std::string language = "en";
  /// The vendor's own sentences for customers, by code.
  std::map<std::string, std::string> customer_messages;
  Events events;
};

/// Settings that were checked, in the form in which the client uses them.
struct Config {
  Settings settings;
  ServerUrl server;
  /// 32 bytes each.
  std::string root_public_key;
  std::string sealing_public_key;
  /// `X-Signet-App`.
  std::string app;
};

/// Throws `INVALID_CONFIGURATION`.
Config check_settings(Settings settings);

/// The vendor's sentence, or the one from sdks/codes.json in the language of the settings.
std::string customer_message_of(const Settings& settings, const std::string& code);

}  // namespace signet::internal
