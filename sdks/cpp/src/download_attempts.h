#pragma once

#include <cstdint>
#include <random>

#include "call.h"
#include "error.h"

namespace signet::internal {

/// Something else stands where the bytes of a file should be, so that asking again doesn't help.
class NotTheFile : public Error {
 public:
  explicit NotTheFile(long status)
      : Error("NETWORK", "The server answers " + std::to_string(status) + " instead of the file.") {}
};

/// The attempts of one download, which all of its steps share: as docs/protocol.md says, for all clients.
class DownloadAttempts {
 public:
  DownloadAttempts(Call& call, std::int64_t timeout_ms) : call_(call), timeout_ms_(timeout_ms) {}

  /// Throws what an attempt threw that was the last one, or that no other attempt helps.
  template <typename Attempt>
  auto repeat(const Attempt& attempt) {
    for (;;) {
      std::int64_t wait_ms = 0;
      try {
        return attempt();
      } catch (const Error& error) {
        if (!fail(error)) throw;
        wait_ms = wait_after(error);
      }
      call_.wait(wait_ms);
    }
  }

 private:
  /// Whether another attempt follows.
  bool fail(const Error& error);
  std::int64_t wait_after(const Error& error);

  Call& call_;
  const std::int64_t timeout_ms_;
  int failed_ = 0;
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace signet::internal
