using System;
using System.Linq;
using System.Net;
using System.Threading.Tasks;
using Signet.Client.Net;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>Opening sessions and signing in.</summary>
public sealed class SignInTests : IDisposable
{
    private readonly TestServer _server = new();

    public void Dispose() => _server.Dispose();

    [Fact]
    public async Task A_license_key_signs_in_without_what_a_paste_adds()
    {
        using SignetClient client = _server.NewClient();
        Assert.False(client.IsValid);
        SignetSession session = await client.LicenseAsync("\u200B\uFEFF ABCD-12 34\u00AD\r\n");
        Assert.True(client.IsValid);
        Assert.Equal(new[] { "init", "license" }, _server.CallNames);
        Assert.Equal("ABCD-12 34", _server.Latest("license").Text("key"));
        Assert.Equal(TestClients.Hwid, _server.Latest("license").Text("hwid"));
        Assert.Equal("alice", session.Username);
        Assert.Null(session.Email);
        SignetSubscription subscription = Assert.Single(session.Subscriptions);
        Assert.Equal((2, "Pro", null), (subscription.Level, subscription.Name, subscription.ExpiresAt));
        Assert.Equal(DateTimeOffset.FromUnixTimeSeconds(1700000000), session.User.CreatedAt);
        Assert.Same(session, client.Session);
    }

    [Fact]
    public async Task Init_sends_what_the_server_checks()
    {
        using SignetClient client = _server.NewClient(
            options => options.ProgramHash = ProgramHash.FromHex(new string('A', 64)));
        SignetApp app = await client.InitAsync();
        Assert.Equal(("My App", "1.0", null), (app.Name, app.Version, app.WebloaderUrl));
        ReceivedCall init = _server.Latest("init");
        Assert.Equal("1.0", init.Text("version"));
        Assert.Equal(new string('a', 64), init.Text("hash"));
        Assert.Equal("csharp/0.1.0", init.Text("sdk"));
        Assert.Equal("signet-csharp/0.1.0", init.Headers["user-agent"]);
        Assert.Equal("Ab3dE6gH1j/My%20App", init.Headers["x-signet-app"]);
        Assert.Equal("application/json", init.Headers["content-type"]);
        Assert.False(init.Headers.ContainsKey("accept-encoding"));
        Assert.Null(init.Session);
    }

    [Fact]
    public async Task Login_and_register_send_their_fields()
    {
        using SignetClient client = _server.NewClient();
        await client.LoginAsync("alice", " secret ");
        await client.RegisterAsync("bob", "secret2", "KEY\u2060 ", "bob@example.com");
        Assert.Equal("alice", _server.Latest("login").Text("username"));
        Assert.Equal(" secret ", _server.Latest("login").Text("password"));
        Assert.False(_server.Latest("login").Fields.TryGetProperty("licenseKey", out _));
        Assert.Equal("KEY", _server.Latest("register").Text("licenseKey"));
        Assert.Equal("bob@example.com", _server.Latest("register").Text("email"));
    }

    [Fact]
    public async Task A_login_can_redeem_a_license_first()
    {
        using SignetClient client = _server.NewClient();
        _server.Next("login", Answer.Error(403, "SUBSCRIPTION_EXPIRED"));
        await client.LoginAsync("alice", "secret").FailsAsync(SignetCode.SubscriptionExpired);
        await client.LoginAsync("alice", "secret", "\tKEY2\u00a0");
        Assert.Equal("KEY2", _server.Latest("login").Text("licenseKey"));
        Assert.True(client.IsValid);
        await Assert.ThrowsAnyAsync<ArgumentException>(() => client.LoginAsync("alice", "secret", null!));
    }

    [Fact]
    public async Task A_wrong_key_typed_while_signed_in_leaves_the_session_alone()
    {
        _server.Next("license", Answer.Error(404, "LICENSE_NOT_FOUND"), Answer.Error(403, "LICENSE_BANNED"));
        using SignetClient client = _server.NewClient();
        await client.LoginAsync("alice", "secret");
        await client.LicenseAsync("WRONG").FailsAsync(SignetCode.LicenseNotFound);
        await client.LicenseAsync("BANNED").FailsAsync(SignetCode.LicenseBanned);
        Assert.True(client.IsValid);
        Assert.Null(client.Lost);
        await client.HeartbeatAsync();
        Assert.Equal(_server.Latest("login").Session, _server.Latest("heartbeat").Session);
        Assert.Equal(3, _server.Calls.Where(call => call.Name == "init").Count());
        Assert.Equal(0, _server.Count("logout"));
    }

