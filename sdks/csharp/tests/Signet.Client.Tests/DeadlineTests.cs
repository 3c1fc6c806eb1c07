using System;
using System.Threading;
using System.Threading.Tasks;
using Signet.Client.Net;
using Signet.Client.Protocol;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>One deadline for a whole call, cancellation everywhere, and a close that never hangs.</summary>
public sealed class DeadlineTests : IDisposable
{
    private readonly TestServer _server = new();
    private readonly Task _never = new TaskCompletionSource().Task;

    public void Dispose() => _server.Dispose();

    [Fact]
    public async Task The_timeout_bounds_all_requests_of_a_call_together()
    {
        TaskCompletionSource release = new();
        _server.Next("init", _server.HonestInit().After(release.Task));
        _server.Next("license", Answer.Unsigned(200).After(_never));
        using SignetClient client = _server.NewClient();
        Task call = client.LicenseAsync("KEY");
        await Patience.UntilAsync(() => _server.Count("init") == 1);
        await _server.Clock.AdvanceAsync(TimeSpan.FromSeconds(10));
        release.SetResult();
        await Patience.UntilAsync(() => _server.Count("license") == 1);
        Assert.False(call.IsCompleted);
        await _server.Clock.AdvanceAsync(TimeSpan.FromSeconds(6));
        await call.FailsAsync(SignetCode.Network);
        Assert.False(client.IsValid);
    }

