#include "heartbeat.h"

#include <algorithm>

namespace signet::internal {
namespace {

constexpr std::int64_t kFirstRetryMs = 2'000;
constexpr std::int64_t kMaxRetryAfterSeconds = 86'400;
/// How long the thread waits at a time, and by how much the wall clock may get ahead before the machine has slept.
constexpr std::int64_t kSliceMs = 5'000;
constexpr std::int64_t kSleepMs = 10'000;
constexpr std::int64_t kRestMs = 60'000;

}  // namespace

void Heartbeat::run(const Actions& actions) {
  std::unique_lock lock(mutex_);
  while (!is_stopped_) {
    if (!has_session_) {
      clock_.wait(changed_, lock, kRestMs);
    } else if (clock_.steady_ms() >= due_ms_) {
      beat_once(lock, actions);
    } else {
      wait_for_next(lock, actions);
    }
  }
}

void Heartbeat::begin(std::uint64_t sign_in) {
  const std::lock_guard lock(mutex_);
  if (sign_in < sign_in_ || (sign_in == sign_in_ && !has_session_)) return;
  sign_in_ = sign_in;
  ++round_;
  has_session_ = true;
  retry_ms_ = kFirstRetryMs;
  last_error_.reset();
  due_ms_ = clock_.steady_ms() + with_jitter(interval_ms_);
  clock_gap_ms_ = clock_.wall_ms() - clock_.steady_ms();
  changed_.notify_all();
}

void Heartbeat::rest(std::uint64_t sign_in) {
  const std::lock_guard lock(mutex_);
  if (sign_in < sign_in_) return;
  sign_in_ = sign_in;
  ++round_;
  has_session_ = false;
}

void Heartbeat::stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  changed_.notify_all();
}

void Heartbeat::wait_for_next(std::unique_lock<std::mutex>& lock, const Actions& actions) {
  const auto now = clock_.steady_ms();
  const auto interruption = actions.interruption_due();
  if (interruption && now >= *interruption) {
    const auto error = last_error_.value_or(Error("NETWORK", "The server hasn't been heard in time."));
    lock.unlock();
    actions.interrupt(error);
    lock.lock();
    return;
  }
  const auto next = interruption ? std::min(*interruption, due_ms_) : due_ms_;
  clock_.wait(changed_, lock, std::min(next - now, kSliceMs));
  const auto gap = clock_.wall_ms() - clock_.steady_ms();
  const bool has_slept = gap - clock_gap_ms_ > kSleepMs;
  clock_gap_ms_ = gap;
  if (has_slept) due_ms_ = clock_.steady_ms();
}

void Heartbeat::beat_once(std::unique_lock<std::mutex>& lock, const Actions& actions) {
  const auto round = round_;
  std::optional<Error> failure;
  lock.unlock();
  try {
    actions.beat();
  } catch (const Error& error) {
    failure = error;
  } catch (const std::exception& error) {
    failure = Error("INTERNAL_ERROR", error.what());
  }
  lock.lock();
  if (round != round_) return;
  last_error_ = failure;
  if (!failure) {
    retry_ms_ = kFirstRetryMs;
    due_ms_ = clock_.steady_ms() + with_jitter(interval_ms_);
    return;
  }
  auto pause = with_jitter(std::min(retry_ms_, interval_ms_));
  if (failure->retry_after) {
    const auto seconds = std::min<double>(*failure->retry_after, kMaxRetryAfterSeconds);
    pause = std::max(pause, static_cast<std::int64_t>(seconds * 1000));
  }
  retry_ms_ = std::min(retry_ms_ * 2, std::max(interval_ms_, kFirstRetryMs));
  due_ms_ = clock_.steady_ms() + pause;
}

std::int64_t Heartbeat::with_jitter(std::int64_t ms) {
  return ms * std::uniform_int_distribution<std::int64_t>(900, 1100)(random_) / 1000;
}

}  // namespace signet::internal
