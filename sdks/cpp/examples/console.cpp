// A program that runs only while its customer may use it.
//
//   signet_console --server-url https://signet.example.com --owner-id Ab3dE6gH1j --app-name "My App"
//                  --verification-key … --sealing-key …
//
// Exit code 3 means that the server said no, 1 that something else went wrong.

#include <chrono>
#include <iostream>
#include <signet/signet.hpp>
#include <string>
#include <thread>

#include "app_settings.hpp"

namespace {

int exit_code_of(const signet::Error& error) {
  std::cout << error.customer_message() << std::endl;
  std::cerr << error.code_name() << ": " << error.what() << std::endl;
  return error.status() != 0 ? 3 : 1;
}

void greet(const signet::Session& session) {
  std::cout << "Welcome, " << session.username << ". ";
  if (session.subscriptions.empty()) {
    std::cout << "You are signed in." << std::endl;
  } else if (const auto end = session.subscriptions.front().expires_at) {
    std::cout << "Your license runs until " << signet::format_time(*end) << " UTC." << std::endl;
  } else {
    std::cout << "Your license never ends." << std::endl;
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    signet::Client client(app_options(count, arguments));
    std::string key;
    std::cout << "License key: " << std::flush;
    if (!std::getline(std::cin, key)) return 1;
    greet(client.license(key));

    while (client.is_valid()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));  // your program's work
    }
    if (const auto lost = client.lost()) return exit_code_of(*lost);
    std::cout << signet::customer_message("NETWORK", "en") << std::endl;
    return 1;
  } catch (const signet::Error& error) {
    return exit_code_of(error);
  }
}
