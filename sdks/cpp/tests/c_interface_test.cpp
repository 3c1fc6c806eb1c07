#include <gtest/gtest.h>

#include <string>

#include "fake_clock.h"
#include "fake_server.h"
#include "signet/signet.h"

extern "C" int run_c_program(void);

namespace signet::testing {
namespace {

/// What the callbacks of a C program get as user data.
struct Program {
  std::atomic<int> lost{0};
  std::atomic<int> interrupted{0};
  std::atomic<int> resumed{0};
  std::atomic<int> released{0};
  std::string code;
  std::string customer_message;

  static void on_lost(const signet_error* error, void* self) {
    auto* const program = static_cast<Program*>(self);
    program->code = signet_error_code_name(error);
    program->customer_message = signet_error_customer_message(error, nullptr);
    ++program->lost;
  }
  static void on_resumed(void* self) { ++static_cast<Program*>(self)->resumed; }
  static void release(void* self) { ++static_cast<Program*>(self)->released; }
};

class CInterfaceTest : public ::testing::Test {
 protected:
  ~CInterfaceTest() override {
    signet_client_free(client_);
    signet_options_free(options_);
  }

  void set_required(signet_options* options) {
    const auto settings = server_.settings();
    const auto set = [&](auto setter, const std::string& text) { setter(options, text.data(), text.size()); };
    set(signet_options_set_owner_id, settings.owner_id);
    set(signet_options_set_app_name, settings.app_name);
    set(signet_options_set_version, settings.version);
    set(signet_options_set_server_url, settings.server_url);
    set(signet_options_set_verification_key, settings.verification_key);
    set(signet_options_set_sealing_key, settings.sealing_key);
    set(signet_options_set_hwid, "this machine");
    signet_options_set_heartbeat_interval_ms(options, 0);
  }

  signet_client* start() {
    set_required(options_);
    EXPECT_EQ(signet_client_new(options_, &client_, nullptr), SIGNET_OK);
    return client_;
  }

