#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clock.h"
#include "error.h"
#include "server_answers.h"

namespace signet::internal {

/// What the client knows about its sessions. Every method is one step under a lock, and none calls out.
class SessionState {
 public:
  /// One sign-in. What a call learns counts only while its sign-in is the current one.
  struct SignIn {
    std::string token;
    std::uint64_t number = 0;
    /// How many upgrades there were: after another one, a no to an earlier question doesn't count.
    std::uint64_t upgrades = 0;
  };

  /// What a successful upgrade does to the session.
  enum class Upgrade {
    /// Somebody logged out or signed in meanwhile, or the session was lost for another reason than its subscription.
    kNothing,
    kGoesOn,
    kResumes,
    kRevives,
  };

  SessionState(const Clock& clock, std::int64_t interval_ms, std::int64_t grace_ms)
      : clock_(clock), interval_ms_(interval_ms), grace_ms_(grace_ms) {}

  // The session of an init that nobody has signed in to.

  std::string pending() const;
  std::string take_pending();
  void keep_pending(std::string token);
  /// Forgets it if it is still this one.
  void drop_pending(const std::string& token);

  // The session that is signed in.

  std::optional<SignIn> current() const;
  /// Throws the error that ended the session, or `SESSION_REQUIRED`.
  SignIn require_current() const;
  /// The current sign-in, or one whose subscription expired: another license can revive that.
  SignIn require_upgradable() const;

  /// A new sign-in replaces the current one, whose token is returned (empty if there was none).
  std::string adopt(std::string token, Session session, std::int64_t expires_in_ms);
  /// The server was heard about the user of this sign-in. Returns whether that ends an interruption.
  bool update(const SignIn& sign_in, Session session, std::int64_t expires_in_ms);
  /// Another license was redeemed in this sign-in, which starts anew if its subscription has expired.
  Upgrade upgrade(const SignIn& sign_in, Session session, std::int64_t expires_in_ms);
  /// A real no. True exactly once for a sign-in; false also if the loss is held back until `end_sign_in`.
  bool end(const SignIn& sign_in, const Error& error);
  /// Until `end_sign_in`, the end of the current session may be the work of the new sign-in.
  void begin_sign_in();
  /// Returns the loss that was held back, if the session is still the current one.
  std::optional<std::pair<SignIn, Error>> end_sign_in();
  /// Forgets everything. Returns the last sign-in, with the token that the server should forget too, or an empty text.
  SignIn leave();

  bool is_valid() const;
  std::optional<Session> session() const;
  std::optional<Error> lost() const;

  /// Milliseconds on the steady clock at which the session counts as interrupted; nothing if there is no heartbeat,
  /// no session, or an interruption already.
  std::optional<std::int64_t> interruption_due() const;
  /// True once, when the server hasn't been heard for too long.
  bool interrupt_if_due(const SignIn& sign_in);

 private:
  bool is_current(const SignIn& sign_in) const { return is_signed_in_ && sign_in.number == number_; }
  std::int64_t last_valid_ms() const { return last_success_ms_ + interval_ms_ + interval_ms_ / 10 + grace_ms_; }
  /// Another license can revive the session.
  bool is_revivable() const;
  bool update_locked(Session session, std::int64_t expires_in_ms);
  void start_locked(Session session, std::int64_t expires_in_ms);
  void end_locked(const Error& error);

  const Clock& clock_;
  const std::int64_t interval_ms_;
  const std::int64_t grace_ms_;

  mutable std::mutex mutex_;
  std::string pending_;
  bool is_signed_in_ = false;
  std::string token_;
  std::uint64_t number_ = 0;
  std::uint64_t upgrades_ = 0;
  std::optional<Session> session_;
  std::int64_t expires_at_ms_ = 0;
  std::int64_t last_success_ms_ = 0;
  bool is_interrupted_ = false;
  std::optional<Error> lost_;
  bool is_signing_in_ = false;
  std::optional<std::pair<SignIn, Error>> held_loss_;
};

}  // namespace signet::internal
