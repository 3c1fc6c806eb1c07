#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace signet::internal {

/// Both clocks in milliseconds. A parameter, so that tests don't sleep.
class Clock {
 public:
  virtual ~Clock() = default;

  /// Unix time.
  virtual std::int64_t wall_ms() const = 0;
  /// Never goes back.
  virtual std::int64_t steady_ms() const = 0;
  /// Returns after `ms`, when notified, or earlier.
  virtual void wait(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, std::int64_t ms) const = 0;
};

const Clock& system_clock();

}  // namespace signet::internal
