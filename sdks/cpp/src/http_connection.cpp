#include "http_connection.h"

#include <curl/curl.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <stdexcept>

#include "error.h"
#include "pipe_signal.h"
#include "tls_fingerprint.h"
#include "wire.h"

namespace signet::internal {
namespace {

constexpr std::size_t kMaxHeaderBytes = 64 * 1024;
/// Wakes up this often in case a clock jumped; cancellation itself wakes at once.
constexpr std::int64_t kMaxPollMs = 500;

struct EasyDeleter {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct MultiDeleter {
  void operator()(CURLM* handle) const { curl_multi_cleanup(handle); }
};
struct ListDeleter {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, ListDeleter>;

void initialize_curl_once() {
  static std::once_flag flag;
  std::call_once(flag, [] {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw std::runtime_error("libcurl can't be initialized.");
  });
}

HeaderList header_list(const std::vector<std::string>& headers) {
  HeaderList list;
  for (const auto& header : headers) {
    auto* const longer = curl_slist_append(list.get(), header.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    (void)list.release();
    list.reset(longer);
  }
  return list;
}

std::string_view trim(std::string_view text) {
  constexpr auto blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

Error network_error(const std::string& reason) {
  return {"NETWORK", "The server can't be reached: " + reason};
}

}  // namespace

struct HttpConnection::Handles {
  // The order of destruction matters: the easy handle goes first.
  std::unique_ptr<CURLM, MultiDeleter> multi;
  std::unique_ptr<CURL, EasyDeleter> easy;
  char error[CURL_ERROR_SIZE] = {};
  FingerprintCheck fingerprints;
};

/// What libcurl's callbacks need during one transfer.
struct HttpConnection::Transfer {
  const BodySink& sink;
  const Clock& clock;
  Reply head;
  std::size_t header_bytes = 0;
  bool has_head = false;
  std::int64_t last_data_ms = 0;
  std::exception_ptr failure;

  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* user) {
    return static_cast<Transfer*>(user)->guarded(size * count, [&](Transfer& self) {
      self.read_header({data, size * count});
    });
  }

  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* user) {
    return static_cast<Transfer*>(user)->guarded(size * count, [&](Transfer& self) {
      self.sink(self.head, {data, size * count});
    });
  }

  /// Exceptions must not pass through libcurl: they are kept, and the transfer ends.
  template <typename Action>
  std::size_t guarded(std::size_t bytes, Action action) {
    try {
      action(*this);
      // Afterwards: a slow disk isn't the server's silence.
      last_data_ms = clock.steady_ms();
      return bytes;
    } catch (...) {
      failure = std::current_exception();
      return bytes == 0 ? 1 : 0;
    }
  }

  void read_header(std::string_view line) {
    header_bytes += line.size();
    if (header_bytes > kMaxHeaderBytes) throw network_error("its answer has too many headers.");
    if (line.rfind("HTTP/", 0) == 0) {
      head = Reply();
      const auto blank = line.find(' ');
      head.status = blank == std::string_view::npos ? 0 : std::atol(std::string(line.substr(blank + 1, 3)).c_str());
      has_head = false;
      return;
    }
    // Trailers come after the body and are ignored.
    if (has_head) return;
    if (trim(line).empty()) {
      has_head = head.status >= 200;
      return;
    }
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const auto name = lower_ascii(line.substr(0, colon));
    const auto value = trim(line.substr(colon + 1));
    const auto [found, is_new] = head.headers.emplace(name, value);
    if (is_new) return;
    if (name == "content-length" && found->second != value) throw network_error("its answer has two lengths.");
    // No check accepts a joined value, so a repeated header can't hide another one.
    found->second.append(", ").append(value);
  }
};

HttpConnection::HttpConnection(const Config& config, const Clock& clock)
    : config_(config), clock_(clock), handles_(std::make_unique<Handles>()) {
  initialize_curl_once();
  handles_->multi.reset(curl_multi_init());
  handles_->easy.reset(curl_easy_init());
  if (!handles_->multi || !handles_->easy) throw std::bad_alloc();
  handles_->fingerprints.allowed = &config_.settings.fingerprints;
  set_options();
}

HttpConnection::~HttpConnection() {
  const PipeSignalBlock no_pipe_signal;
  handles_.reset();
}

void HttpConnection::set_options() {
  CURL* const easy = handles_->easy.get();
  const auto& settings = config_.settings;
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, handles_->error);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 1L);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, Transfer::on_header);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, Transfer::on_body);
#if LIBCURL_VERSION_NUM >= 0x075500
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
  // Otherwise the end of a cancelled transfer waits for a resolver that hangs.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
  // An empty text turns off the proxy of the environment.
  curl_easy_setopt(easy, CURLOPT_PROXY, settings.proxy.c_str());
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
#if LIBCURL_VERSION_NUM >= 0x074700
  if (settings.ca_file.empty()) {
    curl_easy_setopt(easy, CURLOPT_SSL_OPTIONS, static_cast<long>(CURLSSLOPT_NATIVE_CA));
  }
