#include "fake_server.h"

#include <chrono>

#include "clock.h"
#include "crypto.h"
#include "merkle_path.h"
#include "wire.h"

namespace signet::testing {
namespace {

using internal::encode_base64url;
using internal::Reply;
using internal::Request;

std::pair<int, Json> rejection(int status, const std::string& code) {
  return {status, {{"success", false}, {"message", "No: " + code}, {"code", code}, {"requestId", "req-1"}}};
}

}  // namespace

std::string http_text(const Reply& reply) {
  std::string text = "HTTP/1.1 " + std::to_string(reply.status) + " Status\r\n";
  for (const auto& [name, value] : reply.headers) text += name + ": " + value + "\r\n";
  return text + "Content-Length: " + std::to_string(reply.body.size()) + "\r\n\r\n" + reply.body;
}

FakeServer::FakeServer(const TlsIdentity* tls)
    : recipient_(internal::new_x25519_private_key()),
      is_encrypted_(tls != nullptr),
      http_([this](const HttpRequest& request, Connection& connection) { return handle(request, connection); }, tls) {}

FakeServer::~FakeServer() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  changed_.notify_all();
}

std::string FakeServer::url() const {
  return (is_encrypted_ ? "https://127.0.0.1:" : "http://127.0.0.1:") + std::to_string(http_.port());
}

internal::Settings FakeServer::settings() const {
  internal::Settings settings;
  settings.owner_id = "Ab3dE6gH1j";
  settings.app_name = "My App";
  settings.version = "1.0";
  settings.server_url = url();
  settings.verification_key = encode_base64url(root_.public_key());
  settings.sealing_key = encode_base64url(internal::x25519_public_key(recipient_));
  settings.heartbeat_interval_ms = 0;
  settings.timeout_ms = 30'000;
  settings.hwid = "this machine";
  return settings;
}

void FakeServer::set(const std::function<void(Behavior&)>& change) {
  const std::lock_guard lock(mutex_);
  change(behavior_);
  changed_.notify_all();
}

void FakeServer::expire_sessions() {
  const std::lock_guard lock(mutex_);
  for (auto& [token, kind] : sessions_) kind = SessionKind::kExpired;
}

void FakeServer::forget_sessions() {
  const std::lock_guard lock(mutex_);
  sessions_.clear();
}

std::vector<Received> FakeServer::received() const {
  const std::lock_guard lock(mutex_);
  return received_;
}

int FakeServer::count(const std::string& name) const {
  int count = 0;
  for (const auto& call : received()) count += call.name == name ? 1 : 0;
  return count;
}

Received FakeServer::last(const std::string& name) const {
  Received last;
  for (const auto& call : received()) {
    if (call.name == name) last = call;
  }
  return last;
}

bool FakeServer::wait_for(const std::string& name, int count) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::seconds(30), [&] {
    int seen = 0;
    for (const auto& call : received_) seen += call.name == name ? 1 : 0;
    return seen >= count;
  });
}

std::vector<std::string> FakeServer::ranges() const {
  const std::lock_guard lock(mutex_);
  return ranges_;
}

std::int64_t FakeServer::now_ms() const {
  return (behavior_.clock ? behavior_.clock() : internal::system_clock().wall_ms()) + behavior_.clock_ahead_ms;
}

bool FakeServer::handle(const HttpRequest& request, Connection& connection) {
  return request.method == "POST" ? handle_call(request, connection) : handle_file(request, connection);
}

bool FakeServer::handle_call(const HttpRequest& http, Connection& connection) {
  const auto header = [&](const std::string& name) {
    const auto found = http.headers.find(name);
    return found == http.headers.end() ? std::string() : found->second;
  };
  // A proxy receives the whole URL.
  const auto path = http.target.substr(http.target.find("/api/"));
  const Request request{
      path,     header("x-signet-app"), header("x-signet-nonce"), header("x-signet-time"), header("x-signet-session"),
      http.body};
  const auto body = header("content-type") == "application/octet-stream"
                        ? open_sealed(recipient_, http.body, internal::sealing_context(request))
                        : http.body;
  const Received call{path.substr(path.rfind('/') + 1), Json::parse(body, nullptr, false), http.headers,
                      request.session};
  Reply reply;
  std::function<void(const Request&, Connection&)> write_instead;
  bool stays_open = true;
  {
    std::unique_lock lock(mutex_);
    received_.push_back(call);
    changed_.notify_all();
    if (behavior_.silent.count(call.name) == 1) {
      changed_.wait(lock, [&] { return is_stopped_ || behavior_.silent.count(call.name) == 0; });
      return false;
    }
    changed_.wait(lock, [&] { return is_stopped_ || behavior_.held.count(call.name) == 0; });
    const bool is_skewed = std::abs(std::stoll(request.time) - now_ms()) > 120'000;
    const auto [status, fields] = is_skewed ? rejection(400, "CLOCK_SKEW") : answer(call);
    reply = sign(request, status, fields.dump());
    if (behavior_.tamper) behavior_.tamper(request, reply);
    write_instead = behavior_.write_instead;
    stays_open = !behavior_.closes_after_each;
  }
  if (write_instead) {
    write_instead(request, connection);
    return false;
  }
  return connection.write(http_text(reply)) && stays_open;
}

