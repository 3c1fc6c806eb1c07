#include "vectors.h"

#include <gtest/gtest.h>

namespace signet::testing {
namespace {

TEST(Vectors, AllCasesOfAllFilesPass) {
  const auto results = run_vectors(SIGNET_VECTORS);
  EXPECT_GT(results.size(), 600U);
  for (const auto& result : results) EXPECT_TRUE(result.has_passed) << result.name;
}

}  // namespace
}  // namespace signet::testing
