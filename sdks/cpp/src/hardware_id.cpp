#include "hardware_id.h"

#include "crypto.h"
#include "error.h"
#include "license_key.h"
#include "machine_id.h"
#include "wire.h"

namespace signet::internal {
namespace {

constexpr std::size_t kMinHexDigits = 16;

bool is_unique(std::string_view machine_id) {
  std::string digits;
  for (const char c : machine_id) {
    if (std::string_view("0123456789abcdef").find(c) != std::string_view::npos) digits.push_back(c);
  }
  return digits.size() >= kMinHexDigits && digits.find_first_not_of(digits[0]) != std::string::npos;
}

}  // namespace

std::optional<std::string> hardware_id_of(std::string_view owner_id, std::string_view machine_id) {
  const auto cleaned = lower_ascii(trim_white_space(machine_id));
  if (!is_unique(cleaned)) return std::nullopt;
  return encode_hex(sha256(length_prefixed({"signet/v1/hwid", owner_id, cleaned})));
}

std::string hardware_id(std::string_view owner_id) {
  for (const auto& candidate : machine_id_candidates()) {
    if (auto id = hardware_id_of(owner_id, candidate)) return *std::move(id);
  }
  throw Error("HWID_UNAVAILABLE", "This machine has no permanent identifier that a license can be bound to.");
}

}  // namespace signet::internal
