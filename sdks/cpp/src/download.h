#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "call.h"
#include "server_answers.h"
#include "transport.h"

namespace signet::internal {

struct DownloadedFile {
  /// Absolute, UTF-8.
  std::string path;
  /// As the vendor uploaded it. Untrusted text: never use it as a path.
  std::string file_name;
  std::int64_t size = 0;
  /// Hex.
  std::string sha256;
};

/// Writes the file to `path`, complete and with the signed bytes; otherwise whatever was at `path` stays. `ask` makes
/// the signed call for the offer, and is called again to resume.
DownloadedFile download_file(const std::function<FileOffer()>& ask, Transport& transport, Call& call,
                             const std::string& path, std::int64_t silence_ms);

}  // namespace signet::internal
