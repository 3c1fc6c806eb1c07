#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "call.h"

namespace signet::internal {

enum class CallKind { kProgram, kHeartbeat, kLogout };

/// The calls under way, so that they can be cancelled. Thread-safe.
class ActiveCalls {
 public:
  explicit ActiveCalls(const Clock& clock) : clock_(clock) {}

  class Scope {
   public:
    Scope(ActiveCalls& calls, std::shared_ptr<Call> call) : calls_(calls), call_(std::move(call)) {}
    ~Scope() { calls_.remove(call_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

    Call& call() { return *call_; }

   private:
    ActiveCalls& calls_;
    const std::shared_ptr<Call> call_;
  };

  /// Throws `CANCELLED` once closed, except for the logout of closing itself.
  Scope begin(CallKind kind, std::optional<std::int64_t> limit_ms);

  void cancel(CallKind kind);
  /// False if it was closed before.
  bool close();
  bool is_closed() const;

 private:
  void remove(const std::shared_ptr<Call>& call);

  const Clock& clock_;
  mutable std::mutex mutex_;
  bool is_closed_ = false;
  std::map<std::shared_ptr<Call>, CallKind> calls_;
};

}  // namespace signet::internal
