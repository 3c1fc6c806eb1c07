#include "background_threads.h"

#include <chrono>
#include <thread>
#include <utility>

namespace signet::internal {
namespace {

/// The threads to which the calling thread belongs, if it is one of a client's.
thread_local const void* current_owner = nullptr;

}  // namespace

void BackgroundThreads::start(std::function<void()> work) {
  {
    const std::lock_guard lock(count_->mutex);
    ++count_->running;
  }
  const auto ended = [count = count_] {
    const std::lock_guard lock(count->mutex);
    --count->running;
    count->changed.notify_all();
  };
  try {
    std::thread([work = std::move(work), count = count_, ended]() mutable {
      current_owner = count.get();
      work();
      // What the work owns goes first, so that nothing of a client is left once its threads have ended.
      work = nullptr;
      ended();
    }).detach();
  } catch (...) {
    ended();
    throw;
  }
}

bool BackgroundThreads::wait_until_ended(std::int64_t ms) {
  const int self = current_owner == count_.get() ? 1 : 0;
  std::unique_lock lock(count_->mutex);
  return count_->changed.wait_for(lock, std::chrono::milliseconds(ms), [&] { return count_->running <= self; });
}

}  // namespace signet::internal
