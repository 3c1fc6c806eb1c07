using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Signet.Client.Sessions;

namespace Signet.Client.Tests;

/// <summary>Time that passes only when a test says so.</summary>
internal sealed class ManualClock : Clock
{
    /// <summary>The timeout of clients in tests: a length that no other wait has.</summary>
    internal static readonly TimeSpan CallTimeout = TimeSpan.FromMilliseconds(15_125);

    private static readonly TimeSpan MaxHeartbeatWait = TimeSpan.FromSeconds(5);
    private readonly object _lock = new();
    private readonly List<Wait> _waits = new();
    private TimeSpan _monotonic = TimeSpan.FromSeconds(1000);
    private long _unixMs = 1_750_000_000_000;

    internal override long UnixMs
    {
        get
        {
            lock (_lock)
            {
                return _unixMs;
            }
        }
    }

    internal override TimeSpan Monotonic
    {
        get
        {
            lock (_lock)
            {
                return _monotonic;
            }
        }
    }

    /// <summary>Whether a call is under way.</summary>
    internal bool IsCalling => HasWait(length => length == CallTimeout);

    /// <summary>Whether something waits and no call is under way.</summary>
    internal bool IsPausing => HasWait(length => length != CallTimeout) && !IsCalling;

    /// <summary>Whether nothing waits: no call, and no heartbeat.</summary>
    internal bool IsIdle => !HasWait(_ => true);

    private bool IsHeartbeatWaiting => HasWait(length => length <= MaxHeartbeatWait);

    internal override Task Delay(TimeSpan time, CancellationToken cancellation)
    {
        Wait wait;
        lock (_lock)
        {
            wait = new Wait(time, _monotonic + time);
            _waits.Add(wait);
        }

        cancellation.Register(() =>
        {
            lock (_lock)
            {
                _waits.Remove(wait);
            }

            wait.Source.TrySetCanceled();
        });
        return wait.Source.Task;
    }

    /// <summary>Moves the computer's clock alone, as the customer can, or as sleep does.</summary>
    internal void MoveWallClock(TimeSpan time)
    {
        lock (_lock)
        {
            _unixMs += (long)time.TotalMilliseconds;
        }
    }

    /// <summary>Lets time pass; everything that was waiting for a moment until then goes on.</summary>
    internal Task AdvanceAsync(TimeSpan time) => Task.Run(() =>
    {
        TimeSpan end = Monotonic + time;
        while (TakeNext(end) is { } wait)
        {
            wait.Source.TrySetResult(true);
        }
    });

    /// <summary>Lets time pass in which nothing runs, as while a computer sleeps whose clocks go on.</summary>
    internal Task StandStillAsync(TimeSpan time)
    {
        lock (_lock)
        {
            _monotonic += time;
            _unixMs += (long)time.TotalMilliseconds;
        }

        return AdvanceAsync(TimeSpan.Zero);
    }

    /// <summary>
    /// Lets time pass in small steps until the condition holds, but only while a heartbeat waits: not during a call.
    /// </summary>
    internal async Task AdvanceUntilAsync(Func<bool> condition, TimeSpan limit)
    {
        TimeSpan end = Monotonic + limit;
        await Patience.UntilAsync(async () =>
        {
            if (condition())
            {
                return true;
            }

            if (IsHeartbeatWaiting && !IsCalling && Monotonic < end)
            {
                await AdvanceAsync(TimeSpan.FromSeconds(1)).ConfigureAwait(false);
                return condition();
            }

            await Task.Delay(1).ConfigureAwait(false);
            return false;
        }).ConfigureAwait(false);
    }

    private bool HasWait(Func<TimeSpan, bool> isMeant)
    {
        lock (_lock)
        {
            return _waits.Any(wait => isMeant(wait.Length));
        }
    }

    private Wait? TakeNext(TimeSpan end)
    {
        lock (_lock)
        {
            Wait? next = _waits.Where(wait => wait.Due <= end).OrderBy(wait => wait.Due).FirstOrDefault();
            TimeSpan moment = next is null ? end : next.Due;
            if (moment > _monotonic)
            {
                _unixMs += (long)(moment - _monotonic).TotalMilliseconds;
                _monotonic = moment;
            }

            if (next != null)
            {
                _waits.Remove(next);
            }

            return next;
        }
    }

    private sealed class Wait(TimeSpan length, TimeSpan due)
    {
        internal TimeSpan Length { get; } = length;

        internal TimeSpan Due { get; } = due;

        internal TaskCompletionSource<bool> Source { get; } = new();
    }
}

/// <summary>Waits for something that happens by itself in a moment, however slow the machine is.</summary>
internal static class Patience
{
    internal static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    internal static Task UntilAsync(Func<bool> condition) => UntilAsync(async () =>
    {
        if (!condition())
        {
            await Task.Delay(1).ConfigureAwait(false);
        }

        return condition();
    });

    internal static async Task UntilAsync(Func<Task<bool>> condition)
    {
        using CancellationTokenSource limit = new(Limit);
        while (!await condition().ConfigureAwait(false))
        {
            if (limit.IsCancellationRequested)
            {
                throw new TimeoutException("What the test waits for doesn't happen.");
            }
        }
    }
}
