#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <thread>

#include "fake_clock.h"
#include "fake_server.h"
#include "signet/signet.hpp"

namespace signet::testing {
namespace {

class WrapperTest : public ::testing::Test {
 protected:
  Options options() const {
    const auto settings = server_.settings();
    Options options;
    options.owner_id = settings.owner_id;
    options.app_name = settings.app_name;
    options.version = settings.version;
    options.server_url = settings.server_url;
    options.verification_key = settings.verification_key;
    options.sealing_key = settings.sealing_key;
    options.hwid = "this machine";
    options.heartbeat_interval = std::nullopt;
    return options;
  }

  FakeServer server_;
};

TEST_F(WrapperTest, ErrorsAreExceptionsWithEverythingTheServerSaid) {
  server_.set([](auto& behavior) {
    behavior.reject["license"] = {429, "LOGIN_COOLDOWN"};
    behavior.error_fields = {{"retryAfterSeconds", 30}};
  });
  auto german = options();
  german.language = "de";
  EXPECT_THROW(Client client(german), Error);
  auto spanish = options();
  spanish.language = "es";
  Client client(spanish);
  try {
    client.license("KEY");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), SIGNET_CODE_LOGIN_COOLDOWN);
    EXPECT_EQ(error.code_name(), "LOGIN_COOLDOWN");
    EXPECT_STREQ(error.what(), "No: LOGIN_COOLDOWN");
    EXPECT_EQ(error.customer_message(), customer_message("LOGIN_COOLDOWN", "es"));
    EXPECT_EQ(error.status(), 429);
    EXPECT_TRUE(error.is_temporary());
    EXPECT_EQ(error.retry_after(), std::chrono::seconds(30));
    EXPECT_EQ(error.request_id(), "req-1");
    EXPECT_FALSE(error.download_url());
  }
}

TEST_F(WrapperTest, AllCallsWork) {
  server_.set([](auto& behavior) { behavior.files["f"] = "content"; });
  Client client(options());
  EXPECT_EQ(client.init().name, "My App");
  EXPECT_FALSE(client.session());
  const auto session = client.register_user("alice", "secret", "KEY");
  EXPECT_EQ(server_.last("register").fields.count("email"), 0U);
  EXPECT_EQ(session.username, "alice");
  EXPECT_EQ(session.subscriptions.at(0).name, "Pro");
  EXPECT_EQ(client.login("alice", "secret").username, "alice");
  EXPECT_EQ(server_.last("login").fields.count("licenseKey"), 0U);
  EXPECT_EQ(client.login("alice", "secret", " KEY-2\n").username, "alice");
  EXPECT_EQ(server_.last("login").fields["licenseKey"], "KEY-2");
  EXPECT_EQ(client.upgrade("KEY-2").username, "alice");
  EXPECT_EQ(client.heartbeat().username, "alice");
  EXPECT_EQ(client.variable("x"), "of the app");
  client.set_user_variable("x", "y");
  EXPECT_EQ(client.user_variable("x"), "y");
  client.log("hello");
  client.change_password("a", "b");
  client.request_password_reset("alice");
  EXPECT_EQ(client.call_webhook("h").body, "{}");
  const auto path = std::string(::testing::TempDir()) + "signet-wrapper";
  EXPECT_EQ(client.download("f", path).size, 7);
  std::remove(path.c_str());
  EXPECT_TRUE(client.is_valid());
  EXPECT_EQ(client.session()->username, "alice");
  EXPECT_FALSE(client.lost());
  client.logout();
  EXPECT_FALSE(client.is_valid());
}

TEST_F(WrapperTest, EventsSurviveMovingAndThrowing) {
  int lost = 0;
  auto with_events = options();
  with_events.on_lost = [&lost, keep = std::make_unique<int>(1).get()](const Error& error) {
    (void)keep;
    EXPECT_EQ(error.code(), SIGNET_CODE_USER_BANNED);
    ++lost;
    throw std::runtime_error("ignored");
  };
  Client first(with_events);
  Client client = std::move(first);
  client.license("KEY");
  server_.set([](auto& behavior) { behavior.reject["heartbeat"] = {403, "USER_BANNED"}; });
  EXPECT_THROW(client.heartbeat(), Error);
  EXPECT_EQ(lost, 1);
  EXPECT_EQ(client.lost()->code(), SIGNET_CODE_USER_BANNED);
}

TEST_F(WrapperTest, TheBackgroundHeartbeatRunsOnARealClockAndStopsWithTheClient) {
  auto fast = options();
  fast.heartbeat_interval = std::chrono::milliseconds(20);
  {
    Client client(fast);
    client.license("KEY");
    ASSERT_TRUE(server_.wait_for("heartbeat", 3));
    EXPECT_TRUE(client.is_valid());
  }
  const auto count = server_.count("heartbeat");
  Client other(options());
  for (int i = 0; i < 20; ++i) other.init();
  EXPECT_EQ(server_.count("heartbeat"), count);
}

TEST_F(WrapperTest, AClientWithStaticStorageEndsWithTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto run_program = [&] {
    static std::optional<Client> client;
    auto with_heartbeat = options();
    with_heartbeat.heartbeat_interval = std::chrono::milliseconds(5);
    client.emplace(with_heartbeat);
    client->license("KEY");
    server_.wait_for("heartbeat", 2);
    std::exit(0);
  };
  EXPECT_EXIT(run_program(), ::testing::ExitedWithCode(0), "");
}

TEST(Wrapper, TimesAreWrittenInUtc) {
  const auto text = [](std::int64_t seconds) { return format_time(Time(std::chrono::seconds(seconds))); };
  EXPECT_EQ(text(0), "1970-01-01 00:00");
  EXPECT_EQ(text(1'709'164'800), "2024-02-29 00:00");
  EXPECT_EQ(text(1'709'251'199), "2024-02-29 23:59");
  EXPECT_EQ(text(1'735'689'599), "2024-12-31 23:59");
  EXPECT_EQ(text(4'107'542'400), "2100-03-01 00:00");
  EXPECT_EQ(text(253'402'300'799), "9999-12-31 23:59");
  EXPECT_EQ(text(-1), "1969-12-31 23:59");
}

TEST(Wrapper, TheHardwareIdOfAMachineIsAlwaysTheSame) {
  const auto id = hardware_id_of("Ab3dE6gH1j", "4c4c4544004d3510804bb4c04f4a4d32");
  EXPECT_EQ(id, "cf4d11ca6313811bb25906c4f863698b049afacc5a737b0131bf0bc7e382ec47");
  EXPECT_THROW(hardware_id_of("Ab3dE6gH1j", "uninitialized"), Error);
  try {
    EXPECT_EQ(hardware_id("Ab3dE6gH1j"), hardware_id("Ab3dE6gH1j"));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), SIGNET_CODE_HWID_UNAVAILABLE) << "this machine has none";
  }
}

}  // namespace
}  // namespace signet::testing
