#include "vectors.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "certificate.h"
#include "error.h"
#include "exchange.h"
#include "hardware_id.h"
#include "hpke.h"
#include "license_key.h"
#include "public_keys.h"
#include "reply_verifier.h"
#include "request_hash.h"
#include "settings.h"
#include "signing.h"
#include "wire.h"

namespace signet::testing {
namespace {

using internal::decode_base64url;
using internal::Request;
using nlohmann::json;

json read(const std::string& directory, const std::string& file) {
  std::ifstream stream(directory + "/" + file);
  if (!stream) throw std::runtime_error("There is no " + directory + "/" + file);
  return json::parse(stream);
}

std::string from_hex(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
    out.push_back(static_cast<char>(std::stoi(text.substr(at, 2), nullptr, 16)));
  }
  return out;
}

std::string bytes_of(const json& value) {
  return decode_base64url(value.get<std::string>()).value();
}

/// Without a body: in request-hash.json and replies.json it is base64url, in sealed-bodies.json it is something else.
Request request_of(const json& item) {
  return {item["path"], item["app"], item["nonce"], item["time"], item["session"].is_null() ? "" : item["session"], ""};
}

bool passes_request_hash(const json& item) {
  auto request = request_of(item);
  request.body = bytes_of(item["body"]);
  return internal::encode_hex(internal::request_hash(request)) == item["hash"];
}

/// `expected_root` is the key that a client trusts afterwards.
bool passes_certificate(const json& item, const std::string& root, const json& expected_root) {
  try {
    const auto [read, root_after] = internal::read_certificate(item["certificate"].get<std::string>(), root);
    const auto& expected = item["fields"];
    return !expected.is_null() && root_after == bytes_of(expected_root) && read.kid == expected["kid"] &&
           read.public_key == bytes_of(expected["key"]) && read.serial == expected["serial"] &&
           read.not_before == expected["notBefore"] && read.not_after == expected["notAfter"];
  } catch (const internal::Error& error) {
    return item["fields"].is_null() && error.code == "UNKNOWN_KEY";
  }
}

bool passes_public_key(const json& item) {
  const auto text = item["publicKey"].get<std::string>();
  const auto key =
      item["curve"] == "ed25519" ? internal::read_ed25519_public_key(text) : internal::read_x25519_public_key(text);
  return key.has_value() == item["usable"].get<bool>();
}

std::string outcome_of_reply(const json& item, const json& all) {
  auto request = request_of(all["request"]);
  request.body = bytes_of(all["request"]["body"]);
  internal::Reply reply;
  reply.status = item["status"];
  for (const auto& [name, value] : item["headers"].items()) reply.headers[internal::lower_ascii(name)] = value;
  reply.body = bytes_of(item["body"]);
  try {
    internal::ReplyVerifier verifier(bytes_of(all["rootPublicKey"]), item["highestSerial"].get<std::int64_t>());
    verifier.check(request, reply, all["now"].get<std::int64_t>());
    return "accepted";
  } catch (const internal::Error& error) {
    return error.code;
  }
}

bool passes_sealed_body(const json& item, const json& all) {
  const auto recipient_key = from_hex(all["recipientKey"]);
  const auto recipient = bytes_of(all["recipientPublicKey"]);
  const auto sealed = bytes_of(item["sealed"]);
  const auto context = internal::sealing_context(request_of(item));
  if (item["body"].is_null()) return open_sealed(recipient_key, sealed, context).empty();
  const auto body = bytes_of(item["body"]);
  return internal::hpke_seal_with(from_hex(all["ephemeralKey"]), recipient, body, context) == sealed &&
         open_sealed(recipient_key, sealed, context) == body;
}

bool passes_hardware_id(const json& item) {
  const auto id = internal::hardware_id_of(item["ownerId"].get<std::string>(), item["machineId"].get<std::string>());
  return id ? item["hwid"] == *id : item["hwid"].is_null();
}

bool passes_license_key(const json& item) {
  return internal::trim_license_key(item["typed"].get<std::string>()) == item["sent"].get<std::string>();
}

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json();
}

