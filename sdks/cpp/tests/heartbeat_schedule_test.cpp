#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "fake_clock.h"
#include "heartbeat.h"

namespace signet::internal {
namespace {

using testing::eventually;
using testing::FakeClock;

constexpr std::int64_t kIntervalMs = 60'000;

/// The schedule alone, without a client.
class ScheduleTest : public ::testing::Test {
 protected:
  ~ScheduleTest() override {
    heartbeat_.stop();
    thread_.join();
  }

  /// When the next beat comes, in milliseconds from now.
  std::int64_t next_beat(std::int64_t step_ms = 250) {
    const auto before = clock_.steady_ms();
    const auto count = beats_.load();
    const bool has_come = eventually([&] {
      if (beats_ > count) return true;
      clock_.advance(step_ms);
      return false;
    });
    return has_come ? beat_at_ - before : -1;
  }

  FakeClock clock_;
  std::mutex mutex_;
  std::optional<Error> failure_;
  std::atomic<int> beats_{0};
  std::atomic<std::int64_t> beat_at_{0};
  Heartbeat heartbeat_{clock_, kIntervalMs};
  std::thread thread_{[this] {
    const auto beat = [this] {
      beat_at_ = clock_.steady_ms();
      std::optional<Error> failure;
      {
        const std::lock_guard lock(mutex_);
        failure = failure_;
      }
      ++beats_;
      if (failure) throw *failure;
    };
    heartbeat_.run({beat, [] { return std::nullopt; }, [](const Error&) {}});
  }};
};

TEST_F(ScheduleTest, BeatsComeAtTheIntervalWithTenPercentOfJitter) {
  heartbeat_.begin(1);
  for (int i = 0; i < 3; ++i) {
    const auto pause = next_beat();
    EXPECT_GE(pause, kIntervalMs * 9 / 10);
    // The clock goes on while the thread looks away for a moment.
    EXPECT_LE(pause, kIntervalMs * 3);
  }
}

TEST_F(ScheduleTest, AfterFailuresThePausesGrowUpToTheInterval) {
  {
    const std::lock_guard lock(mutex_);
    failure_ = Error("NETWORK", "");
  }
  heartbeat_.begin(1);
  next_beat();
  for (const std::int64_t pause : {2'000, 4'000, 8'000, 16'000, 32'000, 60'000, 60'000}) {
    EXPECT_GE(next_beat(), pause * 9 / 10 - 250);
  }
  EXPECT_LE(next_beat(), kIntervalMs * 3);
}

TEST_F(ScheduleTest, TheEndOfASignInEndsNoBeatsOfALaterOne) {
  heartbeat_.begin(1);
  heartbeat_.begin(2);
  heartbeat_.rest(1);
  EXPECT_GE(next_beat(), kIntervalMs * 9 / 10);
}

TEST_F(ScheduleTest, ASignInThatHasEndedBeginsNoBeats) {
  heartbeat_.rest(2);
  heartbeat_.begin(2);
  heartbeat_.begin(1);
  clock_.advance(10 * kIntervalMs);
  const auto waits = clock_.waits();
  EXPECT_TRUE(eventually([&] { return clock_.waits() > waits + 2; }));
  EXPECT_EQ(beats_, 0);
}

TEST_F(ScheduleTest, ABeatWaitsAsLongAsTheServerAsks) {
  {
    const std::lock_guard lock(mutex_);
    failure_ = Error("RATE_LIMITED", "");
    failure_->status = 429;
    failure_->retry_after = 500;
  }
  heartbeat_.begin(1);
  next_beat();
  EXPECT_GE(next_beat(2'000), 498'000);
}

}  // namespace
}  // namespace signet::internal
