using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Signet.Client.Sessions;

/// <summary>The time, as a parameter.</summary>
internal abstract class Clock
{
    /// <summary>The computer's clock, which the customer can set: unix milliseconds.</summary>
    internal abstract long UnixMs { get; }

    /// <summary>The time since some fixed moment; nobody can turn it back.</summary>
    internal abstract TimeSpan Monotonic { get; }

    internal abstract Task Delay(TimeSpan time, CancellationToken cancellation);
}

internal sealed class SystemClock : Clock
{
    internal static readonly SystemClock Instance = new();

    internal override long UnixMs => DateTimeOffset.UtcNow.ToUnixTimeMilliseconds();

    internal override TimeSpan Monotonic =>
        TimeSpan.FromSeconds(Stopwatch.GetTimestamp() / (double)Stopwatch.Frequency);

    internal override Task Delay(TimeSpan time, CancellationToken cancellation) => Task.Delay(time, cancellation);
}
