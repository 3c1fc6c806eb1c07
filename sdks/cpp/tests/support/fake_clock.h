#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <thread>

#include "clock.h"

namespace signet::testing {

/// A clock that only tests move. Waits are short real ones, after which the waiting thread looks at this clock again.
class FakeClock : public internal::Clock {
 public:
  std::int64_t wall_ms() const override { return wall_ms_; }
  std::int64_t steady_ms() const override { return steady_ms_; }

  void wait(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, std::int64_t) const override {
    ++waits_;
    changed.wait_for(lock, std::chrono::milliseconds(2));
  }

  /// How often a thread began to wait.
  int waits() const { return waits_; }

  void advance(std::int64_t ms) {
    wall_ms_ += ms;
    steady_ms_ += ms;
  }
  /// The machine sleeps: only the wall clock goes on.
  void sleep(std::int64_t ms) { wall_ms_ += ms; }

 private:
  mutable std::atomic<int> waits_{0};
  std::atomic<std::int64_t> wall_ms_{1'800'000'000'000};
  std::atomic<std::int64_t> steady_ms_{1'000'000};
};

/// Waits in real time, with a generous limit, for something that happens in another thread.
template <typename Predicate>
bool eventually(Predicate predicate) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (std::chrono::steady_clock::now() < end) {
    if (predicate()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

}  // namespace signet::testing
