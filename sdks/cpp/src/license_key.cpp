#include "license_key.h"

#include <cstdint>

namespace signet::internal {
namespace {

using CodePoint = std::uint32_t;

bool is_white_space(CodePoint c) {
  return (c >= 0x09 && c <= 0x0d) || c == 0x20 || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool is_invisible(CodePoint c) {
  return c == 0xad || c == 0x180e || (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x2064) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

/// The character in these bytes. Bytes that aren't UTF-8 give some character that isn't trimmed.
CodePoint decode(std::string_view bytes) {
  const auto at = [&](std::size_t index) { return static_cast<CodePoint>(static_cast<unsigned char>(bytes[index])); };
  if (bytes.size() == 1 && at(0) < 0x80) return at(0);
  if (bytes.size() == 2 && at(0) >= 0xc2 && at(0) < 0xe0) return ((at(0) & 0x1f) << 6) | (at(1) & 0x3f);
  if (bytes.size() == 3 && at(0) >= 0xe0 && at(0) < 0xf0) {
    return ((at(0) & 0x0f) << 12) | ((at(1) & 0x3f) << 6) | (at(2) & 0x3f);
  }
  return 0xfffd;
}

template <typename Predicate>
std::string_view trim(std::string_view text, Predicate is_trimmed) {
  const auto size_of_first = [&] {
    std::size_t size = 1;
    while (size < text.size() && is_continuation(text[size])) ++size;
    return size;
  };
  const auto size_of_last = [&] {
    std::size_t size = 1;
    while (size < text.size() && is_continuation(text[text.size() - size])) ++size;
    return size;
  };
  while (!text.empty() && is_trimmed(decode(text.substr(0, size_of_first())))) text.remove_prefix(size_of_first());
  while (!text.empty() && is_trimmed(decode(text.substr(text.size() - size_of_last())))) {
    text.remove_suffix(size_of_last());
  }
  return text;
}

}  // namespace

std::string_view trim_license_key(std::string_view text) {
  return trim(text, [](CodePoint c) { return is_white_space(c) || is_invisible(c); });
}

std::string_view trim_white_space(std::string_view text) {
  return trim(text, is_white_space);
}

}  // namespace signet::internal
