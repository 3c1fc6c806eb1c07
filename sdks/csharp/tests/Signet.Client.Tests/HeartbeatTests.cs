using System;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>The background heartbeat: when it asks, and what the program is told.</summary>
public sealed class HeartbeatTests : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(30);
    private readonly TestServer _server = new();
    private readonly ConcurrentQueue<string> _events = new();

    private ManualClock Clock => _server.Clock;

    public void Dispose() => _server.Dispose();

    private SignetClient NewClient(Action<SignetOptions>? change = null) => _server.NewClient(options =>
    {
        options.HeartbeatInterval = Interval;
        options.OnLost = error => _events.Enqueue("lost " + error.CodeText);
        options.OnInterrupted = error => _events.Enqueue("interrupted " + error.CodeText);
        options.OnResumed = () => _events.Enqueue("resumed");
        change?.Invoke(options);
    });

    private Task BeatsAsync(int count) => Clock.AdvanceUntilAsync(() => _server.Count("heartbeat") >= count, Limit);

    [Fact]
    public async Task It_asks_about_once_per_interval()
    {
        using SignetClient client = NewClient();
        await client.LicenseAsync("KEY");
        TimeSpan started = Clock.Monotonic;
        await BeatsAsync(10);
        Assert.InRange(Clock.Monotonic - started, 0.85 * 10 * Interval, 1.25 * 10 * Interval);
        Assert.True(client.IsValid);
        Assert.Empty(_events);
    }

    [Fact]
    public async Task A_real_no_ends_the_session_and_is_told_once()
    {
        using SignetClient client = NewClient();
        await client.LicenseAsync("KEY");
        _server.Always["heartbeat"] = Answer.Error(403, "LICENSE_BANNED");
        await Clock.AdvanceUntilAsync(() => !_events.IsEmpty, Limit);
        Assert.False(client.IsValid);
        Assert.Equal(SignetCode.LicenseBanned, client.Lost!.Code);
        await Patience.UntilAsync(() => Clock.IsIdle);
        await client.HeartbeatAsync().FailsAsync(SignetCode.LicenseBanned);
        Assert.Equal(1, _server.Count("heartbeat"));
        Assert.Equal(new[] { "lost LICENSE_BANNED" }, _events);
    }

    [Theory]
    [InlineData(403, "BRAND_NEW")]
    [InlineData(401, "SESSION_ENDED")]
    [InlineData(404, "VARIABLE_NOT_FOUND")]
    public async Task Every_verified_error_that_is_not_temporary_is_a_no_to_a_heartbeat(int status, string code)
    {
        using SignetClient client = NewClient();
        await client.LicenseAsync("KEY");
        _server.Always["heartbeat"] = Answer.Error(status, code);
        await Clock.AdvanceUntilAsync(() => !_events.IsEmpty, Limit);
        Assert.Equal(new[] { "lost " + code }, _events);
    }

    [Fact]
    public async Task Silence_interrupts_after_interval_and_grace_and_never_ends_the_session()
    {
        using SignetClient client = NewClient();
        await client.LicenseAsync("KEY");
        TimeSpan heard = Clock.Monotonic;
        _server.Always["heartbeat"] = Answer.Unsigned(403);
        await Clock.AdvanceUntilAsync(() => Clock.Monotonic - heard >= TimeSpan.FromSeconds(245), Limit);
        Assert.True(client.IsValid);
        Assert.Empty(_events);
        await Clock.AdvanceUntilAsync(() => !client.IsValid, Limit);
        Assert.InRange((Clock.Monotonic - heard).TotalSeconds, 246, 248);
        await Clock.AdvanceUntilAsync(() => !_events.IsEmpty, Limit);
        Assert.Null(client.Lost);
        Assert.Equal(new[] { "interrupted UNSIGNED_RESPONSE" }, _events);

        await Clock.AdvanceUntilAsync(() => Clock.Monotonic - heard >= TimeSpan.FromMinutes(20), Limit);
        Assert.Single(_events);
        _server.Always.TryRemove("heartbeat", out _);
        await Clock.AdvanceUntilAsync(() => _events.Count > 1, Limit);
        Assert.True(client.IsValid);
        Assert.Equal(new[] { "interrupted UNSIGNED_RESPONSE", "resumed" }, _events);
    }

    [Fact]
    public async Task Failures_are_retried_with_growing_pauses()
    {
        using SignetClient client = NewClient();
        await client.LicenseAsync("KEY");
        _server.Always["heartbeat"] = Answer.Unsigned(502);
        ConcurrentQueue<TimeSpan> moments = new();
        for (int count = 1; count <= 7; count++)
        {
            await BeatsAsync(count);
            moments.Enqueue(Clock.Monotonic);
        }

        double[] pauses = moments.Zip(moments.Skip(1), (one, next) => (next - one).TotalSeconds).ToArray();
        double[] expected = { 2, 4, 8, 16, 32, 60 };
        for (int at = 0; at < expected.Length; at++)
        {
            Assert.InRange(pauses[at], 0.9 * expected[at] - 1.1, 1.1 * expected[at] + 1.1);
        }
    }

    [Fact]
    public async Task It_waits_as_long_as_the_server_asks()
    {
        using SignetClient client = NewClient(options => options.Grace = TimeSpan.FromHours(1));
        await client.LicenseAsync("KEY");
        _server.Next("heartbeat", Answer.Error(429, "RATE_LIMITED", ",\"retryAfterSeconds\":300"));
        await BeatsAsync(1);
        await Clock.AdvanceUntilAsync(() => !Clock.IsCalling, Limit);
        TimeSpan told = Clock.Monotonic;
        await BeatsAsync(2);
        Assert.InRange((Clock.Monotonic - told).TotalSeconds, 299, 310);
        Assert.True(client.IsValid);
    }

    [Fact]
    public async Task A_computer_that_wakes_from_sleep_asks_at_once()
    {
        using SignetClient client = NewClient();
        await client.LicenseAsync("KEY");
        TimeSpan asleep = Clock.Monotonic + TimeSpan.FromSeconds(7);
        await Clock.AdvanceUntilAsync(() => Clock.Monotonic >= asleep, Limit);
        Clock.MoveWallClock(TimeSpan.FromMinutes(10));
        _server.Honest.ClockLead = TimeSpan.Zero;
        TimeSpan woken = Clock.Monotonic;
        await BeatsAsync(1);
        Assert.InRange((Clock.Monotonic - woken).TotalSeconds, 0, 6);
    }

    [Fact]
    public async Task After_a_standstill_the_answer_of_the_server_decides()
    {
        using SignetClient client = NewClient();
        await client.LicenseAsync("KEY");
        await Patience.UntilAsync(() => Clock.IsPausing);
        await Clock.StandStillAsync(TimeSpan.FromMinutes(10));
        Assert.False(client.IsValid && _server.Count("heartbeat") == 0);
        await Patience.UntilAsync(() => client.IsValid && Clock.IsPausing);
        Assert.Empty(_events);

        _server.Always["heartbeat"] = Answer.Unsigned(502);
        await Clock.StandStillAsync(TimeSpan.FromMinutes(10));
        await Patience.UntilAsync(() => !_events.IsEmpty);
        Assert.Equal(new[] { "interrupted UNSIGNED_RESPONSE" }, _events);
    }

    [Fact]
    public async Task A_heartbeat_that_hangs_does_not_hold_up_calls_or_the_verdict()
    {
        TaskCompletionSource release = new();
        using SignetClient client = NewClient(options => options.Timeout = TimeSpan.FromHours(1));
        await client.LicenseAsync("KEY");
        _server.Next("heartbeat", Answer.Unsigned(200).After(release.Task));
        await BeatsAsync(1);
        Assert.Equal("of the app", await client.VariableAsync("x"));
        await Clock.AdvanceAsync(TimeSpan.FromSeconds(170));
        Assert.True(client.IsValid);
        await Clock.AdvanceAsync(TimeSpan.FromSeconds(80));
        await Patience.UntilAsync(() => !_events.IsEmpty);
        Assert.Equal(new[] { "interrupted NETWORK" }, _events);
        Assert.False(client.IsValid);
        release.SetResult();
    }

    [Fact]
    public async Task It_stops_with_logout_and_close()
    {
        SignetClient client = NewClient();
        await client.LicenseAsync("KEY");
        await client.LogoutAsync();
        await Patience.UntilAsync(() => Clock.IsIdle);
        await client.LicenseAsync("KEY");
        await client.CloseAsync();
        await Patience.UntilAsync(() => Clock.IsIdle);
        Assert.Equal(0, _server.Count("heartbeat"));
        Assert.Empty(_events);
    }

    [Fact]
    public async Task The_heartbeat_of_a_session_goes_on_after_a_wrong_key_and_moves_to_a_new_session()
    {
        using SignetClient client = NewClient();
        await client.LicenseAsync("ONE");
        string? first = _server.Latest("license").Session;
        _server.Next("license", Answer.Error(404, "LICENSE_NOT_FOUND"));
        await client.LicenseAsync("WRONG").FailsAsync(SignetCode.LicenseNotFound);
        await BeatsAsync(1);
        Assert.Equal(first, _server.Latest("heartbeat").Session);
        await client.LicenseAsync("TWO");
        await BeatsAsync(3);
        Assert.Equal(_server.Latest("license").Session, _server.Latest("heartbeat").Session);
        Assert.Empty(_events);
    }

    [Fact]
    public async Task A_sign_in_that_replaces_the_session_on_the_server_is_no_loss()
    {
        TaskCompletionSource release = new();
        using SignetClient client = NewClient();
        await client.LicenseAsync("ONE");
        _server.Next("license", _server.HonestSession().After(release.Task));
        Task<SignetSession> signIn = client.LicenseAsync("TWO");
        await Patience.UntilAsync(() => _server.Count("license") == 2);
        _server.Next("heartbeat", Answer.Error(401, "SESSION_REPLACED"));
        await client.HeartbeatAsync().FailsAsync(SignetCode.SessionReplaced);
        release.SetResult();
        await signIn;
        Assert.True(client.IsValid);
        Assert.Empty(_events);

        _server.Next("license", Answer.Error(404, "LICENSE_NOT_FOUND"));
        _server.Next("heartbeat", Answer.Error(401, "SESSION_REPLACED"));
        await client.HeartbeatAsync().FailsAsync(SignetCode.SessionReplaced);
        await Patience.UntilAsync(() => !_events.IsEmpty);
        Assert.False(client.IsValid);
    }

    [Fact]
    public async Task A_loss_heard_during_a_sign_in_that_fails_counts_afterwards()
    {
        TaskCompletionSource release = new();
        using SignetClient client = NewClient();
        await client.LicenseAsync("ONE");
        _server.Next("license", Answer.Error(404, "LICENSE_NOT_FOUND").After(release.Task));
        Task signIn = client.LicenseAsync("TWO");
        await Patience.UntilAsync(() => _server.Count("license") == 2);
        _server.Next("heartbeat", Answer.Error(401, "SESSION_REPLACED"));
        await client.HeartbeatAsync().FailsAsync(SignetCode.SessionReplaced);
        Assert.True(client.IsValid);
        release.SetResult();
        await signIn.FailsAsync(SignetCode.LicenseNotFound);
        Assert.False(client.IsValid);
        await Patience.UntilAsync(() => !_events.IsEmpty);
        Assert.Equal(new[] { "lost SESSION_REPLACED" }, _events);
    }

    [Fact]
    public async Task Callbacks_run_on_the_context_of_the_creator()
    {
        RecordingContext context = new();
        using SignetClient client = MadeIn(context);
        await client.LicenseAsync("KEY");
        _server.Next("heartbeat", Answer.Error(403, "USER_BANNED"));
        await client.HeartbeatAsync().FailsAsync(SignetCode.UserBanned);
        Assert.Empty(_events);
        Assert.Single(context.Posted).Invoke();
        Assert.Equal(new[] { "lost USER_BANNED" }, _events);
    }

    private SignetClient MadeIn(SynchronizationContext context)
    {
        SynchronizationContext? before = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(context);
        try
        {
            SignetOptions options = _server.Options();
            options.OnLost = error => _events.Enqueue("lost " + error.CodeText);
            return new SignetClient(options, Clock, null);
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(before);
        }
    }

    [Fact]
    public async Task Callbacks_run_elsewhere_when_the_thread_of_the_creator_has_ended()
    {
        using SignetClient client = MadeIn(new EndedContext());
        await client.LicenseAsync("KEY");
        _server.Next("heartbeat", Answer.Error(403, "USER_BANNED"));
        await client.HeartbeatAsync().FailsAsync(SignetCode.UserBanned);
        await Patience.UntilAsync(() => !_events.IsEmpty);
        Assert.Equal(new[] { "lost USER_BANNED" }, _events);
    }

    [Fact]
    public async Task A_callback_can_close_the_client()
    {
        SignetClient? client = null;
        TaskCompletionSource closed = new();
        client = NewClient(options => options.OnLost = _ =>
        {
            client!.Dispose();
            closed.SetResult();
        });
        await client.LicenseAsync("KEY");
        _server.Always["heartbeat"] = Answer.Error(403, "USER_BANNED");
        await Clock.AdvanceUntilAsync(() => closed.Task.IsCompleted, Limit);
        Assert.False(client.IsValid);
    }

    [Fact]
    public async Task An_exception_in_a_callback_is_traced_and_ends_nothing()
    {
        using RecordingListener traced = new();
        Trace.Listeners.Add(traced);
        try
        {
            using SignetClient client = NewClient(
                options => options.OnLost = error => throw new InvalidOperationException("mine: " + error.CodeText));
            foreach (string code in new[] { "USER_BANNED", "LICENSE_BANNED" })
            {
                await client.LicenseAsync("KEY");
                _server.Next("heartbeat", Answer.Error(403, code));
                await Assert.ThrowsAsync<SignetException>(() => client.HeartbeatAsync());
                await Clock.AdvanceUntilAsync(() => traced.Text.Contains("mine: " + code), Limit);
            }
        }
        finally
        {
            Trace.Listeners.Remove(traced);
        }
    }

    private sealed class RecordingListener : TraceListener
    {
        private readonly ConcurrentQueue<string> _messages = new();

        public string Text => string.Concat(_messages);

        public override void Write(string? message) => _messages.Enqueue(message ?? string.Empty);

        public override void WriteLine(string? message) => Write(message);
    }

    /// <summary>As that of Windows Forms, once its thread has ended.</summary>
    private sealed class EndedContext : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) =>
            throw new System.ComponentModel.InvalidAsynchronousStateException();
    }

    private sealed class RecordingContext : SynchronizationContext
    {
        public ConcurrentQueue<Action> Posted { get; } = new();

        public override void Post(SendOrPostCallback d, object? state) => Posted.Enqueue(() => d(state));
    }
}
