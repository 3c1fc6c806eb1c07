#pragma once

#include <deque>
#include <functional>
#include <mutex>

namespace signet::internal {

/// Tells the program of events, one at a time and in the order in which they happened. Thread-safe.
class EventQueue {
 public:
  /// Makes a change that an event may tell of, and queues that event: changes and events have one order.
  template <typename Change>
  void record(Change change) {
    const std::lock_guard lock(mutex_);
    if (auto event = change()) waiting_.push_back(std::move(event));
  }

  /// Calls the program, without a lock, unless another thread does; that one goes on with what is waiting.
  void deliver();

 private:
  std::mutex mutex_;
  std::deque<std::function<void()>> waiting_;
  bool is_delivering_ = false;
};

}  // namespace signet::internal