    [Fact]
    public async Task A_second_sign_in_replaces_the_first_session_and_logs_it_out()
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("ONE");
        await client.LicenseAsync("TWO");
        string?[] sessions = _server.Calls.Where(call => call.Name == "license").Select(call => call.Session).ToArray();
        Assert.NotEqual(sessions[0], sessions[1]);
        await Patience.UntilAsync(() => _server.Count("logout") == 1);
        Assert.Equal(sessions[0], _server.Latest("logout").Session);
        await client.HeartbeatAsync();
        Assert.Equal(sessions[1], _server.Latest("heartbeat").Session);
        Assert.True(client.IsValid);
    }

    [Fact]
    public async Task A_session_that_the_program_opened_is_used()
    {
        using SignetClient client = _server.NewClient();
        await client.InitAsync();
        await client.LicenseAsync("KEY");
        Assert.Equal(new[] { "init", "license" }, _server.CallNames);
    }

    [Fact]
    public async Task An_opened_session_is_used_after_a_temporary_error()
    {
        using SignetClient client = _server.NewClient();
        await client.InitAsync();
        _server.Always["license"] = Answer.Error(429, "RATE_LIMITED");
        await client.LicenseAsync("KEY").FailsAsync(SignetCode.RateLimited);
        _server.Always.Clear();
        await client.LicenseAsync("KEY");
        Assert.Equal(new[] { "init", "license", "license" }, _server.CallNames);
    }

    [Fact]
    public async Task An_opened_session_that_ran_out_is_opened_again_once()
    {
        using SignetClient client = _server.NewClient();
        await client.InitAsync();
        _server.Honest.ForgetSessions();
        await client.LicenseAsync("KEY");
        Assert.Equal(new[] { "init", "license", "init", "license" }, _server.CallNames);

        _server.Always["license"] = Answer.Error(401, "SESSION_ENDED");
        await client.InitAsync();
        await client.LicenseAsync("KEY").FailsAsync(SignetCode.SessionEnded);
        Assert.Equal(4, _server.Count("license"));
        Assert.True(client.IsValid);
    }

    [Fact]
    public async Task Requests_can_be_sealed()
    {
        using SignetClient client = _server.NewClient(options => options.SealRequests = true);
        await client.LoginAsync("alice", "secret");
        await client.VariableAsync("x");
        Assert.Equal("secret", _server.Latest("login").Text("password"));
        Assert.Equal("application/octet-stream", _server.Latest("login").Headers["content-type"]);
    }

    [Fact]
    public async Task A_proxy_is_used_except_for_a_server_on_this_machine()
    {
        using SignetClient distant = _server.NewClient(options =>
        {
            options.ServerUrl = "http://signet.invalid";
            options.AllowHttp = true;
            options.Proxy = new WebProxy(_server.Url);
        });
        await distant.LicenseAsync("KEY");
        Assert.Equal("signet.invalid", _server.Latest("license").Headers["host"]);
        using SignetClient near = _server.NewClient(options => options.Proxy = new WebProxy("http://127.0.0.1:1"));
        await near.LicenseAsync("KEY");
    }

    [Fact]
    public void The_version_that_is_sent_is_the_version_of_the_package()
    {
        Version version = typeof(SignetClient).Assembly.GetName().Version!;
        Assert.Equal(Exchange.Sdk, $"csharp/{version.ToString(3)}");
    }

    [Fact]
    public async Task A_call_that_needs_a_sign_in_asks_for_it()
    {
        using SignetClient client = _server.NewClient();
        await client.HeartbeatAsync().FailsAsync(SignetCode.SessionRequired);
        await client.UserVariableAsync("x").FailsAsync(SignetCode.SessionRequired);
        await client.UpgradeAsync("x").FailsAsync(SignetCode.SessionRequired);
        Assert.Empty(_server.Calls);
        await Assert.ThrowsAsync<ArgumentNullException>(() => client.LicenseAsync(null!));
    }

    [Fact]
    public async Task Logout_ends_the_session_here_even_if_the_server_is_gone()
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("logout", Answer.Unsigned(502));
        await client.LogoutAsync().FailsAsync(SignetCode.UnsignedResponse);
        Assert.False(client.IsValid);
        Assert.Null(client.Session);

        await client.LicenseAsync("KEY");
        _server.Honest.ForgetSessions();
        await client.LogoutAsync();
        Assert.False(client.IsValid);
    }

    [Theory]
    [InlineData("short")]
    [InlineData("abc def ghi jkl mno pqr stu")]
    [InlineData("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\r\\nX: y")]
    public async Task A_session_token_that_is_none_is_rejected(string token)
    {
        _server.Next("init", Answer.Success(
            $"\"session\":\"{token}\",\"expiresAt\":1,\"app\":{{\"name\":\"a\",\"version\":\"1\"}}"));
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY").FailsAsync(SignetCode.MalformedReply);
        Assert.Equal(0, _server.Count("license"));
    }
}
