// Answers one JSON request per line on stdin with one JSON answer per line on stdout, for the conformance tests that
// all clients share.

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "signet/signet.hpp"
#include "vectors.h"

namespace {

using json = nlohmann::ordered_json;

class Output {
 public:
  void write(const json& line) {
    const std::lock_guard lock(mutex_);
    std::cout << line.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
  }

 private:
  std::mutex mutex_;
};

struct Unsupported {};

std::int64_t seconds(signet::Time time) {
  return time.time_since_epoch().count();
}

json session_json(const signet::Session& session) {
  json subscriptions = json::array();
  for (const auto& [level, name, expires_at] : session.subscriptions) {
    subscriptions.push_back(
        {{"level", level}, {"name", name}, {"expiresAt", expires_at ? json(seconds(*expires_at)) : json()}});
  }
  return {{"username", session.username}, {"expiresAt", seconds(session.expires_at)}, {"subscriptions", subscriptions}};
}

std::string text(const json& request, const char* name) {
  return request.at(name).get<std::string>();
}

bool flag(const json& request, const char* name) {
  return request.contains(name) && request[name].is_boolean() && request[name].get<bool>();
}

signet::Milliseconds milliseconds(const json& value) {
  return signet::Milliseconds(std::llround(value.get<double>() * 1000));
}

class Program {
 public:
  explicit Program(Output& output) : output_(output) {}

  /// The result of a request; throws signet::Error.
  json run(const json& request) {
    const auto name = text(request, "do");
    if (name == "create") return create(request);
    if (name == "cancel") return cancel(request);
    if (name == "hwid") {
      return {{"hwid", signet::hardware_id_of(text(request, "ownerId"), text(request, "machineId"))}};
    }
    if (name == "message") {
      return {{"message", signet::customer_message(text(request, "code"), text(request, "language"))}};
    }
    if (name == "vectors") return vectors(text(request, "dir"));
    return run_call(name, request, *client());
  }

  void close() {
    if (const auto open = client_or_null()) open->close();
  }

 private:
  std::shared_ptr<signet::Client> client_or_null() {
    const std::lock_guard lock(mutex_);
    return client_;
  }

  std::shared_ptr<signet::Client> client() {
    auto open = client_or_null();
    if (!open) throw Unsupported();
    return open;
  }

  json create(const json& request) {
    signet::Options options;
    options.owner_id = text(request, "ownerId");
    options.app_name = text(request, "appName");
    options.version = text(request, "version");
    options.server_url = text(request, "serverUrl");
    options.verification_key = text(request, "verificationKey");
    options.sealing_key = text(request, "sealingKey");
    if (request.contains("programHash") && request["programHash"].is_string()) {
      options.program_hash = text(request, "programHash");
    }
    options.hash_running_program = flag(request, "programHash");
    options.seal_requests = flag(request, "sealRequests");
    options.allow_http = flag(request, "allowHttp");
    if (request.contains("timeout")) options.timeout = milliseconds(request["timeout"]);
    if (request.contains("heartbeatInterval")) {
      const auto& interval = request["heartbeatInterval"];
      options.heartbeat_interval = interval.is_null() ? std::nullopt : std::optional(milliseconds(interval));
    }
    if (request.contains("grace")) options.grace = milliseconds(request["grace"]);
    if (request.contains("hwid")) options.hwid = text(request, "hwid");
    if (request.contains("language")) options.language = text(request, "language");
    if (request.contains("fingerprints")) {
      options.fingerprints = request["fingerprints"].get<std::vector<std::string>>();
    }
    if (request.contains("caFile")) options.ca_file = text(request, "caFile");
    options.on_lost = [this](const signet::Error& error) {
      output_.write({{"event", "lost"}, {"code", error.code_name()}});
    };
    options.on_interrupted = [this](const signet::Error& error) {
      output_.write({{"event", "interrupted"}, {"code", error.code_name()}});
    };
    options.on_resumed = [this] { output_.write({{"event", "resumed"}}); };
    auto created = std::make_shared<signet::Client>(options);
    const std::lock_guard lock(mutex_);
    std::swap(client_, created);
    return json::object();
  }

  json cancel(const json& request) {
    const auto call = request.at("call");
    std::mutex mutex;
    std::condition_variable changed;
    bool has_ended = false;
    const auto open = client();
    std::thread canceller([&] {
      std::unique_lock lock(mutex);
      if (!changed.wait_for(lock, milliseconds(request.at("after")), [&] { return has_ended; })) open->cancel();
    });
    const auto end = [&] {
      {
        const std::lock_guard lock(mutex);
        has_ended = true;
      }
      changed.notify_all();
      canceller.join();
    };
    try {
      auto result = run(call);
      end();
      return result;
    } catch (...) {
      end();
      throw;
    }
  }

