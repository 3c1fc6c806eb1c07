#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "codes.h"
#include "fake_server.h"

namespace signet::testing {
namespace {

/// An example with its standard input and output.
class Process {
 public:
  Process(const std::string& program, const std::vector<std::string>& arguments, const std::string& input) {
    int in[2];
    int out[2];
    if (pipe(in) != 0 || pipe(out) != 0) std::abort();
    process_ = fork();
    if (process_ == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      for (const int file : {in[0], in[1], out[0], out[1]}) ::close(file);
      std::vector<char*> list = {const_cast<char*>(program.c_str())};
      for (const auto& argument : arguments) list.push_back(const_cast<char*>(argument.c_str()));
      list.push_back(nullptr);
      execv(program.c_str(), list.data());
      _exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    if (write(in[1], input.data(), input.size()) < 0) std::abort();
    ::close(in[1]);
    output_ = out[0];
  }

  ~Process() {
    ::close(output_);
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
  }

  /// Everything up to this text, or all if it never comes.
  std::string read_until(const std::string& text) {
    char byte = 0;
    while (read_.find(text) == std::string::npos && ::read(output_, &byte, 1) == 1) read_.push_back(byte);
    return read_;
  }

  int exit_code() {
    read_until("\xff");
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  const std::string& output() const { return read_; }

 private:
  pid_t process_ = -1;
  int output_ = -1;
  std::string read_;
};

class ExamplesTest : public ::testing::Test {
 protected:
  std::vector<std::string> arguments() const {
    const auto settings = server_.settings();
    return {"--owner-id",
            settings.owner_id,
            "--app-name",
            settings.app_name,
            "--server-url",
            server_.url(),
            "--verification-key",
            settings.verification_key,
            "--sealing-key",
            settings.sealing_key,
            "--hwid",
            "this machine"};
  }

  FakeServer server_;
};

TEST_F(ExamplesTest, TheConsoleShowsWhatTheCustomerMayKnowAndExitsWith3) {
  server_.set([](auto& behavior) { behavior.reject["license"] = {403, "LICENSE_BANNED"}; });
  Process console(SIGNET_EXAMPLES "/signet_console", arguments(), "KEY\n");
  EXPECT_EQ(console.exit_code(), 3);
  EXPECT_EQ(
      console.output(),
      "License key: " + std::string(internal::customer_message("LICENSE_BANNED", internal::Language::kEnglish)) + "\n");
}

TEST_F(ExamplesTest, TheConsoleExitsWith1IfItIsNotConfigured) {
  Process console(SIGNET_EXAMPLES "/signet_console", {}, "KEY\n");
  EXPECT_EQ(console.exit_code(), 1);
}

TEST_F(ExamplesTest, TheConsoleWelcomesTheCustomer) {
  Process console(SIGNET_EXAMPLES "/signet_console", arguments(), " KEY \n");
  EXPECT_EQ(console.read_until("\n"), "License key: Welcome, alice. Your license never ends.\n");
}

TEST_F(ExamplesTest, TheFrameLoopNeverWaits) {
  auto list = arguments();
  for (const char* more : {"--key", "KEY", "--frames", "100"}) list.emplace_back(more);
  Process loop(SIGNET_EXAMPLES "/signet_frame_loop", list, "");
  EXPECT_NE(loop.read_until("editor is open").find("Signing in...\n"), std::string::npos);
}

TEST_F(ExamplesTest, ThePlainCProgramSignsIn) {
  const auto settings = server_.settings();
  setenv("SIGNET_OWNER_ID", settings.owner_id.c_str(), 1);
  setenv("SIGNET_APP_NAME", settings.app_name.c_str(), 1);
  setenv("SIGNET_SERVER_URL", settings.server_url.c_str(), 1);
  setenv("SIGNET_VERIFICATION_KEY", settings.verification_key.c_str(), 1);
  setenv("SIGNET_SEALING_KEY", settings.sealing_key.c_str(), 1);
  setenv("SIGNET_HWID", "this machine", 1);
  Process program(SIGNET_EXAMPLES "/signet_plain_c", {"KEY"}, "");
  EXPECT_EQ(program.exit_code(), 0);
  EXPECT_EQ(program.output(), "Welcome, alice.\nPro, level 2\n");
}

}  // namespace
}  // namespace signet::testing
