#include <iostream>
#include <signet/signet.hpp>

int main() {
  try {
    const signet::Client client(signet::Options{});
  } catch (const signet::Error& error) {
    std::cout << signet_version() << " " << error.code_name() << "\n";
    return error.code() == SIGNET_CODE_INVALID_CONFIGURATION ? 0 : 1;
  }
  return 1;
}
