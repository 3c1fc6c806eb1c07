#pragma once

#include <string>
#include <string_view>

namespace signet::fuzz {

/// Reads bytes as every part of a reply that comes before or after its signature. Returns a short summary; aborts if
/// something that isn't signed was accepted.
std::string parse_reply(std::string_view bytes);

}  // namespace signet::fuzz
