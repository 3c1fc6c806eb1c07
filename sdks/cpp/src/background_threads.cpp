#include "background_threads.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace signet::internal {
namespace {

/// The threads to which the calling thread belongs, if it is one of a client's.
thread_local const void* current_owner = nullptr;

}  // namespace

BackgroundThreads::~BackgroundThreads() {
  join_ended();
  for (auto& thread : threads_) thread.detach();
}

void BackgroundThreads::start(std::function<void()> work) {
  join_ended();
  {
    const std::lock_guard lock(state_->mutex);
    ++state_->running;
  }
  auto run = [work = std::move(work), state = state_]() mutable {
    current_owner = state.get();
    work();
    // What the work owns goes first, so that nothing of a client is left once its threads have ended.
    work = nullptr;
    const std::lock_guard lock(state->mutex);
    --state->running;
    state->ended.push_back(std::this_thread::get_id());
    state->changed.notify_all();
  };
  try {
    const std::lock_guard lock(threads_mutex_);
    threads_.reserve(threads_.size() + 1);
    threads_.emplace_back(std::move(run));
  } catch (...) {
    const std::lock_guard lock(state_->mutex);
    --state_->running;
    throw;
  }
}

bool BackgroundThreads::wait_until_ended(std::int64_t ms) {
  const int self = current_owner == state_.get() ? 1 : 0;
  bool has_ended = false;
  {
    std::unique_lock lock(state_->mutex);
    has_ended = state_->changed.wait_for(lock, std::chrono::milliseconds(ms), [&] { return state_->running <= self; });
  }
  join_ended();
  return has_ended;
}

/// Waits for the last moments of threads whose work is done, in which OpenSSL and libcurl tidy up.
void BackgroundThreads::join_ended() {
  const std::lock_guard lock(threads_mutex_);
  std::vector<std::thread::id> ended;
  {
    const std::lock_guard state_lock(state_->mutex);
    ended.swap(state_->ended);
  }
  const auto is_left = [&](const std::thread& thread) {
    return std::find(ended.begin(), ended.end(), thread.get_id()) == ended.end();
  };
  const auto first_ended = std::stable_partition(threads_.begin(), threads_.end(), is_left);
  std::for_each(first_ended, threads_.end(), [](std::thread& thread) { thread.join(); });
  threads_.erase(first_ended, threads_.end());
}

}  // namespace signet::internal
