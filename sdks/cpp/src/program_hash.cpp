#include "program_hash.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "crypto.h"
#include "error.h"
#include "wire.h"

#if defined(_WIN32)
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#elif defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

namespace signet::internal {
namespace {

std::filesystem::path running_program() {
#if defined(_WIN32)
  std::wstring path(32768, L'\0');
  path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return path;
#elif defined(__APPLE__)
  std::uint32_t size = 0;
  _NSGetExecutablePath(nullptr, &size);
  std::string path(size, '\0');
  if (_NSGetExecutablePath(path.data(), &size) != 0) return {};
  return path.c_str();
#else
  return "/proc/self/exe";
#endif
}

}  // namespace

std::string hash_of_running_program() {
  std::ifstream file(running_program(), std::ios::binary);
  Sha256 hash;
  std::array<char, 65536> block;
  while (file) {
    file.read(block.data(), block.size());
    hash.update({block.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (!file.eof()) throw Error("PROGRAM_NOT_FOUND", "The program's own file can't be read.");
  return encode_hex(hash.digest());
}

}  // namespace signet::internal
