#include <gtest/gtest.h>

#include <thread>

#include "client_fixture.h"
#include "expect_code.h"

namespace signet::internal {
namespace {

using testing::code_thrown_by;

using SessionEndTest = testing::ClientFixture;

TEST_F(SessionEndTest, ASessionEndsOnlyByAnErrorThatIsAboutIt) {
  for (const auto& [code, is_lost] : std::map<std::string, bool>{{"USER_BANNED", true},
                                                                 {"SESSION_REPLACED", true},
                                                                 {"HWID_MISMATCH", true},
                                                                 {"VARIABLE_NOT_FOUND", false},
                                                                 {"A_CODE_OF_NEXT_YEAR", false}}) {
    auto& client = start();
    client.license("KEY");
    reject("variable", 403, code);
    EXPECT_EQ(code_thrown_by([&] { client.variable("x"); }), code);
    EXPECT_EQ(client.lost().has_value(), is_lost) << code;
    EXPECT_EQ(client.is_valid(), !is_lost) << code;
    if (is_lost) {
      EXPECT_EQ(code_thrown_by([&] { client.heartbeat(); }), code) << "says why";
    }
    client.close();
  }
}

TEST_F(SessionEndTest, ATemporaryErrorEndsNoSession) {
  auto& client = start();
  client.license("KEY");
  for (const auto& [status, code] : std::vector<std::pair<int, std::string>>{
           {429, "RATE_LIMITED"}, {503, "MAINTENANCE"}, {500, "INTERNAL_ERROR"}, {503, "USER_BANNED"}}) {
    reject("heartbeat", status, code);
    EXPECT_EQ(code_thrown_by([&] { client.heartbeat(); }), code);
    EXPECT_TRUE(client.is_valid());
  }
  server_.set([](auto& behavior) { behavior.error_fields = {{"retryAfterSeconds", 7}}; });
  try {
    client.heartbeat();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.retry_after, 7);
    EXPECT_EQ(error.request_id, "req-1");
    EXPECT_EQ(Json::parse(error.details)["retryAfterSeconds"], 7);
  }
}

TEST_F(SessionEndTest, AForegroundHeartbeatThatIsRejectedEndsTheSession) {
  auto& client = start();
  client.license("KEY");
  reject("heartbeat", 403, "VPN_BLOCKED");
  EXPECT_EQ(code_thrown_by([&] { client.heartbeat(); }), "VPN_BLOCKED");
  EXPECT_TRUE(client.lost());
  EXPECT_FALSE(client.is_valid());
}

TEST_F(SessionEndTest, AnUpgradeIsAboutTheKeyUnlessTheSessionIsGone) {
  auto& client = start();
  client.license("KEY");
  reject("upgrade", 403, "LICENSE_BANNED");
  EXPECT_EQ(code_thrown_by([&] { client.upgrade("KEY-2"); }), "LICENSE_BANNED");
  reject("request-password-reset", 403, "USER_BANNED");
  EXPECT_EQ(code_thrown_by([&] { client.request_password_reset("Zoë"); }), "USER_BANNED");
  EXPECT_TRUE(client.is_valid());
  reject("upgrade", 401, "SESSION_ENDED");
  EXPECT_EQ(code_thrown_by([&] { client.upgrade("KEY-2"); }), "SESSION_ENDED");
  EXPECT_FALSE(client.is_valid());
}

TEST_F(SessionEndTest, AnUpgradeRevivesASessionWhoseSubscriptionExpired) {
  auto& client = start();
  client.license("KEY");
  reject("heartbeat", 403, "SUBSCRIPTION_EXPIRED");
  EXPECT_EQ(code_thrown_by([&] { client.heartbeat(); }), "SUBSCRIPTION_EXPIRED");
  EXPECT_FALSE(client.is_valid());
  client.upgrade("KEY-2");
  EXPECT_TRUE(client.is_valid());
  EXPECT_FALSE(client.lost());
  EXPECT_EQ(server_.count("init"), 1);
  EXPECT_EQ(server_.count("logout"), 0);

  reject("heartbeat", 403, "USER_BANNED");
  EXPECT_EQ(code_thrown_by([&] { client.heartbeat(); }), "USER_BANNED");
  EXPECT_EQ(code_thrown_by([&] { client.upgrade("KEY-3"); }), "USER_BANNED") << "a ban can't be bought off";
}

TEST_F(SessionEndTest, AnUpgradeRevivesASessionWhoseEndAHeartbeatHasFoundMeanwhile) {
  for (const std::string code : {"SUBSCRIPTION_EXPIRED", "USER_BANNED"}) {
    auto& client = start();
    client.license("KEY");
    const auto before = server_.count("upgrade");
    server_.set([](auto& behavior) { behavior.held = {"upgrade"}; });
    std::thread upgrade([&] { EXPECT_EQ(code_thrown_by([&] { client.upgrade("KEY-2"); }), "OK"); });
    EXPECT_TRUE(server_.wait_for("upgrade", before + 1));
    reject("heartbeat", 403, code);
    EXPECT_EQ(code_thrown_by([&] { client.heartbeat(); }), code);
    server_.set([](auto& behavior) { behavior.held.clear(); });
    upgrade.join();
    EXPECT_EQ(client.is_valid(), code == "SUBSCRIPTION_EXPIRED");
    client.close();
    server_.set([](auto& behavior) { behavior.reject.clear(); });
  }
}

TEST_F(SessionEndTest, ANoFromBeforeAnUpgradeEndsNothing) {
  auto& client = start();
  client.license("KEY");
  server_.set([](auto& behavior) { behavior.held = {"heartbeat"}; });
  std::thread beat([&] { EXPECT_EQ(code_thrown_by([&] { client.heartbeat(); }), "SUBSCRIPTION_EXPIRED"); });
  EXPECT_TRUE(server_.wait_for("heartbeat", 1));
  client.upgrade("KEY-2");
  reject("heartbeat", 403, "SUBSCRIPTION_EXPIRED");
  server_.set([](auto& behavior) { behavior.held.clear(); });
  beat.join();
  EXPECT_TRUE(client.is_valid());
  EXPECT_FALSE(client.lost());
  EXPECT_EQ(code_thrown_by([&] { client.heartbeat(); }), "SUBSCRIPTION_EXPIRED");
  EXPECT_FALSE(client.is_valid()) << "a later no counts";
}

TEST_F(SessionEndTest, AnUpgradeSignsNobodyInWhoHasLoggedOutMeanwhile) {
  auto& client = start();
  client.license("KEY");
  reject("heartbeat", 403, "SUBSCRIPTION_EXPIRED");
  EXPECT_EQ(code_thrown_by([&] { client.heartbeat(); }), "SUBSCRIPTION_EXPIRED");
  server_.set([](auto& behavior) { behavior.held = {"upgrade"}; });
  std::thread upgrade([&] { EXPECT_EQ(code_thrown_by([&] { client.upgrade("KEY-2"); }), "OK"); });
  EXPECT_TRUE(server_.wait_for("upgrade", 1));
  client.logout();
  server_.set([](auto& behavior) { behavior.held.clear(); });
  upgrade.join();
  EXPECT_FALSE(client.is_valid());
  EXPECT_EQ(code_thrown_by([&] { client.user_variable("x"); }), "SESSION_REQUIRED");
}

TEST_F(SessionEndTest, ALossDuringASignInCountsOnlyIfTheSignInFails) {
  for (const bool succeeds : {true, false}) {
    int lost = 0;
    auto& client = start([&](Settings& settings) { settings.events.on_lost = [&](const Error&) { ++lost; }; });
    client.license("KEY");
    const auto before = server_.count("license");
    reject("heartbeat", 401, "SESSION_REPLACED");
    server_.set([](auto& behavior) { behavior.held = {"license"}; });
    std::thread second([&] {
      EXPECT_EQ(code_thrown_by([&] { client.license("KEY-2"); }), succeeds ? "OK" : "LICENSE_NOT_FOUND");
    });
    EXPECT_TRUE(server_.wait_for("license", before + 1));
    EXPECT_EQ(code_thrown_by([&] { client.heartbeat(); }), "SESSION_REPLACED");
    EXPECT_FALSE(client.lost());
    if (!succeeds) reject("license", 404, "LICENSE_NOT_FOUND");
    server_.set([](auto& behavior) { behavior.held.clear(); });
    second.join();
    EXPECT_EQ(client.is_valid(), succeeds);
    EXPECT_EQ(lost, succeeds ? 0 : 1);
    client.close();
    server_.set([](auto& behavior) { behavior.reject.clear(); });
  }
}

TEST_F(SessionEndTest, ASessionThatIsGoneIsAsGoodAsLoggedOut) {
  auto& client = start();
  for (const char* code : {"SESSION_ENDED", "SESSION_REPLACED"}) {
    client.license("KEY");
    reject("logout", 401, code);
    EXPECT_EQ(code_thrown_by([&] { client.logout(); }), "OK");
  }
}

TEST_F(SessionEndTest, AnExpiredSessionIsRenewedAndTheCallRepeatedOnce) {
  auto& client = start([](Settings& settings) { settings.program_hash = std::string(64, 'a'); });
  client.license("KEY");
  server_.expire_sessions();
  client.set_user_variable("theme", "dark");
  EXPECT_EQ(server_.count("renew"), 1);
  EXPECT_EQ(server_.count("set-user-variable"), 2);
  EXPECT_EQ(server_.count("init"), 1);
  EXPECT_EQ(server_.count("license"), 1) << "the key isn't sent again";
  const auto renew = server_.last("renew");
  EXPECT_EQ(renew.session, server_.last("license").session);
  EXPECT_EQ(renew.fields, (Json{{"version", "1.0"}, {"hash", std::string(64, 'a')}, {"hwid", "this machine"}}));
}

TEST_F(SessionEndTest, ARejectedRenewalEndsTheSession) {
  for (const char* code : {"USER_BANNED", "SESSION_EXPIRED", "A_CODE_OF_NEXT_YEAR"}) {
    auto& client = start();
    client.license("KEY");
    server_.expire_sessions();
    reject("renew", 403, code);
    EXPECT_EQ(code_thrown_by([&] { client.variable("x"); }), code);
    ASSERT_TRUE(client.lost()) << code;
    EXPECT_EQ(client.lost()->code, code);
    client.close();
  }
}

TEST_F(SessionEndTest, ARenewalWithoutAVerifiableAnswerEndsNothing) {
  auto& client = start();
  client.license("KEY");
  server_.expire_sessions();
  reject("renew", 503, "MAINTENANCE");
  EXPECT_EQ(code_thrown_by([&] { client.heartbeat(); }), "MAINTENANCE");
  EXPECT_FALSE(client.lost());
  server_.set([](auto& behavior) {
    behavior.reject.clear();
    behavior.tamper = [](const Request& request, Reply& reply) {
      if (request.path.find("renew") != std::string::npos) reply.body += " ";
    };
  });
  EXPECT_EQ(code_thrown_by([&] { client.heartbeat(); }), "BAD_SIGNATURE");
  EXPECT_FALSE(client.lost());
  server_.set([](auto& behavior) { behavior.tamper = nullptr; });
  client.heartbeat();
  EXPECT_TRUE(client.is_valid());
}

TEST_F(SessionEndTest, ASessionThatExpiresAgainAtOnceIsNotRenewedForever) {
  auto& client = start();
  client.license("KEY");
  reject("heartbeat", 401, "SESSION_EXPIRED");
  EXPECT_EQ(code_thrown_by([&] { client.heartbeat(); }), "SESSION_EXPIRED");
  EXPECT_EQ(server_.count("renew"), 1);
  EXPECT_EQ(server_.count("heartbeat"), 2);
  EXPECT_TRUE(client.lost()) << "the server renews it and doesn't know it";
  EXPECT_FALSE(client.is_valid());
}

TEST_F(SessionEndTest, ALogoutEndsTheSessionHereEvenIfTheServerCantBeReached) {
  auto& client = start();
  client.license("KEY");
  server_.set([](auto& behavior) { behavior.tamper = [](const Request&, Reply& reply) { reply.headers.clear(); }; });
  EXPECT_EQ(code_thrown_by([&] { client.logout(); }), "UNSIGNED_RESPONSE");
  EXPECT_FALSE(client.is_valid());
  EXPECT_FALSE(client.session());
  EXPECT_EQ(code_thrown_by([&] { client.logout(); }), "OK") << "nothing to do";
  EXPECT_EQ(server_.count("logout"), 1);
}

TEST_F(SessionEndTest, ClosingLogsOutAndNothingWorksAfterwards) {
  auto& client = start();
  client.license("KEY");
  client.close();
  EXPECT_EQ(server_.count("logout"), 1);
  EXPECT_FALSE(client.is_valid());
  EXPECT_EQ(code_thrown_by([&] { client.license("KEY"); }), "CANCELLED");
  EXPECT_EQ(code_thrown_by([&] { client.logout(); }), "CANCELLED");
  client.close();
  EXPECT_EQ(server_.count("logout"), 1);
}

TEST_F(SessionEndTest, WithoutAHeartbeatASessionIsValidUntilItExpires) {
  server_.set([&](auto& behavior) { behavior.clock = [&] { return clock_.wall_ms(); }; });
  client_ = Client::create(server_.settings(), clock_);
  client_->license("KEY");
  clock_.advance(3'599'000);
  EXPECT_TRUE(client_->is_valid());
  clock_.advance(2'000);
  EXPECT_FALSE(client_->is_valid());
  client_->heartbeat();
  EXPECT_TRUE(client_->is_valid());
}

TEST_F(SessionEndTest, TurningTheClockBackDoesNotExtendASession) {
  server_.set([&](auto& behavior) { behavior.clock = [&] { return clock_.wall_ms(); }; });
  client_ = Client::create(server_.settings(), clock_);
  client_->license("KEY");
  clock_.sleep(-86'400'000);
  clock_.advance(3'601'000);
  EXPECT_FALSE(client_->is_valid());
}

}  // namespace
}  // namespace signet::internal
