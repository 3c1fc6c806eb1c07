#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace signet::internal {

// Bytes are held in std::string, as OpenSSL, libcurl and JSON all take char pointers.

/// LP of docs/protocol.md: each part after its length as 4 big-endian bytes.
std::string length_prefixed(std::initializer_list<std::string_view> parts);

std::string encode_base64url(std::string_view bytes);

/// Strict: nothing for text that doesn't encode to itself again.
std::optional<std::string> decode_base64url(std::string_view text);

std::string encode_hex(std::string_view bytes);

bool is_hex_sha256(std::string_view text);

std::string lower_ascii(std::string_view text);

/// `X-Signet-App`: the name is encoded as by JavaScript's encodeURIComponent.
std::string app_header(std::string_view owner_id, std::string_view app_name);

/// 24 random bytes as 32 characters.
std::string new_nonce();

}  // namespace signet::internal
