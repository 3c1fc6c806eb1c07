#include "reply_verifier.h"

#include <gtest/gtest.h>

#include "expect_code.h"
#include "merkle_path.h"
#include "signing.h"
#include "wire.h"

namespace signet::internal {
namespace {

constexpr std::int64_t kNow = 1'750'000'000'000;

class ReplyVerifierTest : public ::testing::Test {
 protected:
  Reply reply(std::int64_t serial, std::int64_t time = kNow, const std::string& body = "{\"success\":true}",
              long status = 200) {
    testing::CertificateFields fields;
    fields.serial = serial;
    fields.not_after = not_after_;
    Reply reply;
    reply.status = status;
    reply.body = body;
    const auto text = std::to_string(time);
    const auto hash = merkle_root(reply_message(request_, "k1", text, status, body), "");
    reply.headers = {{"x-signet-key", "k1"},
                     {"x-signet-time", text},
                     {"x-signet-signature", encode_base64url(key_.sign(length_prefixed({"signet/v1/replies", *hash})))},
                     {"x-signet-certificate", testing::make_certificate(root_, key_, fields)}};
    return reply;
  }

  std::string outcome(const Reply& reply) {
    return testing::code_thrown_by([&] { verifier_.check(request_, reply, kNow); });
  }

  const testing::SigningKey root_;
  const testing::SigningKey key_;
  const Request request_{"/api/1.0/client/heartbeat", "Ab3dE6gH1j/App", "nonce", "1750000000000", "token", "{}"};
  std::int64_t not_after_ = 4'102'444'800;
  ReplyVerifier verifier_{root_.public_key()};
};

TEST_F(ReplyVerifierTest, AReplacedKeyStaysReplaced) {
  EXPECT_EQ(outcome(reply(5)), "OK");
  EXPECT_EQ(outcome(reply(4)), "OK") << "one generation of overlap";
  EXPECT_EQ(outcome(reply(3)), "UNKNOWN_KEY");
  EXPECT_EQ(outcome(reply(6)), "OK");
  EXPECT_EQ(outcome(reply(4)), "UNKNOWN_KEY");
}

TEST_F(ReplyVerifierTest, AnAnswerThatIsNotAcceptedDoesNotRaiseTheSerial) {
  EXPECT_EQ(outcome(reply(5)), "OK");
  EXPECT_EQ(outcome(reply(9, kNow + 61'000)), "STALE_RESPONSE");
  auto altered = reply(9);
  altered.body += " ";
  EXPECT_EQ(outcome(altered), "BAD_SIGNATURE");
  EXPECT_EQ(outcome(reply(4)), "OK");
}

TEST_F(ReplyVerifierTest, ACertificateEndsToTheMillisecond) {
  not_after_ = kNow / 1000;
  EXPECT_EQ(outcome(reply(1, kNow)), "OK");
  EXPECT_EQ(outcome(reply(1, kNow + 1)), "UNKNOWN_KEY");
  EXPECT_EQ(outcome(reply(1, kNow + 500)), "UNKNOWN_KEY");
}

TEST_F(ReplyVerifierTest, SixtySecondsIsFreshAndOneMillisecondMoreIsNot) {
  EXPECT_EQ(outcome(reply(1, kNow + 60'000)), "OK");
  EXPECT_EQ(outcome(reply(1, kNow - 60'000)), "OK");
  EXPECT_EQ(outcome(reply(1, kNow + 60'001)), "STALE_RESPONSE");
  EXPECT_EQ(outcome(reply(1, kNow - 60'001)), "STALE_RESPONSE");
  const auto skew = "{\"success\":false,\"code\":\"CLOCK_SKEW\",\"message\":\"\"}";
  EXPECT_EQ(outcome(reply(1, kNow + 600'000, skew, 400)), "OK") << "it tells the server's clock";
  EXPECT_EQ(outcome(reply(1, kNow + 600'000, skew, 403)), "STALE_RESPONSE");
}

TEST_F(ReplyVerifierTest, ManyCertificatesDoNotFillTheMemory) {
  for (int serial = 1; serial <= 100; ++serial) EXPECT_EQ(outcome(reply(serial)), "OK");
  EXPECT_EQ(outcome(reply(99)), "OK");
}

TEST_F(ReplyVerifierTest, ACachedCertificateIsStillComparedWithTheKidOfTheReply) {
  EXPECT_EQ(outcome(reply(1)), "OK");
  auto other = reply(1);
  other.headers["x-signet-key"] = "k2";
  EXPECT_EQ(outcome(other), "UNKNOWN_KEY");
}

}  // namespace
}  // namespace signet::internal
