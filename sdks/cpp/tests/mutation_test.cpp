#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <vector>

#include "parse_reply.h"

namespace signet::fuzz {
namespace {

std::vector<std::string> corpus() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(SIGNET_CORPUS)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  // The order of a folder differs between machines, and the random numbers must not.
  std::sort(files.begin(), files.end());
  return files;
}

class Mutator {
 public:
  std::string mutate(std::string text, const std::string& other) {
    for (auto changes = below(4) + 1; changes > 0; --changes) change(text, other);
    return text;
  }

  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

 private:
  void change(std::string& text, const std::string& other) {
    static const std::vector<std::string> pieces = {"\"", "{", "}", "[",  "]",    "\\u0000",      "1e400", "-",
                                                    ".",  ",", ":", "\n", "\xff", "\xef\xbb\xbf", "null",  "="};
    const auto at = below(text.size() + 1);
    switch (below(7)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:
        text.erase(at, below(16));
        break;
      case 2:
        text.insert(at, pieces[below(pieces.size())]);
        break;
      case 3:
        text.insert(at, text.substr(below(text.size() + 1), below(64)));
        break;
      case 4:
        text.resize(at);
        break;
      case 5:
        text.insert(at, other.substr(below(other.size() + 1), below(64)));
        break;
      default:
        text.insert(at, 1, static_cast<char>(below(256)));
    }
  }

  std::mt19937 random_{20'260'101};
};

TEST(Mutations, NoReplyCrashesTheClientOrIsBelieved) {
  const auto files = corpus();
  ASSERT_GE(files.size(), 8U);
  std::set<std::string> summaries;
  for (const auto& file : files) summaries.insert(parse_reply(file));
  Mutator mutator;
  for (int i = 0; i < 4'000; ++i) {
    const auto& file = files[mutator.below(files.size())];
    summaries.insert(parse_reply(mutator.mutate(file, files[mutator.below(files.size())])));
  }
  EXPECT_GE(summaries.size(), 6U) << "the mutations reach only the first checks";
}

}  // namespace
}  // namespace signet::fuzz
