#include "clock.h"

#include <chrono>

namespace signet::internal {
namespace {

class SystemClock : public Clock {
 public:
  std::int64_t wall_ms() const override { return ms(std::chrono::system_clock::now()); }
  std::int64_t steady_ms() const override { return ms(std::chrono::steady_clock::now()); }

  void wait(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, std::int64_t ms) const override {
    changed.wait_for(lock, std::chrono::milliseconds(ms));
  }

 private:
  template <typename TimePoint>
  static std::int64_t ms(TimePoint time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
  }
};

}  // namespace

const Clock& system_clock() {
  // Never destroyed: a client with static storage uses it until the program has ended.
  static const auto& clock = *new SystemClock();
  return clock;
}

}  // namespace signet::internal
