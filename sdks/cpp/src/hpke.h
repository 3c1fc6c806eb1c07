#pragma once

#include <string>
#include <string_view>

namespace signet::internal {

/// Seals to an X25519 public key of 32 bytes: RFC 9180, base mode, one message per key, DHKEM(X25519, HKDF-SHA256),
/// HKDF-SHA256, AES-256-GCM. Returns the encapsulated key and the ciphertext.
std::string hpke_seal(std::string_view recipient, std::string_view plaintext, std::string_view additional_data);

/// With a given ephemeral key, for the vectors.
std::string hpke_seal_with(std::string_view ephemeral_private_key, std::string_view recipient,
                           std::string_view plaintext, std::string_view additional_data);

struct HpkeKeys {
  std::string key;
  std::string nonce;
};

/// The key schedule of both sides, from the Diffie-Hellman secret and the two public keys.
HpkeKeys hpke_key_schedule(std::string_view dh, std::string_view encapsulated, std::string_view recipient);

}  // namespace signet::internal
