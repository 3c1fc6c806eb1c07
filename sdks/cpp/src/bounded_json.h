#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace signet::internal {

using Json = nlohmann::json;

/// The JSON object in `text`; nothing for anything else, or for one nested more than 64 levels deep.
std::optional<Json> parse_object(std::string_view text);

/// Throws `MALFORMED_REQUEST` for text that isn't UTF-8.
std::string json_text(const Json& value);

bool is_utf8(std::string_view text);

// Fields of a verified answer. All throw `MALFORMED_REPLY` for a field of another type.

const Json& object_field(const Json& fields, const char* name);
std::string text_field(const Json& fields, const char* name);
std::optional<std::string> optional_text_field(const Json& fields, const char* name);
std::int64_t integer_field(const Json& fields, const char* name);
std::optional<std::int64_t> optional_integer_field(const Json& fields, const char* name);

/// Nothing unless `value` is an integer within 64 bits.
std::optional<std::int64_t> integer_of(const Json& value);

}  // namespace signet::internal
