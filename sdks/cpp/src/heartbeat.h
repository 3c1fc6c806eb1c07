#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <random>

#include "clock.h"
#include "error.h"

namespace signet::internal {

/// When to ask: the schedule of the background thread. What asking means is the client's business.
class Heartbeat {
 public:
  struct Actions {
    /// Asks once; throws what went wrong.
    std::function<void()> beat;
    /// When the session counts as interrupted, on the steady clock; nothing if it can't now.
    std::function<std::optional<std::int64_t>()> interruption_due;
    /// Called when that time has come, with the last error.
    std::function<void(const Error&)> interrupt;
  };

  Heartbeat(const Clock& clock, std::int64_t interval_ms) : clock_(clock), interval_ms_(interval_ms) {}

  /// The body of the thread; returns after `stop`.
  void run(const Actions& actions);

  /// Starts counting anew, after the sign-in with this number; does nothing if that has ended or was replaced.
  void begin(std::uint64_t sign_in);
  /// Rests until `begin`, if no later sign-in has begun: the end of one may cross the next.
  void rest(std::uint64_t sign_in);
  void stop();

 private:
  void wait_for_next(std::unique_lock<std::mutex>& lock, const Actions& actions);
  void beat_once(std::unique_lock<std::mutex>& lock, const Actions& actions);
  std::int64_t with_jitter(std::int64_t ms);

  const Clock& clock_;
  const std::int64_t interval_ms_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_stopped_ = false;
  bool has_session_ = false;
  /// Of the latest sign-in that began or ended.
  std::uint64_t sign_in_ = 0;
  /// Increases with each `begin` and `rest`: the result of a beat that began earlier doesn't count.
  std::uint64_t round_ = 0;
  std::int64_t due_ms_ = 0;
  std::int64_t retry_ms_ = 0;
  /// Wall clock minus steady clock when the thread last looked.
  std::int64_t clock_gap_ms_ = 0;
  std::optional<Error> last_error_;
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace signet::internal
