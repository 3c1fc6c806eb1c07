#include "session_state.h"

#include <utility>

namespace signet::internal {
namespace {

constexpr auto kSubscriptionExpired = "SUBSCRIPTION_EXPIRED";

}  // namespace

std::string SessionState::pending() const {
  const std::lock_guard lock(mutex_);
  return pending_;
}

std::string SessionState::take_pending() {
  const std::lock_guard lock(mutex_);
  return std::exchange(pending_, {});
}

void SessionState::keep_pending(std::string token) {
  const std::lock_guard lock(mutex_);
  pending_ = std::move(token);
}

void SessionState::drop_pending(const std::string& token) {
  const std::lock_guard lock(mutex_);
  if (pending_ == token) pending_.clear();
}

std::optional<SessionState::SignIn> SessionState::current() const {
  const std::lock_guard lock(mutex_);
  return is_signed_in_ ? std::optional(SignIn{token_, number_, upgrades_}) : std::nullopt;
}

SessionState::SignIn SessionState::require_current() const {
  const std::lock_guard lock(mutex_);
  if (is_signed_in_) return {token_, number_, upgrades_};
  if (lost_) throw *lost_;
  throw Error("SESSION_REQUIRED", "Sign in first, with a license key or a password.");
}

SessionState::SignIn SessionState::require_upgradable() const {
  {
    const std::lock_guard lock(mutex_);
    if (is_revivable()) return {token_, number_, upgrades_};
  }
  return require_current();
}

std::string SessionState::adopt(std::string token, Session session, std::int64_t expires_in_ms) {
  const std::lock_guard lock(mutex_);
  auto replaced = is_signed_in_ && token_ != token ? std::move(token_) : std::string();
  token_ = std::move(token);
  start_locked(std::move(session), expires_in_ms);
  return replaced;
}

SessionState::Upgrade SessionState::upgrade(const SignIn& sign_in, Session session, std::int64_t expires_in_ms) {
  const std::lock_guard lock(mutex_);
  if (sign_in.number != number_) return Upgrade::kNothing;
  // A heartbeat may have found meanwhile that the subscription has ended.
  if (is_revivable()) {
    start_locked(std::move(session), expires_in_ms);
    return Upgrade::kRevives;
  }
  if (!is_signed_in_) return Upgrade::kNothing;
  ++upgrades_;
  return update_locked(std::move(session), expires_in_ms) ? Upgrade::kResumes : Upgrade::kGoesOn;
}

bool SessionState::is_revivable() const {
  return lost_ && lost_->code == kSubscriptionExpired;
}

void SessionState::start_locked(Session session, std::int64_t expires_in_ms) {
  ++number_;
  is_signed_in_ = true;
  session_ = std::move(session);
  lost_.reset();
  is_interrupted_ = false;
  last_success_ms_ = clock_.steady_ms();
  expires_at_ms_ = last_success_ms_ + expires_in_ms;
}

bool SessionState::update(const SignIn& sign_in, Session session, std::int64_t expires_in_ms) {
  const std::lock_guard lock(mutex_);
  return is_current(sign_in) && update_locked(std::move(session), expires_in_ms);
}

bool SessionState::update_locked(Session session, std::int64_t expires_in_ms) {
  session_ = std::move(session);
  expires_at_ms_ = clock_.steady_ms() + expires_in_ms;
  last_success_ms_ = clock_.steady_ms();
  return std::exchange(is_interrupted_, false);
}

bool SessionState::end(const SignIn& sign_in, const Error& error) {
  const std::lock_guard lock(mutex_);
  if (!is_current(sign_in)) return false;
  if (sign_in.upgrades != upgrades_) return false;
  if (is_signing_in_ && (error.code == "SESSION_REPLACED" || error.code == "SESSION_ENDED")) {
    held_loss_ = {sign_in, error};
    return false;
  }
  end_locked(error);
  return true;
}

void SessionState::begin_sign_in() {
  const std::lock_guard lock(mutex_);
  is_signing_in_ = true;
}

std::optional<std::pair<SessionState::SignIn, Error>> SessionState::end_sign_in() {
  const std::lock_guard lock(mutex_);
  is_signing_in_ = false;
  auto loss = std::exchange(held_loss_, std::nullopt);
  if (!loss || !is_current(loss->first)) return std::nullopt;
  end_locked(loss->second);
  return loss;
}

void SessionState::end_locked(const Error& error) {
  is_signed_in_ = false;
  is_interrupted_ = false;
  lost_ = error;
}

SessionState::SignIn SessionState::leave() {
  const std::lock_guard lock(mutex_);
  SignIn left{is_signed_in_ ? std::move(token_) : std::move(pending_), number_, upgrades_};
  is_signed_in_ = false;
  is_interrupted_ = false;
  token_.clear();
  pending_.clear();
  session_.reset();
  lost_.reset();
  return left;
}

bool SessionState::is_valid() const {
  const std::lock_guard lock(mutex_);
  if (!is_signed_in_) return false;
  const auto now = clock_.steady_ms();
  return interval_ms_ > 0 ? now <= last_valid_ms() : now <= expires_at_ms_;
}

std::optional<Session> SessionState::session() const {
  const std::lock_guard lock(mutex_);
  return session_;
}

std::optional<Error> SessionState::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

std::optional<std::int64_t> SessionState::interruption_due() const {
  const std::lock_guard lock(mutex_);
  if (!is_signed_in_ || is_interrupted_ || interval_ms_ == 0) return std::nullopt;
  return last_valid_ms() + 1;
}

bool SessionState::interrupt_if_due(const SignIn& sign_in) {
  const std::lock_guard lock(mutex_);
  if (!is_current(sign_in) || is_interrupted_ || interval_ms_ == 0) return false;
  is_interrupted_ = clock_.steady_ms() > last_valid_ms();
  return is_interrupted_;
}

}  // namespace signet::internal
