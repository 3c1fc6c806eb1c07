/// The options of the C++ wrapper. Include signet.hpp.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "signet/error.hpp"

namespace signet {

using Milliseconds = std::chrono::milliseconds;

/// The first six are required.
struct Options {
  std::string owner_id;
  std::string app_name;
  std::string version;
  std::string server_url;
  std::string verification_key;
  std::string sealing_key;

  /// SHA-256 in hex that is sent as the program's hash.
  std::optional<std::string> program_hash;
  bool hash_running_program = false;
  /// SHA-256 of allowed TLS certificates in hex, checked in addition.
  std::vector<std::string> fingerprints;
  bool seal_requests = false;
  /// Limits a whole call.
  Milliseconds timeout{15'000};
  /// Nothing for no background heartbeat.
  std::optional<Milliseconds> heartbeat_interval{60'000};
  Milliseconds grace{180'000};
  std::optional<std::string> hwid;
  std::optional<std::string> proxy;
  std::optional<std::string> ca_file;
  bool allow_http = false;
  /// en, pt, or es.
  std::string language = "en";
  /// Your own sentences for customers, by code.
  std::map<std::string, std::string> customer_messages;

  // Called one at a time, in the order in which they happened, from the background thread or from a thread that is in a
  // call. Exceptions they throw are ignored.
  /// Once for a sign-in: the server rejected it.
  std::function<void(const Error&)> on_lost;
  /// `is_valid` turned false because nothing verifiable was heard in time.
  std::function<void(const Error&)> on_interrupted;
  std::function<void()> on_resumed;
};

namespace detail {

struct Events {
  std::function<void(const Error&)> on_lost;
  std::function<void(const Error&)> on_interrupted;
  std::function<void()> on_resumed;

  static void SIGNET_CALL lost(const signet_error* error, void* self) noexcept {
    ignoring_exceptions([&] { static_cast<Events*>(self)->on_lost(Error(error)); });
  }
  static void SIGNET_CALL interrupted(const signet_error* error, void* self) noexcept {
    ignoring_exceptions([&] { static_cast<Events*>(self)->on_interrupted(Error(error)); });
  }
  static void SIGNET_CALL resumed(void* self) noexcept {
    ignoring_exceptions([&] { static_cast<Events*>(self)->on_resumed(); });
  }
  static void SIGNET_CALL release(void* self) noexcept { delete static_cast<Events*>(self); }

 private:
  template <typename Action>
  static void ignoring_exceptions(Action action) noexcept {
    try {
      action();
    } catch (...) {
    }
  }
};

inline void set_events(signet_options* handle, const Options& options) {
  auto events = std::make_unique<Events>(Events{options.on_lost, options.on_interrupted, options.on_resumed});
  const auto result = signet_options_set_callbacks(
      handle, events->on_lost ? Events::lost : nullptr, events->on_interrupted ? Events::interrupted : nullptr,
      events->on_resumed ? Events::resumed : nullptr, events.get(), Events::release);
  if (result != SIGNET_OK) throw std::bad_alloc();
  (void)events.release();
}

inline OptionsHandle options_handle(const Options& options) {
  OptionsHandle handle(signet_options_new());
  if (!handle) throw std::bad_alloc();
  auto* const raw = handle.get();
  const auto require = [](signet_code code) {
    if (code != SIGNET_OK) throw std::bad_alloc();
  };
  const auto set = [&](auto setter, const std::string& text) { require(setter(raw, text.data(), text.size())); };
  const auto set_optional = [&](auto setter, const std::optional<std::string>& text) {
    if (text) set(setter, *text);
  };
  set(signet_options_set_owner_id, options.owner_id);
  set(signet_options_set_app_name, options.app_name);
  set(signet_options_set_version, options.version);
  set(signet_options_set_server_url, options.server_url);
  set(signet_options_set_verification_key, options.verification_key);
  set(signet_options_set_sealing_key, options.sealing_key);
  set_optional(signet_options_set_program_hash, options.program_hash);
  require(signet_options_set_hash_running_program(raw, options.hash_running_program ? 1 : 0));
  for (const auto& fingerprint : options.fingerprints) set(signet_options_add_fingerprint, fingerprint);
  require(signet_options_set_seal_requests(raw, options.seal_requests ? 1 : 0));
  require(signet_options_set_timeout_ms(raw, options.timeout.count()));
  require(signet_options_set_heartbeat_interval_ms(
      raw, options.heartbeat_interval ? options.heartbeat_interval->count() : 0));
  require(signet_options_set_grace_ms(raw, options.grace.count()));
  set_optional(signet_options_set_hwid, options.hwid);
  set_optional(signet_options_set_proxy, options.proxy);
  set_optional(signet_options_set_ca_file, options.ca_file);
  require(signet_options_set_allow_http(raw, options.allow_http ? 1 : 0));
  set(signet_options_set_language, options.language);
  for (const auto& [code, sentence] : options.customer_messages) {
    require(signet_options_set_customer_message(raw, code.data(), code.size(), sentence.data(), sentence.size()));
  }
  set_events(raw, options);
  return handle;
}

}  // namespace detail

}  // namespace signet
