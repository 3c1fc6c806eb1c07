using System;
using System.Collections.Generic;
using System.Net;
using System.Threading;
using System.Threading.Tasks;
using Signet.Client.Net;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>A host with several addresses, of which the first may lead nowhere.</summary>
public sealed class AddressRaceTests
{
    private readonly IPAddress[] _addresses = [IPAddress.Parse("2001:db8::1"), IPAddress.Parse("192.0.2.1")];
    private readonly List<IPAddress> _tried = [];
    private readonly Connection _second = new();
    private CancellationToken _ofFirst;

    private Task<Connection> RaceAsync(
        Func<CancellationToken, Task<Connection>> first,
        Func<Task<Connection>> second,
        CancellationToken cancellation = default) =>
        AddressRace.FirstAsync(
            _addresses,
            (address, token) =>
            {
                _tried.Add(address);
                if (_tried.Count > 1)
                {
                    return second();
                }

                _ofFirst = token;
                return first(token);
            },
            cancellation);

    private static async Task<Connection> SilentAsync(CancellationToken cancellation)
    {
        await Task.Delay(Timeout.Infinite, cancellation);
        return new Connection();
    }

    private static Task<Connection> RefusedAsync(string message) =>
        Task.FromException<Connection>(new InvalidOperationException(message));

    [Fact]
    public async Task A_silent_address_does_not_hold_up_the_next_one()
    {
        Connection got = await RaceAsync(SilentAsync, () => Task.FromResult(_second));
        Assert.Same(_second, got);
        Assert.True(_ofFirst.IsCancellationRequested);
        Assert.Equal(_addresses, _tried);
    }

    [Fact]
    public async Task An_address_that_refuses_is_followed_by_the_next_one()
    {
        Assert.Same(_second, await RaceAsync(_ => RefusedAsync("first"), () => Task.FromResult(_second)));
        Assert.False(_second.IsDisposed);
    }

    [Fact]
    public async Task An_address_that_answers_is_the_only_one_tried()
    {
        Connection first = new();
        Assert.Same(first, await RaceAsync(_ => Task.FromResult(first), () => Task.FromResult(_second)));
        Assert.Single(_tried);
    }

    [Fact]
    public async Task A_connection_that_comes_too_late_is_closed()
    {
        TaskCompletionSource<Connection> late = new();
        await RaceAsync(_ => late.Task, () => Task.FromResult(_second));
        Connection first = new();
        late.SetResult(first);
        await Patience.UntilAsync(() => first.IsDisposed);
    }

    [Fact]
    public async Task Without_any_connection_the_last_error_counts()
    {
        InvalidOperationException error = await Assert.ThrowsAsync<InvalidOperationException>(
            () => RaceAsync(_ => RefusedAsync("first"), () => RefusedAsync("second")));
        Assert.Equal("second", error.Message);
    }

    [Fact]
    public async Task A_cancellation_ends_all_attempts()
    {
        using CancellationTokenSource cancel = new();
        Task<Connection> race = RaceAsync(SilentAsync, () => SilentAsync(_ofFirst), cancel.Token);
        cancel.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => race);
    }

    private sealed class Connection : IDisposable
    {
        internal bool IsDisposed { get; private set; }

        public void Dispose() => IsDisposed = true;
    }
}
