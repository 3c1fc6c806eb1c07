using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>Calls other than sign-in, and which errors end a session.</summary>
public sealed class CallTests : IDisposable
{
    private readonly TestServer _server = new();

    public void Dispose() => _server.Dispose();

    [Fact]
    public async Task Calls_before_a_sign_in_open_a_session_once()
    {
        using SignetClient client = _server.NewClient();
        Assert.Equal("of the app", await client.VariableAsync("x"));
        await client.LogAsync("hello");
        await client.RequestPasswordResetAsync("alice");
        WebhookAnswer answer = await client.CallWebhookAsync(
            "hook", new Dictionary<string, object?> { ["a"] = 1, ["b"] = new[] { "c" } });
        Assert.Equal((202, "{\"a\":1,\"b\":[\"c\"]}"), (answer.Status, answer.Body));
        Assert.Equal(1, _server.Count("init"));

        _server.Honest.ForgetSessions();
        await client.LogAsync("again");
        Assert.Equal(2, _server.Count("init"));
    }

    [Fact]
    public async Task Variables_of_the_user_are_written_and_read()
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        await client.UserVariableAsync("theme").FailsAsync(SignetCode.VariableNotFound);
        await client.SetUserVariableAsync("theme", "dark 🌚");
        Assert.Equal("dark 🌚", await client.UserVariableAsync("theme"));
        await client.ChangePasswordAsync("old", "new");
        Assert.Equal("new", _server.Latest("change-password").Text("newPassword"));
        Assert.True(client.IsValid);
    }

    [Theory]
    [InlineData("SESSION_ENDED", 401)]
    [InlineData("SESSION_REPLACED", 401)]
    [InlineData("USER_BANNED", 403)]
    [InlineData("LICENSE_BANNED", 403)]
    [InlineData("SUBSCRIPTION_EXPIRED", 403)]
    [InlineData("HWID_MISMATCH", 403)]
    public async Task A_real_no_to_a_call_inside_the_session_ends_it(string code, int status)
    {
        int lost = 0;
        using SignetClient client = _server.NewClient(options => options.OnLost = _ => lost++);
        await client.LicenseAsync("KEY");
        _server.Next("user-variable", Answer.Error(status, code));
        SignetException error = await Assert.ThrowsAsync<SignetException>(() => client.UserVariableAsync("x"));
        Assert.Equal(code, error.CodeText);
        Assert.False(client.IsValid);
        Assert.Equal(code, client.Lost?.CodeText);
        await Patience.UntilAsync(() => lost == 1);
        SignetException again = await Assert.ThrowsAsync<SignetException>(() => client.UserVariableAsync("x"));
        Assert.Equal(code, again.CodeText);
        Assert.Equal(1, _server.Count("user-variable"));
    }

    [Theory]
    [InlineData("VARIABLE_NOT_FOUND", 404)]
    [InlineData("RATE_LIMITED", 429)]
    [InlineData("MAINTENANCE", 503)]
    [InlineData("BRAND_NEW", 403)]
    [InlineData("NOT_SIGNED_IN", 403)]
    public async Task Another_error_of_a_call_leaves_the_session_alone(string code, int status)
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("user-variable", Answer.Error(status, code));
        await Assert.ThrowsAsync<SignetException>(() => client.UserVariableAsync("x"));
        Assert.True(client.IsValid);
        Assert.Null(client.Lost);
    }

    [Theory]
    [InlineData("LICENSE_BANNED", 403, true)]
    [InlineData("USER_BANNED", 403, true)]
    [InlineData("SESSION_REPLACED", 401, false)]
    public async Task An_error_of_an_upgrade_is_about_the_key_unless_it_is_about_the_session(
        string code, int status, bool isValid)
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("upgrade", Answer.Error(status, code));
        await Assert.ThrowsAsync<SignetException>(() => client.UpgradeAsync(" KEY2 "));
        Assert.Equal(isValid, client.IsValid);
        Assert.Equal("KEY2", _server.Latest("upgrade").Text("licenseKey"));
    }

    [Fact]
    public async Task After_the_subscription_expired_an_upgrade_starts_the_session_anew()
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("heartbeat", Answer.Error(403, "SUBSCRIPTION_EXPIRED"));
        await client.HeartbeatAsync().FailsAsync(SignetCode.SubscriptionExpired);
        Assert.False(client.IsValid);
        await client.UpgradeAsync("KEY2");
        Assert.True(client.IsValid);
        Assert.Null(client.Lost);
        await client.HeartbeatAsync();
    }

    [Fact]
    public async Task A_no_from_before_an_upgrade_ends_nothing()
    {
        TaskCompletionSource release = new();
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("heartbeat", Answer.Error(403, "SUBSCRIPTION_EXPIRED").After(release.Task));
        Task<SignetSession> beat = client.HeartbeatAsync();
        await Patience.UntilAsync(() => _server.Count("heartbeat") == 1);
        await client.UpgradeAsync("KEY2");
        release.SetResult();
        await beat.FailsAsync(SignetCode.SubscriptionExpired);
        Assert.True(client.IsValid);
        Assert.Null(client.Lost);
        _server.Next("heartbeat", Answer.Error(403, "SUBSCRIPTION_EXPIRED"));
        await client.HeartbeatAsync().FailsAsync(SignetCode.SubscriptionExpired);
        Assert.False(client.IsValid);
    }

    [Theory]
    [InlineData("SUBSCRIPTION_EXPIRED", true)]
    [InlineData("USER_BANNED", false)]
    public async Task An_upgrade_revives_a_session_whose_time_ended_meanwhile_and_no_other(string code, bool isValid)
    {
        TaskCompletionSource release = new();
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("upgrade", _server.HonestSession().After(release.Task));
        Task<SignetSession> upgrade = client.UpgradeAsync("KEY2");
        await Patience.UntilAsync(() => _server.Count("upgrade") == 1);
        _server.Next("heartbeat", Answer.Error(403, code));
        await Assert.ThrowsAsync<SignetException>(() => client.HeartbeatAsync());
        release.SetResult();
        await upgrade;
        Assert.Equal(isValid, client.IsValid);
    }

    [Fact]
    public async Task A_call_never_waits_by_itself_for_a_rate_limit()
    {
        using SignetClient client = _server.NewClient();
        _server.Next("license", Answer.Error(429, "RATE_LIMITED", ",\"retryAfterSeconds\":30"));
        SignetException error = await client.LicenseAsync("KEY").FailsAsync(SignetCode.RateLimited);
        Assert.Equal(TimeSpan.FromSeconds(30), error.RetryAfter);
        Assert.Equal(1, _server.Count("license"));
    }

    [Theory]
    [InlineData("\"expiresAt\":1750003600")]
    [InlineData("\"user\":{\"username\":\"a\",\"subscriptions\":{}},\"expiresAt\":1750003600")]
    [InlineData("\"user\":{\"username\":1,\"subscriptions\":[]},\"expiresAt\":1750003600")]
    [InlineData("\"user\":{\"username\":\"a\",\"subscriptions\":[]}")]
    [InlineData("\"user\":{\"username\":\"a\",\"subscriptions\":[]},\"expiresAt\":99999999999999999")]
    [InlineData("\"user\":{\"username\":\"a\",\"subscriptions\":[{\"level\":1.5,\"name\":\"b\"}]},\"expiresAt\":1")]
    public async Task A_signed_answer_that_lacks_something_is_malformed_and_not_a_no(string fields)
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("heartbeat", Answer.Success(fields));
        await client.HeartbeatAsync().FailsAsync(SignetCode.MalformedReply);
        Assert.True(client.IsValid);
    }

    [Fact]
    public async Task Without_a_background_heartbeat_the_session_is_valid_until_its_end()
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        await _server.Clock.AdvanceAsync(TimeSpan.FromMinutes(59));
        Assert.True(client.IsValid);
        _server.Clock.MoveWallClock(TimeSpan.FromHours(-5));
        await _server.Clock.AdvanceAsync(TimeSpan.FromMinutes(2));
        Assert.False(client.IsValid);
        Assert.Null(client.Lost);
    }
}
