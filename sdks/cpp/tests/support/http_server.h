#pragma once

#include <openssl/ssl.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace signet::testing {

struct HttpRequest {
  std::string method;
  std::string target;
  /// Names in lower case.
  std::map<std::string, std::string> headers;
  std::string body;
};

/// One accepted connection, over TLS or not.
class Connection {
 public:
  Connection(int socket, SSL_CTX* tls);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// False at the end of the connection.
  bool read_request(HttpRequest& request);
  bool write(std::string_view bytes);
  /// Ends reading and writing, from any thread.
  void shut_down();

 private:
  bool read_more();

  const int socket_;
  SSL* tls_ = nullptr;
  std::string buffer_;
};

/// A self-signed certificate for 127.0.0.1.
class TlsIdentity {
 public:
  TlsIdentity();
  ~TlsIdentity();
  TlsIdentity(const TlsIdentity&) = delete;
  TlsIdentity& operator=(const TlsIdentity&) = delete;

  SSL_CTX* context() const { return context_; }
  const std::string& fingerprint() const { return fingerprint_; }
  /// A PEM file, deleted with this object.
  const std::string& ca_file() const { return ca_file_; }

 private:
  SSL_CTX* context_;
  std::string fingerprint_;
  std::string ca_file_;
};

/// Serves on a free port of this computer, with a thread for each connection.
class HttpServer {
 public:
  /// Returns whether the connection stays open.
  using Handler = std::function<bool(const HttpRequest&, Connection&)>;

  explicit HttpServer(Handler handler, const TlsIdentity* tls = nullptr);
  /// Cuts all connections.
  ~HttpServer();

  int port() const { return port_; }
  int connections() const { return connections_; }

 private:
  void accept_all();
  void serve(int socket);

  const Handler handler_;
  const TlsIdentity* const tls_;
  int socket_ = -1;
  int port_ = 0;
  std::atomic<int> connections_{0};
  std::atomic<bool> is_stopped_{false};
  std::mutex mutex_;
  std::set<Connection*> open_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace signet::testing
