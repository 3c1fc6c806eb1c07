#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "error.h"

namespace signet::testing {

/// The code that `action` throws, or `OK`.
inline std::string code_thrown_by(const std::function<void()>& action) {
  try {
    action();
    return "OK";
  } catch (const internal::Error& error) {
    return error.code;
  }
}

}  // namespace signet::testing
