/// The exception of the C++ wrapper. Include signet.hpp.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include "signet/signet.h"

namespace signet {

namespace detail {

inline std::string text(const char* data, std::size_t length) {
  return data != nullptr ? std::string(data, length) : std::string();
}

/// Calls a getter of a handle: `text_of(signet_app_name, app)`.
template <typename Getter, typename Handle, typename... Index>
std::string text_of(Getter getter, const Handle* handle, Index... index) {
  std::size_t length = 0;
  const char* const data = getter(handle, index..., &length);
  return text(data, length);
}

template <typename Getter, typename Handle>
std::optional<std::string> optional_text_of(Getter getter, const Handle* handle) {
  std::size_t length = 0;
  const char* const data = getter(handle, &length);
  return data != nullptr ? std::optional(std::string(data, length)) : std::nullopt;
}

template <auto Free>
struct Deleter {
  template <typename Handle>
  void operator()(Handle* handle) const {
    Free(handle);
  }
};

using ErrorHandle = std::unique_ptr<signet_error, Deleter<signet_error_free>>;
using OptionsHandle = std::unique_ptr<signet_options, Deleter<signet_options_free>>;
using ClientHandle = std::unique_ptr<signet_client, Deleter<signet_client_free>>;
using AppHandle = std::unique_ptr<signet_app, Deleter<signet_app_free>>;
using SessionHandle = std::unique_ptr<signet_session, Deleter<signet_session_free>>;
using TextHandle = std::unique_ptr<signet_text, Deleter<signet_text_free>>;
using FileHandle = std::unique_ptr<signet_file, Deleter<signet_file_free>>;
using WebhookAnswerHandle = std::unique_ptr<signet_webhook_answer, Deleter<signet_webhook_answer_free>>;

}  // namespace detail

/// Everything that can stand between a program and a yes. `what()` is for developers, in English.
class Error : public std::runtime_error {
 public:
  explicit Error(const signet_error* error)
      : std::runtime_error(detail::text_of(signet_error_message, error)),
        code_(signet_error_code(error)),
        code_name_(signet_error_code_name(error)),
        customer_message_(detail::text_of(signet_error_customer_message, error)),
        status_(signet_error_status(error)),
        verdict_(signet_error_verdict(error)),
        request_id_(detail::optional_text_of(signet_error_request_id, error)),
        download_url_(detail::optional_text_of(signet_error_download_url, error)),
        retry_after_seconds_(signet_error_retry_after_seconds(error)),
        details_json_(detail::text_of(signet_error_details_json, error)) {}

  /// `SIGNET_CODE_LICENSE_BANNED`; `SIGNET_CODE_UNKNOWN` for a code that is newer than this library.
  signet_code code() const noexcept { return code_; }
  /// `LICENSE_BANNED`.
  const std::string& code_name() const noexcept { return code_name_; }
  /// The sentence to show to a customer, in the client's language.
  const std::string& customer_message() const noexcept { return customer_message_; }
  /// HTTP status of a verified answer; 0 for errors of the client itself.
  int status() const noexcept { return status_; }
  signet_verdict verdict() const noexcept { return verdict_; }
  /// Whether the same call can succeed later.
  bool is_temporary() const noexcept {
    return verdict_ == SIGNET_VERDICT_UNVERIFIED || verdict_ == SIGNET_VERDICT_TEMPORARY;
  }
  /// What the vendor can look the error up by.
  const std::optional<std::string>& request_id() const noexcept { return request_id_; }
  /// Where the new version is, with `VERSION_OUTDATED`.
  const std::optional<std::string>& download_url() const noexcept { return download_url_; }
  /// How long the server asks to wait.
  std::optional<std::chrono::duration<double>> retry_after() const {
    if (retry_after_seconds_ < 0) return std::nullopt;
    return std::chrono::duration<double>(retry_after_seconds_);
  }
  /// The other fields of a verified answer, as a JSON object.
  const std::string& details_json() const noexcept { return details_json_; }

 private:
  signet_code code_;
  std::string code_name_;
  std::string customer_message_;
  int status_;
  signet_verdict verdict_;
  std::optional<std::string> request_id_;
  std::optional<std::string> download_url_;
  double retry_after_seconds_;
  std::string details_json_;
};

namespace detail {

/// Throws what a C function reported.
inline void check(signet_code code, signet_error* error) {
  const ErrorHandle owned(error);
  if (code == SIGNET_OK) return;
  if (!owned) throw std::bad_alloc();
  throw Error(owned.get());
}

}  // namespace detail

}  // namespace signet
