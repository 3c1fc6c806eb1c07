#include "wire.h"

#include <array>
#include <cstdint>

#include "crypto.h"

namespace signet::internal {
namespace {

constexpr std::string_view kBase64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::string_view kUnreservedMarks = "-_.!~*'()";

int base64url_value(char letter) {
  const auto at = kBase64url.find(letter);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

bool is_ascii_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

std::string length_prefixed(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const auto part : parts) {
    const auto size = static_cast<std::uint32_t>(part.size());
    for (const int shift : {24, 16, 8, 0}) out.push_back(static_cast<char>((size >> shift) & 0xff));
    out.append(part);
  }
  return out;
}

std::string encode_base64url(std::string_view bytes) {
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const unsigned char byte : bytes) {
    bits = (bits << 8) | byte;
    for (count += 8; count >= 6; count -= 6) out.push_back(kBase64url[(bits >> (count - 6)) & 63]);
  }
  if (count > 0) out.push_back(kBase64url[(bits << (6 - count)) & 63]);
  return out;
}

std::optional<std::string> decode_base64url(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char letter : text) {
    const int value = base64url_value(letter);
    if (value < 0) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out.push_back(static_cast<char>((bits >> count) & 0xff));
    }
  }
  const bool is_canonical = count < 6 && (bits & ((1U << count) - 1)) == 0;
  if (!is_canonical) return std::nullopt;
  return out;
}

std::string encode_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const unsigned char byte : bytes) {
    out.push_back(digits[byte >> 4]);
    out.push_back(digits[byte & 15]);
  }
  return out;
}

bool is_hex_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

std::string lower_ascii(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string app_header(std::string_view owner_id, std::string_view app_name) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out(owner_id);
  out.push_back('/');
  for (const char c : app_name) {
    if (is_ascii_letter_or_digit(c) || kUnreservedMarks.find(c) != std::string_view::npos) {
      out.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out.append({'%', digits[byte >> 4], digits[byte & 15]});
    }
  }
  return out;
}

std::string new_nonce() {
  return encode_base64url(random_bytes(24));
}

}  // namespace signet::internal
