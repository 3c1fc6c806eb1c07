/// What the calls of the C++ wrapper return. Include signet.hpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "signet/error.hpp"

namespace signet {

/// UTC. Seconds, because nanoseconds can't hold the year 9999.
using Time = std::chrono::time_point<std::chrono::system_clock, std::chrono::seconds>;

/// `2026-01-31 12:00`, in UTC.
inline std::string format_time(Time time) {
  constexpr std::int64_t day = 86'400;
  const auto seconds = time.time_since_epoch().count();
  const auto second_of_day = ((seconds % day) + day) % day;
  // Years begin in March here, so that the day that leap years add is the last one. 146,097 days are 400 years.
  const auto days = (seconds - second_of_day) / day + 719'468;
  const auto era = (days >= 0 ? days : days - 146'096) / 146'097;
  const auto day_of_era = days - era * 146'097;
  const auto year_of_era = (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const auto day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const auto month_from_march = (5 * day_of_year + 2) / 153;
  const auto month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const auto padded = [](std::int64_t number, std::size_t digits) {
    const auto text = std::to_string(number);
    return std::string(text.size() < digits ? digits - text.size() : 0, '0') + text;
  };
  return padded(era * 400 + year_of_era + (month <= 2 ? 1 : 0), 4) + "-" + padded(month, 2) + "-" +
         padded(day_of_year - (153 * month_from_march + 2) / 5 + 1, 2) + " " + padded(second_of_day / 3600, 2) + ":" +
         padded(second_of_day / 60 % 60, 2);
}

struct App {
  std::string name;
  std::string version;
  std::optional<std::string> webloader_url;
};

struct Subscription {
  std::int64_t level = 0;
  std::string name;
  /// Nothing for a lifetime.
  std::optional<Time> expires_at;
};

/// What the server says about the user who is signed in.
struct Session {
  std::string username;
  std::optional<std::string> email;
  std::vector<Subscription> subscriptions;
  std::optional<Time> created_at;
  std::optional<Time> last_login_at;
  /// The end of the session, which heartbeats extend; not of a subscription.
  Time expires_at;
};

struct WebhookAnswer {
  int status = 0;
  std::string body;
};

struct DownloadedFile {
  /// Absolute, UTF-8.
  std::string path;
  /// As the vendor uploaded it. Untrusted: never use it as a path.
  std::string file_name;
  std::int64_t size = 0;
  std::string sha256;
};

namespace detail {

inline std::optional<Time> time_of(std::int64_t seconds) {
  return seconds != SIGNET_NO_TIME ? std::optional(Time(std::chrono::seconds(seconds))) : std::nullopt;
}

inline Session session_of(const signet_session* handle) {
  Session session;
  session.username = text_of(signet_session_username, handle);
  session.email = optional_text_of(signet_session_email, handle);
  for (std::size_t at = 0; at < signet_session_subscription_count(handle); ++at) {
    session.subscriptions.push_back({signet_session_subscription_level(handle, at),
                                     text_of(signet_session_subscription_name, handle, at),
                                     time_of(signet_session_subscription_expires_at(handle, at))});
  }
  session.created_at = time_of(signet_session_created_at(handle));
  session.last_login_at = time_of(signet_session_last_login_at(handle));
  session.expires_at = Time(std::chrono::seconds(signet_session_expires_at(handle)));
  return session;
}

}  // namespace detail

}  // namespace signet
