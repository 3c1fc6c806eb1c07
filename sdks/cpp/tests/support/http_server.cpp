#include "http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "crypto.h"
#include "wire.h"

namespace signet::testing {

Connection::Connection(int socket, SSL_CTX* tls) : socket_(socket) {
  const int yes = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (tls == nullptr) return;
  tls_ = SSL_new(tls);
  SSL_set_fd(tls_, socket_);
  SSL_accept(tls_);
}

Connection::~Connection() {
  SSL_free(tls_);
  ::close(socket_);
}

bool Connection::read_more() {
  char bytes[16384];
  const auto count =
      tls_ != nullptr ? SSL_read(tls_, bytes, sizeof bytes) : static_cast<int>(recv(socket_, bytes, sizeof bytes, 0));
  if (count <= 0) return false;
  buffer_.append(bytes, static_cast<std::size_t>(count));
  return true;
}

bool Connection::read_request(HttpRequest& request) {
  std::size_t end = 0;
  while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
    if (!read_more()) return false;
  }
  request = HttpRequest();
  const auto head = buffer_.substr(0, end + 2);
  const auto first_line = head.substr(0, head.find("\r\n"));
  request.method = first_line.substr(0, first_line.find(' '));
  request.target = first_line.substr(request.method.size() + 1, first_line.rfind(' ') - request.method.size() - 1);
  for (auto at = head.find("\r\n") + 2; at < head.size();) {
    const auto line_end = head.find("\r\n", at);
    const auto colon = head.find(':', at);
    const auto value = head.find_first_not_of(' ', colon + 1);
    request.headers[internal::lower_ascii(head.substr(at, colon - at))] = head.substr(value, line_end - value);
    at = line_end + 2;
  }
  const auto found = request.headers.find("content-length");
  const std::size_t length = found == request.headers.end() ? 0 : std::stoul(found->second);
  while (buffer_.size() < end + 4 + length) {
    if (!read_more()) return false;
  }
  request.body = buffer_.substr(end + 4, length);
  buffer_.erase(0, end + 4 + length);
  return true;
}

bool Connection::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = tls_ != nullptr ? SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size()))
                                       : static_cast<int>(send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void Connection::shut_down() {
  shutdown(socket_, SHUT_RDWR);
}

TlsIdentity::TlsIdentity() : context_(SSL_CTX_new(TLS_server_method())) {
  EVP_PKEY* const key = EVP_EC_gen("P-256");
  X509* const certificate = X509_new();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  X509_NAME* const name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  X509_EXTENSION* const names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1");
  X509_add_ext(certificate, names, -1);
  X509_EXTENSION_free(names);
  X509_sign(certificate, key, EVP_sha256());
  SSL_CTX_use_certificate(context_, certificate);
  SSL_CTX_use_PrivateKey(context_, key);

  unsigned char* der = nullptr;
  const int size = i2d_X509(certificate, &der);
  fingerprint_ =
      internal::encode_hex(internal::sha256({reinterpret_cast<const char*>(der), static_cast<std::size_t>(size)}));
  OPENSSL_free(der);
  ca_file_ = (std::filesystem::temp_directory_path() / ("signet-ca-" + internal::new_nonce())).string();
  std::FILE* const file = std::fopen(ca_file_.c_str(), "wb");
  PEM_write_X509(file, certificate);
  std::fclose(file);
  X509_free(certificate);
  EVP_PKEY_free(key);
}

TlsIdentity::~TlsIdentity() {
  SSL_CTX_free(context_);
  std::remove(ca_file_.c_str());
}

HttpServer::HttpServer(Handler handler, const TlsIdentity* tls)
    : handler_(std::move(handler)), tls_(tls), socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(socket_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(socket_, 64) != 0) {
    throw std::runtime_error("The test server can't listen.");
  }
  getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

HttpServer::~HttpServer() {
  is_stopped_ = true;
  shutdown(socket_, SHUT_RDWR);
  acceptor_.join();
  ::close(socket_);
  {
    const std::lock_guard lock(mutex_);
    for (auto* connection : open_) connection->shut_down();
  }
  for (auto& thread : threads_) thread.join();
}

void HttpServer::accept_all() {
  for (;;) {
    const int socket = accept(socket_, nullptr, nullptr);
    if (socket < 0 || is_stopped_) {
      if (socket >= 0) ::close(socket);
      return;
    }
    ++connections_;
    threads_.emplace_back([this, socket] { serve(socket); });
  }
}

void HttpServer::serve(int socket) {
  // OpenSSL writes to connections that the client has closed. Only this thread's signals: the client has its own care.
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
  Connection connection(socket, tls_ != nullptr ? tls_->context() : nullptr);
  {
    const std::lock_guard lock(mutex_);
    open_.insert(&connection);
    if (is_stopped_) connection.shut_down();
  }
  HttpRequest request;
  while (connection.read_request(request) && handler_(request, connection)) {
  }
  const std::lock_guard lock(mutex_);
  open_.erase(&connection);
}

}  // namespace signet::testing
