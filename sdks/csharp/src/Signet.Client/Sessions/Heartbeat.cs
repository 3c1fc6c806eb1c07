using System;
using System.Threading;
using System.Threading.Tasks;

namespace Signet.Client.Sessions;

/// <summary>
/// Asks in the background whether the session stands, until it is stopped. It never gives up by itself.
/// </summary>
/// <param name="clock">The time.</param>
/// <param name="rhythm">The pauses.</param>
/// <param name="beat">Asks once; throws <see cref="SignetException"/>.</param>
/// <param name="watch">
/// Called from time to time with the latest error, null after a success; returns the time until it wants to be called
/// again at the latest.
/// </param>
internal sealed class Heartbeat(
    Clock clock, HeartbeatRhythm rhythm, Func<CancellationToken, Task> beat, Func<SignetException?, TimeSpan> watch)
{
    /// <summary>A computer that wakes from sleep is noticed within this time.</summary>
    private static readonly TimeSpan MaxSlice = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan MaxWatchPause = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan MinSlice = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan ClockJump = TimeSpan.FromSeconds(10);
    private readonly CancellationTokenSource _stop = new();

    /// <summary>The first heartbeat comes after one interval.</summary>
    internal void Start() => _ = Task.Run(RunAsync);

    /// <summary>Doesn't wait; the answer to a heartbeat under way is ignored.</summary>
    internal void Stop() => _stop.Cancel();

    private async Task RunAsync()
    {
        TimeSpan delay = rhythm.NextDelay();
        SignetException? latest = null;
        int failures = 0;
        while (!_stop.IsCancellationRequested)
        {
            bool stoodStill = await WaitAsync(delay, latest).ConfigureAwait(false);
            if (_stop.IsCancellationRequested)
            {
                return;
            }

            latest = await BeatAsync(latest, stoodStill).ConfigureAwait(false);
            failures = latest is null ? 0 : failures + 1;
            delay = latest is null ? rhythm.NextDelay() : rhythm.RetryDelay(failures, latest.RetryAfter);
        }
    }

    /// <summary>
    /// If the silence becomes too long meanwhile, that is told at once; after a standstill, the answer decides.
    /// </summary>
    private async Task<SignetException?> BeatAsync(SignetException? latest, bool stoodStill)
    {
        Task running = beat(_stop.Token);
        while (!stoodStill && !running.IsCompleted)
        {
            using CancellationTokenSource awake = new();
            Task slice = clock.Delay(Shorter(MaxWatchPause, watch(latest)), awake.Token);
            await Task.WhenAny(running, slice).ConfigureAwait(false);
            awake.Cancel();
        }

        try
        {
            await running.ConfigureAwait(false);
            return null;
        }
        catch (SignetException error)
        {
            return error;
        }
        catch (Exception error) when (!_stop.IsCancellationRequested)
        {
            // A heartbeat that died of a surprise would leave the program without any.
            return new SignetException(SignetCode.Network, $"The heartbeat failed: {error.Message}", error);
        }
        catch (OperationCanceledException)
        {
            return null;
        }
    }

    /// <summary>
    /// Ends early if the computer's clock shows that the computer was asleep. Returns whether the program stood still
    /// beyond the end.
    /// </summary>
    private async Task<bool> WaitAsync(TimeSpan delay, SignetException? latest)
    {
        TimeSpan end = clock.Monotonic + delay;
        TimeSpan difference = WallClockLead();
        while (!_stop.IsCancellationRequested)
        {
            TimeSpan left = end - clock.Monotonic;
            if (left <= TimeSpan.Zero || (WallClockLead() - difference).Duration() > ClockJump)
            {
                return left < -ClockJump;
            }

            TimeSpan slice = Shorter(Shorter(left, MaxSlice), watch(latest));
            await clock.Delay(slice, _stop.Token)
                .ContinueWith(
                    _ => { },
                    CancellationToken.None,
                    TaskContinuationOptions.ExecuteSynchronously,
                    TaskScheduler.Default)
                .ConfigureAwait(false);
        }

        return false;
    }

    private TimeSpan WallClockLead() => TimeSpan.FromMilliseconds(clock.UnixMs) - clock.Monotonic;

    private static TimeSpan Shorter(TimeSpan one, TimeSpan other)
    {
        TimeSpan shorter = one < other ? one : other;
        return shorter < MinSlice ? MinSlice : shorter;
    }
}
