using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>A session that expired while the computer slept comes back without key or password.</summary>
public sealed class RenewalTests : IDisposable
{
    private readonly TestServer _server = new();
    private readonly ConcurrentQueue<string> _events = new();

    public void Dispose() => _server.Dispose();

    private SignetClient NewClient(Action<SignetOptions>? change = null) => _server.NewClient(options =>
    {
        options.OnLost = error => _events.Enqueue("lost " + error.CodeText);
        change?.Invoke(options);
    });

    private static Answer Expired() => Answer.Error(401, "SESSION_EXPIRED");

    [Fact]
    public async Task An_expired_session_is_renewed_and_the_call_repeated()
    {
        using SignetClient client = NewClient(
            options => options.ProgramHash = ProgramHash.FromHex(new string('a', 64)));
        await client.LoginAsync("alice", "secret");
        _server.Next("log", Expired());
        await client.LogAsync("hello");
        Assert.Equal(new[] { "init", "login", "log", "renew", "log" }, _server.CallNames);
        ReceivedCall renewal = _server.Latest("renew");
        Assert.Equal(_server.Latest("login").Session, renewal.Session);
        Assert.Equal("1.0", renewal.Text("version"));
        Assert.Equal(new string('a', 64), renewal.Text("hash"));
        Assert.Equal(TestClients.Hwid, renewal.Text("hwid"));
        Assert.False(renewal.Fields.TryGetProperty("password", out _));
        Assert.Equal(renewal.Session, _server.Latest("log").Session);
        Assert.True(client.IsValid);
    }

    [Theory]
    [InlineData(401, "SESSION_EXPIRED")]
    [InlineData(403, "VERSION_OUTDATED")]
    [InlineData(403, "VPN_BLOCKED")]
    [InlineData(403, "HWID_MISMATCH")]
    public async Task A_no_to_the_renewal_ends_the_session(int status, string code)
    {
        using SignetClient client = NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("variable", Expired());
        _server.Next("renew", Answer.Error(status, code));
        SignetException error = await Assert.ThrowsAsync<SignetException>(() => client.VariableAsync("x"));
        Assert.Equal(code, error.CodeText);
        Assert.Equal(code, client.Lost?.CodeText);
        Assert.False(client.IsValid);
        await Patience.UntilAsync(() => !_events.IsEmpty);
        Assert.Equal(new[] { "lost " + code }, _events);
        Assert.Equal(1, _server.Count("variable"));
    }

    [Fact]
    public async Task A_renewal_that_is_not_answered_is_tried_again_with_the_next_call()
    {
        using SignetClient client = NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("heartbeat", Expired(), Expired());
        _server.Next("renew", Answer.Unsigned(502), Answer.Error(503, "MAINTENANCE"));
        await client.HeartbeatAsync().FailsAsync(SignetCode.UnsignedResponse);
        await client.HeartbeatAsync().FailsAsync(SignetCode.Maintenance);
        Assert.Null(client.Lost);
        Assert.True(client.IsValid);
        await client.HeartbeatAsync();
        _server.Next("heartbeat", Expired());
        await client.HeartbeatAsync();
        Assert.Equal(3, _server.Count("renew"));
        Assert.Empty(_events);
    }

    [Fact]
    public async Task A_renewal_is_repeated_where_the_clock_or_the_connection_was_at_fault()
    {
        using SignetClient client = NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("heartbeat", Expired());
        _server.Next("renew", Answer.Error(409, "NONCE_REUSED"), Answer.Error(400, "CLOCK_SKEW"));
        await client.HeartbeatAsync();
        Assert.Equal(3, _server.Count("renew"));
        Assert.Null(client.Lost);
    }

    [Fact]
    public async Task A_session_that_stays_expired_after_a_renewal_is_lost_to_a_heartbeat_only()
    {
        using SignetClient client = NewClient();
        await client.LicenseAsync("KEY");
        _server.Always["variable"] = Expired();
        await client.VariableAsync("x").FailsAsync(SignetCode.SessionExpired);
        Assert.Equal((2, 1), (_server.Count("variable"), _server.Count("renew")));
        Assert.True(client.IsValid);
        _server.Always["heartbeat"] = Expired();
        await client.HeartbeatAsync().FailsAsync(SignetCode.SessionExpired);
        Assert.False(client.IsValid);
    }

    [Fact]
    public async Task Calls_that_hear_it_together_share_one_renewal()
    {
        TaskCompletionSource release = new();
        using SignetClient client = NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("variable", Expired(), Expired(), Expired());
        _server.Next("renew", _server.HonestSession().After(release.Task));
        Task<string>[] calls = Enumerable.Range(0, 3).Select(_ => client.VariableAsync("x")).ToArray();
        await Patience.UntilAsync(() => _server.Count("variable") == 3 && _server.Count("renew") == 1);
        release.SetResult();
        await Task.WhenAll(calls);
        Assert.Equal((6, 1), (_server.Count("variable"), _server.Count("renew")));
    }

    [Fact]
    public async Task A_call_that_hears_it_after_the_renewal_does_not_renew_again()
    {
        TaskCompletionSource release = new();
        using SignetClient client = NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("variable", Expired().After(release.Task));
        Task<string> late = client.VariableAsync("x");
        await Patience.UntilAsync(() => _server.Count("variable") == 1);
        _server.Next("heartbeat", Expired());
        await client.HeartbeatAsync();
        release.SetResult();
        await late;
        Assert.Equal((2, 1), (_server.Count("variable"), _server.Count("renew")));
    }

    [Fact]
    public async Task The_renewal_counts_toward_the_deadline_of_the_call()
    {
        using SignetClient client = NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("variable", Expired());
        _server.Next("renew", Answer.Unsigned(200).After(new TaskCompletionSource().Task));
        Task call = client.VariableAsync("x");
        await Patience.UntilAsync(() => _server.Count("renew") == 1);
        await _server.Clock.AdvanceAsync(ManualClock.CallTimeout);
        await call.FailsAsync(SignetCode.Network);
        Assert.Null(client.Lost);
        await client.HeartbeatAsync();
    }

    [Fact]
    public async Task A_program_that_slept_goes_on_by_itself()
    {
        using SignetClient client = NewClient(options => options.HeartbeatInterval = TimeSpan.FromSeconds(60));
        await client.LicenseAsync("KEY");
        _server.Clock.MoveWallClock(TimeSpan.FromHours(8));
        _server.Next("heartbeat", Expired());
        await _server.Clock.AdvanceUntilAsync(() => _server.Count("heartbeat") == 2, TimeSpan.FromMinutes(5));
        Assert.Equal(1, _server.Count("renew"));
        Assert.True(client.IsValid);
        Assert.Empty(_events);
    }

    [Fact]
    public async Task A_session_that_is_not_signed_in_is_opened_again_instead()
    {
        using SignetClient client = NewClient();
        await client.InitAsync();
        _server.Next("variable", Expired());
        await client.VariableAsync("x");
        Assert.Equal(new[] { "init", "variable", "init", "variable" }, _server.CallNames);
    }
}
