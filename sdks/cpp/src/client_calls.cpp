#include <algorithm>
#include <chrono>
#include <exception>

#include "client.h"
#include "hardware_id.h"
#include "program_hash.h"
#include "version.h"

namespace signet::internal {
namespace {

/// How long a sign-in waits for another at a time, before it looks whether it was cancelled.
constexpr std::chrono::milliseconds kTurnSlice{50};

/// A verified no to the program itself, which another attempt doesn't change.
bool is_no(const Error& error) {
  return error.is_signed() && (error.verdict() == Verdict::kLost || error.verdict() == Verdict::kRequest);
}

/// Whether the error of a call made in the signed-in session ends that session.
bool ends_session(const std::string& name, const Error& error) {
  if (!is_no(error)) return false;
  if (name == "heartbeat") return true;
  // These answers are about the key or the name that was typed.
  if (name == "upgrade" || name == "request-password-reset") {
    return error.verdict() == Verdict::kLost && error.is_session_gone();
  }
  return error.verdict() == Verdict::kLost;
}

}  // namespace

std::pair<std::string, App> Client::open_session(Call& call) {
  auto fields = program_fields();
  fields["sdk"] = kSdk;
  const auto answer = exchange_.call("init", fields, {}, call);
  return {session_token_of(answer), app_of(answer)};
}

Json Client::program_fields() {
  Json fields = {{"version", config_.settings.version}};
  if (config_.settings.program_hash) fields["hash"] = *config_.settings.program_hash;
  if (config_.settings.hash_running_program) {
    const std::lock_guard lock(mutex_);
    if (!program_hash_) program_hash_ = hash_of_running_program();
    fields["hash"] = *program_hash_;
  }
  return fields;
}

std::string Client::hwid() const {
  return config_.settings.hwid ? *config_.settings.hwid : hardware_id(config_.settings.owner_id);
}

Json Client::call_in_any_session(const std::string& name, const Json& fields, Call& call) {
  if (const auto current = state_.current()) return call_signed_in(name, fields, *current, call);
  auto token = state_.pending();
  if (!token.empty()) {
    try {
      return exchange_.call(name, fields, token, call);
    } catch (const Error& error) {
      if (!error.is_session_gone()) throw;
      state_.drop_pending(token);
    }
  }
  token = open_session(call).first;
  state_.keep_pending(token);
  return exchange_.call(name, fields, token, call);
}

Json Client::call_signed_in(const std::string& name, const Json& fields, const SignIn& sign_in, Call& call) {
  try {
    return call_and_renew(name, fields, sign_in, call);
  } catch (const Error& error) {
    if (ends_session(name, error)) end(sign_in, error);
    throw;
  }
}

Json Client::call_and_renew(const std::string& name, const Json& fields, const SignIn& sign_in, Call& call) {
  try {
    return exchange_.call(name, fields, sign_in.token, call);
  } catch (const Error& error) {
    if (!error.is_signed() || error.code != "SESSION_EXPIRED") throw;
  }
  renew(sign_in, call);
  return exchange_.call(name, fields, sign_in.token, call);
}

void Client::renew(const SignIn& sign_in, Call& call) {
  auto fields = program_fields();
  fields["hwid"] = hwid();
  try {
    keep_session(sign_in, session_of(exchange_.call("renew", fields, sign_in.token, call)));
  } catch (const Error& error) {
    if (is_no(error)) end(sign_in, error);
    throw;
  }
}

void Client::keep_session(const SignIn& sign_in, Session session) {
  const auto left = expires_in_ms(session);
  events_.record([&]() -> std::function<void()> {
    if (!state_.update(sign_in, std::move(session), left)) return nullptr;
    return unless_closed(config_.settings.events.on_resumed);
  });
  events_.deliver();
}

void Client::keep_upgraded(const SignIn& sign_in, const Session& session) {
  using Upgrade = SessionState::Upgrade;
  start_heartbeat_once();
  const auto left = expires_in_ms(session);
  auto upgrade = Upgrade::kNothing;
  events_.record([&]() -> std::function<void()> {
    upgrade = state_.upgrade(sign_in, session, left);
    return upgrade == Upgrade::kResumes ? unless_closed(config_.settings.events.on_resumed) : nullptr;
  });
  if (upgrade == Upgrade::kRevives) begin_beating();
  events_.deliver();
}

void Client::end(const SignIn& sign_in, const Error& error) {
  events_.record([&]() -> std::function<void()> {
    if (!state_.end(sign_in, error)) return nullptr;
    heartbeat_.rest(sign_in.number);
    return lost_event(error);
  });
  events_.deliver();
}

void Client::interrupt(const Error& error) {
  const auto current = state_.current();
  if (!current) return;
  events_.record([&]() -> std::function<void()> {
    const auto& on_interrupted = config_.settings.events.on_interrupted;
    if (!state_.interrupt_if_due(*current) || !on_interrupted) return nullptr;
    return unless_closed([&on_interrupted, error] { on_interrupted(error); });
  });
  events_.deliver();
}

std::function<void()> Client::lost_event(const Error& error) {
  const auto& on_lost = config_.settings.events.on_lost;
  if (!on_lost) return nullptr;
  return unless_closed([&on_lost, error] { on_lost(error); });
}

std::function<void()> Client::unless_closed(std::function<void()> event) {
  if (!event) return nullptr;
  return [this, event = std::move(event)] {
    if (!calls_.is_closed()) event();
  };
}

std::int64_t Client::expires_in_ms(const Session& session) const {
  constexpr std::int64_t max_seconds = 1'000'000'000'000;
  return std::clamp(session.expires_at, -max_seconds, max_seconds) * 1000 - exchange_.now_ms();
}

Session Client::sign_in(const std::string& name, Json fields) {
  auto scope = begin_call();
  auto& call = scope.call();
  fields["hwid"] = hwid();
  (void)json_text(fields);  // throws before a session is opened in vain
  auto turn = take_sign_in_turn(call);
  state_.begin_sign_in();
  std::optional<Session> session;
  std::exception_ptr failure;
  try {
    session = sign_in_anew(name, fields, call);
  } catch (...) {
    failure = std::current_exception();
  }
  events_.record([&]() -> std::function<void()> {
    const auto loss = state_.end_sign_in();
    if (!loss) return nullptr;
    heartbeat_.rest(loss->first.number);
    return lost_event(loss->second);
  });
  // The program may sign in again when it hears of the loss.
  turn.unlock();
  events_.deliver();
  if (failure) std::rethrow_exception(failure);
  return *std::move(session);
}

/// One sign-in at a time: the server may end the session of one for the other, in the order in which it hears them.
std::unique_lock<std::timed_mutex> Client::take_sign_in_turn(const Call& call) {
  std::unique_lock turn(sign_in_turn_, std::defer_lock);
  while (!turn.try_lock_for(kTurnSlice)) call.check();
  return turn;
}

Session Client::sign_in_anew(const std::string& name, const Json& fields, Call& call) {
  auto token = state_.take_pending();
  if (!token.empty()) {
    try {
      auto session = session_of(exchange_.call(name, fields, token, call));
      return adopt(std::move(token), std::move(session));
    } catch (const Error& error) {
      // The session of an init of an hour ago may have expired while the customer looked for the key.
      if (!error.is_session_gone()) {
        if (error.is_signed() && state_.pending().empty()) state_.keep_pending(std::move(token));
        throw;
      }
    }
  }
  token = open_session(call).first;
  auto session = session_of(exchange_.call(name, fields, token, call));
  return adopt(std::move(token), std::move(session));
}

Session Client::adopt(std::string token, Session session) {
  start_heartbeat_once();
  auto replaced = state_.adopt(std::move(token), session, expires_in_ms(session));
  begin_beating();
  if (!replaced.empty()) log_out_quietly(std::move(replaced), config_.settings.timeout_ms);
  return session;
}

void Client::begin_beating() {
  if (calls_.is_closed()) {
    state_.leave();
    throw Error("CANCELLED", "The client is closed.");
  }
  // A beat under way is still about the old session.
  calls_.cancel(CallKind::kHeartbeat);
  if (const auto current = state_.current()) heartbeat_.begin(current->number);
}

Session Client::beat(const SignIn& sign_in, Call& call) {
  auto session = session_of(call_signed_in("heartbeat", Json::object(), sign_in, call));
  keep_session(sign_in, session);
  return session;
}

void Client::start_heartbeat_once() {
  if (config_.settings.heartbeat_interval_ms == 0) return;
  const std::lock_guard lock(mutex_);
  if (has_heartbeat_thread_) return;
  threads_.start([self = shared_from_this()] {
    const auto beat = [&] {
      auto scope = self->begin_call(CallKind::kHeartbeat);
      if (const auto current = self->state_.current()) self->beat(*current, scope.call());
    };
    const auto interrupt = [&](const Error& error) { self->interrupt(error); };
    self->heartbeat_.run({beat, [&] { return self->state_.interruption_due(); }, interrupt});
  });
  has_heartbeat_thread_ = true;
}

void Client::log_out_quietly(std::string token, std::int64_t limit_ms) {
  try {
    threads_.start([self = shared_from_this(), token = std::move(token), limit_ms] {
      try {
        auto scope = self->calls_.begin(CallKind::kLogout, limit_ms);
        self->exchange_.call("logout", Json::object(), token, scope.call());
      } catch (const std::exception&) {
        // The server ends the session by itself when it expires.
      }
    });
  } catch (const std::exception&) {
    // No thread could be started.
  }
}

}  // namespace signet::internal
