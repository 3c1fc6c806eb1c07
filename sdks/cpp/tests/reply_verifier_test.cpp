#include "reply_verifier.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

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

  /// The reply with a certificate by `root`, after announcements.
  Reply certified_by(const testing::SigningKey& root, const std::vector<std::string>& announcements, Reply reply,
                     const testing::CertificateFields& fields = {}) {
    std::string text;
    for (const auto& announcement : announcements) text += announcement + ".";
    reply.headers["x-signet-certificate"] = text + testing::make_certificate(root, key_, fields);
    return reply;
  }

  std::string outcome(const Reply& reply) { return outcome(verifier_, reply); }
  std::string outcome(ReplyVerifier& verifier, const Reply& reply) {
    return testing::code_thrown_by([&] { verifier.check(request_, reply, kNow); });
  }

  const testing::SigningKey root_;
  const testing::SigningKey second_root_;
  const testing::SigningKey third_root_;
  const std::string announcement_ = testing::make_announcement(root_, second_root_.public_key());
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

TEST_F(ReplyVerifierTest, AReplacedRootKeyStaysReplaced) {
  EXPECT_EQ(outcome(reply(1)), "OK");
  EXPECT_EQ(outcome(certified_by(second_root_, {announcement_}, reply(1))), "OK");
  EXPECT_EQ(outcome(reply(1)), "UNKNOWN_KEY") << "its certificate was in the cache";
  EXPECT_EQ(outcome(reply(2)), "UNKNOWN_KEY");
  EXPECT_EQ(outcome(reply(1'000'000)), "UNKNOWN_KEY");
  EXPECT_EQ(outcome(certified_by(third_root_, {testing::make_announcement(root_, third_root_.public_key())}, reply(1))),
            "UNKNOWN_KEY");
  EXPECT_EQ(outcome(certified_by(second_root_, {}, reply(1))), "OK") << "the announcements can end";
  EXPECT_EQ(outcome(certified_by(second_root_, {announcement_}, reply(1))), "OK");
}

TEST_F(ReplyVerifierTest, AnAnnouncedRootKeyAnnouncesTheNext) {
  const auto first = announcement_;
  const auto second = testing::make_announcement(second_root_, third_root_.public_key());
  EXPECT_EQ(outcome(certified_by(second_root_, {first}, reply(1))), "OK");
  EXPECT_EQ(outcome(certified_by(third_root_, {first, second}, reply(1))), "OK");
  EXPECT_EQ(outcome(certified_by(second_root_, {first}, reply(1))), "UNKNOWN_KEY");
  EXPECT_EQ(outcome(certified_by(third_root_, {}, reply(1))), "OK");
}

TEST_F(ReplyVerifierTest, AKeyUnderWhichAnybodyCanSignIsNotAnnounced) {
  const std::string neutral_point = '\x01' + std::string(31, '\0');
  const auto signature = neutral_point + std::string(32, '\0');
  const auto certificate = testing::make_certificate(root_, key_);
  auto signed_by_anybody = reply(1);
  signed_by_anybody.headers["x-signet-certificate"] = testing::make_announcement(root_, neutral_point) + "." +
                                                      certificate.substr(0, certificate.find('.') + 1) +
                                                      encode_base64url(signature);
  EXPECT_EQ(outcome(signed_by_anybody), "UNKNOWN_KEY");
  EXPECT_EQ(outcome(reply(1)), "OK");
}

TEST_F(ReplyVerifierTest, AnAnswerThatIsNotAcceptedMovesNoRootKey) {
  EXPECT_EQ(outcome(reply(5)), "OK");
  testing::CertificateFields fields;
  fields.serial = 5;
  const auto moving = [&](const Reply& reply) { return certified_by(second_root_, {announcement_}, reply, fields); };
  const auto expect_rejected = [&](const Reply& reply, const char* code) {
    EXPECT_EQ(outcome(reply), code);
    EXPECT_EQ(outcome(this->reply(5)), "OK") << "after " << code;
  };

  auto of_another_key = moving(reply(5));
  of_another_key.headers["x-signet-key"] = "k2";
  expect_rejected(of_another_key, "UNKNOWN_KEY");
  auto altered = moving(reply(5));
  altered.body += " ";
  expect_rejected(altered, "BAD_SIGNATURE");
  expect_rejected(moving(reply(5, kNow + 61'000)), "STALE_RESPONSE");
  fields.not_after = kNow / 1000 - 1;
  expect_rejected(moving(reply(5)), "UNKNOWN_KEY");
  fields.not_after = not_after_;
  fields.serial = 3;
  expect_rejected(moving(reply(5)), "UNKNOWN_KEY");
  fields.serial = 5;
  EXPECT_EQ(outcome(moving(reply(5))), "OK");
}

TEST_F(ReplyVerifierTest, AnswersUnderTheReplacedRootKeyThatAreCheckedMeanwhileLeaveNothingBehind) {
  const auto moving = certified_by(second_root_, {announcement_}, reply(1));
  // Each with a certificate of its own, so that each is read.
  std::vector<Reply> under_the_first;
  for (; not_after_ < 4'102'444'812; ++not_after_) under_the_first.push_back(reply(1));
  for (int round = 0; round < 50; ++round) {
    ReplyVerifier verifier(root_.public_key());
    std::atomic<bool> has_moved{false};
    std::atomic<int> late{0};
    std::array<std::thread, 3> threads;
    for (auto& thread : threads) {
      thread = std::thread([&] {
        for (const auto& each : under_the_first) {
          const bool is_late = has_moved;
          if (outcome(verifier, each) == "OK" && is_late) ++late;
        }
      });
    }
    EXPECT_EQ(outcome(verifier, moving), "OK");
    has_moved = true;
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(late, 0);
    for (const auto& each : under_the_first) EXPECT_EQ(outcome(verifier, each), "UNKNOWN_KEY");
    EXPECT_EQ(outcome(verifier, moving), "OK");
  }
}

}  // namespace
}  // namespace signet::internal
