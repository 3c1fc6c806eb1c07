#include "bounded_json.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "error.h"

namespace signet::internal {
namespace {

constexpr int kMaxDepth = 64;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kDigits = "0123456789";

std::size_t skip_digits(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kDigits, at), text.size());
}

/// The length of the JSON number at the beginning of `text`; 0 if there is none.
std::size_t number_length(std::string_view text) {
  std::size_t at = text.substr(0, 1) == "-" ? 1 : 0;
  const auto integer_end = text.substr(at, 1) == "0" ? at + 1 : skip_digits(text, at);
  if (integer_end == at) return 0;
  at = integer_end;
  if (text.substr(at, 1) == ".") {
    const auto end = skip_digits(text, at + 1);
    if (end == at + 1) return 0;
    at = end;
  }
  if (text.substr(at, 1) == "e" || text.substr(at, 1) == "E") {
    const auto sign = text.substr(at + 1, 1);
    const auto first = at + 1 + (sign == "+" || sign == "-" ? 1 : 0);
    const auto end = skip_digits(text, first);
    if (end == first) return 0;
    at = end;
  }
  return at;
}

bool is_too_large(const std::string& number) {
  return !std::isfinite(std::strtod(number.c_str(), nullptr));
}

/// The text with `false` instead of each number that no double can hold: the JSON library would reject all of it, but
/// only a field that is read matters. Nothing if it is nested too deep.
std::optional<std::string> bounded(std::string_view text) {
  std::string out;
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 1;
    const char c = text[at];
    if (c == '"') {
      while (at + length < text.size() && text[at + length] != '"') length += text[at + length] == '\\' ? 2 : 1;
      length = std::min(length + 1, text.size() - at);
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxDepth) return std::nullopt;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (const auto number = number_length(text.substr(at)); number > 0) {
      length = number;
      if (is_too_large(std::string(text.substr(at, number)))) {
        out.append("false");
        at += number;
        continue;
      }
    }
    out.append(text.substr(at, length));
    at += length;
  }
  return out;
}

Error malformed(const char* name) {
  return {"MALFORMED_REPLY", std::string("The server's signed answer has no valid \"") + name + "\"."};
}

const Json* find(const Json& fields, const char* name) {
  const auto found = fields.find(name);
  return found == fields.end() || found->is_null() ? nullptr : &*found;
}

}  // namespace

std::optional<Json> parse_object(std::string_view text) {
  // The JSON library ignores a byte order mark, and whatever follows a zero byte.
  const bool is_plain = text.substr(0, 3) != kByteOrderMark && text.find('\0') == std::string_view::npos;
  const auto safe = is_plain ? bounded(text) : std::nullopt;
  if (!safe) return std::nullopt;
  auto value = Json::parse(*safe, nullptr, false);
  if (!value.is_object()) return std::nullopt;
  return value;
}

std::string json_text(const Json& value) {
  try {
    return value.dump();
  } catch (const Json::exception&) {
    throw Error("MALFORMED_REQUEST", "The text isn't valid UTF-8.");
  }
}

bool is_utf8(std::string_view text) {
  try {
    (void)Json(text).dump();
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

const Json& object_field(const Json& fields, const char* name) {
  const auto* const value = find(fields, name);
  if (value == nullptr || !value->is_object()) throw malformed(name);
  return *value;
}

std::string text_field(const Json& fields, const char* name) {
  auto value = optional_text_field(fields, name);
  if (!value) throw malformed(name);
  return *std::move(value);
}

std::optional<std::string> optional_text_field(const Json& fields, const char* name) {
  const auto* const value = find(fields, name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) throw malformed(name);
  return value->get<std::string>();
}

std::int64_t integer_field(const Json& fields, const char* name) {
  const auto value = optional_integer_field(fields, name);
  if (!value) throw malformed(name);
  return *value;
}

std::optional<std::int64_t> optional_integer_field(const Json& fields, const char* name) {
  const auto* const value = find(fields, name);
  if (value == nullptr) return std::nullopt;
  const auto number = integer_of(*value);
  if (!number) throw malformed(name);
  return number;
}

std::optional<std::int64_t> integer_of(const Json& value) {
  constexpr auto max = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > max) return std::nullopt;
  if (!value.is_number_integer()) return std::nullopt;
  return value.get<std::int64_t>();
}

}  // namespace signet::internal
