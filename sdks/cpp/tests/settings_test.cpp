#include "settings.h"

#include <gtest/gtest.h>

#include "expect_code.h"

namespace signet::internal {
namespace {

Settings valid() {
  Settings settings;
  settings.owner_id = "Ab3dE6gH1j";
  settings.app_name = "My App";
  settings.version = "1.0";
  settings.server_url = "https://signet.example.com";
  settings.verification_key = "0EqyMnQrtKs6E2i9RhXk5tAiSrcaAWuvhSCjMsl3hzc";
  settings.sealing_key = "OUjP4K0d22ldeA5ZB3GV2mxWUGsCcyl5SrAryoCBXE0";
  return settings;
}

template <typename Change>
std::string outcome(Change change) {
  auto settings = valid();
  change(settings);
  return testing::code_thrown_by([&] { check_settings(settings); });
}

TEST(Settings, ServerUrlIsSchemeHostAndPort) {
  for (const char* url : {"",
                          "signet.example.com",
                          "ftp://signet.example.com",
                          "https://",
                          "https:///",
                          "https://a/b",
                          "https://a?b",
                          "https://a#b",
                          "https://user@a",
                          "https://user:x@a",
                          "https://a:0",
                          "https://a:65536",
                          "https://a:x",
                          "https://a:",
                          "https://a b",
                          "https://a\nb",
                          "https://[::1",
                          "https://[x]",
                          "https://\xc3\xa4.example",
                          "https://a//",
                          "https://a\\b",
                          " https://a"}) {
    EXPECT_EQ(outcome([&](Settings& settings) { settings.server_url = url; }), "INVALID_CONFIGURATION") << url;
  }
  for (const char* url : {"https://a", "https://a/", "HTTPS://Signet.Example.com:8443", "https://[2001:db8::1]:443"}) {
    EXPECT_EQ(outcome([&](Settings& settings) { settings.server_url = url; }), "OK") << url;
  }
}

TEST(Settings, PlainHttpNeedsAnOptionExceptForThisComputer) {
  for (const char* url :
       {"http://signet.example.com", "http://localhost.example.com", "http://127.0.0.1.example.com", "http://127.0.0",
        "http://127.0.0.256", "http://1127.0.0.1", "http://10.0.0.1", "http://[::2]", "http://0.0.0.0"}) {
    EXPECT_EQ(outcome([&](Settings& settings) { settings.server_url = url; }), "INVALID_CONFIGURATION") << url;
    EXPECT_EQ(outcome([&](Settings& settings) {
                settings.server_url = url;
                settings.allow_http = true;
              }),
              "OK")
        << url;
  }
  for (const char* url :
       {"http://localhost", "http://LOCALHOST:80", "http://127.0.0.1:8080", "http://127.255.1.9", "http://[::1]:80"}) {
    EXPECT_EQ(outcome([&](Settings& settings) { settings.server_url = url; }), "OK") << url;
  }
}

TEST(Settings, RequiredTextsAreChecked) {
  EXPECT_EQ(outcome([](Settings&) {}), "OK");
  EXPECT_EQ(outcome([](Settings& settings) { settings.owner_id = "Ab3dE6gH1"; }), "INVALID_CONFIGURATION");
  EXPECT_EQ(outcome([](Settings& settings) { settings.owner_id = "Ab3dE6gH1/"; }), "INVALID_CONFIGURATION");
  EXPECT_EQ(outcome([](Settings& settings) { settings.app_name.clear(); }), "INVALID_CONFIGURATION");
  EXPECT_EQ(outcome([](Settings& settings) { settings.app_name = "\xff"; }), "INVALID_CONFIGURATION");
  EXPECT_EQ(outcome([](Settings& settings) { settings.version.clear(); }), "INVALID_CONFIGURATION");
  EXPECT_EQ(outcome([](Settings& settings) { std::swap(settings.verification_key, settings.sealing_key); }),
            "INVALID_CONFIGURATION");
  EXPECT_EQ(outcome([](Settings& settings) { settings.sealing_key = std::string(43, 'A'); }), "INVALID_CONFIGURATION");
}

TEST(Settings, OptionsAreChecked) {
  const auto rejected = [](auto change) { EXPECT_EQ(outcome(change), "INVALID_CONFIGURATION"); };
  rejected([](Settings& settings) { settings.timeout_ms = 0; });
  rejected([](Settings& settings) { settings.timeout_ms = 86'400'001; });
  rejected([](Settings& settings) { settings.heartbeat_interval_ms = -1; });
  rejected([](Settings& settings) { settings.grace_ms = -1; });
  rejected([](Settings& settings) { settings.grace_ms = 0; });
  rejected([](Settings& settings) { settings.program_hash = "abc"; });
  rejected([](Settings& settings) { settings.hwid = ""; });
  rejected([](Settings& settings) { settings.language = "xx"; });
  rejected([](Settings& settings) { settings.fingerprints = {"abc"}; });
  rejected([](Settings& settings) {
    settings.fingerprints = {std::string(64, 'a')};
    settings.server_url = "http://localhost";
  });
}

TEST(Settings, HexIsReadInAnyCaseAndFingerprintsWithColons) {
  auto settings = valid();
  settings.program_hash = std::string(64, 'A');
  std::string colons = "AB";
  for (int i = 0; i < 31; ++i) colons += ":CD";
  settings.fingerprints = {colons};
  const auto config = check_settings(settings);
  EXPECT_EQ(config.settings.program_hash, std::string(64, 'a'));
  EXPECT_EQ(config.settings.fingerprints.begin()->substr(0, 4), "abcd");
}

TEST(Settings, CustomersReadTheirLanguageOrTheVendorsOwnSentence) {
  auto settings = valid();
  EXPECT_EQ(customer_message_of(settings, "LICENSE_BANNED"), customer_message("LICENSE_BANNED", Language::kEnglish));
  settings.language = "pt-BR";
  EXPECT_EQ(customer_message_of(settings, "LICENSE_BANNED"), customer_message("LICENSE_BANNED", Language::kPortuguese));
  EXPECT_NE(customer_message("LICENSE_BANNED", Language::kSpanish),
            customer_message("LICENSE_BANNED", Language::kPortuguese));
  settings.customer_messages["LICENSE_BANNED"] = "Call us.";
  EXPECT_EQ(customer_message_of(settings, "LICENSE_BANNED"), "Call us.");
  EXPECT_FALSE(customer_message_of(settings, "A_CODE_OF_NEXT_YEAR").empty());
}

}  // namespace
}  // namespace signet::internal
