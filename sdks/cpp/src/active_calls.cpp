#include "active_calls.h"

#include <utility>

#include "error.h"

namespace signet::internal {

ActiveCalls::Scope ActiveCalls::begin(CallKind kind, std::optional<std::int64_t> limit_ms) {
  auto call = std::make_shared<Call>(clock_, limit_ms);
  const std::lock_guard lock(mutex_);
  if (is_closed_ && kind != CallKind::kLogout) throw Error("CANCELLED", "The client is closed.");
  calls_.emplace(call, kind);
  return {*this, std::move(call)};
}

void ActiveCalls::cancel(CallKind kind) {
  const std::lock_guard lock(mutex_);
  for (const auto& [call, kind_of_call] : calls_) {
    if (kind_of_call == kind) call->cancel();
  }
}

bool ActiveCalls::close() {
  const std::lock_guard lock(mutex_);
  return !std::exchange(is_closed_, true);
}

bool ActiveCalls::is_closed() const {
  const std::lock_guard lock(mutex_);
  return is_closed_;
}

void ActiveCalls::remove(const std::shared_ptr<Call>& call) {
  const std::lock_guard lock(mutex_);
  calls_.erase(call);
}

}  // namespace signet::internal