bool passes_answer(const json& item) {
  try {
    (void)internal::fields_of_verified(item["status"], bytes_of(item["body"]));
    return item["outcome"] == "yes";
  } catch (const internal::Error& error) {
    const auto verdict = error.verdict();
    const bool is_temporary = verdict == internal::Verdict::kTemporary || verdict == internal::Verdict::kUnverified;
    return error.code == item["outcome"] && is_temporary == item["isTemporary"] &&
           or_null(error.retry_after) == item["retryAfter"] && or_null(error.request_id) == item["requestId"] &&
           or_null(error.download_url) == item["downloadUrl"];
  }
}

/// As a careless program converts it: each unit by itself, so that surrogates become invalid UTF-8.
std::string from_utf16(const json& units) {
  std::string out;
  for (const unsigned unit : units) {
    if (unit < 0x80) {
      out.push_back(static_cast<char>(unit));
    } else {
      out.push_back(static_cast<char>(0xe0 | (unit >> 12)));
      out.push_back(static_cast<char>(0x80 | ((unit >> 6) & 0x3f)));
      out.push_back(static_cast<char>(0x80 | (unit & 0x3f)));
    }
  }
  return out;
}

/// `X-Signet-App` of a client with this name; nothing if there can't be one.
std::optional<std::string> header_of(const std::string& owner_id, const std::string& app_name) {
  internal::Settings settings;
  settings.owner_id = owner_id;
  settings.app_name = app_name;
  settings.version = "1.0";
  settings.server_url = "https://signet.example.com";
  settings.verification_key = "0EqyMnQrtKs6E2i9RhXk5tAiSrcaAWuvhSCjMsl3hzc";
  settings.sealing_key = "OUjP4K0d22ldeA5ZB3GV2mxWUGsCcyl5SrAryoCBXE0";
  try {
    return internal::check_settings(settings).app;
  } catch (const internal::Error& error) {
    if (error.code != "INVALID_CONFIGURATION") throw;
    return std::nullopt;
  }
}

}  // namespace

std::vector<VectorResult> run_vectors(const std::string& directory) {
  std::vector<VectorResult> results;
  const auto run = [&](const std::string& file, const json& content, auto passes) {
    for (const auto& item : content["cases"]) {
      bool has_passed = false;
      try {
        has_passed = passes(item);
      } catch (const std::exception&) {
        // A case that can't even be read has failed.
      }
      results.push_back({file + ": " + item["name"].get<std::string>(), has_passed});
    }
  };

  run("request-hash.json", read(directory, "request-hash.json"), passes_request_hash);
  run("public-keys.json", read(directory, "public-keys.json"), passes_public_key);
  const auto certificates = read(directory, "certificates.json");
  run("certificates.json", certificates, [&](const json& item) {
    return passes_certificate(item, bytes_of(certificates["rootPublicKey"]), certificates["rootPublicKey"]);
  });
  const auto announcements = read(directory, "announcements.json");
  run("announcements.json", announcements, [&](const json& item) {
    return passes_certificate(item, bytes_of(announcements["rootPublicKey"]), item["root"]);
  });
  const auto replies = read(directory, "replies.json");
  run("replies.json", replies,
      [&](const json& item) { return outcome_of_reply(item, replies) == item["outcome"].get<std::string>(); });
  const auto sealed = read(directory, "sealed-bodies.json");
  run("sealed-bodies.json", sealed, [&](const json& item) { return passes_sealed_body(item, sealed); });
  run("hardware-ids.json", read(directory, "hardware-ids.json"), passes_hardware_id);
  run("keys.json", read(directory, "keys.json"), passes_license_key);
  run("answers.json", read(directory, "answers.json"), passes_answer);
  const auto names = read(directory, "app-names.json");
  run("app-names.json", names,
      [&](const json& item) { return header_of(names["ownerId"], item["appName"]) == item["header"]; });
  const json rejected = {{"cases", names["rejected"]}};
  run("app-names.json", rejected,
      [&](const json& item) { return !header_of(names["ownerId"], from_utf16(item["utf16"])); });
  return results;
}

}  // namespace signet::testing
