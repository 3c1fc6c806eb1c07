#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// The server's half of the protocol, for tests.
namespace signet::testing {

/// An Ed25519 key pair.
class SigningKey {
 public:
  SigningKey();
  std::string sign(std::string_view message) const;
  const std::string& public_key() const { return public_key_; }

 private:
  std::string private_key_;
  std::string public_key_;
};

struct CertificateFields {
  std::string kid = "k1";
  std::int64_t serial = 1;
  std::int64_t not_before = 0;
  std::int64_t not_after = 4'102'444'800;
};

std::string make_certificate(const SigningKey& root, const SigningKey& key, const CertificateFields& fields = {});

/// Says that the key `next` (32 bytes) replaces `root`; stands before a certificate, with a dot between.
std::string make_announcement(const SigningKey& root, std::string_view next);

/// The plaintext of a sealed body; empty if it can't be opened.
std::string open_sealed(std::string_view private_key, std::string_view sealed, std::string_view additional_data);

}  // namespace signet::testing
