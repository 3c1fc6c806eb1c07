#pragma once

#include <string>

namespace signet::internal {

/// SHA-256 of the running program's file, in hex. Throws `PROGRAM_NOT_FOUND`.
std::string hash_of_running_program();

}  // namespace signet::internal
