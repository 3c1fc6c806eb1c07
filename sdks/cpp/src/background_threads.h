#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace signet::internal {

/// Threads that outlive the client if they hang, so that closing never waits for them longer than it wants.
class BackgroundThreads {
 public:
  BackgroundThreads() = default;
  ~BackgroundThreads();
  BackgroundThreads(const BackgroundThreads&) = delete;
  BackgroundThreads& operator=(const BackgroundThreads&) = delete;

  /// `work` must own everything that it uses.
  void start(std::function<void()> work);

  /// Whether all threads but the calling one ended within this time.
  bool wait_until_ended(std::int64_t ms);

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    int running = 0;
    std::vector<std::thread::id> ended;
  };

  void join_ended();

  const std::shared_ptr<State> state_ = std::make_shared<State>();
  std::mutex threads_mutex_;
  std::vector<std::thread> threads_;
};

}  // namespace signet::internal
