#include "partial_file.h"

#include <cerrno>
#include <cstring>
#include <system_error>

#include "error.h"
#include "wire.h"

#if defined(_WIN32)
#include <io.h>
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace signet::internal {
namespace {

Error not_written(const std::string& reason) {
  return {"FILE_NOT_WRITTEN", "The file can't be written: " + reason};
}

/// Fails if the file exists, so nobody can have prepared it.
std::FILE* create(const std::filesystem::path& path) {
#if defined(_WIN32)
  return _wfopen(path.c_str(), L"wbx");
#else
  return std::fopen(path.c_str(), "wbxe");
#endif
}

bool flush_to_disk(std::FILE* file) {
  if (std::fflush(file) != 0) return false;
#if defined(_WIN32)
  return _commit(_fileno(file)) == 0;
#else
  return fsync(fileno(file)) == 0;
#endif
}

}  // namespace

PartialFile::PartialFile(const std::string& target) {
  // The system reads a path up to its first zero byte, which would be the name of another file.
  if (target.empty() || target.find('\0') != std::string::npos) throw not_written("the path is invalid.");
  std::error_code error;
  target_ = std::filesystem::absolute(std::filesystem::u8path(target), error);
  if (error || !target_.has_filename()) throw not_written("the path is invalid.");
  path_ = target_;
  path_ += "." + encode_hex(random_bytes(6)) + ".part";
  open();
}

PartialFile::~PartialFile() {
  discard();
}

void PartialFile::discard() noexcept {
  close();
  std::error_code ignored;
  if (is_created_) std::filesystem::remove(path_, ignored);
}

void PartialFile::append(std::string_view bytes) {
  if (bytes.empty()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) throw not_written(std::strerror(errno));
  size_ += static_cast<std::int64_t>(bytes.size());
  hash_.update(bytes);
}

void PartialFile::start_over() {
  if (size_ == 0) return;
  close();
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
  open();
}

std::string PartialFile::finish() {
  if (!flush_to_disk(file_)) throw not_written(std::strerror(errno));
  close();
  std::error_code error;
  std::filesystem::rename(path_, target_, error);
  if (error) throw not_written(error.message());
  is_created_ = false;
  return target_.u8string();
}

std::string PartialFile::sha256() {
  return encode_hex(hash_.digest());
}

void PartialFile::open() {
  file_ = create(path_);
  if (file_ == nullptr) throw not_written(std::strerror(errno));
  is_created_ = true;
  if (!keep_permissions()) {
    const auto error = not_written(std::strerror(errno));
    // No destructor runs after a constructor that throws.
    discard();
    throw error;
  }
  size_ = 0;
  hash_.reset();
}

/// Those of the file that is replaced, on systems that have them: a program stays executable, a private file private.
bool PartialFile::keep_permissions() {
#if !defined(_WIN32)
  struct stat replaced = {};
  if (stat(target_.c_str(), &replaced) == 0) return fchmod(fileno(file_), replaced.st_mode & 0777) == 0;
#endif
  return true;
}

void PartialFile::close() noexcept {
  if (file_ != nullptr) std::fclose(file_);
  file_ = nullptr;
}

}  // namespace signet::internal
