using System;
using System.Threading;
using System.Threading.Tasks;
using Signet.Client.Protocol;
using Signet.Client.Sessions;

namespace Signet.Client.Downloads;

/// <summary>
/// The attempts of one download, which all of its steps share: as docs/protocol.md says, for all clients.
/// </summary>
/// <param name="clock">The time.</param>
/// <param name="timeout">The timeout of the client.</param>
internal sealed class DownloadAttempts(Clock clock, TimeSpan timeout)
{
    private const int MaxAttempts = 5;

    /// <summary>The waits are 1, 2, 4, and 8 parts of the timeout.</summary>
    private const int PartsOfTimeout = 15;
    private static readonly TimeSpan MaxRetryAfter = TimeSpan.FromSeconds(60);
    private readonly Random _random = new();
    private int _failed;

    /// <exception cref="SignetException">
    /// What an attempt threw that was the last one, or that no other attempt helps.
    /// </exception>
    internal async Task<T> RepeatAsync<T>(Func<Task<T>> attempt, CancellationToken cancellation)
    {
        while (true)
        {
            try
            {
                return await attempt().ConfigureAwait(false);
            }
            catch (SignetException error) when (CanHelp(error))
            {
                _failed++;
                if (_failed == MaxAttempts)
                {
                    throw;
                }

                await clock.Delay(WaitAfter(error), cancellation).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Whether the server can be out of reach, or restarting.</summary>
    private static bool CanHelp(SignetException error)
    {
        if (error.Status == 0)
        {
            return error.Code is SignetCode.Network or SignetCode.UnsignedResponse && !error.IsNotTheFile;
        }

        return error.Verdict == Verdict.Temporary && !(error.RetryAfter > MaxRetryAfter);
    }

    private TimeSpan WaitAfter(SignetException error)
    {
        double jitter = 0.9 + (_random.NextDouble() * 0.2);
        double parts = Math.Pow(2, _failed - 1) / PartsOfTimeout;
        TimeSpan wait = TimeSpan.FromSeconds(timeout.TotalSeconds * parts * jitter);
        return error.RetryAfter > wait ? error.RetryAfter.Value : wait;
    }
}
