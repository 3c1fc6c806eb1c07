#include <gtest/gtest.h>

#include "client.h"
#include "expect_code.h"
#include "fake_clock.h"
#include "fake_server.h"

namespace signet::internal {
namespace {

using testing::code_thrown_by;
using testing::FakeServer;

class ClockTest : public ::testing::Test {
 protected:
  ClockTest() { client_ = Client::create(server_.settings()); }
  ~ClockTest() override { client_->close(); }

  void set_clock_ahead(std::int64_t ms) {
    server_.set([&](auto& behavior) { behavior.clock_ahead_ms = ms; });
  }

  testing::FakeClock clock_;
  FakeServer server_;
  std::shared_ptr<Client> client_;
};

TEST_F(ClockTest, AClockThatIsHoursOffIsCorrectedOnceAndStaysCorrected) {
  for (const std::int64_t hours : {5, -7}) {
    set_clock_ahead(hours * 3'600'000);
    const auto before = server_.count("init");
    client_->init();
    EXPECT_EQ(server_.count("init") - before, 2);
    client_->init();
    EXPECT_EQ(server_.count("init") - before, 3) << "the offset is kept";
  }
}

TEST_F(ClockTest, AClockThatServerAcceptsButClientDoesNotIsCorrectedForRepeatableCalls) {
  set_clock_ahead(90'000);
  client_->init();
  EXPECT_EQ(server_.count("init"), 2);
  client_->license("KEY");
  EXPECT_EQ(server_.count("license"), 1);
}

TEST_F(ClockTest, AStaleAnswerToACallThatChangesSomethingIsAnErrorAndTheOffsetIsKept) {
  client_->init();
  set_clock_ahead(90'000);
  EXPECT_EQ(code_thrown_by([&] { client_->license("KEY"); }), "STALE_RESPONSE");
  EXPECT_EQ(server_.count("license"), 1) << "it could use up a key";
  EXPECT_FALSE(client_->is_valid());
  client_->license("KEY");
  EXPECT_TRUE(client_->is_valid());
}

TEST_F(ClockTest, AStaleAnswerEndsNoSessionEvenIfItSaysSo) {
  client_->license("KEY");
  server_.set([](auto& behavior) {
    behavior.clock_ahead_ms = 90'000;
    behavior.reject["log"] = {403, "USER_BANNED"};
  });
  EXPECT_EQ(code_thrown_by([&] { client_->log("x"); }), "STALE_RESPONSE");
  EXPECT_FALSE(client_->lost());
}

TEST_F(ClockTest, AServerThatKeepsComplainingAboutTheClockIsAskedTwice) {
  server_.set([](auto& behavior) { behavior.reject["init"] = {400, "CLOCK_SKEW"}; });
  EXPECT_EQ(code_thrown_by([&] { client_->init(); }), "CLOCK_SKEW");
  EXPECT_EQ(server_.count("init"), 2);
}

TEST_F(ClockTest, AUsedNonceIsReplacedOnceForRepeatableCallsOnly) {
  client_->license("KEY");
  server_.set([](auto& behavior) {
    behavior.reject["heartbeat"] = behavior.reject["log"] = {409, "NONCE_REUSED"};
    behavior.reject_times["heartbeat"] = 1;
  });
  client_->heartbeat();
  EXPECT_EQ(server_.count("heartbeat"), 2);
  EXPECT_EQ(code_thrown_by([&] { client_->log("x"); }), "NONCE_REUSED");
  EXPECT_EQ(server_.count("log"), 1);
  EXPECT_TRUE(client_->is_valid());
}

TEST_F(ClockTest, ClockAndNonceAreCountedSeparately) {
  client_->license("KEY");
  server_.set([](auto& behavior) {
    behavior.clock_ahead_ms = 90'000;
    behavior.tamper = [count = 0](const Request& request, Reply& reply) mutable {
      (void)request;
      (void)reply;
      ++count;
    };
    behavior.reject["heartbeat"] = {409, "NONCE_REUSED"};
    behavior.reject_times["heartbeat"] = 2;
  });
  // Stale, then a used nonce, then a success.
  client_->heartbeat();
  EXPECT_EQ(server_.count("heartbeat"), 3);
}

TEST_F(ClockTest, AnAnswerThatTookMoreThanAMinuteIsNotUsed) {
  server_.set([&](auto& behavior) {
    behavior.clock = [&] { return clock_.wall_ms(); };
    behavior.tamper = [&](const Request&, Reply&) { clock_.advance(61'000); };
  });
  auto settings = server_.settings();
  settings.timeout_ms = 3'600'000;
  const auto client = Client::create(settings, clock_);
  EXPECT_EQ(code_thrown_by([&] { client->init(); }), "STALE_RESPONSE");
  client->close();
}

}  // namespace
}  // namespace signet::internal
