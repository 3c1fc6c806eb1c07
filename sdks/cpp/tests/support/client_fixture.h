#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "client.h"
#include "fake_clock.h"
#include "fake_server.h"

namespace signet::testing {

/// A client of an honest server, without a background heartbeat.
class ClientFixture : public ::testing::Test {
 protected:
  ~ClientFixture() override {
    if (client_) client_->close();
  }

  internal::Client& start(const std::function<void(internal::Settings&)>& change = [](internal::Settings&) {}) {
    auto settings = server_.settings();
    change(settings);
    client_ = internal::Client::create(settings);
    return *client_;
  }

  void reject(const std::string& call, int status, const std::string& code) {
    server_.set([&](auto& behavior) { behavior.reject[call] = {status, code}; });
  }

  FakeClock clock_;
  FakeServer server_;
  std::shared_ptr<internal::Client> client_;
};

}  // namespace signet::testing
