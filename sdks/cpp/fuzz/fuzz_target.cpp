#include <cstddef>
#include <cstdint>

#include "parse_reply.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)signet::fuzz::parse_reply({reinterpret_cast<const char*>(data), size});
  return 0;
}
