#include "heartbeat.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <vector>

#include "client.h"
#include "expect_code.h"
#include "fake_clock.h"
#include "fake_server.h"

namespace signet::internal {
namespace {

using testing::code_thrown_by;
using testing::eventually;
using testing::FakeClock;
using testing::FakeServer;

constexpr std::int64_t kIntervalMs = 60'000;
constexpr std::int64_t kGraceMs = 180'000;

class HeartbeatTest : public ::testing::Test {
 protected:
  ~HeartbeatTest() override {
    if (client_) client_->close();
  }

  Client& start() {
    server_.set([&](auto& behavior) { behavior.clock = [&] { return clock_.wall_ms(); }; });
    auto settings = server_.settings();
    settings.heartbeat_interval_ms = kIntervalMs;
    settings.grace_ms = kGraceMs;
    settings.events.on_lost = [this](const Error& error) { note("lost " + error.code); };
    settings.events.on_interrupted = [this](const Error& error) { note("interrupted " + error.code); };
    settings.events.on_resumed = [this] { note("resumed"); };
    client_ = Client::create(settings, clock_);
    client_->license("KEY");
    return *client_;
  }

  void note(const std::string& event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(event);
  }

  std::vector<std::string> events() {
    const std::lock_guard lock(mutex_);
    return events_;
  }

  void reject(const std::string& call, int status, const std::string& code) {
    server_.set([&](auto& behavior) { behavior.reject[call] = {status, code}; });
  }

  void go_dark() {
    server_.set([](auto& behavior) { behavior.tamper = [](const Request&, Reply& reply) { reply.headers.clear(); }; });
  }

  void come_back() {
    server_.set([](auto& behavior) {
      behavior.tamper = nullptr;
      behavior.reject.clear();
    });
  }

