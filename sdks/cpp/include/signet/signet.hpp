/// Signet client for C++17: a header-only wrapper of the C interface in signet.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "signet/error.hpp"
#include "signet/options.hpp"
#include "signet/results.hpp"
#include "signet/signet.h"

namespace signet {

/// Asks one Signet app whether this program may run. Making a client makes no network calls. Methods throw Error, and
/// may be called from any thread; only moving and destroying must be the last.
class Client {
 public:
  explicit Client(const Options& options) {
    const auto handle = detail::options_handle(options);
    signet_client* client = nullptr;
    signet_error* error = nullptr;
    const auto code = signet_client_new(handle.get(), &client, &error);
    client_.reset(client);
    detail::check(code, error);
  }

  /// Optional: the sign-ins call it themselves.
  App init() {
    const auto app = call<detail::AppHandle>(signet_init);
    return {detail::text_of(signet_app_name, app.get()), detail::text_of(signet_app_version, app.get()),
            detail::optional_text_of(signet_app_webloader_url, app.get())};
  }

  Session license(std::string_view key) { return signed_in(signet_license, key.data(), key.size()); }

  Session login(std::string_view username, std::string_view password) {
    return signed_in(signet_login, username.data(), username.size(), password.data(), password.size());
  }

  /// Redeems a license for the user first: renews a user whose time has ended.
  Session login(std::string_view username, std::string_view password, std::string_view license_key) {
    return signed_in(signet_login_with_license, username.data(), username.size(), password.data(), password.size(),
                     license_key.data(), license_key.size());
  }

  /// `register` is a keyword of C++.
  Session register_user(std::string_view username, std::string_view password, std::string_view license_key,
                        std::optional<std::string_view> email = std::nullopt) {
    return signed_in(signet_register, username.data(), username.size(), password.data(), password.size(),
                     license_key.data(), license_key.size(), email ? email->data() : nullptr,
                     email ? email->size() : 0);
  }

  /// Redeems another license for the user, also after `SUBSCRIPTION_EXPIRED`.
  Session upgrade(std::string_view license_key) {
    return signed_in(signet_upgrade, license_key.data(), license_key.size());
  }

  /// Asks now; the background heartbeat asks by itself.
  Session heartbeat() { return signed_in(signet_heartbeat); }

  std::string variable(std::string_view name) { return text(signet_variable, name.data(), name.size()); }

  std::string user_variable(std::string_view name) { return text(signet_user_variable, name.data(), name.size()); }

  void set_user_variable(std::string_view name, std::string_view value) {
    run(signet_set_user_variable, name.data(), name.size(), value.data(), value.size());
  }

  void log(std::string_view message) { run(signet_log, message.data(), message.size()); }

  /// Replaces the file at `path` (UTF-8) only when all bytes are verified.
  DownloadedFile download(std::string_view file_id, std::string_view path) {
    const auto file =
        call<detail::FileHandle>(signet_download, file_id.data(), file_id.size(), path.data(), path.size());
    return {detail::text_of(signet_file_path, file.get()), detail::text_of(signet_file_name, file.get()),
            signet_file_size(file.get()), detail::text_of(signet_file_sha256, file.get())};
  }

  /// `params_json` is a JSON object.
  WebhookAnswer call_webhook(std::string_view webhook_id, std::string_view params_json = "{}") {
    const auto answer = call<detail::WebhookAnswerHandle>(signet_call_webhook, webhook_id.data(), webhook_id.size(),
                                                          params_json.data(), params_json.size());
    return {signet_webhook_answer_status(answer.get()), detail::text_of(signet_webhook_answer_body, answer.get())};
  }

  void change_password(std::string_view password, std::string_view new_password) {
    run(signet_change_password, password.data(), password.size(), new_password.data(), new_password.size());
  }

  void request_password_reset(std::string_view username) {
    run(signet_request_password_reset, username.data(), username.size());
  }

  /// The session ends here even if the server can't be reached.
  void logout() { run(signet_logout); }

  /// Whether the program may go on. Makes no network call.
  bool is_valid() const noexcept { return signet_is_valid(client_.get()) != 0; }

  /// The latest that the server said about the user.
  std::optional<Session> session() const {
    const detail::SessionHandle handle(signet_current_session(client_.get()));
    return handle ? std::optional(detail::session_of(handle.get())) : std::nullopt;
  }

  /// The error that ended the session.
  std::optional<Error> lost() const {
    const detail::ErrorHandle handle(signet_lost(client_.get()));
    return handle ? std::optional(Error(handle.get())) : std::nullopt;
  }

  /// Ends the calls under way with `CANCELLED`.
  void cancel() noexcept { signet_cancel(client_.get()); }

  /// Logs out if the server can be reached; returns within 2 seconds. The destructor does the same.
  void close() noexcept { signet_close(client_.get()); }

 private:
  template <typename Handle, typename Function, typename... Arguments>
  Handle call(Function function, Arguments... arguments) {
    typename Handle::pointer result = nullptr;
    signet_error* error = nullptr;
    const auto code = function(client_.get(), arguments..., &result, &error);
    Handle handle(result);
    detail::check(code, error);
    return handle;
  }

  template <typename Function, typename... Arguments>
  Session signed_in(Function function, Arguments... arguments) {
    return detail::session_of(call<detail::SessionHandle>(function, arguments...).get());
  }

  template <typename Function, typename... Arguments>
  std::string text(Function function, Arguments... arguments) {
    return detail::text_of(signet_text_data, call<detail::TextHandle>(function, arguments...).get());
  }

  template <typename Function, typename... Arguments>
  void run(Function function, Arguments... arguments) {
    signet_error* error = nullptr;
    const auto code = function(client_.get(), arguments..., &error);
    detail::check(code, error);
  }

  detail::ClientHandle client_;
};

/// The hardware ID of this machine for an owner. Throws `HWID_UNAVAILABLE`.
inline std::string hardware_id(std::string_view owner_id) {
  signet_text* text = nullptr;
  signet_error* error = nullptr;
  const auto code = signet_hardware_id(owner_id.data(), owner_id.size(), &text, &error);
  const detail::TextHandle handle(text);
  detail::check(code, error);
  return detail::text_of(signet_text_data, handle.get());
}

/// The same for a given machine identifier.
inline std::string hardware_id_of(std::string_view owner_id, std::string_view machine_id) {
  signet_text* text = nullptr;
  signet_error* error = nullptr;
  const auto code =
      signet_hardware_id_of(owner_id.data(), owner_id.size(), machine_id.data(), machine_id.size(), &text, &error);
  const detail::TextHandle handle(text);
  detail::check(code, error);
  return detail::text_of(signet_text_data, handle.get());
}

/// The library's sentence for customers, for a code such as `LICENSE_BANNED`.
inline std::string customer_message(std::string_view code, std::string_view language) {
  std::size_t length = 0;
  const char* const data = signet_customer_message(code.data(), code.size(), language.data(), language.size(), &length);
  return detail::text(data, length);
}

}  // namespace signet
