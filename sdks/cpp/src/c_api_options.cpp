#include "c_api.h"

using signet::internal::Settings;
using signet::internal::text_of;

namespace {

template <typename Action>
signet_code change(signet_options* options, Action action) noexcept {
  if (options == nullptr) return SIGNET_CODE_INVALID_CONFIGURATION;
  try {
    action(options->settings);
    return SIGNET_OK;
  } catch (...) {
    return SIGNET_CODE_INVALID_CONFIGURATION;
  }
}

signet_code set_text(signet_options* options, std::string Settings::*member, const char* text, size_t length) noexcept {
  return change(options, [&](Settings& settings) { settings.*member = text_of(text, length); });
}

template <typename Member, typename Value>
signet_code set_value(signet_options* options, Member Settings::*member, Value value) noexcept {
  return change(options, [&](Settings& settings) { settings.*member = value; });
}

}  // namespace

signet_options* signet_options_new(void) {
  try {
    return new signet_options();
  } catch (...) {
    return nullptr;
  }
}

void signet_options_free(signet_options* options) {
  delete options;
}

signet_code signet_options_set_owner_id(signet_options* options, const char* text, size_t length) {
  return set_text(options, &Settings::owner_id, text, length);
}

signet_code signet_options_set_app_name(signet_options* options, const char* text, size_t length) {
  return set_text(options, &Settings::app_name, text, length);
}

signet_code signet_options_set_version(signet_options* options, const char* text, size_t length) {
  return set_text(options, &Settings::version, text, length);
}

signet_code signet_options_set_server_url(signet_options* options, const char* text, size_t length) {
  return set_text(options, &Settings::server_url, text, length);
}

signet_code signet_options_set_verification_key(signet_options* options, const char* text, size_t length) {
  return set_text(options, &Settings::verification_key, text, length);
}

signet_code signet_options_set_sealing_key(signet_options* options, const char* text, size_t length) {
  return set_text(options, &Settings::sealing_key, text, length);
}

signet_code signet_options_set_program_hash(signet_options* options, const char* text, size_t length) {
  return change(options, [&](Settings& settings) { settings.program_hash = text_of(text, length); });
}

signet_code signet_options_set_hash_running_program(signet_options* options, int enabled) {
  return set_value(options, &Settings::hash_running_program, enabled != 0);
}

signet_code signet_options_add_fingerprint(signet_options* options, const char* text, size_t length) {
  return change(options, [&](Settings& settings) { settings.fingerprints.insert(text_of(text, length)); });
}

signet_code signet_options_set_seal_requests(signet_options* options, int enabled) {
  return set_value(options, &Settings::seal_requests, enabled != 0);
}

signet_code signet_options_set_timeout_ms(signet_options* options, int64_t milliseconds) {
  return set_value(options, &Settings::timeout_ms, milliseconds);
}

signet_code signet_options_set_heartbeat_interval_ms(signet_options* options, int64_t milliseconds) {
  return set_value(options, &Settings::heartbeat_interval_ms, milliseconds);
}

signet_code signet_options_set_grace_ms(signet_options* options, int64_t milliseconds) {
  return set_value(options, &Settings::grace_ms, milliseconds);
}

signet_code signet_options_set_hwid(signet_options* options, const char* text, size_t length) {
  return change(options, [&](Settings& settings) { settings.hwid = text_of(text, length); });
}

signet_code signet_options_set_proxy(signet_options* options, const char* text, size_t length) {
  return set_text(options, &Settings::proxy, text, length);
}

signet_code signet_options_set_ca_file(signet_options* options, const char* text, size_t length) {
  return set_text(options, &Settings::ca_file, text, length);
}

signet_code signet_options_set_allow_http(signet_options* options, int enabled) {
  return set_value(options, &Settings::allow_http, enabled != 0);
}

signet_code signet_options_set_language(signet_options* options, const char* text, size_t length) {
  return set_text(options, &Settings::language, text, length);
}

signet_code signet_options_set_customer_message(signet_options* options, const char* code, size_t code_length,
                                                const char* text, size_t length) {
  return change(options, [&](Settings& settings) {
    settings.customer_messages[text_of(code, code_length)] = text_of(text, length);
  });
}

signet_code signet_options_set_callbacks(signet_options* options, signet_error_callback on_lost,
                                         signet_error_callback on_interrupted, signet_callback on_resumed,
                                         void* user_data, signet_callback release) {
  if (options == nullptr) return SIGNET_CODE_INVALID_CONFIGURATION;
  try {
    options->callbacks = {on_lost, on_interrupted, on_resumed,
                          std::make_shared<const signet::internal::UserData>(user_data, release)};
    return SIGNET_OK;
  } catch (...) {
    return SIGNET_CODE_INVALID_CONFIGURATION;
  }
}