#endif
  if (!settings.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, settings.ca_file.c_str());
  if (!settings.fingerprints.empty()) {
    const curl_ssl_ctx_callback on_context = [](CURL*, void* context, void* user) {
      install_fingerprint_check(context, static_cast<FingerprintCheck*>(user));
      return CURLE_OK;
    };
    curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, on_context);
    curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, &handles_->fingerprints);
  }
}

Reply HttpConnection::send(const HttpRequest& request, const BodySink& sink, Call& call,
                           std::optional<std::int64_t> silence_ms) {
  const PipeSignalBlock no_pipe_signal;
  CURL* const easy = handles_->easy.get();
  const auto headers = header_list(request.headers);
  Transfer transfer{sink, clock_, {}, 0, false, clock_.steady_ms(), nullptr};
  handles_->error[0] = '\0';
  handles_->fingerprints.has_mismatch = false;
  curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
  if (request.body) {
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body->size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body->data());
  } else {
    curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
  }
  run(transfer, call, silence_ms);
  return std::move(transfer.head);
}

void HttpConnection::run(Transfer& transfer, Call& call, std::optional<std::int64_t> silence_ms) {
  CURLM* const multi = handles_->multi.get();
  CURL* const easy = handles_->easy.get();
  const Call::Waker waker(call, [multi] { curl_multi_wakeup(multi); });
  if (curl_multi_add_handle(multi, easy) != CURLM_OK) throw network_error("libcurl failed.");
  struct Removal {
    CURLM* multi;
    CURL* easy;
    ~Removal() { curl_multi_remove_handle(multi, easy); }
  } const removal{multi, easy};

  for (int running = 1;;) {
    if (curl_multi_perform(multi, &running) != CURLM_OK) throw network_error("libcurl failed.");
    if (running == 0) break;
    call.check();
    if (silence_ms && clock_.steady_ms() - transfer.last_data_ms > *silence_ms) {
      throw Error("NETWORK", "The server stopped sending.");
    }
    curl_multi_poll(multi, nullptr, 0, static_cast<int>(call.left_ms(kMaxPollMs)), nullptr);
  }

  int left = 0;
  const CURLMsg* const message = curl_multi_info_read(multi, &left);
  const auto result = message != nullptr ? message->data.result : CURLE_FAILED_INIT;
  if (transfer.failure) std::rethrow_exception(transfer.failure);
  if (handles_->fingerprints.has_mismatch) {
    throw Error("FINGERPRINT_MISMATCH", "The server's certificate isn't one of the fingerprints.");
  }
  if (result != CURLE_OK) {
    throw network_error(handles_->error[0] != '\0' ? handles_->error : curl_easy_strerror(result));
  }
  if (!transfer.has_head) throw network_error("its answer isn't HTTP.");
}

bool can_check_fingerprints() {
  const auto* const info = curl_version_info(CURLVERSION_NOW);
  return info->ssl_version != nullptr && std::string_view(info->ssl_version).rfind("OpenSSL/", 0) == 0;
}

}  // namespace signet::internal
