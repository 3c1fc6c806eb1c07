#pragma once

#include <memory>
#include <string>

#include "client.h"
#include "signet/signet.h"

namespace signet::internal {

/// The program's data, released when the last options and clients that hold it are gone.
class UserData {
 public:
  UserData(void* data, signet_callback release) : data_(data), release_(release) {}
  ~UserData() {
    if (release_ != nullptr) release_(data_);
  }
  UserData(const UserData&) = delete;
  UserData& operator=(const UserData&) = delete;

  void* get() const { return data_; }

 private:
  void* const data_;
  const signet_callback release_;
};

struct Callbacks {
  signet_error_callback on_lost = nullptr;
  signet_error_callback on_interrupted = nullptr;
  signet_callback on_resumed = nullptr;
  std::shared_ptr<const UserData> user_data;
};

}  // namespace signet::internal

// What is behind the handles of the C interface.

struct signet_error {
  signet::internal::Error error;
  std::string customer_message;
};

struct signet_app {
  signet::internal::App app;
};

struct signet_session {
  signet::internal::Session session;
};

struct signet_text {
  std::string text;
};

struct signet_file {
  signet::internal::DownloadedFile file;
};

struct signet_webhook_answer {
  signet::internal::WebhookAnswer answer;
};

struct signet_options {
  signet::internal::Settings settings;
  signet::internal::Callbacks callbacks;
};

struct signet_client {
  std::shared_ptr<signet::internal::Client> client;
};

namespace signet::internal {

/// Throws `MALFORMED_REQUEST` for a null pointer, unless the length is 0.
std::string text_of(const char* text, std::size_t length);

/// `settings` have the language and the vendor's own sentences.
signet_error* new_error(const Error& error, const Settings& settings);

inline const char* give(const std::string& text, std::size_t* length) {
  if (length != nullptr) *length = text.size();
  return text.c_str();
}

inline const char* give(const std::optional<std::string>& text, std::size_t* length) {
  if (text) return give(*text, length);
  if (length != nullptr) *length = 0;
  return nullptr;
}

/// Turns exceptions, which must not leave the C interface, into codes.
template <typename Action>
signet_code guarded(const Settings& settings, signet_error** error, Action action) noexcept {
  if (error != nullptr) *error = nullptr;
  const auto fail = [&](const Error& failure) {
    if (error != nullptr) *error = new_error(failure, settings);
    return code_of(failure.code);
  };
  try {
    try {
      action();
      return SIGNET_OK;
    } catch (const Error& failure) {
      return fail(failure);
    } catch (const std::exception& failure) {
      return fail(Error("INTERNAL_ERROR", failure.what()));
    }
  } catch (...) {
    return SIGNET_CODE_INTERNAL_ERROR;
  }
}

/// Settings of calls without a client.
const Settings& default_settings();

}  // namespace signet::internal
