#include "merkle_path.h"

#include "crypto.h"
#include "wire.h"

namespace signet::internal {
namespace {

constexpr std::size_t kStepBytes = 33;
constexpr std::size_t kMaxSteps = 16;

std::string hash_of(char mark, std::string_view first, std::string_view second) {
  std::string bytes(1, mark);
  bytes.append(first).append(second);
  return sha256(bytes);
}

}  // namespace

std::optional<std::string> merkle_root(std::string_view message, std::string_view path) {
  const auto steps = decode_base64url(path);
  if (!steps || steps->size() % kStepBytes != 0 || steps->size() > kMaxSteps * kStepBytes) return std::nullopt;
  std::string hash = hash_of('\x00', message, {});
  for (std::size_t at = 0; at < steps->size(); at += kStepBytes) {
    const char side = (*steps)[at];
    const auto sibling = std::string_view(*steps).substr(at + 1, kStepBytes - 1);
    if (side != 0 && side != 1) return std::nullopt;
    hash = side == 0 ? hash_of('\x01', sibling, hash) : hash_of('\x01', hash, sibling);
  }
  return hash;
}

}  // namespace signet::internal
