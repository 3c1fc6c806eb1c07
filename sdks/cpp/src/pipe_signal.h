#pragma once

#if !defined(_WIN32)
#include <csignal>
#include <ctime>
#endif

namespace signet::internal {

#if defined(_WIN32)

class PipeSignalBlock {
 public:
  PipeSignalBlock() {}
  ~PipeSignalBlock() {}
};

#else

/// Keeps SIGPIPE from this thread as long as it lives: writing to a TLS connection that the server closed can raise it
/// in older versions of libcurl, and would end the program. The program's own handler stays as it is.
class PipeSignalBlock {
 public:
  PipeSignalBlock() {
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }

  ~PipeSignalBlock() {
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    if (!was_pending_ && sigismember(&pending, SIGPIPE) == 1) {
#if defined(__APPLE__)
      int received = 0;
      sigwait(&pipe_, &received);
#else
      const timespec no_time = {};
      sigtimedwait(&pipe_, nullptr, &no_time);
#endif
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

  PipeSignalBlock(const PipeSignalBlock&) = delete;
  PipeSignalBlock& operator=(const PipeSignalBlock&) = delete;

 private:
  sigset_t pipe_;
  sigset_t before_;
  bool was_pending_ = false;
};

#endif

}  // namespace signet::internal