  static json vectors(const std::string& directory) {
    int passed = 0;
    json failed = json::array();
    for (const auto& result : signet::testing::run_vectors(directory)) {
      if (result.has_passed)
        ++passed;
      else
        failed.push_back(result.name);
    }
    return {{"passed", passed}, {"failed", failed}};
  }

  static json run_call(const std::string& name, const json& request, signet::Client& client) {
    if (name == "init") {
      const auto app = client.init();
      return {{"name", app.name}, {"version", app.version}};
    }
    if (name == "license") return session_json(client.license(text(request, "key")));
    if (name == "login" && request.contains("licenseKey")) {
      return session_json(
          client.login(text(request, "username"), text(request, "password"), text(request, "licenseKey")));
    }
    if (name == "login") return session_json(client.login(text(request, "username"), text(request, "password")));
    if (name == "register") {
      const bool has_email = request.contains("email") && request["email"].is_string();
      const auto email = has_email ? text(request, "email") : std::string();
      return session_json(client.register_user(text(request, "username"), text(request, "password"),
                                               text(request, "licenseKey"),
                                               has_email ? std::optional<std::string_view>(email) : std::nullopt));
    }
    if (name == "upgrade") {
      return session_json(client.upgrade(text(request, request.contains("licenseKey") ? "licenseKey" : "key")));
    }
    if (name == "heartbeat") return session_json(client.heartbeat());
    if (name == "variable") return {{"value", client.variable(text(request, "name"))}};
    if (name == "userVariable") return {{"value", client.user_variable(text(request, "name"))}};
    if (name == "callWebhook") {
      const auto params = request.contains("params") ? request["params"] : json::object();
      const auto answer = client.call_webhook(text(request, "webhookId"), params.dump());
      return {{"status", answer.status}, {"body", answer.body}};
    }
    if (name == "download") {
      const auto file = client.download(text(request, "fileId"), text(request, "path"));
      return {{"fileName", file.file_name}, {"size", file.size}, {"sha256", file.sha256}};
    }
    if (name == "valid") return {{"valid", client.is_valid()}};
    if (name == "setUserVariable")
      client.set_user_variable(text(request, "name"), text(request, "value"));
    else if (name == "log")
      client.log(text(request, "message"));
    else if (name == "changePassword")
      client.change_password(text(request, "password"), text(request, "newPassword"));
    else if (name == "requestPasswordReset")
      client.request_password_reset(text(request, "username"));
    else if (name == "logout")
      client.logout();
    else if (name == "close")
      client.close();
    else
      throw Unsupported();
    return json::object();
  }

  Output& output_;
  std::mutex mutex_;
  std::shared_ptr<signet::Client> client_;
};

json answer_to(const json& request, Program& program) {
  json answer = {{"id", request.value("id", json())}, {"ok", false}, {"status", 0}};
  try {
    auto result = program.run(request);
    return {{"id", answer["id"]}, {"ok", true}, {"result", std::move(result)}};
  } catch (const signet::Error& error) {
    answer.update({{"code", error.code_name()}, {"status", error.status()}, {"message", error.what()}});
    if (const auto wait = error.retry_after()) answer["retryAfter"] = wait->count();
  } catch (const Unsupported&) {
    answer.update({{"code", "UNSUPPORTED"}, {"message", "This program doesn't know the request."}});
  } catch (const std::exception& error) {
    answer.update({{"code", "INVALID_TEST_REQUEST"}, {"message", error.what()}});
  }
  return answer;
}

}  // namespace

int main() {
  Output output;
  Program program(output);
  std::vector<std::thread> threads;
  for (std::string line; std::getline(std::cin, line);) {
    auto request = json::parse(line, nullptr, false);
    if (!request.is_object()) {
      std::cerr << "not a JSON object: " << line << std::endl;
      continue;
    }
    // Making a client takes no time, and what follows may be meant for it.
    if (request.value("do", "") == "create") {
      output.write(answer_to(request, program));
      continue;
    }
    threads.emplace_back([&, request = std::move(request)] { output.write(answer_to(request, program)); });
  }
  program.close();
  for (auto& thread : threads) thread.join();
  return 0;
}
