#pragma once

#include <string_view>

namespace signet::internal {

/// Without white space, line ends, and invisible characters at both ends, as they come with a key that was pasted.
std::string_view trim_license_key(std::string_view text);

/// Without Unicode white space at both ends.
std::string_view trim_white_space(std::string_view text);

}  // namespace signet::internal