  /// Moves the clock in steps until so many heartbeats were received.
  bool advance_to_heartbeat(int count) {
    return eventually([&] {
      if (server_.count("heartbeat") >= count) return true;
      clock_.advance(1'000);
      return false;
    });
  }

  FakeClock clock_;
  FakeServer server_;
  std::mutex mutex_;
  std::vector<std::string> events_;
  std::shared_ptr<Client> client_;
};

TEST_F(HeartbeatTest, ASignedNoIsReportedOnceAndEndsTheHeartbeat) {
  auto& client = start();
  reject("heartbeat", 403, "USER_BANNED");
  ASSERT_TRUE(advance_to_heartbeat(1));
  ASSERT_TRUE(eventually([&] { return !events().empty(); }));
  EXPECT_FALSE(client.is_valid());
  EXPECT_EQ(client.lost()->code, "USER_BANNED");
  EXPECT_EQ(code_thrown_by([&] { client.heartbeat(); }), "USER_BANNED");
  clock_.advance(600'000);
  EXPECT_EQ(code_thrown_by([&] { client.heartbeat(); }), "USER_BANNED");
  EXPECT_EQ(server_.count("heartbeat"), 1);
  EXPECT_EQ(events(), std::vector<std::string>{"lost USER_BANNED"});
}

TEST_F(HeartbeatTest, AfterALossANewSignInStartsAnew) {
  auto& client = start();
  reject("heartbeat", 403, "USER_BANNED");
  ASSERT_TRUE(advance_to_heartbeat(1));
  ASSERT_TRUE(eventually([&] { return !client.is_valid(); }));
  come_back();
  client.license("KEY");
  EXPECT_TRUE(client.is_valid());
  EXPECT_FALSE(client.lost());
  EXPECT_TRUE(advance_to_heartbeat(2));
}

TEST_F(HeartbeatTest, WithoutAVerifiedAnswerTheSessionIsInterruptedOnceAndThenResumed) {
  auto& client = start();
  go_dark();
  ASSERT_TRUE(eventually([&] {
    clock_.advance(1'000);
    return !client.is_valid();
  }));
  ASSERT_TRUE(eventually([&] {
    clock_.advance(1'000);
    return !events().empty();
  }));
  EXPECT_EQ(events(), std::vector<std::string>{"interrupted UNSIGNED_RESPONSE"});
  EXPECT_FALSE(client.lost());
  const auto asked = server_.count("heartbeat");
  ASSERT_TRUE(advance_to_heartbeat(asked + 3)) << "it never gives up";
  come_back();
  ASSERT_TRUE(eventually([&] {
    clock_.advance(1'000);
    return events().size() >= 2;
  }));
  EXPECT_EQ(events(), (std::vector<std::string>{"interrupted UNSIGNED_RESPONSE", "resumed"}));
  EXPECT_TRUE(client.is_valid());
}

TEST_F(HeartbeatTest, ASessionIsValidForTheIntervalTenPercentAndTheGracePeriod) {
  auto& client = start();
  server_.set([](auto& behavior) { behavior.silent.insert("heartbeat"); });
  clock_.advance(kIntervalMs * 11 / 10 + kGraceMs);
  EXPECT_TRUE(client.is_valid());
  clock_.advance(1);
  EXPECT_FALSE(client.is_valid()) << "even while the thread hangs in a heartbeat";
}

TEST_F(HeartbeatTest, OtherAnswersDoNotProlongASession) {
  auto& client = start();
  reject("heartbeat", 503, "MAINTENANCE");
  clock_.advance(200'000);
  client.variable("x");
  clock_.advance(200'000);
  client.variable("x");
  EXPECT_FALSE(client.is_valid());
}

TEST_F(HeartbeatTest, AForegroundHeartbeatResumesToo) {
  auto& client = start();
  reject("heartbeat", 503, "MAINTENANCE");
  server_.set([](auto& behavior) { behavior.error_fields = {{"retryAfterSeconds", 100'000}}; });
  ASSERT_TRUE(advance_to_heartbeat(1));
  ASSERT_TRUE(eventually([&] {
    clock_.advance(1'000);
    return events() == std::vector<std::string>{"interrupted MAINTENANCE"};
  }));
  server_.set([](auto& behavior) { behavior.reject.clear(); });
  client.heartbeat();
  EXPECT_EQ(events(), (std::vector<std::string>{"interrupted MAINTENANCE", "resumed"}));
  EXPECT_TRUE(client.is_valid());
}

TEST_F(HeartbeatTest, AnInterruptionIsNotToldAfterItsEnd) {
  std::promise<void> resumed;
  server_.set([&](auto& behavior) { behavior.clock = [&] { return clock_.wall_ms(); }; });
  auto settings = server_.settings();
  settings.heartbeat_interval_ms = kIntervalMs;
  settings.grace_ms = kGraceMs;
  std::promise<void> begun;
  settings.events.on_interrupted = [&](const Error&) {
    begun.set_value();
    resumed.get_future().wait();
    note("interrupted");
  };
  settings.events.on_resumed = [this] { note("resumed"); };
  client_ = Client::create(settings, clock_);
  client_->license("KEY");
  go_dark();
  const auto interrupted = begun.get_future();
  ASSERT_TRUE(eventually([&] {
    clock_.advance(1'000);
    return interrupted.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }));
  come_back();
  client_->heartbeat();
  EXPECT_TRUE(client_->is_valid());
  resumed.set_value();
  EXPECT_TRUE(eventually([&] { return events() == std::vector<std::string>{"interrupted", "resumed"}; }));
}

TEST_F(HeartbeatTest, TheServerIsAskedAtOnceAfterTheMachineSlept) {
  auto& client = start();
  server_.expire_sessions();
  clock_.sleep(8 * 3'600'000);
  EXPECT_TRUE(server_.wait_for("renew", 1));
  ASSERT_TRUE(eventually([&] { return server_.count("heartbeat") == 2; }));
  EXPECT_TRUE(client.is_valid());
  EXPECT_TRUE(events().empty());
  EXPECT_EQ(server_.count("license"), 1);
}

TEST_F(HeartbeatTest, ALogoutEndsTheHeartbeat) {
  auto& client = start();
  client.logout();
  clock_.advance(10 * kIntervalMs);
  client.variable("x");
  clock_.advance(10 * kIntervalMs);
  client.variable("x");
  EXPECT_EQ(server_.count("heartbeat"), 0);
  EXPECT_TRUE(events().empty());
}

TEST_F(HeartbeatTest, ANoToAnOldSessionDoesNotEndTheNewOne) {
  auto& client = start();
  server_.set([](auto& behavior) { behavior.silent.insert("heartbeat"); });
  reject("heartbeat", 401, "SESSION_REPLACED");
  ASSERT_TRUE(advance_to_heartbeat(1));
  client.license("KEY-2");
  come_back();
  server_.set([](auto& behavior) { behavior.silent.clear(); });
  ASSERT_TRUE(advance_to_heartbeat(2));
  EXPECT_TRUE(client.is_valid());
  EXPECT_TRUE(events().empty());
}

TEST_F(HeartbeatTest, AnEventMayCallTheClientAndCloseIt) {
  server_.set([&](auto& behavior) { behavior.clock = [&] { return clock_.wall_ms(); }; });
  auto settings = server_.settings();
  settings.heartbeat_interval_ms = kIntervalMs;
  settings.events.on_lost = [this](const Error& error) {
    EXPECT_FALSE(client_->is_valid());
    EXPECT_EQ(client_->lost()->code, error.code);
    client_->logout();
    client_->close();
    note("closed");
  };
  client_ = Client::create(settings, clock_);
  client_->license("KEY");
  reject("heartbeat", 403, "USER_BANNED");
  ASSERT_TRUE(advance_to_heartbeat(1));
  EXPECT_TRUE(eventually([&] { return events() == std::vector<std::string>{"closed"}; }));
}

TEST_F(HeartbeatTest, ALossIsReportedOnceEvenIfManyCallsHearIt) {
  auto& client = start();
  reject("variable", 403, "USER_BANNED");
  reject("heartbeat", 403, "USER_BANNED");
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { code_thrown_by([&] { client.variable("x"); }); });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(events(), std::vector<std::string>{"lost USER_BANNED"});
}

}  // namespace
}  // namespace signet::internal
