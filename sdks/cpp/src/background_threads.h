#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

namespace signet::internal {

/// Threads that outlive the client if they hang, so that closing never waits for them longer than it wants.
class BackgroundThreads {
 public:
  /// `work` must own everything that it uses.
  void start(std::function<void()> work);

  /// Whether all threads but the calling one ended within this time.
  bool wait_until_ended(std::int64_t ms);

 private:
  struct Count {
    std::mutex mutex;
    std::condition_variable changed;
    int running = 0;
  };
  const std::shared_ptr<Count> count_ = std::make_shared<Count>();
};

}  // namespace signet::internal
