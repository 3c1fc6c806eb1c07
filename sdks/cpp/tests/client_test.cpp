#include <gtest/gtest.h>

#include <future>

#include "client_fixture.h"
#include "expect_code.h"
#include "version.h"

namespace signet::internal {
namespace {

using testing::code_thrown_by;

using ClientTest = testing::ClientFixture;

TEST_F(ClientTest, AWrongKeyTypedWhileSignedInLeavesTheSessionAlone) {
  auto& client = start();
  client.license("KEY-1");
  reject("license", 404, "LICENSE_NOT_FOUND");
  EXPECT_EQ(code_thrown_by([&] { client.license("KEY-2"); }), "LICENSE_NOT_FOUND");
  reject("license", 403, "LICENSE_BANNED");
  EXPECT_EQ(code_thrown_by([&] { client.license("KEY-3"); }), "LICENSE_BANNED");
  EXPECT_TRUE(client.is_valid());
  EXPECT_FALSE(client.lost());
  EXPECT_EQ(client.heartbeat().user.username, "alice");
  EXPECT_EQ(server_.count("logout"), 0);
}

TEST_F(ClientTest, ANewSignInReplacesTheOldOneAndLogsItOut) {
  auto& client = start();
  client.license("KEY-1");
  const auto first = server_.last("license").session;
  client.license("KEY-2");
  const auto second = server_.last("license").session;
  EXPECT_NE(first, second);
  ASSERT_TRUE(server_.wait_for("logout", 1));
  EXPECT_EQ(server_.last("logout").session, first);
  client.heartbeat();
  EXPECT_EQ(server_.last("heartbeat").session, second);
}

TEST_F(ClientTest, ANoToACallInTheOldSessionDoesNotEndTheNewOne) {
  auto& client = start();
  client.license("KEY-1");
  server_.set([](auto& behavior) { behavior.held.insert("variable"); });
  auto outcome = std::async(std::launch::async, [&] { return code_thrown_by([&] { client.variable("x"); }); });
  ASSERT_TRUE(server_.wait_for("variable", 1));
  client.license("KEY-2");
  reject("variable", 401, "SESSION_REPLACED");
  server_.set([](auto& behavior) { behavior.held.clear(); });
  EXPECT_EQ(outcome.get(), "SESSION_REPLACED");
  EXPECT_TRUE(client.is_valid());
  EXPECT_FALSE(client.lost());
}

TEST_F(ClientTest, KeysAreSentWithoutWhatAPasteAdds) {
  auto& client = start();
  client.license("\xe2\x80\x8b KEY 1\r\n");
  EXPECT_EQ(server_.last("license").fields["key"], "KEY 1");
  client.upgrade("\xef\xbb\xbfKEY-2\t");
  EXPECT_EQ(server_.last("upgrade").fields["licenseKey"], "KEY-2");
}

TEST_F(ClientTest, AnInitOfTheProgramIsUsedForTheNextSignIn) {
  auto& client = start();
  EXPECT_EQ(client.init().name, "My App");
  client.license("KEY-1");
  EXPECT_EQ(server_.count("init"), 1);
  client.license("KEY-2");
  EXPECT_EQ(server_.count("init"), 2) << "a second sign-in opens a session of its own";
}

TEST_F(ClientTest, AnInitOfLongAgoIsRepeatedOnce) {
  auto& client = start();
  client.init();
  server_.forget_sessions();
  client.license("KEY-1");
  EXPECT_EQ(server_.count("init"), 2);
  EXPECT_EQ(server_.count("license"), 2);
  EXPECT_TRUE(client.is_valid());
}

TEST_F(ClientTest, AfterAWrongKeyTheInitOfTheProgramIsUsedAgain) {
  auto& client = start();
  client.init();
  reject("license", 404, "LICENSE_NOT_FOUND");
  EXPECT_EQ(code_thrown_by([&] { client.license("KEY"); }), "LICENSE_NOT_FOUND");
  server_.set([](auto& behavior) { behavior.reject.clear(); });
  client.license("KEY");
  EXPECT_EQ(server_.count("init"), 1);
}

TEST_F(ClientTest, InitSendsVersionHashAndSdkAndSignInsSendTheHardwareId) {
  auto& client = start([](Settings& settings) { settings.program_hash = std::string(64, 'A'); });
  client.register_user("alice", "secret", " KEY \n", "alice@example.com");
  const auto init = server_.last("init");
  EXPECT_EQ(init.fields, (Json{{"version", "1.0"}, {"hash", std::string(64, 'a')}, {"sdk", kSdk}}));
  EXPECT_EQ(init.headers.at("user-agent"), std::string("signet-") + kSdk);
  EXPECT_EQ(init.headers.count("x-signet-session"), 0U);
  EXPECT_EQ(server_.last("register").fields, (Json{{"username", "alice"},
                                                   {"password", "secret"},
                                                   {"licenseKey", "KEY"},
                                                   {"email", "alice@example.com"},
                                                   {"hwid", "this machine"}}));
}

TEST_F(ClientTest, TheHashOfTheRunningProgramIsThatOfItsFile) {
  start([](Settings& settings) { settings.hash_running_program = true; }).init();
  const auto hash = server_.last("init").fields["hash"].get<std::string>();
  EXPECT_EQ(hash.size(), 64U);
  EXPECT_NE(hash, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855") << "the hash of nothing";
}

TEST_F(ClientTest, SealedRequestsCanBeReadOnlyByTheServer) {
  auto& client = start([](Settings& settings) { settings.seal_requests = true; });
  client.login("alice", "correct horse");
  const auto login = server_.last("login");
  EXPECT_EQ(login.headers.at("content-type"), "application/octet-stream");
  EXPECT_EQ(login.fields["password"], "correct horse");
}

TEST_F(ClientTest, CallsWithoutASignInThatNeedOneDontReachTheServer) {
  auto& client = start();
  EXPECT_EQ(code_thrown_by([&] { client.heartbeat(); }), "SESSION_REQUIRED");
  EXPECT_EQ(code_thrown_by([&] { client.user_variable("x"); }), "SESSION_REQUIRED");
  EXPECT_EQ(code_thrown_by([&] { client.set_user_variable("x", "y"); }), "SESSION_REQUIRED");
  EXPECT_EQ(code_thrown_by([&] { client.upgrade("KEY"); }), "SESSION_REQUIRED");
  EXPECT_EQ(code_thrown_by([&] { client.change_password("a", "b"); }), "SESSION_REQUIRED");
  EXPECT_TRUE(server_.received().empty());
  EXPECT_FALSE(client.is_valid());
  EXPECT_FALSE(client.session());
}

TEST_F(ClientTest, VariablesLogsAndWebhooksWork) {
  auto& client = start();
  EXPECT_EQ(client.variable("greeting"), "of the app") << "before the sign-in";
  client.license("KEY");
  EXPECT_EQ(server_.count("init"), 1);
  client.set_user_variable("theme", "dark");
  EXPECT_EQ(client.user_variable("theme"), "dark");
  client.log("hello");
  EXPECT_EQ(server_.last("log").fields["message"], "hello");
  const auto answer = client.call_webhook("hook", R"({"a":[1,2]})");
  EXPECT_EQ(answer.status, 202);
  EXPECT_EQ(answer.body, R"({"a":[1,2]})");
  client.change_password("old", "new");
  client.request_password_reset("alice");
  client.upgrade("KEY-2");
  const auto session = client.session();
  ASSERT_TRUE(session);
  EXPECT_EQ(session->user.subscriptions.at(0).name, "Pro");
  EXPECT_EQ(session->user.subscriptions.at(0).expires_at, std::nullopt);
}

TEST_F(ClientTest, TextThatIsNotUtf8IsNotSent) {
  auto& client = start();
  EXPECT_EQ(code_thrown_by([&] { client.license("\xff"); }), "MALFORMED_REQUEST");
  EXPECT_EQ(code_thrown_by([&] { client.call_webhook("hook", "[1]"); }), "MALFORMED_REQUEST");
  EXPECT_EQ(code_thrown_by([&] { client.call_webhook("hook", "{"); }), "MALFORMED_REQUEST");
  EXPECT_TRUE(server_.received().empty());
}

TEST_F(ClientTest, ConnectionsAreKeptBetweenCalls) {
  auto& client = start();
  client.license("KEY");
  for (int i = 0; i < 5; ++i) client.heartbeat();
  EXPECT_EQ(server_.connections(), 1);
}

}  // namespace
}  // namespace signet::internal
