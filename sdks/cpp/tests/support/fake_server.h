#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "http_server.h"
#include "reply_verifier.h"
#include "request_hash.h"
#include "settings.h"
#include "signing.h"

namespace signet::testing {

using Json = nlohmann::json;

struct Received {
  std::string name;
  Json fields;
  std::map<std::string, std::string> headers;
  std::string session;
};

/// A small Signet server on a real socket, honest unless told otherwise.
class FakeServer {
 public:
  explicit FakeServer(const TlsIdentity* tls = nullptr);
  ~FakeServer();

  std::string url() const;
  /// Settings of a client of this server, without a background heartbeat.
  internal::Settings settings() const;

  /// What the server does from now on. The fields are read under the server's lock.
  struct Behavior {
    /// By call: status and code of a signed error.
    std::map<std::string, std::pair<int, std::string>> reject;
    /// More fields of signed errors.
    Json error_fields = Json::object();
    /// More fields of signed successes.
    Json success_fields = Json::object();
    /// How many requests of a call are rejected, if not all.
    std::map<std::string, int> reject_times;
    /// Calls that are never answered.
    std::set<std::string> silent;
    /// Calls that are answered only when they are no longer held.
    std::set<std::string> held;
    /// Changes signed replies on their way.
    std::function<void(const internal::Request&, internal::Reply&)> tamper;
    /// Writes something else than a reply; the connection ends after it.
    std::function<void(const internal::Request&, Connection&)> write_instead;
    std::int64_t clock_ahead_ms = 0;
    /// Instead of this computer's clock.
    std::function<std::int64_t()> clock;
    std::int64_t session_seconds = 3600;
    CertificateFields certificate;
    std::string kid = "k1";
    bool closes_after_each = false;
    std::map<std::string, std::string> files;
    /// Bytes that are sent instead of a file's.
    std::optional<std::string> file_bytes;
    int file_status = 200;
    /// Lengths after which the next downloads are cut off.
    std::vector<std::size_t> cut_files_after;
    /// After a cut, the connection stays open in silence.
    bool keeps_cut_files_open = false;
  };
  void set(const std::function<void(Behavior&)>& change);

  /// As after the end of all sessions in time; `renew` revives them.
  void expire_sessions();
  /// As after they were deleted.
  void forget_sessions();

  std::vector<Received> received() const;
  int count(const std::string& name) const;
  Received last(const std::string& name) const;
  /// Waits, with a generous limit, until so many requests of a call were received.
  bool wait_for(const std::string& name, int count) const;
  int connections() const { return http_.connections(); }
  std::vector<std::string> ranges() const;

 private:
  enum class SessionKind { kOpen, kSignedIn, kExpired };

  bool handle(const HttpRequest& request, Connection& connection);
  bool handle_call(const HttpRequest& http, Connection& connection);
  bool handle_file(const HttpRequest& http, Connection& connection);
  std::pair<int, Json> answer(const Received& call);
  std::pair<int, Json> answer_in_session(const Received& call);
  internal::Reply sign(const internal::Request& request, int status, const std::string& body);
  std::int64_t now_ms() const;

  const SigningKey root_;
  const SigningKey key_;
  const std::string recipient_;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool is_stopped_ = false;
  Behavior behavior_;
  std::map<std::string, SessionKind> sessions_;
  std::vector<Received> received_;
  std::vector<std::string> ranges_;
  std::map<std::string, std::string> variables_;
  const bool is_encrypted_;
  // The last member: its threads use the others.
  HttpServer http_;
};

/// Writes a reply as HTTP/1.1.
std::string http_text(const internal::Reply& reply);

}  // namespace signet::testing
