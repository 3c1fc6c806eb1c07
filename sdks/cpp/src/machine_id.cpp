#include "machine_id.h"

#if defined(_WIN32)
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#elif defined(__APPLE__)
#include <CoreFoundation/CoreFoundation.h>
#include <IOKit/IOKitLib.h>
#else
#include <fstream>
#endif

namespace signet::internal {

#if defined(_WIN32)

std::vector<std::string> machine_id_candidates() {
  wchar_t guid[128] = {};
  DWORD bytes = sizeof guid;
  // A 32-bit program would otherwise read another view of the registry, without this value.
  const auto flags = RRF_RT_REG_SZ | RRF_SUBKEY_WOW6464KEY;
  if (RegGetValueW(HKEY_LOCAL_MACHINE, L"SOFTWARE\\Microsoft\\Cryptography", L"MachineGuid", flags, nullptr, guid,
                   &bytes) != ERROR_SUCCESS) {
    return {};
  }
  std::string text;
  for (const wchar_t* at = guid; *at != L'\0'; ++at) text.push_back(*at < 0x80 ? static_cast<char>(*at) : '?');
  return {text};
}

#elif defined(__APPLE__)

std::vector<std::string> machine_id_candidates() {
  // The default port is 0; its constant was renamed in macOS 12.
  const io_service_t service = IOServiceGetMatchingService(0, IOServiceMatching("IOPlatformExpertDevice"));
  if (service == 0) return {};
  const auto property = IORegistryEntryCreateCFProperty(service, CFSTR(kIOPlatformUUIDKey), kCFAllocatorDefault, 0);
  IOObjectRelease(service);
  if (property == nullptr) return {};
  char text[128] = {};
  const bool is_read = CFGetTypeID(property) == CFStringGetTypeID() &&
                       CFStringGetCString(static_cast<CFStringRef>(property), text, sizeof text, kCFStringEncodingUTF8);
  CFRelease(property);
  return is_read ? std::vector<std::string>{text} : std::vector<std::string>{};
}

#else

std::vector<std::string> machine_id_candidates() {
  std::vector<std::string> found;
  for (const char* path : {"/etc/machine-id", "/var/lib/dbus/machine-id"}) {
    std::ifstream file(path);
    std::string line;
    if (file && std::getline(file, line) && line.size() <= 128) found.push_back(line);
  }
  return found;
}

#endif

}  // namespace signet::internal
