#include "tls_fingerprint.h"

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

#include <string_view>

#include "wire.h"

namespace signet::internal {
namespace {

bool is_allowed(const X509* certificate, const std::set<std::string>& allowed) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  if (certificate == nullptr || X509_digest(certificate, EVP_sha256(), digest, &size) != 1) return false;
  return allowed.count(encode_hex({reinterpret_cast<const char*>(digest), size})) == 1;
}

int verify(X509_STORE_CTX* store, void* argument) {
  auto* const check = static_cast<FingerprintCheck*>(argument);
  if (X509_verify_cert(store) != 1) return 0;
  if (is_allowed(X509_STORE_CTX_get0_cert(store), *check->allowed)) return 1;
  check->has_mismatch = true;
  X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION);
  return 0;
}

}  // namespace

void install_fingerprint_check(void* ssl_context, FingerprintCheck* check) {
  SSL_CTX_set_cert_verify_callback(static_cast<SSL_CTX*>(ssl_context), verify, check);
}

}  // namespace signet::internal
