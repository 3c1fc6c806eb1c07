#include "c_api.h"
#include "hardware_id.h"

using namespace signet::internal;

namespace {

/// The callbacks of a program as events of a client, with errors in the client's language.
Events events_of(const signet_options& options) {
  const auto settings = std::make_shared<const Settings>(options.settings);
  const auto data = options.callbacks.user_data;
  const auto with_error = [&](signet_error_callback callback) -> std::function<void(const Error&)> {
    if (callback == nullptr) return nullptr;
    return [settings, data, callback](const Error& error) {
      const signet_error handle{error, customer_message_of(*settings, error.code)};
      callback(&handle, data->get());
    };
  };
  Events events{with_error(options.callbacks.on_lost), with_error(options.callbacks.on_interrupted), nullptr};
  if (const auto callback = options.callbacks.on_resumed)
    events.on_resumed = [data, callback] { callback(data->get()); };
  return events;
}

/// Runs a call of a client whose result becomes a handle.
template <typename Handle, typename Action>
signet_code call(signet_client* client, Handle** result, signet_error** error, Action action) noexcept {
  if (result != nullptr) *result = nullptr;
  const auto& settings = client != nullptr ? client->client->config().settings : default_settings();
  return guarded(settings, error, [&] {
    if (client == nullptr) throw Error("MALFORMED_REQUEST", "The client is NULL.");
    // The client lives until the call ends, even if its handle is freed in the meantime.
    const auto held = client->client;
    auto value = action(*held);
    if (result != nullptr) *result = new Handle{std::move(value)};
  });
}

template <typename Action>
signet_code call(signet_client* client, signet_error** error, Action action) noexcept {
  return call(client, static_cast<signet_text**>(nullptr), error, [&](Client& held) {
    action(held);
    return std::string();
  });
}

}  // namespace

signet_code signet_client_new(const signet_options* options, signet_client** client, signet_error** error) {
  if (client != nullptr) *client = nullptr;
  return guarded(options != nullptr ? options->settings : default_settings(), error, [&] {
    if (options == nullptr || client == nullptr) throw Error("INVALID_CONFIGURATION", "The options are NULL.");
    auto settings = options->settings;
    settings.events = events_of(*options);
    *client = new signet_client{Client::create(std::move(settings))};
  });
}

void signet_client_free(signet_client* client) {
  signet_close(client);
  delete client;
}

void signet_cancel(signet_client* client) {
  if (client != nullptr) client->client->cancel();
}

void signet_close(signet_client* client) {
  if (client == nullptr) return;
  try {
    client->client->close();
  } catch (...) {
    // Only memory can be missing; the client is closed nevertheless.
  }
}

signet_code signet_init(signet_client* client, signet_app** app, signet_error** error) {
  return call(client, app, error, [](Client& held) { return held.init(); });
}

signet_code signet_license(signet_client* client, const char* key, size_t key_length, signet_session** session,
                           signet_error** error) {
  return call(client, session, error, [&](Client& held) { return held.license(text_of(key, key_length)); });
}

signet_code signet_login(signet_client* client, const char* username, size_t username_length, const char* password,
                         size_t password_length, signet_session** session, signet_error** error) {
  return call(client, session, error, [&](Client& held) {
    return held.login(text_of(username, username_length), text_of(password, password_length));
  });
}

signet_code signet_login_with_license(signet_client* client, const char* username, size_t username_length,
                                      const char* password, size_t password_length, const char* license_key,
                                      size_t license_key_length, signet_session** session, signet_error** error) {
  return call(client, session, error, [&](Client& held) {
    return held.login(text_of(username, username_length), text_of(password, password_length),
                      text_of(license_key, license_key_length));
  });
}

signet_code signet_register(signet_client* client, const char* username, size_t username_length, const char* password,
                            size_t password_length, const char* license_key, size_t license_key_length,
                            const char* email, size_t email_length, signet_session** session, signet_error** error) {
  return call(client, session, error, [&](Client& held) {
    const auto address = email != nullptr ? std::optional(text_of(email, email_length)) : std::nullopt;
    return held.register_user(text_of(username, username_length), text_of(password, password_length),
                              text_of(license_key, license_key_length), address);
  });
}

