#include "codes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "error.h"

namespace signet::internal {
namespace {

std::uint32_t fnv1a(std::string_view text) {
  std::uint32_t hash = 0x811c9dc5;
  for (const unsigned char byte : text) hash = (hash ^ byte) * 0x01000193;
  return hash & 0x7fffffff;
}

TEST(Codes, TheTableIsThatOfAllClients) {
  std::ifstream file(SIGNET_CODES);
  const auto codes = nlohmann::json::parse(file)["codes"];
  const std::map<std::string, Verdict> verdicts = {{"unverified", Verdict::kUnverified},
                                                   {"temporary", Verdict::kTemporary},
                                                   {"request", Verdict::kRequest},
                                                   {"lost", Verdict::kLost}};
  EXPECT_EQ(codes.size(), kCodeCount);
  for (const auto& [name, entry] : codes.items()) {
    const auto* const found = find_code(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->verdict, verdicts.at(entry["verdict"])) << name;
    EXPECT_EQ(found->english, entry["message"]["en"].get<std::string>());
    EXPECT_EQ(found->portuguese, entry["message"]["pt"].get<std::string>());
    EXPECT_EQ(found->spanish, entry["message"]["es"].get<std::string>());
  }
}

TEST(Codes, NumbersFollowFromTheNames) {
  for (std::size_t at = 0; at < kCodeCount; ++at) {
    EXPECT_EQ(static_cast<std::uint32_t>(kCodes[at].code), fnv1a(kCodes[at].name)) << kCodes[at].name;
  }
}

TEST(Codes, WhatAClientRaisesByItselfEndsNoSessionAndWhatTheServerSignsIsVerified) {
  EXPECT_EQ(Error("SESSION_REQUIRED", "").verdict(), Verdict::kRequest);
  EXPECT_EQ(Error("NETWORK", "").verdict(), Verdict::kUnverified);
  Error signed_error("NETWORK", "");
  signed_error.status = 403;
  EXPECT_EQ(signed_error.verdict(), Verdict::kRequest);
}

TEST(Codes, StatusesAbove499And429AreTemporaryWhateverTheCode) {
  EXPECT_EQ(verdict_of("LICENSE_BANNED", 403), Verdict::kLost);
  EXPECT_EQ(verdict_of("LICENSE_BANNED", 429), Verdict::kTemporary);
  EXPECT_EQ(verdict_of("LICENSE_BANNED", 500), Verdict::kTemporary);
  EXPECT_EQ(verdict_of("A_CODE_OF_NEXT_YEAR", 403), Verdict::kRequest);
  EXPECT_EQ(verdict_of("A_CODE_OF_NEXT_YEAR", 503), Verdict::kTemporary);
}

}  // namespace
}  // namespace signet::internal
