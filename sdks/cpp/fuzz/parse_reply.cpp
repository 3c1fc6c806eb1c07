#include "parse_reply.h"

#include <cstdlib>

#include "certificate.h"
#include "error.h"
#include "exchange.h"
#include "hardware_id.h"
#include "license_key.h"
#include "merkle_path.h"
#include "public_keys.h"
#include "reply_verifier.h"
#include "server_answers.h"
#include "server_url.h"
#include "wire.h"

namespace signet::fuzz {
namespace {

using namespace signet::internal;

const Request& request() {
  static const Request request{"/api/1.0/client/heartbeat", "Ab3dE6gH1j/App", "nonce", "1750000000000", "token", "{}"};
  return request;
}

std::string root_key() {
  return *decode_base64url("0EqyMnQrtKs6E2i9RhXk5tAiSrcaAWuvhSCjMsl3hzc");
}

std::string announced_root_key() {
  return *decode_base64url("Zs1gi5KLiOUODv6qM_rxxDzv4HKUsLh-n-CrpqPPdjM");
}

template <typename Action>
std::string code_of(Action action) {
  try {
    action();
    return "OK";
  } catch (const Error& error) {
    return error.code;
  }
}

/// `name: value` lines, an empty line, and a body.
Reply reply_of(std::string_view bytes) {
  Reply reply;
  reply.status = 200;
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const auto line = bytes.substr(0, end);
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    if (line.empty()) break;
    const auto colon = line.find(": ");
    if (colon != std::string_view::npos) reply.headers[lower_ascii(line.substr(0, colon))] = line.substr(colon + 2);
  }
  reply.body = std::string(bytes);
  return reply;
}

std::string read_answer(std::string_view body) {
  return code_of([&] {
    const auto fields = fields_of_verified(200, std::string(body));
    const auto readers = {code_of([&] { session_of(fields); }), code_of([&] { app_of(fields); }),
                          code_of([&] { session_token_of(fields); }), code_of([&] { file_offer_of(fields); }),
                          code_of([&] { webhook_answer_of(fields); })};
    for (const auto& code : readers) {
      if (code != "OK" && code != "MALFORMED_REPLY") std::abort();
    }
  });
}

}  // namespace

std::string parse_reply(std::string_view bytes) {
  ReplyVerifier verifier(root_key());
  const auto reply = reply_of(bytes);
  const auto verified = code_of([&] { verifier.check(request(), reply, 1'750'000'000'000); });
  // Nobody can sign for this root and this request.
  if (verified == "OK" || verified == "STALE_RESPONSE") std::abort();

  const auto decoded = decode_base64url(bytes);
  if (decoded && encode_base64url(*decoded) != bytes) std::abort();
  const auto certified = code_of([&] {
    const auto root = read_certificate(bytes, root_key()).root_public_key;
    // Only certificates of the vectors are accepted, and theirs are the only keys that are announced.
    if (root != root_key() && root != announced_root_key()) std::abort();
    const auto dot = bytes.find('.');
    if (dot == std::string_view::npos || !decode_base64url(bytes.substr(0, dot))) std::abort();
  });
  if (certified != "OK" && certified != "UNKNOWN_KEY") std::abort();
  (void)merkle_root("message", bytes);
  (void)read_ed25519_public_key(bytes);
  (void)read_x25519_public_key(bytes);
  (void)hardware_id_of("Ab3dE6gH1j", bytes);
  (void)code_of([&] { read_server_url(bytes); });
  const auto trimmed = trim_license_key(bytes);
  if (trim_license_key(trimmed) != trimmed) std::abort();
  return verified + " " + read_answer(bytes) + " " + read_answer(reply.body);
}

}  // namespace signet::fuzz
