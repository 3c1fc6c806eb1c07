#include "event_queue.h"

#include <utility>

namespace signet::internal {

void EventQueue::deliver() {
  std::unique_lock lock(mutex_);
  if (is_delivering_) return;
  is_delivering_ = true;
  while (!waiting_.empty()) {
    const auto event = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    try {
      event();
    } catch (...) {
      // What a callback throws ends nothing.
    }
    lock.lock();
  }
  is_delivering_ = false;
}

}  // namespace signet::internal
