#include "public_keys.h"

#include <openssl/bn.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "crypto.h"
#include "wire.h"

namespace signet::internal {
namespace {

struct NumberDeleter {
  void operator()(BIGNUM* number) const { BN_free(number); }
};
struct NumberContextDeleter {
  void operator()(BN_CTX* context) const { BN_CTX_free(context); }
};
using Number = std::unique_ptr<BIGNUM, NumberDeleter>;
using NumberContext = std::unique_ptr<BN_CTX, NumberContextDeleter>;

constexpr const char* kPrime = "7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFED";
constexpr const char* kD = "52036CEE2B6FFE738CC740797779E89800700A4D4141D8AB75EB4DCA135978A3";
constexpr const char* kYOfOrder8 = "05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826";

Number owned(BIGNUM* number) {
  if (number == nullptr) throw std::runtime_error("OpenSSL failed: number");
  return Number(number);
}

Number from_hex(const char* text) {
  BIGNUM* number = nullptr;
  BN_hex2bn(&number, text);
  return owned(number);
}

/// The number without its top bit, which is the sign of x in an Ed25519 key.
Number from_little_endian(std::string bytes) {
  bytes[31] = static_cast<char>(bytes[31] & 0x7f);
  return owned(BN_lebin2bn(reinterpret_cast<const unsigned char*>(bytes.data()), 32, nullptr));
}

void require(int result) {
  if (result != 1) throw std::runtime_error("OpenSSL failed: arithmetic");
}

bool has_small_order(const BIGNUM* y, const BIGNUM* prime) {
  const auto order8 = from_hex(kYOfOrder8);
  const auto minus_one = owned(BN_dup(prime));
  const auto minus_order8 = owned(BN_new());
  require(BN_sub_word(minus_one.get(), 1));
  require(BN_sub(minus_order8.get(), prime, order8.get()));
  return BN_is_zero(y) || BN_is_one(y) || BN_cmp(y, minus_one.get()) == 0 || BN_cmp(y, order8.get()) == 0 ||
         BN_cmp(y, minus_order8.get()) == 0;
}

/// Whether x² = (y² - 1) / (d·y² + 1) has a solution: by Euler's criterion, of (y² - 1)·(d·y² + 1), which is a square
/// if and only if the quotient is.
bool is_on_curve(const BIGNUM* y, const BIGNUM* prime) {
  const NumberContext context(BN_CTX_new());
  const auto d = from_hex(kD);
  const auto one = owned(BN_new());
  const auto square = owned(BN_new());
  const auto numerator = owned(BN_new());
  const auto denominator = owned(BN_new());
  const auto exponent = owned(BN_new());
  require(BN_one(one.get()));
  require(BN_mod_sqr(square.get(), y, prime, context.get()));
  require(BN_mod_sub(numerator.get(), square.get(), one.get(), prime, context.get()));
  require(BN_mod_mul(denominator.get(), d.get(), square.get(), prime, context.get()));
  require(BN_mod_add(denominator.get(), denominator.get(), one.get(), prime, context.get()));
  require(BN_mod_mul(numerator.get(), numerator.get(), denominator.get(), prime, context.get()));
  require(BN_rshift1(exponent.get(), prime));
  require(BN_mod_exp(numerator.get(), numerator.get(), exponent.get(), prime, context.get()));
  return BN_is_one(numerator.get());
}

}  // namespace

std::optional<std::string> read_ed25519_public_key(std::string_view text) {
  auto bytes = decode_base64url(text);
  if (!bytes || bytes->size() != 32) return std::nullopt;
  const auto prime = from_hex(kPrime);
  const auto y = from_little_endian(*bytes);
  const bool is_reduced = BN_cmp(y.get(), prime.get()) < 0;
  if (!is_reduced || has_small_order(y.get(), prime.get()) || !is_on_curve(y.get(), prime.get())) return std::nullopt;
  return bytes;
}

std::optional<std::string> read_x25519_public_key(std::string_view text) {
  auto bytes = decode_base64url(text);
  if (!bytes || bytes->size() != 32) return std::nullopt;
  const bool has_top_bit = (static_cast<unsigned char>((*bytes)[31]) & 0x80) != 0;
  if (has_top_bit || BN_cmp(from_little_endian(*bytes).get(), from_hex(kPrime).get()) >= 0) return std::nullopt;
  const std::string any_private_key(32, '\x01');
  if (x25519(any_private_key, *bytes).empty()) return std::nullopt;
  return bytes;
}

}  // namespace signet::internal
