#include "crypto.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <stdexcept>

namespace signet::internal {
namespace {

constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kTagBytes = 16;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* bytes_of(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

void require(bool succeeded, const char* what) {
  if (!succeeded) throw std::runtime_error(std::string("OpenSSL failed: ") + what);
}

struct KeyDeleter {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
struct KeyContextDeleter {
  void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
};
struct DigestContextDeleter {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
struct CipherContextDeleter {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
struct KdfDeleter {
  void operator()(EVP_KDF* kdf) const { EVP_KDF_free(kdf); }
};
struct KdfContextDeleter {
  void operator()(EVP_KDF_CTX* context) const { EVP_KDF_CTX_free(context); }
};

using Key = std::unique_ptr<EVP_PKEY, KeyDeleter>;

Key private_x25519(std::string_view bytes) {
  Key key(EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nullptr, bytes_of(bytes), bytes.size()));
  require(key != nullptr, "X25519 private key");
  return key;
}

std::string derive_hkdf(int mode, std::string_view salt, std::string_view key, std::string_view info,
                        std::size_t bytes) {
  const std::unique_ptr<EVP_KDF, KdfDeleter> kdf(EVP_KDF_fetch(nullptr, "HKDF", nullptr));
  require(kdf != nullptr, "HKDF");
  const std::unique_ptr<EVP_KDF_CTX, KdfContextDeleter> context(EVP_KDF_CTX_new(kdf.get()));
  require(context != nullptr, "HKDF context");
  char digest[] = "SHA256";
  const auto octets = [](const char* name, std::string_view value) {
    return OSSL_PARAM_construct_octet_string(name, const_cast<char*>(value.data()), value.size());
  };
  OSSL_PARAM parameters[6];
  std::size_t count = 0;
  parameters[count++] = OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode);
  parameters[count++] = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0);
  parameters[count++] = octets(OSSL_KDF_PARAM_KEY, key);
  if (!salt.empty()) parameters[count++] = octets(OSSL_KDF_PARAM_SALT, salt);
  if (!info.empty()) parameters[count++] = octets(OSSL_KDF_PARAM_INFO, info);
  parameters[count] = OSSL_PARAM_construct_end();
  std::string out(bytes, '\0');
  require(EVP_KDF_derive(context.get(), bytes_of(out), out.size(), parameters) == 1, "HKDF derive");
  return out;
}

}  // namespace

std::string random_bytes(std::size_t count) {
  std::string out(count, '\0');
  require(RAND_bytes(bytes_of(out), static_cast<int>(count)) == 1, "random bytes");
  return out;
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.digest();
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  require(context_ != nullptr, "digest context");
  reset();
}

Sha256::~Sha256() {
  EVP_MD_CTX_free(context_);
}

void Sha256::reset() {
  require(EVP_DigestInit_ex(context_, EVP_sha256(), nullptr) == 1, "SHA-256");
}

void Sha256::update(std::string_view bytes) {
  require(EVP_DigestUpdate(context_, bytes.data(), bytes.size()) == 1, "SHA-256");
}

std::string Sha256::digest() {
  std::string out(32, '\0');
  require(EVP_DigestFinal_ex(context_, bytes_of(out), nullptr) == 1, "SHA-256");
  return out;
}

bool verify_ed25519(std::string_view public_key, std::string_view message, std::string_view signature) {
  if (public_key.size() != kKeyBytes || signature.size() != 64) return false;
  const Key key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(public_key), public_key.size()));
  const std::unique_ptr<EVP_MD_CTX, DigestContextDeleter> context(EVP_MD_CTX_new());
  if (!key || !context) return false;
  if (EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1) return false;
  return EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(), bytes_of(message), message.size()) == 1;
}

std::string new_x25519_private_key() {
  return random_bytes(kKeyBytes);
}

std::string x25519_public_key(std::string_view private_key) {
  const Key key = private_x25519(private_key);
  std::string out(kKeyBytes, '\0');
  std::size_t size = out.size();
  require(EVP_PKEY_get_raw_public_key(key.get(), bytes_of(out), &size) == 1, "X25519 public key");
  return out;
}

std::string x25519(std::string_view private_key, std::string_view public_key) {
  const Key own = private_x25519(private_key);
  const Key peer(EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nullptr, bytes_of(public_key), public_key.size()));
  const std::unique_ptr<EVP_PKEY_CTX, KeyContextDeleter> context(EVP_PKEY_CTX_new(own.get(), nullptr));
  require(context != nullptr && EVP_PKEY_derive_init(context.get()) == 1, "X25519");
  if (!peer || EVP_PKEY_derive_set_peer(context.get(), peer.get()) != 1) return {};
  std::string out(kKeyBytes, '\0');
  std::size_t size = out.size();
  if (EVP_PKEY_derive(context.get(), bytes_of(out), &size) != 1) return {};
  return out;
}

std::string hkdf_extract_sha256(std::string_view salt, std::string_view key_material) {
  return derive_hkdf(EVP_KDF_HKDF_MODE_EXTRACT_ONLY, salt, key_material, {}, 32);
}

std::string hkdf_expand_sha256(std::string_view pseudo_random_key, std::string_view info, std::size_t bytes) {
  return derive_hkdf(EVP_KDF_HKDF_MODE_EXPAND_ONLY, {}, pseudo_random_key, info, bytes);
}

std::string encrypt_aes_256_gcm(std::string_view key, std::string_view nonce, std::string_view additional_data,
                                std::string_view plaintext) {
  const std::unique_ptr<EVP_CIPHER_CTX, CipherContextDeleter> context(EVP_CIPHER_CTX_new());
  require(context != nullptr && key.size() == 32 && nonce.size() == 12, "AES-256-GCM");
  require(EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, bytes_of(key), bytes_of(nonce)) == 1,
          "AES-256-GCM");
  std::string out(plaintext.size() + kTagBytes, '\0');
  int written = 0;
  require(EVP_EncryptUpdate(context.get(), nullptr, &written, bytes_of(additional_data),
                            static_cast<int>(additional_data.size())) == 1,
          "additional data");
  if (!plaintext.empty()) {
    require(EVP_EncryptUpdate(context.get(), bytes_of(out), &written, bytes_of(plaintext),
                              static_cast<int>(plaintext.size())) == 1,
            "encrypt");
  }
  require(EVP_EncryptFinal_ex(context.get(), bytes_of(out) + plaintext.size(), &written) == 1, "encrypt");
  require(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, static_cast<int>(kTagBytes),
                              bytes_of(out) + plaintext.size()) == 1,
          "tag");
  return out;
}

}  // namespace signet::internal
