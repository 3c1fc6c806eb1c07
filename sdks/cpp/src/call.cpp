#include "call.h"

#include <algorithm>

#include "error.h"

namespace signet::internal {

Call::Call(const Clock& clock, std::optional<std::int64_t> limit_ms) : clock_(clock) {
  restart(limit_ms);
}

void Call::cancel() {
  const std::lock_guard lock(mutex_);
  is_cancelled_ = true;
  cancelled_.notify_all();
  if (wake_) wake_();
}

void Call::check() const {
  const std::lock_guard lock(mutex_);
  if (is_cancelled_) throw Error("CANCELLED", "The call was cancelled.");
  if (deadline_ && clock_.steady_ms() >= *deadline_) throw Error("NETWORK", "The server didn't answer in time.");
}

std::int64_t Call::left_ms(std::int64_t limit_ms) const {
  const std::lock_guard lock(mutex_);
  if (is_cancelled_) return 0;
  if (!deadline_) return limit_ms;
  return std::clamp<std::int64_t>(*deadline_ - clock_.steady_ms(), 0, limit_ms);
}

void Call::wait(std::int64_t ms) {
  std::unique_lock lock(mutex_);
  const auto end = clock_.steady_ms() + ms;
  for (auto now = clock_.steady_ms(); now < end && !is_cancelled_; now = clock_.steady_ms()) {
    clock_.wait(cancelled_, lock, end - now);
  }
  if (is_cancelled_) throw Error("CANCELLED", "The call was cancelled.");
}

void Call::restart(std::optional<std::int64_t> limit_ms) {
  const std::lock_guard lock(mutex_);
  deadline_ = limit_ms ? std::optional(clock_.steady_ms() + *limit_ms) : std::nullopt;
}

Call::Waker::Waker(Call& call, std::function<void()> wake) : call_(call) {
  const std::lock_guard lock(call_.mutex_);
  call_.wake_ = std::move(wake);
}

Call::Waker::~Waker() {
  const std::lock_guard lock(call_.mutex_);
  call_.wake_ = nullptr;
}

}  // namespace signet::internal
