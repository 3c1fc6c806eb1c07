using System;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>A wrong clock, a used nonce, and dropped connections: repeated where that is safe, and never endlessly.</summary>
public sealed class RepetitionTests : IDisposable
{
    private readonly TestServer _server = new();

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData(-40_000)]
    [InlineData(900)]
    public async Task A_wrong_clock_is_corrected_once_and_stays_corrected(int minutes)
    {
        _server.Honest.ClockLead = TimeSpan.FromMinutes(minutes);
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        Assert.Equal(new[] { "init", "init", "license" }, _server.CallNames);
        Assert.True(client.IsValid);
    }

    [Fact]
    public async Task A_clock_that_becomes_wrong_is_corrected_for_every_call()
    {
        using SignetClient client = _server.NewClient();
        await client.InitAsync();
        _server.Honest.ClockLead = TimeSpan.FromMinutes(5);
        await client.LicenseAsync("KEY");
        Assert.Equal(2, _server.Count("license"));
    }

    [Fact]
    public async Task A_clock_error_that_stays_is_raised()
    {
        _server.Always["license"] = Answer.Error(400, "CLOCK_SKEW");
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY").FailsAsync(SignetCode.ClockSkew);
        Assert.Equal(2, _server.Count("license"));
    }

    [Fact]
    public async Task A_stale_answer_is_asked_for_again_only_where_that_is_safe()
    {
        using SignetClient client = _server.NewClient();
        await client.InitAsync();
        _server.Honest.ClockLead = TimeSpan.FromSeconds(90);
        SignetException error = await client.LicenseAsync("KEY").FailsAsync(SignetCode.StaleResponse);
        Assert.True(error.IsTemporary);
        Assert.False(client.IsValid);
        Assert.Equal(1, _server.Count("license"));

        // The offset was kept.
        await client.LicenseAsync("KEY");
        Assert.Equal(2, _server.Count("license"));
        _server.Honest.ClockLead = TimeSpan.Zero;
        await client.HeartbeatAsync();
        Assert.Equal(2, _server.Count("heartbeat"));
    }

    [Fact]
    public async Task A_used_nonce_is_replaced_once_where_that_is_safe()
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("heartbeat", Answer.Error(409, "NONCE_REUSED"));
        await client.HeartbeatAsync();
        string[] nonces = _server.Calls.Where(call => call.Name == "heartbeat").Select(call => call.Nonce).ToArray();
        Assert.Equal(2, nonces.Distinct().Count());

        _server.Always["heartbeat"] = Answer.Error(409, "NONCE_REUSED");
        await client.HeartbeatAsync().FailsAsync(SignetCode.NonceReused);
        Assert.Equal(4, _server.Count("heartbeat"));
        Assert.True(client.IsValid);

        _server.Next("log", Answer.Error(409, "NONCE_REUSED"));
        await client.LogAsync("x").FailsAsync(SignetCode.NonceReused);
        Assert.Equal(1, _server.Count("log"));
    }

    [Fact]
    public async Task Clock_and_nonce_count_separately()
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("heartbeat", Answer.Error(409, "NONCE_REUSED"), Answer.Error(400, "CLOCK_SKEW"));
        await client.HeartbeatAsync();
        Assert.Equal(3, _server.Count("heartbeat"));
    }

    [Fact]
    public async Task A_kept_alive_connection_that_was_closed_is_opened_again_with_the_very_same_bytes()
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("log", Answer.Dropped());
        await client.LogAsync("once");
        ReceivedCall[] calls = _server.Calls.Where(call => call.Name == "log").ToArray();
        Assert.Equal(2, calls.Length);
        Assert.Equal(calls[0].Nonce, calls[1].Nonce);

        _server.Next("log", Answer.Dropped(), Answer.Dropped());
        await client.LogAsync("twice").FailsAsync(SignetCode.Network);
        Assert.Equal(4, _server.Count("log"));
    }

    [Fact]
    public async Task An_idle_connection_that_was_closed_does_not_matter()
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.DropConnections();
        await client.HeartbeatAsync();
        Assert.True(client.IsValid);
    }

    [Fact]
    public async Task A_first_connection_that_is_closed_is_not_tried_again()
    {
        _server.Next("init", Answer.Dropped());
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY").FailsAsync(SignetCode.Network);
        Assert.Equal(new[] { "init" }, _server.CallNames);
    }

    [Fact]
    public async Task An_answer_that_was_held_back_for_a_minute_is_not_used()
    {
        using SignetClient client = _server.NewClient(options => options.Timeout = TimeSpan.FromMinutes(5));
        await client.LicenseAsync("KEY");
        TaskCompletionSource release = new();
        _server.Next("heartbeat", Answer.Unsigned(200).After(release.Task));
        Task heartbeat = client.HeartbeatAsync();
        await Patience.UntilAsync(() => _server.Count("heartbeat") == 1);
        release.SetResult();
        await heartbeat.FailsAsync(SignetCode.UnsignedResponse);

        TaskCompletionSource slow = new();
        _server.Next("heartbeat", Answer.Success(
            $"\"user\":{_server.Honest.User},\"expiresAt\":1750009999").After(slow.Task));
        heartbeat = client.HeartbeatAsync();
        await Patience.UntilAsync(() => _server.Count("heartbeat") == 2);
        await _server.Clock.AdvanceAsync(TimeSpan.FromSeconds(61));
        slow.SetResult();
        await heartbeat.FailsAsync(SignetCode.StaleResponse);
        Assert.Equal(2, _server.Count("heartbeat"));
    }
}
