using System;

namespace Signet.Client.Sessions;

/// <summary>When background heartbeats are sent, and when their silence counts.</summary>
internal sealed class HeartbeatRhythm(TimeSpan interval, TimeSpan grace)
{
    internal const double Jitter = 0.1;
    private static readonly TimeSpan FirstRetry = TimeSpan.FromSeconds(2);
    private readonly Random _random = new();

    /// <summary>The longest time without a verified success in which the session stays valid.</summary>
    internal TimeSpan MaxSilence { get; } = TimeSpan.FromTicks((long)(interval.Ticks * (1 + Jitter))) + grace;

    /// <summary>Spread over ±10 %, so that programs that were started together don't ask together.</summary>
    internal TimeSpan NextDelay() => Spread(interval);

    /// <summary>The pause after a number of failures in a row, at least as long as the server asks for.</summary>
    internal TimeSpan RetryDelay(int failures, TimeSpan? retryAfter)
    {
        double factor = Math.Pow(2, Math.Min(failures - 1, 30));
        TimeSpan pause = TimeSpan.FromSeconds(Math.Min(FirstRetry.TotalSeconds * factor, interval.TotalSeconds));
        TimeSpan spread = Spread(pause);
        return retryAfter > spread ? retryAfter.Value : spread;
    }

    private TimeSpan Spread(TimeSpan time)
    {
        lock (_random)
        {
            return TimeSpan.FromTicks((long)(time.Ticks * (1 - Jitter + 2 * Jitter * _random.NextDouble())));
        }
    }
}
