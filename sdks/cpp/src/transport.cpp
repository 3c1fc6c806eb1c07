#include "transport.h"

#include "error.h"

namespace signet::internal {
namespace {

constexpr std::size_t kMaxReplyBytes = 1024 * 1024;

}  // namespace

Reply Transport::post(const std::string& path, std::vector<std::string> headers, const std::string& body, Call& call) {
  // Without this, libcurl waits for "100 Continue" before it sends a large body.
  headers.emplace_back("Expect:");
  auto connection = take();
  std::string received;
  const auto receive = [&](const Reply&, std::string_view piece) {
    if (received.size() + piece.size() > kMaxReplyBytes) throw Error("NETWORK", "The answer is larger than 1 MiB.");
    received.append(piece);
  };
  // A connection whose transfer failed isn't kept.
  Reply reply = connection->send({config_.server.origin + path, std::move(headers), body}, receive, call);
  keep(std::move(connection));
  reply.body = std::move(received);
  return reply;
}

void Transport::get(const std::string& path, std::vector<std::string> headers, const HttpConnection::BodySink& sink,
                    Call& call, std::int64_t silence_ms) {
  HttpConnection connection(config_, clock_);
  const auto head =
      connection.send({config_.server.origin + path, std::move(headers), std::nullopt}, sink, call, silence_ms);
  // An empty body never reaches the sink, which checks the status.
  sink(head, {});
}

void Transport::close() {
  const std::lock_guard lock(mutex_);
  idle_.reset();
}

std::unique_ptr<HttpConnection> Transport::take() {
  {
    const std::lock_guard lock(mutex_);
    if (idle_) return std::move(idle_);
  }
  return std::make_unique<HttpConnection>(config_, clock_);
}

void Transport::keep(std::unique_ptr<HttpConnection> connection) {
  const std::lock_guard lock(mutex_);
  if (!idle_) idle_ = std::move(connection);
}

}  // namespace signet::internal
