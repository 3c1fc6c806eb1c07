#include "download_attempts.h"

#include <algorithm>

namespace signet::internal {
namespace {

constexpr int kMaxAttempts = 5;
/// The waits are 1, 2, 4, and 8 parts of the timeout.
constexpr std::int64_t kPartsOfTimeout = 15;
constexpr double kMaxRetryAfterSeconds = 60;

/// Whether the server can be out of reach, or restarting.
bool can_help(const Error& error) {
  if (dynamic_cast<const NotTheFile*>(&error) != nullptr) return false;
  if (!error.is_signed()) return error.code == "NETWORK" || error.code == "UNSIGNED_RESPONSE";
  return error.verdict() == Verdict::kTemporary && error.retry_after.value_or(0) <= kMaxRetryAfterSeconds;
}

}  // namespace

bool DownloadAttempts::fail(const Error& error) {
  ++failed_;
  return failed_ < kMaxAttempts && can_help(error);
}

std::int64_t DownloadAttempts::wait_after(const Error& error) {
  const auto jitter = std::uniform_int_distribution<std::int64_t>(900, 1100)(random_);
  const auto wait_ms = timeout_ms_ * (std::int64_t{1} << (failed_ - 1)) * jitter / (kPartsOfTimeout * 1000);
  return std::max(wait_ms, static_cast<std::int64_t>(error.retry_after.value_or(0) * 1000));
}

}  // namespace signet::internal
