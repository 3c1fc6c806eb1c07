#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "active_calls.h"
#include "background_threads.h"
#include "download.h"
#include "event_queue.h"
#include "exchange.h"
#include "heartbeat.h"
#include "session_state.h"
#include "settings.h"
#include "transport.h"

namespace signet::internal {

/// The client behind the C interface. Every method throws Error, and may be called from any thread.
class Client : public std::enable_shared_from_this<Client> {
 public:
  static std::shared_ptr<Client> create(Settings settings, const Clock& clock = system_clock());
  explicit Client(Config config, const Clock& clock);

  App init();
  Session license(std::string_view key);
  Session login(const std::string& username, const std::string& password,
                const std::optional<std::string>& license_key = std::nullopt);
  Session register_user(const std::string& username, const std::string& password, std::string_view license_key,
                        const std::optional<std::string>& email);
  Session upgrade(std::string_view license_key);
  Session heartbeat();
  std::string variable(const std::string& name);
  std::string user_variable(const std::string& name);
  void set_user_variable(const std::string& name, const std::string& value);
  void log(const std::string& message);
  DownloadedFile download(const std::string& id, const std::string& path);
  /// `params` is a JSON object.
  WebhookAnswer call_webhook(const std::string& id, const std::string& params);
  void change_password(const std::string& password, const std::string& new_password);
  void request_password_reset(const std::string& username);
  void logout();

  bool is_valid() const { return !calls_.is_closed() && state_.is_valid(); }
  std::optional<Session> session() const { return state_.session(); }
  std::optional<Error> lost() const { return state_.lost(); }

  /// Ends the program's calls under way with `CANCELLED`.
  void cancel() { calls_.cancel(CallKind::kProgram); }
  /// Within 2 seconds; afterwards all calls throw `CANCELLED`.
  void close();

  const Config& config() const { return config_; }

 private:
  using SignIn = SessionState::SignIn;

  ActiveCalls::Scope begin_call(CallKind kind = CallKind::kProgram);

  // client_calls.cpp
  std::pair<std::string, App> open_session(Call& call);
  Json program_fields();
  std::string hwid() const;
  Json call_in_any_session(const std::string& name, const Json& fields, Call& call);
  Json call_signed_in(const std::string& name, const Json& fields, const SignIn& sign_in, Call& call);
  Json call_and_renew(const std::string& name, const Json& fields, const SignIn& sign_in, Call& call);
  void renew(const SignIn& sign_in, Call& call);
  void keep_session(const SignIn& sign_in, Session session);
  void keep_upgraded(const SignIn& sign_in, const Session& session);
  void end(const SignIn& sign_in, const Error& error);
  /// What tells the program of a loss; nothing if it doesn't want to know.
  std::function<void()> lost_event(const Error& error);
  std::int64_t expires_in_ms(const Session& session) const;

  Session sign_in(const std::string& name, Json fields);
  Session sign_in_anew(const std::string& name, const Json& fields, Call& call);
  std::unique_lock<std::timed_mutex> take_sign_in_turn(const Call& call);
  Session adopt(std::string token, Session session);
  void begin_beating();
  Session beat(const SignIn& sign_in, Call& call);
  void start_heartbeat_once();
  void log_out_quietly(std::string token, std::int64_t limit_ms);
  void interrupt(const Error& error);
  /// The event, once the client isn't closed.
  std::function<void()> unless_closed(std::function<void()> event);

  const Config config_;
  const Clock& clock_;
  Transport transport_;
  Exchange exchange_;
  SessionState state_;
  EventQueue events_;
  Heartbeat heartbeat_;
  ActiveCalls calls_;
  BackgroundThreads threads_;

  std::timed_mutex sign_in_turn_;
  std::mutex mutex_;
  bool has_heartbeat_thread_ = false;
  std::optional<std::string> program_hash_;
};

}  // namespace signet::internal
