#include <cstring>

#include "c_api.h"

using namespace signet::internal;

namespace signet::internal {

std::string text_of(const char* text, std::size_t length) {
  if (text == nullptr && length == 0) return {};
  if (text == nullptr) throw Error("MALFORMED_REQUEST", "A text is NULL.");
  return length == SIGNET_NUL_TERMINATED ? std::string(text) : std::string(text, length);
}

signet_error* new_error(const Error& error, const Settings& settings) {
  return new signet_error{error, customer_message_of(settings, error.code)};
}

const Settings& default_settings() {
  // Never destroyed, for calls of other static objects at the end of the program.
  static const auto& settings = *new Settings();
  return settings;
}

}  // namespace signet::internal

const char* signet_version(void) {
  return SIGNET_VERSION;
}

signet_code signet_error_code(const signet_error* error) {
  return code_of(error->error.code);
}

const char* signet_error_code_name(const signet_error* error) {
  return error->error.code.c_str();
}

const char* signet_error_message(const signet_error* error, size_t* length) {
  return give(error->error.message, length);
}

const char* signet_error_customer_message(const signet_error* error, size_t* length) {
  return give(error->customer_message, length);
}

int signet_error_status(const signet_error* error) {
  return error->error.status;
}

signet_verdict signet_error_verdict(const signet_error* error) {
  switch (error->error.verdict()) {
    case Verdict::kUnverified:
      return SIGNET_VERDICT_UNVERIFIED;
    case Verdict::kTemporary:
      return SIGNET_VERDICT_TEMPORARY;
    case Verdict::kLost:
      return SIGNET_VERDICT_LOST;
    case Verdict::kRequest:
      break;
  }
  return SIGNET_VERDICT_REQUEST;
}

int signet_error_is_temporary(const signet_error* error) {
  const auto verdict = error->error.verdict();
  return verdict == Verdict::kUnverified || verdict == Verdict::kTemporary ? 1 : 0;
}

const char* signet_error_request_id(const signet_error* error, size_t* length) {
  return give(error->error.request_id, length);
}

const char* signet_error_download_url(const signet_error* error, size_t* length) {
  return give(error->error.download_url, length);
}

double signet_error_retry_after_seconds(const signet_error* error) {
  return error->error.retry_after.value_or(-1);
}

const char* signet_error_details_json(const signet_error* error, size_t* length) {
  return give(error->error.details, length);
}

void signet_error_free(signet_error* error) {
  delete error;
}

const char* signet_customer_message(const char* code, size_t code_length, const char* language, size_t language_length,
                                    size_t* length) {
  const auto view = [](const char* text, size_t size) {
    if (text == nullptr) return std::string_view();
    return size == SIGNET_NUL_TERMINATED ? std::string_view(text) : std::string_view(text, size);
  };
  auto wanted = Language::kEnglish;
  (void)read_language(view(language, language_length), wanted);
  // The table's texts are literals, which end with a NUL.
  const auto message = customer_message(view(code, code_length), wanted);
  if (length != nullptr) *length = message.size();
  return message.data();
}

const char* signet_app_name(const signet_app* app, size_t* length) {
  return give(app->app.name, length);
}

const char* signet_app_version(const signet_app* app, size_t* length) {
  return give(app->app.version, length);
}

const char* signet_app_webloader_url(const signet_app* app, size_t* length) {
  return give(app->app.webloader_url, length);
}

void signet_app_free(signet_app* app) {
  delete app;
}

const char* signet_session_username(const signet_session* session, size_t* length) {
  return give(session->session.user.username, length);
}

const char* signet_session_email(const signet_session* session, size_t* length) {
  return give(session->session.user.email, length);
}

int64_t signet_session_expires_at(const signet_session* session) {
  return session->session.expires_at;
}

int64_t signet_session_created_at(const signet_session* session) {
  return session->session.user.created_at.value_or(SIGNET_NO_TIME);
}

int64_t signet_session_last_login_at(const signet_session* session) {
  return session->session.user.last_login_at.value_or(SIGNET_NO_TIME);
}

size_t signet_session_subscription_count(const signet_session* session) {
  return session->session.user.subscriptions.size();
}

int64_t signet_session_subscription_level(const signet_session* session, size_t index) {
  const auto& all = session->session.user.subscriptions;
  return index < all.size() ? all[index].level : 0;
}

const char* signet_session_subscription_name(const signet_session* session, size_t index, size_t* length) {
  const auto& all = session->session.user.subscriptions;
  if (index < all.size()) return give(all[index].name, length);
  if (length != nullptr) *length = 0;
  return nullptr;
}

int64_t signet_session_subscription_expires_at(const signet_session* session, size_t index) {
  const auto& all = session->session.user.subscriptions;
  return index < all.size() ? all[index].expires_at.value_or(SIGNET_NO_TIME) : SIGNET_NO_TIME;
}

void signet_session_free(signet_session* session) {
  delete session;
}

const char* signet_text_data(const signet_text* text, size_t* length) {
  return give(text->text, length);
}

void signet_text_free(signet_text* text) {
  delete text;
}

const char* signet_file_path(const signet_file* file, size_t* length) {
  return give(file->file.path, length);
}

const char* signet_file_name(const signet_file* file, size_t* length) {
  return give(file->file.file_name, length);
}

int64_t signet_file_size(const signet_file* file) {
  return file->file.size;
}

const char* signet_file_sha256(const signet_file* file, size_t* length) {
  return give(file->file.sha256, length);
}

void signet_file_free(signet_file* file) {
  delete file;
}

int signet_webhook_answer_status(const signet_webhook_answer* answer) {
  return answer->answer.status;
}

const char* signet_webhook_answer_body(const signet_webhook_answer* answer, size_t* length) {
  return give(answer->answer.body, length);
}

void signet_webhook_answer_free(signet_webhook_answer* answer) {
  delete answer;
}
