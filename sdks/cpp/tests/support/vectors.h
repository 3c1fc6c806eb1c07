#pragma once

#include <string>
#include <vector>

namespace signet::testing {

struct VectorResult {
  /// `replies.json: success`.
  std::string name;
  bool has_passed = false;
};

/// Runs all cases of sdks/vectors. Throws if a file is missing.
std::vector<VectorResult> run_vectors(const std::string& directory);

}  // namespace signet::testing