bool FakeServer::handle_file(const HttpRequest& http, Connection& connection) {
  const auto header = [&](const std::string& name) {
    const auto found = http.headers.find(name);
    return found == http.headers.end() ? std::string() : found->second;
  };
  std::string bytes;
  std::size_t start = 0;
  std::size_t end = std::string::npos;
  int status = 200;
  bool stays_silent = false;
  {
    const std::lock_guard lock(mutex_);
    const auto slash = http.target.rfind('/') + 1;
    const auto& file = behavior_.files[http.target.substr(slash, http.target.find('?') - slash)];
    bytes = behavior_.file_bytes.value_or(file);
    status = behavior_.file_status;
    ranges_.push_back(header("range"));
    const auto tag = "\"" + internal::encode_hex(internal::sha256(file)) + "\"";
    if (!header("range").empty() && header("if-range") == tag) start = std::stoul(header("range").substr(6));
    if (!behavior_.cut_files_after.empty()) {
      end = behavior_.cut_files_after.front();
      behavior_.cut_files_after.erase(behavior_.cut_files_after.begin());
      stays_silent = behavior_.keeps_cut_files_open;
    }
  }
  std::string head = "HTTP/1.1 " + std::to_string(start > 0 ? 206 : status) + " Status\r\n";
  if (start > 0) {
    head += "Content-Range: bytes " + std::to_string(start) + "-" + std::to_string(bytes.size() - 1) + "/" +
            std::to_string(bytes.size()) + "\r\n";
  }
  head += "Content-Length: " + std::to_string(bytes.size() - start) + "\r\n\r\n";
  connection.write(head);
  connection.write(bytes.substr(start, end == std::string::npos ? end : end - start));
  if (stays_silent) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_stopped_ || !behavior_.keeps_cut_files_open; });
  }
  return false;
}

std::pair<int, Json> FakeServer::answer(const Received& call) {
  const auto rejected = behavior_.reject.find(call.name);
  if (rejected != behavior_.reject.end()) {
    const auto times = behavior_.reject_times.find(call.name);
    if (times == behavior_.reject_times.end() || times->second-- > 0) {
      auto answer = rejection(rejected->second.first, rejected->second.second);
      answer.second.update(behavior_.error_fields);
      return answer;
    }
  }
  auto answer = answer_in_session(call);
  if (answer.first == 200) answer.second.update(behavior_.success_fields);
  return answer;
}

std::pair<int, Json> FakeServer::answer_in_session(const Received& call) {
  const auto expires_at = now_ms() / 1000 + behavior_.session_seconds;
  const Json user = {{"username", "alice"},
                     {"email", ""},
                     {"subscriptions", {{{"level", 2}, {"name", "Pro"}, {"expiresAt", nullptr}}}},
                     {"createdAt", 1'700'000'000},
                     {"lastLoginAt", 1'700'000'001}};
  const Json signed_in = {{"success", true}, {"message", "Welcome"}, {"user", user}, {"expiresAt", expires_at}};
  Json done = {{"success", true}, {"message", ""}};
  if (call.name == "init") {
    const auto token = encode_base64url(internal::random_bytes(32));
    sessions_[token] = SessionKind::kOpen;
    done.update({{"session", token},
                 {"expiresAt", expires_at},
                 {"app", {{"name", "My App"}, {"version", "1.0"}, {"webloaderUrl", nullptr}}}});
    return {200, done};
  }
  const auto session = sessions_.find(call.session);
  if (session == sessions_.end()) return rejection(401, call.session.empty() ? "SESSION_REQUIRED" : "SESSION_ENDED");
  if (call.name == "logout") {
    sessions_.erase(session);
    return {200, done};
  }
  if (session->second == SessionKind::kExpired && call.name != "renew") return rejection(401, "SESSION_EXPIRED");
  const std::set<std::string> sign_ins = {"license", "login", "register", "renew"};
  const std::set<std::string> open_calls = {"variable", "log", "download", "call-webhook", "request-password-reset"};
  if (sign_ins.count(call.name) == 1) session->second = SessionKind::kSignedIn;
  if (open_calls.count(call.name) == 0 && session->second != SessionKind::kSignedIn) {
    return rejection(403, "NOT_SIGNED_IN");
  }
  if (call.name == "variable") done.update({{"name", call.fields["name"]}, {"value", "of the app"}});
  if (call.name == "set-user-variable") variables_[call.fields["name"]] = call.fields["value"];
  if (call.name == "user-variable" || call.name == "set-user-variable") {
    const auto value = variables_.find(call.fields["name"]);
    if (value == variables_.end()) return rejection(404, "VARIABLE_NOT_FOUND");
    done.update({{"name", value->first}, {"value", value->second}});
  }
  if (call.name == "call-webhook") done.update({{"status", 202}, {"body", call.fields["params"].dump()}});
  if (call.name == "download") {
    const auto file = behavior_.files.find(call.fields["id"]);
    if (file == behavior_.files.end()) return rejection(404, "DOWNLOAD_NOT_FOUND");
    done.update({{"fileName", "setup.exe"},
                 {"size", file->second.size()},
                 {"sha256", internal::encode_hex(internal::sha256(file->second))},
                 {"url", "/api/1.0/download/" + file->first + "?ticket=1.a-b.c_d"}});
  }
  const std::set<std::string> with_user = {"license", "login", "register", "renew", "heartbeat", "upgrade"};
  return {200, with_user.count(call.name) == 1 ? signed_in : done};
}

Reply FakeServer::sign(const Request& request, int status, const std::string& body) {
  const auto time = std::to_string(now_ms());
  const auto root = internal::merkle_root(internal::reply_message(request, behavior_.kid, time, status, body), "");
  Reply reply;
  reply.status = status;
  reply.body = body;
  reply.headers["X-Signet-Key"] = behavior_.kid;
  reply.headers["X-Signet-Time"] = time;
  reply.headers["X-Signet-Signature"] =
      encode_base64url(key_.sign(internal::length_prefixed({"signet/v1/replies", *root})));
  reply.headers["X-Signet-Certificate"] = make_certificate(root_, key_, behavior_.certificate);
  return reply;
}

}  // namespace signet::testing
