#include <gtest/gtest.h>

#include "client.h"
#include "expect_code.h"
#include "fake_server.h"

namespace signet::internal {
namespace {

using testing::code_thrown_by;
using testing::Connection;
using testing::FakeServer;
using testing::http_text;

class HostileServerTest : public ::testing::Test {
 protected:
  HostileServerTest() {
    client_ = Client::create(server_.settings());
    client_->license("KEY");
  }
  ~HostileServerTest() override { client_->close(); }

  std::string outcome() {
    return code_thrown_by([&] { client_->heartbeat(); });
  }

  /// The code of a heartbeat whose signed answer is changed.
  std::string outcome(const std::function<void(const Request&, Reply&)>& tamper) {
    server_.set([&](auto& behavior) { behavior.tamper = tamper; });
    const auto code = outcome();
    server_.set([](auto& behavior) { behavior.tamper = nullptr; });
    return code;
  }

  /// The code of a heartbeat that gets these bytes.
  std::string outcome_of_bytes(const std::string& bytes) {
    server_.set([&](auto& behavior) {
      behavior.write_instead = [bytes](const Request&, Connection& connection) { connection.write(bytes); };
    });
    const auto code = outcome();
    server_.set([](auto& behavior) { behavior.write_instead = nullptr; });
    return code;
  }

  /// The text of the honest answer to the next heartbeat, changed.
  std::string outcome_of_text(const std::function<std::string(std::string)>& change) {
    // The server's thread may still write when the client has its answer, so it owns what it writes.
    const auto answer = std::make_shared<std::string>();
    server_.set([&](auto& behavior) {
      behavior.tamper = [answer](const Request&, Reply& reply) { *answer = http_text(reply); };
      behavior.write_instead = [answer, change](const Request&, Connection& connection) {
        connection.write(change(*answer));
      };
    });
    const auto code = outcome();
    server_.set([](auto& behavior) {
      behavior.tamper = nullptr;
      behavior.write_instead = nullptr;
    });
    return code;
  }

  static std::string with_header(std::string text, const std::string& header) {
    return text.insert(text.find("\r\n") + 2, header + "\r\n");
  }

