#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>

#include "client.h"
#include "expect_code.h"
#include "fake_clock.h"
#include "fake_server.h"
#include "wire.h"

namespace signet::internal {
namespace {

using testing::code_thrown_by;
using testing::FakeServer;

class DownloadTest : public ::testing::Test {
 protected:
  DownloadTest() : folder_(std::filesystem::temp_directory_path() / ("signet-" + new_nonce())) {
    std::filesystem::create_directory(folder_);
    for (int i = 0; i < 300'000; ++i) content_.push_back(static_cast<char>(i * 7 + i / 251));
    server_.set([&](auto& behavior) { behavior.files["file1"] = content_; });
    auto settings = server_.settings();
    // The waits between attempts are parts of it.
    settings.timeout_ms = 5'000;
    client_ = Client::create(settings);
  }

  ~DownloadTest() override {
    client_->close();
    std::filesystem::remove_all(folder_);
  }

  std::string path() const { return (folder_ / "setup.exe").string(); }

  void write(const std::string& content) const { std::ofstream(path(), std::ios::binary) << content; }

  std::string read() const {
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string outcome() {
    return code_thrown_by([&] { client_->download("file1", path()); });
  }

  /// Nothing but the file that was there is left.
  void expect_only_old_file() const {
    EXPECT_EQ(read(), "old");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
  }

  const std::filesystem::path folder_;
  std::string content_;
  FakeServer server_;
  std::shared_ptr<Client> client_;
};

TEST_F(DownloadTest, BytesThatTheServerHasNotSignedAreDiscardedAndTheOldFileStays) {
  write("old");
  auto altered = content_;
  altered[1000] = static_cast<char>(altered[1000] ^ 1);
  server_.set([&](auto& behavior) { behavior.file_bytes = altered; });
  EXPECT_EQ(outcome(), "FILE_CORRUPT");
  expect_only_old_file();
}

#if !defined(_WIN32)
TEST_F(DownloadTest, AFileKeepsThePermissionsOfTheOneThatItReplaces) {
  write("old");
  for (const auto mode : {0750, 0600}) {
    std::filesystem::permissions(path(), static_cast<std::filesystem::perms>(mode));
    EXPECT_EQ(outcome(), "OK");
    EXPECT_EQ(read(), content_);
    EXPECT_EQ(static_cast<int>(std::filesystem::status(path()).permissions()), mode);
  }
}
#endif

TEST_F(DownloadTest, MoreBytesThanSignedAreNotRead) {
  write("old");
  server_.set([&](auto& behavior) { behavior.file_bytes = content_ + "x"; });
  EXPECT_EQ(outcome(), "FILE_CORRUPT");
  expect_only_old_file();
}

TEST_F(DownloadTest, APageInsteadOfTheFileIsNotWritten) {
  write("old");
  server_.set([&](auto& behavior) { behavior.file_status = 404; });
  EXPECT_EQ(outcome(), "NETWORK");
  server_.set([&](auto& behavior) { behavior.file_status = 302; });
  EXPECT_EQ(outcome(), "NETWORK");
  expect_only_old_file();
}

TEST_F(DownloadTest, AnAddressElsewhereIsNotAsked) {
  for (const char* url : {"https://evil.example/api/1.0/download/x", "//evil.example/x", "/api/1.0/download/",
                          "/api/1.0/download/../client/init", "@evil.example/api/1.0/download/x",
                          "@evil.example/abcdefgh", "/api/1.0/download/x\r\nX: y", "/api/1.0/upload/x"}) {
    server_.set([&](auto& behavior) { behavior.success_fields = {{"url", url}}; });
    EXPECT_EQ(outcome(), "MALFORMED_REPLY") << url;
  }
  for (const Json& fields : {Json{{"size", -1}}, Json{{"size", "1"}}, Json{{"sha256", "abc"}}}) {
    server_.set([&](auto& behavior) { behavior.success_fields = fields; });
    EXPECT_EQ(outcome(), "MALFORMED_REPLY") << fields;
  }
  EXPECT_TRUE(server_.ranges().empty());
}

TEST_F(DownloadTest, AFolderThatIsNotThereOrAnEmptyPathIsAnErrorOfTheDisk) {
  EXPECT_EQ(code_thrown_by([&] { client_->download("file1", (folder_ / "no" / "x").string()); }), "FILE_NOT_WRITTEN");
  EXPECT_EQ(code_thrown_by([&] { client_->download("file1", ""); }), "FILE_NOT_WRITTEN");
  EXPECT_EQ(code_thrown_by([&] { client_->download("file1", folder_.string()); }), "FILE_NOT_WRITTEN");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 0);
}

TEST_F(DownloadTest, APathWithAZeroByteIsNotThatOfAnotherFile) {
  using namespace std::string_literals;
  EXPECT_EQ(code_thrown_by([&] { client_->download("file1", path() + "\0.txt"s); }), "FILE_NOT_WRITTEN");
}

TEST_F(DownloadTest, AFileReplacesTheOldOneWhenItIsComplete) {
  write("old");
  const auto file = client_->download("file1", path());
  EXPECT_EQ(read(), content_);
  EXPECT_EQ(file.path, path());
  EXPECT_EQ(file.file_name, "setup.exe");
  EXPECT_EQ(file.size, 300'000);
  EXPECT_EQ(file.sha256.size(), 64U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(DownloadTest, AnEmptyFileIsAFileToo) {
  server_.set([](auto& behavior) { behavior.files["file1"].clear(); });
  EXPECT_EQ(client_->download("file1", path()).size, 0);
  EXPECT_TRUE(std::filesystem::exists(path()));
}

TEST_F(DownloadTest, ADownloadThatWasCutOffIsResumed) {
  server_.set([](auto& behavior) { behavior.cut_files_after = {100'000, 150'000}; });
  client_->download("file1", path());
  EXPECT_EQ(read(), content_);
  ASSERT_EQ(server_.ranges().size(), 3U);
  EXPECT_EQ(server_.ranges()[0], "");
  EXPECT_EQ(server_.ranges()[1], "bytes=100000-");
  EXPECT_EQ(server_.ranges()[2], "bytes=150000-");
  EXPECT_EQ(server_.count("download"), 3) << "the address has expired";
}

TEST_F(DownloadTest, AConnectionThatBreaksAfterTheLastByteHarmsNothing) {
  server_.set([&](auto& behavior) {
    behavior.file_bytes = content_ + "x";
    behavior.cut_files_after = {content_.size()};
  });
  EXPECT_EQ(outcome(), "OK");
  EXPECT_TRUE(read() == content_);
  EXPECT_EQ(server_.ranges().size(), 1U) << "there is nothing left to ask for";
}

TEST_F(DownloadTest, ASlowDiskIsNotTheSilenceOfTheServer) {
  // More than arrives at a time.
  const std::string content(20'000'000, 'x');
  server_.set([&](auto& behavior) { behavior.files["file1"] = content; });
  testing::FakeClock clock;
  const auto config = check_settings(server_.settings());
  Transport transport(config, clock);
  Call call(clock, std::nullopt);
  std::size_t received = 0;
  const auto write_slowly = [&](const Reply&, std::string_view piece) {
    received += piece.size();
    clock.advance(10'000);
  };
  transport.get("/api/1.0/download/file1", {}, write_slowly, call, 5'000);
  EXPECT_EQ(received, content.size());
}

TEST_F(DownloadTest, AfterFiveCutsItIsOver) {
  server_.set([](auto& behavior) { behavior.cut_files_after = {1'000, 2'000, 3'000, 4'000, 5'000, 6'000}; });
  EXPECT_EQ(outcome(), "NETWORK");
  EXPECT_EQ(server_.ranges().size(), 5U);
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(DownloadTest, ATemporaryErrorIsWaitedOutAndOneThatLastsIsRaised) {
  auto settings = server_.settings();
  settings.timeout_ms = 3'000;
  const auto client = Client::create(settings);
  const auto outcome = [&] { return code_thrown_by([&] { client->download("file1", path()); }); };
  for (const auto& [status, attempts] : {std::pair(302, 1U), {404, 1U}, {416, 1U}, {429, 5U}, {503, 5U}}) {
    const auto before = server_.ranges().size();
    server_.set([status = status](auto& behavior) { behavior.file_status = status; });
    EXPECT_EQ(outcome(), "NETWORK") << status;
    EXPECT_EQ(server_.ranges().size() - before, attempts) << status;
  }
  server_.set([](auto& behavior) {
    behavior.file_status = 200;
    behavior.reject["download"] = {503, "MAINTENANCE"};
  });
  auto before = server_.count("download");
  EXPECT_EQ(outcome(), "MAINTENANCE");
  EXPECT_EQ(server_.count("download") - before, 5);
  server_.set([](auto& behavior) { behavior.error_fields = {{"retryAfterSeconds", 61}}; });
  before = server_.count("download");
  EXPECT_EQ(outcome(), "MAINTENANCE");
  EXPECT_EQ(server_.count("download") - before, 1);
  EXPECT_FALSE(std::filesystem::exists(path()));

  server_.set([](auto& behavior) { behavior.error_fields = {{"retryAfterSeconds", 60}}; });
  before = server_.count("download");
  auto waiting = std::async(std::launch::async, outcome);
  ASSERT_TRUE(testing::eventually([&] { return server_.count("download") > before; }));
  client->close();
  EXPECT_EQ(waiting.get(), "CANCELLED");
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(DownloadTest, AFileThatWasReplacedInTheMeantimeStartsOver) {
  server_.set([&](auto& behavior) {
    behavior.cut_files_after = {100'000};
    behavior.keeps_cut_files_open = true;
  });
  auto outcome = std::async(std::launch::async, [&] { return this->outcome(); });
  ASSERT_TRUE(testing::eventually([&] { return server_.ranges().size() == 1; }));
  server_.set([&](auto& behavior) {
    behavior.files["file1"] = std::string(200'000, 'n');
    behavior.keeps_cut_files_open = false;
  });
  EXPECT_EQ(outcome.get(), "OK");
  EXPECT_EQ(read(), std::string(200'000, 'n'));
}

TEST_F(DownloadTest, SilenceEndsATransferAndCancellationToo) {
  server_.set([](auto& behavior) {
    behavior.cut_files_after = {1'000};
    behavior.keeps_cut_files_open = true;
  });
  auto outcome = std::async(std::launch::async, [&] { return this->outcome(); });
  ASSERT_TRUE(testing::eventually([&] { return server_.ranges().size() == 1; }));
  client_->cancel();
  EXPECT_EQ(outcome.get(), "CANCELLED");
  EXPECT_FALSE(std::filesystem::exists(path()));

  auto settings = server_.settings();
  settings.timeout_ms = 300;
  const auto impatient = Client::create(settings);
  server_.set([](auto& behavior) { behavior.cut_files_after = {0, 0, 0, 0, 0}; });
  EXPECT_EQ(code_thrown_by([&] { impatient->download("file1", path()); }), "NETWORK");
  EXPECT_FALSE(std::filesystem::exists(path()));
  server_.set([](auto& behavior) { behavior.cut_files_after = {0, 100'000}; });
  impatient->download("file1", path());
  EXPECT_EQ(read(), content_);
  impatient->close();
}

}  // namespace
}  // namespace signet::internal