signet_code signet_upgrade(signet_client* client, const char* license_key, size_t license_key_length,
                           signet_session** session, signet_error** error) {
  return call(client, session, error,
              [&](Client& held) { return held.upgrade(text_of(license_key, license_key_length)); });
}

signet_code signet_heartbeat(signet_client* client, signet_session** session, signet_error** error) {
  return call(client, session, error, [](Client& held) { return held.heartbeat(); });
}

signet_code signet_variable(signet_client* client, const char* name, size_t name_length, signet_text** value,
                            signet_error** error) {
  return call(client, value, error, [&](Client& held) { return held.variable(text_of(name, name_length)); });
}

signet_code signet_user_variable(signet_client* client, const char* name, size_t name_length, signet_text** value,
                                 signet_error** error) {
  return call(client, value, error, [&](Client& held) { return held.user_variable(text_of(name, name_length)); });
}

signet_code signet_set_user_variable(signet_client* client, const char* name, size_t name_length, const char* value,
                                     size_t value_length, signet_error** error) {
  return call(client, error,
              [&](Client& held) { held.set_user_variable(text_of(name, name_length), text_of(value, value_length)); });
}

signet_code signet_log(signet_client* client, const char* message, size_t message_length, signet_error** error) {
  return call(client, error, [&](Client& held) { held.log(text_of(message, message_length)); });
}

signet_code signet_download(signet_client* client, const char* file_id, size_t file_id_length, const char* path,
                            size_t path_length, signet_file** file, signet_error** error) {
  return call(client, file, error, [&](Client& held) {
    return held.download(text_of(file_id, file_id_length), text_of(path, path_length));
  });
}

signet_code signet_call_webhook(signet_client* client, const char* webhook_id, size_t webhook_id_length,
                                const char* params_json, size_t params_json_length, signet_webhook_answer** answer,
                                signet_error** error) {
  return call(client, answer, error, [&](Client& held) {
    const auto params = params_json != nullptr ? text_of(params_json, params_json_length) : std::string("{}");
    return held.call_webhook(text_of(webhook_id, webhook_id_length), params);
  });
}

signet_code signet_change_password(signet_client* client, const char* password, size_t password_length,
                                   const char* new_password, size_t new_password_length, signet_error** error) {
  return call(client, error, [&](Client& held) {
    held.change_password(text_of(password, password_length), text_of(new_password, new_password_length));
  });
}

signet_code signet_request_password_reset(signet_client* client, const char* username, size_t username_length,
                                          signet_error** error) {
  return call(client, error, [&](Client& held) { held.request_password_reset(text_of(username, username_length)); });
}

signet_code signet_logout(signet_client* client, signet_error** error) {
  return call(client, error, [](Client& held) { held.logout(); });
}

int signet_is_valid(const signet_client* client) {
  return client != nullptr && client->client->is_valid() ? 1 : 0;
}

signet_session* signet_current_session(const signet_client* client) {
  signet_session* result = nullptr;
  if (client == nullptr) return nullptr;
  (void)guarded(default_settings(), nullptr, [&] {
    if (auto session = client->client->session()) result = new signet_session{*std::move(session)};
  });
  return result;
}

signet_error* signet_lost(const signet_client* client) {
  signet_error* result = nullptr;
  if (client == nullptr) return nullptr;
  (void)guarded(default_settings(), nullptr, [&] {
    if (const auto error = client->client->lost()) result = new_error(*error, client->client->config().settings);
  });
  return result;
}

signet_code signet_hardware_id(const char* owner_id, size_t owner_id_length, signet_text** id, signet_error** error) {
  if (id != nullptr) *id = nullptr;
  return guarded(default_settings(), error, [&] {
    auto value = hardware_id(text_of(owner_id, owner_id_length));
    if (id != nullptr) *id = new signet_text{std::move(value)};
  });
}

signet_code signet_hardware_id_of(const char* owner_id, size_t owner_id_length, const char* machine_id,
                                  size_t machine_id_length, signet_text** id, signet_error** error) {
  if (id != nullptr) *id = nullptr;
  return guarded(default_settings(), error, [&] {
    auto value = hardware_id_of(text_of(owner_id, owner_id_length), text_of(machine_id, machine_id_length));
    if (!value) throw Error("HWID_UNAVAILABLE", "Other machines have the same machine ID, or it is too short.");
    if (id != nullptr) *id = new signet_text{*std::move(value)};
  });
}