  FakeServer server_;
  std::shared_ptr<Client> client_;
};

TEST_F(HostileServerTest, WhatIsNotSignedIsNeitherAYesNorANo) {
  for (const long status : {200L, 400L, 401L, 403L, 404L, 429L, 500L, 503L}) {
    for (const char* body :
         {R"({"success":true,"message":""})", R"({"success":false,"message":"","code":"USER_BANNED"})", "<html>", ""}) {
      EXPECT_EQ(outcome([&](const Request&, Reply& reply) {
                  reply.headers.clear();
                  reply.status = status;
                  reply.body = body;
                }),
                "UNSIGNED_RESPONSE");
    }
  }
  for (const char* header : {"X-Signet-Key", "X-Signet-Time", "X-Signet-Signature", "X-Signet-Certificate"}) {
    EXPECT_EQ(outcome([&](const Request&, Reply& reply) { reply.headers.erase(header); }), "UNSIGNED_RESPONSE");
  }
  EXPECT_TRUE(client_->is_valid());
  EXPECT_EQ(outcome(), "OK");
}

TEST_F(HostileServerTest, WhatWasAlteredIsNotBelieved) {
  EXPECT_EQ(outcome([](const Request&, Reply& reply) { reply.body[10] ^= 1; }), "BAD_SIGNATURE");
  EXPECT_EQ(outcome([](const Request&, Reply& reply) { reply.status = 201; }), "BAD_SIGNATURE");
  EXPECT_EQ(outcome([](const Request&, Reply& reply) { reply.headers["X-Signet-Path"] = "AAAA"; }), "BAD_SIGNATURE");
  EXPECT_EQ(outcome([](const Request&, Reply& reply) { reply.headers["X-Signet-Key"] = "k2"; }), "UNKNOWN_KEY");
  server_.set([](auto& behavior) { behavior.reject["heartbeat"] = {403, "USER_BANNED"}; });
  EXPECT_EQ(outcome([](const Request&, Reply& reply) { reply.status = 200; }), "BAD_SIGNATURE");
  EXPECT_TRUE(client_->is_valid());
}

TEST_F(HostileServerTest, AnAnswerToAnotherRequestIsNotBelieved) {
  Reply recorded;
  EXPECT_EQ(outcome([&](const Request&, Reply& reply) { recorded = reply; }), "OK");
  EXPECT_EQ(outcome([&](const Request&, Reply& reply) { reply = recorded; }), "BAD_SIGNATURE");
}

TEST_F(HostileServerTest, AServerOfAnotherAppCantAnswer) {
  FakeServer other;
  auto settings = server_.settings();
  settings.server_url = other.url();
  const auto client = Client::create(settings);
  EXPECT_EQ(code_thrown_by([&] { client->init(); }), "UNKNOWN_KEY");
}

TEST_F(HostileServerTest, ASignedYesNeedsTheStatus200) {
  server_.set([](auto& behavior) { behavior.reject["heartbeat"] = {201, "X"}; });
  server_.set([](auto& behavior) { behavior.error_fields = {{"success", true}}; });
  EXPECT_EQ(outcome(), "MALFORMED_REPLY");
  EXPECT_TRUE(client_->is_valid());
}

TEST_F(HostileServerTest, ASignedAnswerOfAnotherProtocolEndsNothing) {
  for (const testing::Json& fields : {testing::Json{{"user", nullptr}},
                                      {{"user", {{"username", 7}}}},
                                      {{"expiresAt", "soon"}},
                                      {{"expiresAt", nullptr}},
                                      {{"user", {{"username", "a"}, {"subscriptions", {7}}}}},
                                      {{"success", "true"}}}) {
    server_.set([&](auto& behavior) { behavior.success_fields = fields; });
    EXPECT_EQ(outcome(), "MALFORMED_REPLY") << fields;
  }
  EXPECT_TRUE(client_->is_valid());
  for (const char* token : {"", "short", "with spaces and so on and so on", "0123456789012345678901\r\nX: y"}) {
    server_.set([&](auto& behavior) { behavior.success_fields = {{"session", token}}; });
    EXPECT_EQ(code_thrown_by([&] { client_->init(); }), "MALFORMED_REPLY") << token;
  }
}

TEST_F(HostileServerTest, RedirectsAreNotFollowed) {
  FakeServer elsewhere;
  EXPECT_EQ(outcome_of_bytes("HTTP/1.1 307 Moved\r\nLocation: " + elsewhere.url() +
                             "/api/1.0/client/heartbeat\r\nContent-Length: 0\r\n\r\n"),
            "UNSIGNED_RESPONSE");
  EXPECT_EQ(elsewhere.connections(), 0);
}

TEST_F(HostileServerTest, AnAnswerOfMoreThanAMebibyteIsCutOff) {
  const std::string head = "HTTP/1.1 200 OK\r\n";
  const std::size_t mebibyte = 1024 * 1024;
  EXPECT_EQ(outcome_of_bytes(head + "Content-Length: 1048577\r\n\r\n" + std::string(mebibyte + 1, ' ')), "NETWORK");
  EXPECT_EQ(outcome_of_bytes(head + "\r\n" + std::string(mebibyte + 1, ' ')), "NETWORK") << "without a length";
  EXPECT_EQ(outcome_of_bytes(head + "Content-Length: 1048576\r\n\r\n" + std::string(mebibyte, ' ')),
            "UNSIGNED_RESPONSE");
}

TEST_F(HostileServerTest, HeadersOfMoreThan64KibAreCutOff) {
  const auto padded = [&](int lines) {
    return outcome_of_text([lines](std::string text) {
      std::string headers;
      for (int i = 0; i < lines; ++i) headers += "X-Pad: " + std::string(1015, 'x') + "\r\n";
      return text.insert(text.find("\r\n") + 2, headers);
    });
  };
  EXPECT_EQ(padded(62), "OK");
  EXPECT_EQ(padded(65), "NETWORK");
  EXPECT_EQ(outcome_of_bytes("HTTP/1.1 200 OK\r\nX-Pad: " + std::string(200'000, 'x')), "NETWORK");
  std::string interim;
  for (int i = 0; i < 6'000; ++i) interim += "HTTP/1.1 100 Continue\r\n\r\n";
  EXPECT_EQ(outcome_of_bytes(interim), "NETWORK");
}

TEST_F(HostileServerTest, BytesThatAreNotHttpAreANetworkError) {
  for (const char* bytes :
       {"", "\r\n", "hello", "HTTP", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "SSH-2.0-x\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"}) {
    EXPECT_EQ(outcome_of_bytes(bytes), "NETWORK") << bytes;
  }
  EXPECT_EQ(outcome(), "OK");
}

TEST_F(HostileServerTest, AnAnswerWithTwoLengthsHasNone) {
  EXPECT_EQ(outcome_of_text([](const std::string& text) { return with_header(text, "Content-Length: 3"); }), "NETWORK");
}

TEST_F(HostileServerTest, ARepeatedHeaderIsNotBelieved) {
  EXPECT_EQ(outcome_of_text([](const std::string& text) { return with_header(text, "X-Signet-Key: k1"); }),
            "UNKNOWN_KEY");
  EXPECT_EQ(outcome_of_text([](const std::string& text) { return with_header(text, "X-Signet-Time: 1"); }),
            "BAD_SIGNATURE");
}

TEST_F(HostileServerTest, TrailersAndInterimAnswersDontCount) {
  EXPECT_EQ(outcome_of_text(
                [](const std::string& text) { return "HTTP/1.1 103 Early Hints\r\nX-Signet-Key: k9\r\n\r\n" + text; }),
            "OK");
  EXPECT_EQ(outcome_of_text([](std::string text) {
              const auto body = text.substr(text.find("\r\n\r\n") + 4);
              const auto key = text.find("X-Signet-Key: k1\r\n");
              text.erase(key, std::string("X-Signet-Key: k1\r\n").size());
              const auto length = text.find("Content-Length");
              char size[16];
              std::snprintf(size, sizeof size, "%zx", body.size());
              return text.substr(0, length) + "Transfer-Encoding: chunked\r\nTrailer: X-Signet-Key\r\n\r\n" + size +
                     "\r\n" + body + "\r\n0\r\nX-Signet-Key: k1\r\n\r\n";
            }),
            "UNSIGNED_RESPONSE");
}

TEST_F(HostileServerTest, NamesOfHeadersAreReadInAnyCaseAndValuesWithoutBlanks) {
  EXPECT_EQ(outcome_of_text([](std::string text) {
              text.replace(text.find("X-Signet-Key: k1"), 16, "x-SIGNET-key:\t k1 \t");
              return text;
            }),
            "OK");
}

TEST_F(HostileServerTest, CookiesAreIgnoredAndNoCompressionIsAskedFor) {
  EXPECT_EQ(outcome_of_text([](const std::string& text) { return with_header(text, "Set-Cookie: a=b"); }), "OK");
  EXPECT_EQ(outcome(), "OK");
  const auto headers = server_.last("heartbeat").headers;
  EXPECT_EQ(headers.count("cookie"), 0U);
  EXPECT_EQ(headers.count("accept-encoding"), 0U);
  EXPECT_EQ(headers.count("expect"), 0U);
}

TEST_F(HostileServerTest, ADroppedConnectionIsOpenedAgainOnceWithTheVerySameRequest) {
  EXPECT_EQ(outcome(), "OK");
  server_.set([](auto& behavior) { behavior.closes_after_each = true; });
  for (int i = 0; i < 3; ++i) EXPECT_EQ(outcome(), "OK");
  const auto connections = server_.connections();
  const auto before = server_.count("heartbeat");
  // An answer of no bytes on a new connection is not asked for again.
  EXPECT_EQ(outcome_of_bytes(""), "NETWORK");
  EXPECT_LE(server_.count("heartbeat") - before, 1);
  EXPECT_LE(server_.connections() - connections, 2);
}

TEST_F(HostileServerTest, RequestsThatLibcurlSendsAgainAreTheSame) {
  EXPECT_EQ(outcome(), "OK");
  const auto before = server_.count("heartbeat");
  // On the kept connection, the server reads the request and hangs up.
  server_.set([&](auto& behavior) {
    behavior.write_instead = [&](const Request&, Connection&) {
      server_.set([](auto& later) { later.write_instead = nullptr; });
    };
  });
  EXPECT_EQ(outcome(), "OK");
  const auto received = server_.received();
  ASSERT_EQ(server_.count("heartbeat") - before, 2);
  EXPECT_EQ(received.at(received.size() - 1).headers.at("x-signet-nonce"),
            received.at(received.size() - 2).headers.at("x-signet-nonce"));
}

TEST_F(HostileServerTest, ALargeRequestIsSentWithoutWaitingForAnInterimAnswer) {
  client_->set_user_variable("large", std::string(500'000, 'x'));
  EXPECT_EQ(client_->user_variable("large").size(), 500'000U);
}

}  // namespace
}  // namespace signet::internal
