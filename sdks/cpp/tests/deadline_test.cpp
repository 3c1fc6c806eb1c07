#include <gtest/gtest.h>

#include <chrono>
#include <future>

#include "client.h"
#include "expect_code.h"
#include "fake_clock.h"
#include "fake_server.h"

namespace signet::internal {
namespace {

using testing::code_thrown_by;
using testing::eventually;
using testing::FakeServer;

/// Far more than anything here takes, and far less than the timeouts that must not be waited for.
constexpr auto kPatience = std::chrono::seconds(20);
constexpr std::int64_t kForeverMs = 3'600'000;

class DeadlineTest : public ::testing::Test {
 protected:
  ~DeadlineTest() override {
    if (client_) client_->close();
  }

  Client& start(std::int64_t timeout_ms) {
    auto settings = server_.settings();
    settings.timeout_ms = timeout_ms;
    client_ = Client::create(settings);
    return *client_;
  }

  void silence(const std::string& call) {
    server_.set([&](auto& behavior) { behavior.silent.insert(call); });
  }

  std::future<std::string> in_background(std::function<void()> action) {
    return std::async(std::launch::async, [action = std::move(action)] { return code_thrown_by(action); });
  }

  /// The code, or `HANGS`.
  static std::string soon(std::future<std::string>& outcome) {
    return outcome.wait_for(kPatience) == std::future_status::ready ? outcome.get() : "HANGS";
  }

  testing::FakeClock clock_;
  FakeServer server_;
  std::shared_ptr<Client> client_;
};

TEST_F(DeadlineTest, AServerThatIsSilentIsANetworkErrorAfterTheTimeout) {
  silence("init");
  auto& client = start(200);
  EXPECT_EQ(code_thrown_by([&] { client.license("KEY"); }), "NETWORK");
}

TEST_F(DeadlineTest, AnAnswerThatComesByteByByteIsCutOffByTheDeadline) {
  const auto is_over = std::make_shared<std::atomic<bool>>(false);
  server_.set([&](auto& behavior) {
    behavior.write_instead = [is_over](const Request&, testing::Connection& connection) {
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
      while (!*is_over && connection.write("x")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    };
  });
  auto& client = start(300);
  auto outcome = in_background([&] { client.init(); });
  EXPECT_EQ(soon(outcome), "NETWORK");
  *is_over = true;
}

TEST_F(DeadlineTest, TheDeadlineBoundsTheWholeCallAndNotEachRequest) {
  server_.set([&](auto& behavior) {
    behavior.clock = [&] { return clock_.wall_ms(); };
    behavior.tamper = [&](const Request&, Reply&) { clock_.advance(11'000); };
  });
  auto settings = server_.settings();
  settings.timeout_ms = 10'000;
  client_ = Client::create(settings, clock_);
  EXPECT_EQ(code_thrown_by([&] { client_->license("KEY"); }), "NETWORK");
  EXPECT_EQ(server_.count("license"), 0) << "the time was over after init";
  EXPECT_FALSE(client_->is_valid());
}

TEST_F(DeadlineTest, ACancelledCallEndsAtOnce) {
  silence("license");
  auto& client = start(kForeverMs);
  auto outcome = in_background([&] { client.license("KEY"); });
  ASSERT_TRUE(server_.wait_for("license", 1));
  client.cancel();
  EXPECT_EQ(soon(outcome), "CANCELLED");
  server_.set([](auto& behavior) { behavior.silent.clear(); });
  client.license("KEY");
  EXPECT_TRUE(client.is_valid()) << "later calls aren't affected";
}

TEST_F(DeadlineTest, ClosingEndsACallThatHangs) {
  silence("heartbeat");
  silence("logout");
  auto& client = start(kForeverMs);
  client.license("KEY");
  auto outcome = in_background([&] { client.heartbeat(); });
  ASSERT_TRUE(server_.wait_for("heartbeat", 1));
  auto closed = in_background([&] { client.close(); });
  EXPECT_EQ(soon(closed), "OK");
  EXPECT_EQ(soon(outcome), "CANCELLED");
}

TEST_F(DeadlineTest, ABackgroundHeartbeatThatHangsDelaysNoOtherCall) {
  server_.set([&](auto& behavior) { behavior.clock = [&] { return clock_.wall_ms(); }; });
  silence("heartbeat");
  auto settings = server_.settings();
  settings.heartbeat_interval_ms = 60'000;
  settings.timeout_ms = kForeverMs;
  client_ = Client::create(settings, clock_);
  client_->license("KEY");
  clock_.advance(70'000);
  ASSERT_TRUE(server_.wait_for("heartbeat", 1));
  auto outcome = in_background([&] { client_->variable("x"); });
  EXPECT_EQ(soon(outcome), "OK");
  client_->cancel();
  auto closed = in_background([&] { client_->close(); });
  EXPECT_EQ(soon(closed), "OK");
}

TEST_F(DeadlineTest, CancellingDoesNotTouchTheBackgroundHeartbeat) {
  server_.set([&](auto& behavior) { behavior.clock = [&] { return clock_.wall_ms(); }; });
  auto settings = server_.settings();
  settings.heartbeat_interval_ms = 60'000;
  client_ = Client::create(settings, clock_);
  client_->license("KEY");
  client_->cancel();
  clock_.advance(70'000);
  EXPECT_TRUE(server_.wait_for("heartbeat", 1));
}

TEST_F(DeadlineTest, AServerThatIsAwayIsANetworkErrorAtOnce) {
  Settings settings;
  {
    const FakeServer gone;
    settings = gone.settings();
  }
  settings.timeout_ms = kForeverMs;
  client_ = Client::create(settings);
  auto outcome = in_background([&] { client_->init(); });
  EXPECT_EQ(soon(outcome), "NETWORK");
}

TEST_F(DeadlineTest, ManyThreadsUseOneClient) {
  auto& client = start(60'000);
  client.license("KEY");
  std::vector<std::future<std::string>> outcomes;
  for (int i = 0; i < 8; ++i) {
    outcomes.push_back(in_background([&, i] {
      for (int j = 0; j < 10; ++j) {
        if (i == 0)
          client.license("KEY");
        else if (i == 1)
          (void)client.is_valid();
        else
          client.variable("x");
        (void)client.session();
      }
    }));
  }
  // A call in a session that is replaced at that moment may hear that the session has ended.
  for (auto& outcome : outcomes) {
    const auto code = soon(outcome);
    EXPECT_TRUE(code == "OK" || code == "SESSION_ENDED") << code;
  }
  EXPECT_FALSE(client.lost());
}

}  // namespace
}  // namespace signet::internal
