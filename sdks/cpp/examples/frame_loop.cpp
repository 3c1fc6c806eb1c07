// Signing in from a program that draws frames, such as one with Dear ImGui: a call may take as long as its timeout, so
// it runs in a worker, and each frame only looks at its state. This example draws lines of text.

#include <atomic>
#include <chrono>
#include <iostream>
#include <mutex>
#include <optional>
#include <signet/signet.hpp>
#include <string>
#include <thread>
#include <utility>

#include "app_settings.hpp"

namespace {

/// A sign-in in the background. The frame loop never waits for it.
class SignIn {
 public:
  explicit SignIn(signet::Client& client) : client_(client) {}

  ~SignIn() {
    client_.cancel();
    if (worker_.joinable()) worker_.join();
  }

  void start(std::string key) {
    if (is_busy_.exchange(true)) return;
    if (worker_.joinable()) worker_.join();
    worker_ = std::thread([this, key = std::move(key)] {
      try {
        const auto session = client_.license(key);
        show("Welcome, " + session.username + ".");
      } catch (const signet::Error& error) {
        show(error.customer_message());
      }
      is_busy_ = false;
    });
  }

  bool is_busy() const { return is_busy_; }

  std::string message() const {
    const std::lock_guard lock(mutex_);
    return message_;
  }

 private:
  void show(std::string message) {
    const std::lock_guard lock(mutex_);
    message_ = std::move(message);
  }

  signet::Client& client_;
  std::atomic<bool> is_busy_{false};
  mutable std::mutex mutex_;
  std::string message_;
  std::thread worker_;
};

/// Draws only what has changed, as this is a terminal.
class Screen {
 public:
  void draw(const std::string& text) {
    if (text != drawn_) std::cout << text << std::endl;
    drawn_ = text;
  }

 private:
  std::string drawn_;
};

}  // namespace

int main(int count, char** arguments) {
  const auto key = app_setting(count, arguments, "key");
  const int frames = std::stoi(app_setting(count, arguments, "frames", "600"));
  try {
    signet::Client client(app_options(count, arguments));
    SignIn sign_in(client);
    Screen screen;
    sign_in.start(key);  // in your program: when the button is pressed
    for (int frame = 0; frame < frames; ++frame) {
      if (sign_in.is_busy())
        screen.draw("Signing in...");
      else if (client.is_valid())
        screen.draw(sign_in.message() + " The editor is open.");
      else if (const auto lost = client.lost())
        screen.draw(lost->customer_message());
      else
        screen.draw(sign_in.message());
      std::this_thread::sleep_for(std::chrono::milliseconds(16));
    }
    return client.is_valid() ? 0 : 3;
  } catch (const signet::Error& error) {
    std::cout << error.customer_message() << std::endl;
    return 1;
  }
}
