#include "download.h"

#include "download_attempts.h"
#include "error.h"
#include "partial_file.h"
#include "version.h"

namespace signet::internal {
namespace {

Error corrupt() {
  return {"FILE_CORRUPT", "The file isn't the one that the server has signed."};
}

/// Receives what is missing of one file.
void receive_rest(Transport& transport, Call& call, const FileOffer& offer, PartialFile& file,
                  std::int64_t silence_ms) {
  std::vector<std::string> headers = {std::string("User-Agent: signet-") + kSdk};
  const auto start = file.size();
  // The connection broke after the last byte, and a server has no part to give beyond it.
  if (start > 0 && start == offer.size) return;
  if (start > 0) {
    headers.push_back("Range: bytes=" + std::to_string(start) + "-");
    headers.push_back("If-Range: \"" + offer.sha256 + "\"");
  }
  const std::string expected_range = "bytes " + std::to_string(start) + "-";
  bool has_begun = false;
  const auto receive = [&](const Reply& head, std::string_view piece) {
    if (!has_begun) {
      has_begun = true;
      const auto range = head.headers.find("content-range");
      const bool is_rest =
          start > 0 && head.status == 206 && range != head.headers.end() && range->second.rfind(expected_range, 0) == 0;
      if (head.status == 429 || head.status >= 500) {
        throw Error("NETWORK", "The server answers " + std::to_string(head.status) + ".");
      }
      if (head.status != 200 && !is_rest) throw NotTheFile(head.status);
      if (!is_rest) file.start_over();
    }
    if (file.size() + static_cast<std::int64_t>(piece.size()) > offer.size) throw corrupt();
    file.append(piece);
  };
  transport.get(offer.url, headers, receive, call, silence_ms);
  if (file.size() < offer.size) throw Error("NETWORK", "The file was cut short.");
}

}  // namespace

DownloadedFile download_file(const std::function<FileOffer()>& ask, Transport& transport, Call& call,
                             const std::string& path, std::int64_t silence_ms) {
  DownloadAttempts attempts(call, silence_ms);
  FileOffer offer = attempts.repeat(ask);
  PartialFile file(path);
  bool is_fresh = true;
  attempts.repeat([&] {
    if (!is_fresh) {
      // The address expires, and a file that was replaced has other bytes.
      auto again = ask();
      if (again.sha256 != offer.sha256) file.start_over();
      offer = std::move(again);
    }
    is_fresh = false;
    receive_rest(transport, call, offer, file, silence_ms);
  });
  if (file.sha256() != offer.sha256) throw corrupt();
  return {file.finish(), offer.file_name, offer.size, offer.sha256};
}

}  // namespace signet::internal
