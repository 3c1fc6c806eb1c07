using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Signet.Client.Net;

/// <summary>The bytes of a file as they are received; nothing about them is verified.</summary>
internal sealed class FileAnswer(long start, IDisposable response, Stream stream) : IDisposable
{
    /// <summary>The place of the first byte in the file.</summary>
    internal long Start { get; } = start;

    /// <exception cref="SignetException"><c>NETWORK</c></exception>
    internal async Task<int> ReadAsync(byte[] buffer, CancellationToken cancellation)
    {
        try
        {
            using (cancellation.Register(response.Dispose))
            {
                return await Transport.ReadAsync(stream, buffer, cancellation).ConfigureAwait(false);
            }
        }
        catch (Exception error) when (Transport.IsNetworkError(error))
        {
            throw Transport.NetworkFailure(error, cancellation);
        }
    }

    public void Dispose()
    {
        stream.Dispose();
        response.Dispose();
    }
}
