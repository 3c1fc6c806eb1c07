#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "http_connection.h"

namespace signet::internal {

/// Keeps one connection open between calls. A call that finds it in use opens another one, so no call waits for another
/// one. Thread-safe.
class Transport {
 public:
  Transport(const Config& config, const Clock& clock) : config_(config), clock_(clock) {}

  /// The complete answer, whatever its status; at most 1 MiB.
  Reply post(const std::string& path, std::vector<std::string> headers, const std::string& body, Call& call);

  /// Over a connection of its own. `silence_ms` limits how long nothing may arrive.
  void get(const std::string& path, std::vector<std::string> headers, const HttpConnection::BodySink& sink, Call& call,
           std::int64_t silence_ms);

  /// Closes the kept connection.
  void close();

 private:
  std::unique_ptr<HttpConnection> take();
  void keep(std::unique_ptr<HttpConnection> connection);

  const Config& config_;
  const Clock& clock_;
  std::mutex mutex_;
  std::unique_ptr<HttpConnection> idle_;
};

}  // namespace signet::internal