    [Fact]
    public async Task Waiting_for_another_call_counts()
    {
        _server.Next("init", Answer.Unsigned(200).After(_never));
        using SignetClient client = _server.NewClient(options => options.Timeout = TimeSpan.FromSeconds(20));
        Task first = client.LicenseAsync("ONE");
        await Patience.UntilAsync(() => _server.Count("init") == 1);
        await _server.Clock.AdvanceAsync(TimeSpan.FromSeconds(10));
        using CancellationTokenSource cancel = new();
        Task second = client.LicenseAsync("TWO", cancel.Token);
        Task third = client.InitAsync();
        cancel.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => second);
        await _server.Clock.AdvanceAsync(TimeSpan.FromSeconds(11));
        await first.FailsAsync(SignetCode.Network);
        await third;
        Assert.Equal(2, _server.Count("init"));
    }

    [Fact]
    public async Task An_answer_that_comes_byte_by_byte_does_not_outlast_the_deadline()
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("heartbeat", Answer.Bytes("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{").After(_never));
        Task call = client.HeartbeatAsync();
        await Patience.UntilAsync(() => _server.Count("heartbeat") == 1);
        await _server.Clock.AdvanceAsync(ManualClock.CallTimeout);
        await call.FailsAsync(SignetCode.Network);
        await client.HeartbeatAsync();
    }

    [Fact]
    public async Task A_call_is_canceled_by_its_token_and_the_client_goes_on()
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        using CancellationTokenSource cancel = new();
        _server.Next("heartbeat", Answer.Unsigned(200).After(_never));
        Task call = client.HeartbeatAsync(cancel.Token);
        await Patience.UntilAsync(() => _server.Count("heartbeat") == 1);
        cancel.Cancel();
        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        Assert.Equal(cancel.Token, error.CancellationToken);
        await client.HeartbeatAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => client.HeartbeatAsync(cancel.Token));
        Assert.Equal(2, _server.Count("heartbeat"));
    }

    [Fact]
    public async Task A_sign_in_that_succeeds_after_its_end_is_not_used()
    {
        TaskCompletionSource release = new();
        _server.Next("license", _server.HonestSession().After(release.Task));
        using SignetClient client = _server.NewClient();
        using CancellationTokenSource cancel = new();
        Task call = client.LicenseAsync("KEY", cancel.Token);
        await Patience.UntilAsync(() => _server.Count("license") == 1);
        cancel.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        release.SetResult();
        await client.VariableAsync("x");
        Assert.Null(client.Session);
        Assert.False(client.IsValid);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_caller_gets_control_back_even_if_the_network_does_not_react(bool isCanceled)
    {
        TaskCompletionSource release = new();
        _server.Next("license", _server.HonestSession().After(release.Task));
        using SignetClient client = new(_server.Options(), _server.Clock, new DeafTransport(new Uri(_server.Url)));
        using CancellationTokenSource cancel = new();
        Task call = client.LicenseAsync("KEY", cancel.Token);
        await Patience.UntilAsync(() => _server.Count("license") == 1);
        if (isCanceled)
        {
            cancel.Cancel();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        }
        else
        {
            await _server.Clock.AdvanceAsync(ManualClock.CallTimeout);
            await call.FailsAsync(SignetCode.Network);
        }

        release.SetResult();
        await Patience.UntilAsync(() => _server.Count("logout") == 1);
        Assert.Equal(_server.Latest("license").Session, _server.Latest("logout").Session);
        Assert.Null(client.Session);
        Assert.False(client.IsValid);
    }

    [Fact]
    public async Task Close_tells_the_server_and_ends_the_client()
    {
        SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        await client.CloseAsync();
        await client.CloseAsync();
        Assert.Equal(1, _server.Count("logout"));
        Assert.False(client.IsValid);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => client.HeartbeatAsync());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => client.DownloadAsync("a", "b"));
        client.Dispose();
    }

    [Fact]
    public async Task Close_ends_calls_under_way_and_waits_for_a_hanging_server_for_two_seconds()
    {
        SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Always["heartbeat"] = Answer.Unsigned(200).After(_never);
        _server.Always["logout"] = Answer.Unsigned(200).After(_never);
        Task call = client.HeartbeatAsync();
        await Patience.UntilAsync(() => _server.Count("heartbeat") == 1);
        Task close = client.CloseAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        await Patience.UntilAsync(() => _server.Count("logout") == 1);
        Assert.False(close.IsCompleted);
        await _server.Clock.AdvanceAsync(TimeSpan.FromSeconds(2));
        await close;
    }

    [Fact]
    public async Task Close_waits_for_a_logout_in_the_background()
    {
        SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        TaskCompletionSource release = new();
        _server.Next("logout", Answer.Success(string.Empty).After(release.Task));
        await client.LicenseAsync("KEY-2");
        await Patience.UntilAsync(() => _server.Count("logout") == 1);
        await client.LogoutAsync();
        Task close = client.CloseAsync();
        Assert.False(close.IsCompleted);
        release.SetResult();
        await close;
    }

    [Fact]
    public async Task Close_waits_for_a_logout_that_hangs_in_the_background_for_two_seconds()
    {
        SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("logout", Answer.Unsigned(200).After(_never));
        await client.LicenseAsync("KEY-2");
        await Patience.UntilAsync(() => _server.Count("logout") == 1);
        await client.LogoutAsync();
        Task close = client.CloseAsync();
        Assert.False(close.IsCompleted);
        await _server.Clock.AdvanceAsync(TimeSpan.FromSeconds(2));
        await close;
    }

    [Fact]
    public async Task A_call_can_be_awaited_blocking_on_a_thread_with_a_synchronization_context()
    {
        using SignetClient client = _server.NewClient();
        Task blocking = Task.Factory.StartNew(
            () =>
            {
                SynchronizationContext.SetSynchronizationContext(new DeadContext());
                client.LicenseAsync("KEY").GetAwaiter().GetResult();
                client.Dispose();
            },
            TaskCreationOptions.LongRunning);
        await blocking;
        Assert.Equal(1, _server.Count("logout"));
    }

    /// <summary>Ignores cancellation, as old runtimes do in places.</summary>
    private sealed class DeafTransport(Uri server) : ITransport
    {
        private readonly Transport _transport = new(server, new ServerTrust([], null), null);

        public Task<Reply> PostAsync(
            SignetRequest request, string contentType, string userAgent, CancellationToken cancellation) =>
            _transport.PostAsync(request, contentType, userAgent, CancellationToken.None);

        public Task<FileAnswer> OpenFileAsync(
            string path, long start, string sha256, CancellationToken cancellation) =>
            _transport.OpenFileAsync(path, start, sha256, CancellationToken.None);

        public void Dispose() => _transport.Dispose();
    }

    /// <summary>A message loop that is blocked: what is posted to it never runs.</summary>
    private sealed class DeadContext : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state)
        {
        }
    }
}
