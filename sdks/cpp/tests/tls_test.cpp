#include <gtest/gtest.h>

#include <cstdlib>

#include "client.h"
#include "expect_code.h"
#include "fake_server.h"

namespace signet::internal {
namespace {

using testing::code_thrown_by;
using testing::FakeServer;
using testing::TlsIdentity;

class TlsTest : public ::testing::Test {
 protected:
  std::string outcome(const std::function<void(Settings&)>& change) {
    auto settings = server_.settings();
    settings.ca_file = identity_.ca_file();
    change(settings);
    return code_thrown_by([&] {
      const auto client = Client::create(settings);
      client->init();
      client->variable("x");
    });
  }

  const TlsIdentity identity_;
  FakeServer server_{&identity_};
};

TEST_F(TlsTest, ACertificateThatNobodyTrustsIsANetworkErrorAndNothingIsSent) {
  EXPECT_EQ(outcome([](Settings& settings) { settings.ca_file.clear(); }), "NETWORK");
  EXPECT_EQ(outcome([&](Settings& settings) {
              settings.ca_file.clear();
              settings.fingerprints = {identity_.fingerprint()};
            }),
            "NETWORK")
      << "a fingerprint is an additional check";
  EXPECT_EQ(outcome([](Settings& settings) { settings.ca_file = "/no/such/file"; }), "NETWORK");
  EXPECT_TRUE(server_.received().empty());
}

TEST_F(TlsTest, AnotherFingerprintIsAMismatchAndNothingIsSent) {
  EXPECT_EQ(outcome([](Settings& settings) { settings.fingerprints = {std::string(64, 'a')}; }),
            "FINGERPRINT_MISMATCH");
  EXPECT_TRUE(server_.received().empty());
}

TEST_F(TlsTest, AnotherNameThanThatOfTheCertificateIsANetworkError) {
  const auto port = server_.url().substr(server_.url().rfind(':'));
  EXPECT_EQ(outcome([&](Settings& settings) { settings.server_url = "https://localhost" + port; }), "NETWORK");
  EXPECT_TRUE(server_.received().empty());
}

TEST_F(TlsTest, ATrustedCertificateWithAListedFingerprintWorks) {
  EXPECT_EQ(outcome([](Settings&) {}), "OK");
  EXPECT_EQ(outcome([&](Settings& settings) {
              settings.fingerprints = {std::string(64, 'a'), identity_.fingerprint()};
            }),
            "OK");
}

TEST(Proxy, IsUsedOnlyIfItIsAnOption) {
  FakeServer proxy;
  auto settings = proxy.settings();
  settings.server_url = "http://signet.invalid";
  settings.allow_http = true;
  setenv("http_proxy", proxy.url().c_str(), 1);
  EXPECT_EQ(code_thrown_by([&] { Client::create(settings)->init(); }), "NETWORK");
  EXPECT_TRUE(proxy.received().empty());
  unsetenv("http_proxy");
  settings.proxy = proxy.url();
  EXPECT_EQ(code_thrown_by([&] { Client::create(settings)->init(); }), "OK");
  EXPECT_EQ(proxy.last("init").headers.at("host"), "signet.invalid");
}

}  // namespace
}  // namespace signet::internal
