// Reads the settings of an app from arguments (--owner-id X) or the environment (SIGNET_OWNER_ID=X), so that you can
// try the examples without changing them. Your own program has them in its source, as the dashboard shows them.
#pragma once

#include <cctype>
#include <cstdlib>
#include <signet/signet.hpp>
#include <stdexcept>
#include <string>

inline std::string app_setting(int count, char** arguments, const std::string& name, const std::string& fallback = "") {
  for (int at = 1; at + 1 < count; ++at) {
    if (arguments[at] == "--" + name) return arguments[at + 1];
  }
  std::string variable = "SIGNET_";
  for (const char c : name) {
    variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  const char* const value = std::getenv(variable.c_str());
  return value != nullptr ? value : fallback;
}

inline signet::Options app_options(int count, char** arguments) {
  signet::Options options;
  options.owner_id = app_setting(count, arguments, "owner-id");
  options.app_name = app_setting(count, arguments, "app-name");
  options.version = app_setting(count, arguments, "version", "1.0");
  options.server_url = app_setting(count, arguments, "server-url");
  options.verification_key = app_setting(count, arguments, "verification-key");
  options.sealing_key = app_setting(count, arguments, "sealing-key");
  options.language = app_setting(count, arguments, "language", "en");
  const auto hwid = app_setting(count, arguments, "hwid");
  if (!hwid.empty()) options.hwid = hwid;
  return options;
}
