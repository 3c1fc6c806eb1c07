#include "client.h"

#include "bounded_json.h"
#include "hardware_id.h"
#include "http_connection.h"
#include "license_key.h"

namespace signet::internal {
namespace {

// Together they stay below the 2 seconds that closing may take.
constexpr std::int64_t kLogoutMs = 1'400;
constexpr std::int64_t kCloseMs = 1'500;
constexpr std::int64_t kAbortMs = 300;

}  // namespace

std::shared_ptr<Client> Client::create(Settings settings, const Clock& clock) {
  auto config = check_settings(std::move(settings));
  if (!config.settings.fingerprints.empty() && !can_check_fingerprints()) {
    throw Error("INVALID_CONFIGURATION", "Fingerprints need a libcurl that uses OpenSSL.");
  }
  return std::make_shared<Client>(std::move(config), clock);
}

Client::Client(Config config, const Clock& clock)
    : config_(std::move(config)),
      clock_(clock),
      transport_(config_, clock_),
      exchange_(config_, clock_, transport_),
      state_(clock_, config_.settings.heartbeat_interval_ms, config_.settings.grace_ms),
      heartbeat_(clock_, config_.settings.heartbeat_interval_ms),
      calls_(clock_) {}

ActiveCalls::Scope Client::begin_call(CallKind kind) {
  return calls_.begin(kind, config_.settings.timeout_ms);
}

App Client::init() {
  auto scope = begin_call();
  auto [token, app] = open_session(scope.call());
  state_.keep_pending(std::move(token));
  return app;
}

Session Client::license(std::string_view key) {
  return sign_in("license", {{"key", trim_license_key(key)}});
}

Session Client::login(const std::string& username, const std::string& password,
                      const std::optional<std::string>& license_key) {
  Json fields = {{"username", username}, {"password", password}};
  if (license_key) fields["licenseKey"] = trim_license_key(*license_key);
  return sign_in("login", std::move(fields));
}

Session Client::register_user(const std::string& username, const std::string& password, std::string_view license_key,
                              const std::optional<std::string>& email) {
  Json fields = {{"username", username}, {"password", password}, {"licenseKey", trim_license_key(license_key)}};
  if (email) fields["email"] = *email;
  return sign_in("register", std::move(fields));
}

Session Client::upgrade(std::string_view license_key) {
  auto scope = begin_call();
  const auto sign_in = state_.require_upgradable();
  auto session =
      session_of(call_signed_in("upgrade", {{"licenseKey", trim_license_key(license_key)}}, sign_in, scope.call()));
  keep_upgraded(sign_in, session);
  return session;
}

Session Client::heartbeat() {
  auto scope = begin_call();
  return beat(state_.require_current(), scope.call());
}

std::string Client::variable(const std::string& name) {
  auto scope = begin_call();
  return text_field(call_in_any_session("variable", {{"name", name}}, scope.call()), "value");
}

std::string Client::user_variable(const std::string& name) {
  auto scope = begin_call();
  const auto sign_in = state_.require_current();
  return text_field(call_signed_in("user-variable", {{"name", name}}, sign_in, scope.call()), "value");
}

void Client::set_user_variable(const std::string& name, const std::string& value) {
  auto scope = begin_call();
  call_signed_in("set-user-variable", {{"name", name}, {"value", value}}, state_.require_current(), scope.call());
}

void Client::log(const std::string& message) {
  auto scope = begin_call();
  call_in_any_session("log", {{"message", message}}, scope.call());
}

DownloadedFile Client::download(const std::string& id, const std::string& path) {
  const auto timeout_ms = config_.settings.timeout_ms;
  auto scope = begin_call();
  const auto ask = [&] {
    scope.call().restart(timeout_ms);
    auto offer = file_offer_of(call_in_any_session("download", {{"id", id}}, scope.call()));
    scope.call().restart(std::nullopt);
    return offer;
  };
  return download_file(ask, transport_, scope.call(), path, timeout_ms);
}

WebhookAnswer Client::call_webhook(const std::string& id, const std::string& params) {
  auto object = parse_object(params);
  if (!object) throw Error("MALFORMED_REQUEST", "The parameters of a webhook are a JSON object.");
  auto scope = begin_call();
  return webhook_answer_of(
      call_in_any_session("call-webhook", {{"id", id}, {"params", *std::move(object)}}, scope.call()));
}

void Client::change_password(const std::string& password, const std::string& new_password) {
  auto scope = begin_call();
  call_signed_in("change-password", {{"password", password}, {"newPassword", new_password}}, state_.require_current(),
                 scope.call());
}

void Client::request_password_reset(const std::string& username) {
  auto scope = begin_call();
  call_in_any_session("request-password-reset", {{"username", username}}, scope.call());
}

void Client::logout() {
  auto scope = begin_call();
  const auto left = state_.leave();
  heartbeat_.rest(left.number);
  calls_.cancel(CallKind::kHeartbeat);
  if (left.token.empty()) return;
  try {
    exchange_.call("logout", Json::object(), left.token, scope.call());
  } catch (const Error& error) {
    // A session that is gone is what was asked for.
    if (!error.is_session_gone()) throw;
  }
}

void Client::close() {
  if (!calls_.close()) return;
  calls_.cancel(CallKind::kProgram);
  calls_.cancel(CallKind::kHeartbeat);
  heartbeat_.stop();
  auto token = state_.leave().token;
  if (!token.empty()) log_out_quietly(std::move(token), kLogoutMs);
  if (!threads_.wait_until_ended(kCloseMs)) {
    calls_.cancel(CallKind::kLogout);
    threads_.wait_until_ended(kAbortMs);
  }
  transport_.close();
}

}  // namespace signet::internal
