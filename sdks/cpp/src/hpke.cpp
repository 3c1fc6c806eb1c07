#include "hpke.h"

#include <stdexcept>

#include "crypto.h"

namespace signet::internal {
namespace {

constexpr std::string_view kInfo = "signet/v1/request";
constexpr std::string_view kKem("KEM\x00\x20", 5);
constexpr std::string_view kSuite("HPKE\x00\x20\x00\x01\x00\x02", 10);
constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kNonceBytes = 12;

std::string concat(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const auto part : parts) out.append(part);
  return out;
}

std::string labeled_extract(std::string_view suite, std::string_view salt, std::string_view label,
                            std::string_view key_material) {
  return hkdf_extract_sha256(salt, concat({"HPKE-v1", suite, label, key_material}));
}

std::string labeled_expand(std::string_view suite, std::string_view key, std::string_view label, std::string_view info,
                           std::size_t bytes) {
  const char length[] = {static_cast<char>(bytes >> 8), static_cast<char>(bytes & 0xff)};
  return hkdf_expand_sha256(key, concat({{length, sizeof length}, "HPKE-v1", suite, label, info}), bytes);
}

}  // namespace

HpkeKeys hpke_key_schedule(std::string_view dh, std::string_view encapsulated, std::string_view recipient) {
  const auto eae_prk = labeled_extract(kKem, {}, "eae_prk", dh);
  const auto shared = labeled_expand(kKem, eae_prk, "shared_secret", concat({encapsulated, recipient}), kSecretBytes);
  const auto psk_id_hash = labeled_extract(kSuite, {}, "psk_id_hash", {});
  const auto info_hash = labeled_extract(kSuite, {}, "info_hash", kInfo);
  const auto context = concat({std::string_view("\x00", 1), psk_id_hash, info_hash});
  const auto secret = labeled_extract(kSuite, shared, "secret", {});
  return {labeled_expand(kSuite, secret, "key", context, kKeyBytes),
          labeled_expand(kSuite, secret, "base_nonce", context, kNonceBytes)};
}

std::string hpke_seal_with(std::string_view ephemeral_private_key, std::string_view recipient,
                           std::string_view plaintext, std::string_view additional_data) {
  const auto dh = x25519(ephemeral_private_key, recipient);
  if (dh.empty()) throw std::runtime_error("The sealing key has small order.");
  const auto encapsulated = x25519_public_key(ephemeral_private_key);
  const auto keys = hpke_key_schedule(dh, encapsulated, recipient);
  return encapsulated + encrypt_aes_256_gcm(keys.key, keys.nonce, additional_data, plaintext);
}

std::string hpke_seal(std::string_view recipient, std::string_view plaintext, std::string_view additional_data) {
  return hpke_seal_with(new_x25519_private_key(), recipient, plaintext, additional_data);
}

}  // namespace signet::internal