  Program program_;
  FakeServer server_;
  signet_options* options_ = signet_options_new();
  signet_client* client_ = nullptr;
};

TEST(CInterface, WorksFromC) {
  EXPECT_EQ(run_c_program(), 0);
}

TEST_F(CInterfaceTest, AnErrorIsReturnedAndDescribedAndTheResultIsNull) {
  server_.set([](auto& behavior) {
    behavior.reject["license"] = {403, "VERSION_OUTDATED"};
    behavior.error_fields = {{"downloadUrl", "https://example.com/new"}, {"retryAfterSeconds", 2.5}};
  });
  auto* const client = start();
  auto* session = reinterpret_cast<signet_session*>(&client_);
  signet_error* error = nullptr;
  EXPECT_EQ(signet_license(client, "KEY", SIGNET_NUL_TERMINATED, &session, &error), SIGNET_CODE_VERSION_OUTDATED);
  EXPECT_EQ(session, nullptr);
  ASSERT_NE(error, nullptr);
  EXPECT_STREQ(signet_error_message(error, nullptr), "No: VERSION_OUTDATED");
  EXPECT_STREQ(signet_error_download_url(error, nullptr), "https://example.com/new");
  EXPECT_STREQ(signet_error_request_id(error, nullptr), "req-1");
  EXPECT_EQ(signet_error_retry_after_seconds(error), 2.5);
  EXPECT_EQ(signet_error_status(error), 403);
  EXPECT_EQ(signet_error_verdict(error), SIGNET_VERDICT_LOST);
  EXPECT_EQ(signet_error_is_temporary(error), 0);
  EXPECT_EQ(Json::parse(signet_error_details_json(error, nullptr))["requestId"], "req-1");
  signet_error_free(error);
}

TEST_F(CInterfaceTest, ACodeOfTheFutureKeepsItsName) {
  server_.set([](auto& behavior) { behavior.reject["license"] = {403, "A_CODE_OF_NEXT_YEAR"}; });
  signet_error* error = nullptr;
  EXPECT_EQ(signet_license(start(), "KEY", 3, nullptr, &error), SIGNET_CODE_UNKNOWN);
  EXPECT_EQ(signet_error_code(error), SIGNET_CODE_UNKNOWN);
  EXPECT_STREQ(signet_error_code_name(error), "A_CODE_OF_NEXT_YEAR");
  EXPECT_NE(signet_error_customer_message(error, nullptr)[0], '\0');
  signet_error_free(error);
}

TEST_F(CInterfaceTest, TextMayContainZeroBytesAndNeedsNoEnd) {
  auto* const client = start();
  ASSERT_EQ(signet_license(client, "KEY-and-more", 3, nullptr, nullptr), SIGNET_OK);
  EXPECT_EQ(server_.last("license").fields["key"], "KEY");
  const std::string value("a\0b", 3);
  ASSERT_EQ(signet_set_user_variable(client, "x", 1, value.data(), value.size(), nullptr), SIGNET_OK);
  signet_text* text = nullptr;
  ASSERT_EQ(signet_user_variable(client, "x", 1, &text, nullptr), SIGNET_OK);
  std::size_t length = 0;
  const char* const data = signet_text_data(text, &length);
  EXPECT_EQ(std::string(data, length), value);
  EXPECT_EQ(data[length], '\0');
  signet_text_free(text);
}

TEST_F(CInterfaceTest, ResultsOutliveTheirClient) {
  signet_session* session = nullptr;
  ASSERT_EQ(signet_license(start(), "KEY", 3, &session, nullptr), SIGNET_OK);
  signet_session* const current = signet_current_session(client_);
  signet_client_free(client_);
  client_ = nullptr;
  for (auto* each : {session, current}) {
    EXPECT_STREQ(signet_session_username(each, nullptr), "alice");
    EXPECT_EQ(signet_session_email(each, nullptr), nullptr);
    EXPECT_EQ(signet_session_created_at(each), 1'700'000'000);
    ASSERT_EQ(signet_session_subscription_count(each), 1U);
    EXPECT_EQ(signet_session_subscription_level(each, 0), 2);
    EXPECT_STREQ(signet_session_subscription_name(each, 0, nullptr), "Pro");
    EXPECT_EQ(signet_session_subscription_expires_at(each, 0), SIGNET_NO_TIME);
    EXPECT_EQ(signet_session_subscription_name(each, 1, nullptr), nullptr);
    EXPECT_EQ(signet_session_subscription_expires_at(each, 99), SIGNET_NO_TIME);
    signet_session_free(each);
  }
}

TEST_F(CInterfaceTest, CallbacksGetTheirUserDataWhichIsReleasedOnce) {
  signet_options_set_callbacks(options_, Program::on_lost, nullptr, Program::on_resumed, &program_, Program::release);
  signet_options_set_customer_message(options_, "USER_BANNED", SIGNET_NUL_TERMINATED, "Call us.", 8);
  auto* const client = start();
  signet_options_free(options_);
  options_ = nullptr;
  EXPECT_EQ(signet_license(client, "KEY", 3, nullptr, nullptr), SIGNET_OK);
  server_.set([](auto& behavior) { behavior.reject["log"] = {403, "USER_BANNED"}; });
  EXPECT_EQ(signet_log(client, "x", 1, nullptr), SIGNET_CODE_USER_BANNED);
  EXPECT_EQ(program_.lost, 1);
  EXPECT_EQ(program_.code, "USER_BANNED");
  EXPECT_EQ(program_.customer_message, "Call us.");
  signet_error* const lost = signet_lost(client);
  EXPECT_EQ(signet_error_code(lost), SIGNET_CODE_USER_BANNED);
  signet_error_free(lost);
  EXPECT_EQ(program_.released, 0);
  signet_client_free(client_);
  client_ = nullptr;
  EXPECT_EQ(program_.released, 1);
}

TEST_F(CInterfaceTest, UserDataOfReplacedCallbacksIsReleased) {
  signet_options_set_callbacks(options_, nullptr, nullptr, nullptr, &program_, Program::release);
  signet_options_set_callbacks(options_, nullptr, nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(program_.released, 1);
}

TEST_F(CInterfaceTest, OneSetOfOptionsMakesManyClients) {
  signet_options_set_callbacks(options_, Program::on_lost, nullptr, nullptr, &program_, Program::release);
  auto* const first = start();
  signet_client* second = nullptr;
  ASSERT_EQ(signet_client_new(options_, &second, nullptr), SIGNET_OK);
  EXPECT_EQ(signet_license(first, "KEY", 3, nullptr, nullptr), SIGNET_OK);
  EXPECT_EQ(signet_is_valid(first), 1);
  EXPECT_EQ(signet_is_valid(second), 0);
  signet_client_free(second);
  EXPECT_EQ(signet_is_valid(first), 1);
  EXPECT_EQ(program_.released, 0);
}

TEST_F(CInterfaceTest, FilesAndWebhooksAreHandlesToo) {
  server_.set([](auto& behavior) { behavior.files["f"] = "content"; });
  auto* const client = start();
  const auto path = std::string(::testing::TempDir()) + "signet-c-interface";
  signet_file* file = nullptr;
  ASSERT_EQ(signet_download(client, "f", 1, path.data(), path.size(), &file, nullptr), SIGNET_OK);
  EXPECT_EQ(signet_file_size(file), 7);
  EXPECT_STREQ(signet_file_name(file, nullptr), "setup.exe");
  EXPECT_EQ(signet_file_path(file, nullptr), path);
  std::remove(path.c_str());
  signet_file_free(file);
  signet_webhook_answer* answer = nullptr;
  ASSERT_EQ(signet_call_webhook(client, "h", 1, nullptr, 0, &answer, nullptr), SIGNET_OK);
  EXPECT_EQ(signet_webhook_answer_status(answer), 202);
  EXPECT_STREQ(signet_webhook_answer_body(answer, nullptr), "{}");
  signet_webhook_answer_free(answer);
  signet_app* app = nullptr;
  ASSERT_EQ(signet_init(client, &app, nullptr), SIGNET_OK);
  EXPECT_STREQ(signet_app_name(app, nullptr), "My App");
  EXPECT_STREQ(signet_app_version(app, nullptr), "1.0");
  EXPECT_EQ(signet_app_webloader_url(app, nullptr), nullptr);
  signet_app_free(app);
}

}  // namespace
}  // namespace signet::testing
