#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

#include "clock.h"

namespace signet::internal {

/// One call of the program: its deadline and its cancellation. Thread-safe.
class Call {
 public:
  /// Without a limit, only `cancel` ends it.
  Call(const Clock& clock, std::optional<std::int64_t> limit_ms);

  /// Ends the call with `CANCELLED`, at once if it waits for the network.
  void cancel();

  /// Throws `CANCELLED`, or `NETWORK` when the deadline has passed.
  void check() const;

  /// Milliseconds until the deadline, at most `limit_ms`; 0 when the call is over.
  std::int64_t left_ms(std::int64_t limit_ms) const;

  /// Lets time pass, whatever the deadline. Throws `CANCELLED`, at once.
  void wait(std::int64_t ms);

  /// A new deadline from now on; a cancelled call stays cancelled.
  void restart(std::optional<std::int64_t> limit_ms);

  /// Calls `wake` from `cancel` as long as it lives.
  class Waker {
   public:
    Waker(Call& call, std::function<void()> wake);
    ~Waker();
    Waker(const Waker&) = delete;
    Waker& operator=(const Waker&) = delete;

   private:
    Call& call_;
  };

 private:
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::optional<std::int64_t> deadline_;
  bool is_cancelled_ = false;
  std::condition_variable cancelled_;
  std::function<void()> wake_;
};

}  // namespace signet::internal
