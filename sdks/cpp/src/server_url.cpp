#include "server_url.h"

#include "error.h"
#include "wire.h"

namespace signet::internal {
namespace {

constexpr std::string_view kHostCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-._";
constexpr std::string_view kIpv6Characters = "0123456789abcdef:.";
constexpr std::string_view kDigits = "0123456789";

Error invalid() {
  return {"INVALID_CONFIGURATION", "The server URL is like https://signet.example.com, without a path."};
}

bool consists_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

bool is_port(std::string_view text) {
  if (!consists_of(text, kDigits) || text.size() > 5) return false;
  const int port = std::stoi(std::string(text));
  return port >= 1 && port <= 65535;
}

/// Four decimal numbers, the first of which is 127.
bool is_ipv4_loopback(std::string_view host) {
  int parts = 0;
  for (std::string_view rest = host;; ++parts) {
    const auto dot = rest.find('.');
    const auto part = rest.substr(0, dot);
    if (!consists_of(part, kDigits) || part.size() > 3 || std::stoi(std::string(part)) > 255) return false;
    if (parts == 0 && part != "127") return false;
    if (dot == std::string_view::npos) return parts == 3;
    rest.remove_prefix(dot + 1);
  }
}

}  // namespace

ServerUrl read_server_url(std::string_view text) {
  const auto lower = lower_ascii(text);
  std::string_view rest = lower;
  ServerUrl url;
  if (rest.rfind("https://", 0) == 0) {
    rest.remove_prefix(8);
  } else if (rest.rfind("http://", 0) == 0) {
    rest.remove_prefix(7);
    url.is_encrypted = false;
  } else {
    throw invalid();
  }
  if (!rest.empty() && rest.back() == '/') rest.remove_suffix(1);
  url.origin = std::string(url.is_encrypted ? "https://" : "http://").append(rest);

  std::string_view host;
  if (!rest.empty() && rest.front() == '[') {
    const auto end = rest.find(']');
    if (end == std::string_view::npos || !consists_of(rest.substr(1, end - 1), kIpv6Characters)) throw invalid();
    host = rest.substr(0, end + 1);
  } else {
    host = rest.substr(0, rest.find(':'));
    if (!consists_of(host, kHostCharacters)) throw invalid();
  }
  rest.remove_prefix(host.size());
  if (!rest.empty() && (rest.front() != ':' || !is_port(rest.substr(1)))) throw invalid();
  url.is_loopback = host == "localhost" || host == "[::1]" || is_ipv4_loopback(host);
  return url;
}

}  // namespace signet::internal
