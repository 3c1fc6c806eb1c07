using System;
using System.Collections.Generic;
using System.Net;
using System.Threading;
using System.Threading.Tasks;
#if NET
using System.IO;
using System.Net.Http;
using System.Net.Sockets;
#endif

namespace Signet.Client.Net;

/// <summary>
/// Connects to the first address of a host that answers, as browsers do (RFC 8305). A runtime tries them one after the
/// other, and a customer whose IPv6 leads nowhere would wait for the first one until the call is over.
/// </summary>
internal static class AddressRace
{
    /// <summary>How long an address is alone before the next one is tried, too.</summary>
    private static readonly TimeSpan HeadStart = TimeSpan.FromMilliseconds(250);

#if NET
    /// <summary>For <see cref="SocketsHttpHandler.ConnectCallback"/>.</summary>
    internal static async ValueTask<Stream> ConnectAsync(
        SocketsHttpConnectionContext context, CancellationToken cancellation)
    {
        DnsEndPoint host = context.DnsEndPoint;
        IPAddress[] addresses = await Dns.GetHostAddressesAsync(host.Host, cancellation).ConfigureAwait(false);
        Socket socket = await FirstAsync(
            addresses, (address, token) => OpenAsync(new IPEndPoint(address, host.Port), token), cancellation)
            .ConfigureAwait(false);
        return new NetworkStream(socket, ownsSocket: true);
    }

    private static async Task<Socket> OpenAsync(IPEndPoint endPoint, CancellationToken cancellation)
    {
        Socket socket = new(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(endPoint, cancellation).ConfigureAwait(false);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
#endif

    /// <summary>The first that <paramref name="open"/> opens; the others are ended.</summary>
    /// <exception cref="Exception">What the last one threw, once none is left.</exception>
    internal static async Task<T> FirstAsync<T>(
        IReadOnlyList<IPAddress> addresses,
        Func<IPAddress, CancellationToken, Task<T>> open,
        CancellationToken cancellation)
        where T : IDisposable
    {
        using CancellationTokenSource ended = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        List<Task<T>> attempts = new();
        try
        {
            for (int next = 0; ;)
            {
                if (next < addresses.Count)
                {
                    attempts.Add(open(addresses[next++], ended.Token));
                }

                List<Task> awaited = new(attempts);
                if (next < addresses.Count)
                {
                    awaited.Add(Task.Delay(HeadStart, ended.Token));
                }

                if (await Task.WhenAny(awaited).ConfigureAwait(false) is not Task<T> finished)
                {
                    cancellation.ThrowIfCancellationRequested();
                    continue;
                }

                attempts.Remove(finished);
                if (finished.Status == TaskStatus.RanToCompletion || (attempts.Count == 0 && next == addresses.Count))
                {
                    return await finished.ConfigureAwait(false);
                }

                _ = finished.Exception;
            }
        }
        finally
        {
            ended.Cancel();
            foreach (Task<T> attempt in attempts)
            {
                _ = attempt.ContinueWith(Discard, TaskScheduler.Default);
            }
        }
    }

    /// <summary>Also one that was opened in the same moment.</summary>
    private static void Discard<T>(Task<T> attempt)
        where T : IDisposable
    {
        if (attempt.Status == TaskStatus.RanToCompletion)
        {
            attempt.Result.Dispose();
        }

        _ = attempt.Exception;
    }
}
