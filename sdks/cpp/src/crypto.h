#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace signet::internal {

// Thin wrappers over OpenSSL. They throw std::runtime_error only if the library itself fails.

std::string random_bytes(std::size_t count);

std::string sha256(std::string_view bytes);

/// SHA-256 of what arrives in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void reset();
  void update(std::string_view bytes);
  std::string digest();

 private:
  evp_md_ctx_st* context_;
};

/// `public_key` is 32 bytes; false for every signature but a valid one of 64 bytes.
bool verify_ed25519(std::string_view public_key, std::string_view message, std::string_view signature);

std::string new_x25519_private_key();
std::string x25519_public_key(std::string_view private_key);

/// The shared secret; empty if the public key has small order.
std::string x25519(std::string_view private_key, std::string_view public_key);

std::string hkdf_extract_sha256(std::string_view salt, std::string_view key_material);
std::string hkdf_expand_sha256(std::string_view pseudo_random_key, std::string_view info, std::size_t bytes);

/// Ciphertext and the 16 bytes of the tag.
std::string encrypt_aes_256_gcm(std::string_view key, std::string_view nonce, std::string_view additional_data,
                                std::string_view plaintext);

}  // namespace signet::internal
