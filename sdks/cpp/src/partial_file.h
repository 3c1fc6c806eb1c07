#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "crypto.h"

namespace signet::internal {

/// A new file beside its target, which gets the target's name only when it is complete. Deleted otherwise. All methods
/// throw `FILE_NOT_WRITTEN`.
class PartialFile {
 public:
  explicit PartialFile(const std::string& target);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  void append(std::string_view bytes);
  void start_over();
  std::int64_t size() const { return size_; }
  /// Hex; ends the hash, so it can be asked for once.
  std::string sha256();

  /// Replaces the target. Returns its absolute path.
  std::string finish();

 private:
  void open();
  bool keep_permissions();
  void close() noexcept;
  void discard() noexcept;

  std::filesystem::path target_;
  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
  bool is_created_ = false;
  std::int64_t size_ = 0;
  Sha256 hash_;
};

}  // namespace signet::internal
