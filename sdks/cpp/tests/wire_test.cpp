#include "wire.h"

#include <gtest/gtest.h>

#include <set>

#include "bounded_json.h"
#include "expect_code.h"
#include "license_key.h"

namespace signet::internal {
namespace {

using testing::code_thrown_by;

TEST(Wire, Base64urlIsDecodedOnlyFromItsOneSpelling) {
  EXPECT_EQ(decode_base64url(""), "");
  EXPECT_EQ(decode_base64url("_-8"), "\xff\xef");
  for (const char* text : {"A", "AQ=", "AQ==", "A Q", "AAB", "+/8", "AAAAA", "\xc3\xa4"}) {
    EXPECT_FALSE(decode_base64url(text)) << text;
  }
  EXPECT_FALSE(decode_base64url("AB")) << "unused bits must be zero";
  EXPECT_EQ(decode_base64url("AQ"), "\x01");
}

TEST(Wire, LengthPrefixedKeepsListsApart) {
  EXPECT_EQ(length_prefixed({"a", "bc"}), std::string("\0\0\0\1a\0\0\0\2bc", 11));
  EXPECT_NE(length_prefixed({"ab", "c"}), length_prefixed({"a", "bc"}));
  EXPECT_NE(length_prefixed({}), length_prefixed({""}));
}

TEST(Wire, NoncesAreNeverTheSame) {
  std::set<std::string> nonces;
  for (int i = 0; i < 100; ++i) nonces.insert(new_nonce());
  EXPECT_EQ(nonces.size(), 100U);
  EXPECT_EQ(nonces.begin()->size(), 32U);
}

TEST(LicenseKey, BytesThatAreNotUtf8AreLeftAlone) {
  EXPECT_EQ(trim_license_key(" \xff\x80 "), "\xff\x80");
  EXPECT_EQ(trim_license_key("\x80\x80\x80"), "\x80\x80\x80");
  EXPECT_EQ(trim_license_key("\xc0\xa0key\xc0\xa0"), "\xc0\xa0key\xc0\xa0") << "an overlong space";
}

TEST(BoundedJson, IsReadToADepthOf64) {
  const auto nested = [](int depth) {
    return "{\"x\":" + std::string(static_cast<std::size_t>(depth - 1), '[') +
           std::string(static_cast<std::size_t>(depth - 1), ']') + "}";
  };
  EXPECT_TRUE(parse_object(nested(64)));
  EXPECT_FALSE(parse_object(nested(65)));
  EXPECT_FALSE(parse_object(nested(500'000)));
  EXPECT_TRUE(parse_object("{\"x\":\"" + std::string(100, '[') + "\"}")) << "brackets in text don't count";
  EXPECT_TRUE(parse_object(R"({"x":"\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["})"));
}

TEST(BoundedJson, ANumberThatIsTooLargeSpoilsOnlyItsField) {
  const auto fields = parse_object(R"({"a":1e400,"b":-1.5E+999,"c":2,"d":"1e400"})");
  ASSERT_TRUE(fields);
  EXPECT_EQ((*fields)["a"], false);
  EXPECT_EQ((*fields)["b"], false);
  EXPECT_EQ(integer_field(*fields, "c"), 2);
  EXPECT_EQ(text_field(*fields, "d"), "1e400");
  for (const char* text : {R"({"a":01})", R"({"a":1e})", R"({"a":1.})", R"({"a":.5})", R"({"a":-})", R"({"a":1e400e})",
                           R"({"a":"x)", R"({"a":"x\)", "{", ""}) {
    EXPECT_FALSE(parse_object(text)) << text;
  }
}

TEST(BoundedJson, FieldsOfAnotherTypeAreAMalformedReply) {
  const auto fields = *parse_object(R"({"text":"a","number":1,"large":9223372036854775808,"none":null})");
  EXPECT_EQ(code_thrown_by([&] { text_field(fields, "number"); }), "MALFORMED_REPLY");
  EXPECT_EQ(code_thrown_by([&] { text_field(fields, "none"); }), "MALFORMED_REPLY");
  EXPECT_EQ(code_thrown_by([&] { text_field(fields, "missing"); }), "MALFORMED_REPLY");
  EXPECT_EQ(code_thrown_by([&] { integer_field(fields, "text"); }), "MALFORMED_REPLY");
  EXPECT_EQ(code_thrown_by([&] { integer_field(fields, "large"); }), "MALFORMED_REPLY");
  EXPECT_EQ(code_thrown_by([&] { object_field(fields, "text"); }), "MALFORMED_REPLY");
  EXPECT_EQ(optional_text_field(fields, "none"), std::nullopt);
}

}  // namespace
}  // namespace signet::internal
