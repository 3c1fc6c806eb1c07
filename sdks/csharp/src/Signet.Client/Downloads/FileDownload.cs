using System;
using System.IO;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using Signet.Client.Net;
using Signet.Client.Protocol;
using Signet.Client.Sessions;

namespace Signet.Client.Downloads;

/// <summary>Writes one file, and resumes where a connection broke off.</summary>
/// <param name="ask">Asks the server where the bytes are.</param>
/// <param name="transport">Gets the bytes.</param>
/// <param name="clock">The time.</param>
/// <param name="silence">How long no bytes may arrive: the timeout of the client.</param>
internal sealed class FileDownload(
    Func<CancellationToken, Task<FileOffer>> ask, ITransport transport, Clock clock, TimeSpan silence)
{
    private const int BufferBytes = 64 * 1024;
    private readonly byte[] _buffer = new byte[BufferBytes];
    private readonly DownloadAttempts _attempts = new(clock, silence);
    private long _received;

    /// <summary>
    /// The bytes go to a new file in the same folder, which takes the final name only once all of it is verified.
    /// </summary>
    /// <exception cref="SignetException"><c>FILE_CORRUPT</c>, <c>FILE_NOT_WRITTEN</c>, and errors of the calls.</exception>
    internal async Task<DownloadedFile> SaveAsync(string path, CancellationToken cancellation)
    {
        FileOffer offer = await _attempts.RepeatAsync(() => ask(cancellation), cancellation).ConfigureAwait(false);
        try
        {
            string target = Path.GetFullPath(path);
            string partial = $"{target}.{Hex.Encode(Wire.RandomBytes(6))}.part";
            try
            {
                using (FileStream file = new(
                    partial, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.None, BufferBytes, useAsync: true))
                {
                    KeepPermissions(target, file);
                    offer = await ReceiveAsync(offer, file, cancellation).ConfigureAwait(false);
                    file.Flush(flushToDisk: true);
                }

                ReplaceFile(partial, target);
            }
            finally
            {
                DeleteFile(partial);
            }

            return new DownloadedFile(target, offer.FileName, offer.Size, offer.Sha256);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException
            or NotSupportedException or System.Security.SecurityException)
        {
            throw new SignetException(
                SignetCode.FileNotWritten, $"The file can't be written: {error.Message}", error);
        }
    }

    /// <summary>Returns the offer whose bytes are in the file now; the seller may have replaced it meanwhile.</summary>
    private async Task<FileOffer> ReceiveAsync(FileOffer offer, FileStream file, CancellationToken cancellation)
    {
        bool isFresh = true;
        offer = await _attempts.RepeatAsync(
            async () =>
            {
                if (!isFresh)
                {
                    // The address has expired by now, and a file that was replaced has other bytes.
                    FileOffer again = await ask(cancellation).ConfigureAwait(false);
                    if (again.Sha256 != offer.Sha256)
                    {
                        StartOver(file);
                    }

                    offer = again;
                }

                isFresh = false;
                await ReceiveRestAsync(offer, file, cancellation).ConfigureAwait(false);
                return offer;
            },
            cancellation).ConfigureAwait(false);
        await file.FlushAsync(cancellation).ConfigureAwait(false);
        file.Position = 0;
        using SHA256 sha256 = SHA256.Create();
        return Hex.Encode(sha256.ComputeHash(file)) == offer.Sha256 ? offer : throw Corrupt();
    }

    private async Task ReceiveRestAsync(FileOffer offer, FileStream file, CancellationToken cancellation)
    {
        if (_received > 0 && _received == offer.Size)
        {
            // The connection broke after the last byte, and a server has no part to give beyond it.
            return;
        }

        using FileAnswer answer = await WithinSilenceAsync(
            token => transport.OpenFileAsync(offer.Url, _received, offer.Sha256, token), cancellation)
            .ConfigureAwait(false);
        if (answer.Start != _received)
        {
            StartOver(file);
        }

        int count;
        while ((count = await WithinSilenceAsync(token => answer.ReadAsync(_buffer, token), cancellation)
            .ConfigureAwait(false)) > 0)
        {
            _received += count;
            if (_received > offer.Size)
            {
                throw Corrupt();
            }

            await WriteAsync(file, count, cancellation).ConfigureAwait(false);
        }

        if (_received < offer.Size)
        {
            throw new SignetException(SignetCode.Network, "The file was cut off.");
        }
    }

    private Task<T> WithinSilenceAsync<T>(Func<CancellationToken, Task<T>> work, CancellationToken cancellation) =>
        Deadline.RunAsync(clock, silence, deadline => work(deadline.Token), cancellation, CancellationToken.None);

    private Task WriteAsync(FileStream file, int count, CancellationToken cancellation) =>
#if NET
        file.WriteAsync(_buffer.AsMemory(0, count), cancellation).AsTask();
#else
        file.WriteAsync(_buffer, 0, count, cancellation);
#endif

    private void StartOver(FileStream file)
    {
        _received = 0;
        file.Position = 0;
        file.SetLength(0);
    }

    /// <summary>
    /// Those of the file that is replaced, on systems that have them: a program stays executable, a private file private.
    /// </summary>
    private static void KeepPermissions(string target, FileStream file)
    {
#if NET
        if (!OperatingSystem.IsWindows() && File.Exists(target))
        {
            const UnixFileMode Access = (UnixFileMode)0x1FF;
            File.SetUnixFileMode(file.SafeFileHandle, File.GetUnixFileMode(target) & Access);
        }
#endif
    }

    private static void ReplaceFile(string source, string target)
    {
#if NET
        File.Move(source, target, overwrite: true);
#else
        if (File.Exists(target))
        {
            File.Replace(source, target, null);
        }
        else
        {
            File.Move(source, target);
        }
#endif
    }

    private static void DeleteFile(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The error that led here says more.
        }
    }

    private static SignetException Corrupt() =>
        new(SignetCode.FileCorrupt, "The file isn't the one that the server has signed.");
}
