#include "signing.h"

#include <openssl/evp.h>

#include <nlohmann/json.hpp>

#include "crypto.h"
#include "hpke.h"
#include "wire.h"

namespace signet::testing {
namespace {

using internal::encode_base64url;

unsigned char* bytes(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string signed_payload(const SigningKey& root, const char* purpose, const std::string& payload) {
  const auto signature = root.sign(internal::length_prefixed({purpose, payload}));
  return encode_base64url(payload) + "." + encode_base64url(signature);
}

}  // namespace

SigningKey::SigningKey() : private_key_(internal::random_bytes(32)), public_key_(32, '\0') {
  EVP_PKEY* const key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytes(private_key_), 32);
  std::size_t size = 32;
  EVP_PKEY_get_raw_public_key(key, bytes(public_key_), &size);
  EVP_PKEY_free(key);
}

std::string SigningKey::sign(std::string_view message) const {
  EVP_PKEY* const key =
      EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytes(std::string_view(private_key_)), 32);
  EVP_MD_CTX* const context = EVP_MD_CTX_new();
  EVP_DigestSignInit(context, nullptr, nullptr, nullptr, key);
  std::string signature(64, '\0');
  std::size_t size = signature.size();
  EVP_DigestSign(context, bytes(signature), &size, bytes(message), message.size());
  EVP_MD_CTX_free(context);
  EVP_PKEY_free(key);
  return signature;
}

std::string make_certificate(const SigningKey& root, const SigningKey& key, const CertificateFields& fields) {
  const auto payload = nlohmann::json{
      {"v", 1},
      {"kid", fields.kid},
      {"key", encode_base64url(key.public_key())},
      {"serial", fields.serial},
      {"notBefore", fields.not_before},
      {"notAfter",
       fields.not_after}}.dump();
  return signed_payload(root, "signet/v1/key", payload);
}

std::string make_announcement(const SigningKey& root, std::string_view next) {
  const auto payload = nlohmann::json{{"v", 1}, {"root", encode_base64url(next)}}.dump();
  return signed_payload(root, "signet/v1/root", payload);
}

std::string open_sealed(std::string_view private_key, std::string_view sealed, std::string_view additional_data) {
  if (sealed.size() < 48) return {};
  const auto encapsulated = sealed.substr(0, 32);
  const auto dh = internal::x25519(private_key, encapsulated);
  if (dh.empty()) return {};
  const auto keys = internal::hpke_key_schedule(dh, encapsulated, internal::x25519_public_key(private_key));
  const auto ciphertext = sealed.substr(32, sealed.size() - 48);
  std::string tag(sealed.substr(sealed.size() - 16));
  std::string plaintext(ciphertext.size(), '\0');
  EVP_CIPHER_CTX* const context = EVP_CIPHER_CTX_new();
  int written = 0;
  EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nullptr, bytes(keys.key), bytes(keys.nonce));
  EVP_DecryptUpdate(context, nullptr, &written, bytes(additional_data), static_cast<int>(additional_data.size()));
  EVP_DecryptUpdate(context, bytes(plaintext), &written, bytes(ciphertext), static_cast<int>(ciphertext.size()));
  EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, 16, tag.data());
  const bool is_authentic = EVP_DecryptFinal_ex(context, bytes(plaintext) + plaintext.size(), &written) == 1;
  EVP_CIPHER_CTX_free(context);
  return is_authentic ? plaintext : std::string();
}

}  // namespace signet::testing
